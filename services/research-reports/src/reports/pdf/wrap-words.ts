/**
 * Breaks a text into lines no wider than `width`, at spaces only: Korean is read by words too, although it may be broken
 * between any two syllables. Breaks a word only if it is wider than a line. `measure` returns the width of a piece.
 */
export function wrapWords(text: string, width: number, measure: (piece: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').filter((piece) => piece !== '')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (measure(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = brokenWord(word, width, measure)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  if (line !== '') lines.push(line)
  return lines
}

function brokenWord(word: string, width: number, measure: (piece: string) => number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const sign of word) {
    if (piece !== '' && measure(piece + sign) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += sign
  }
  return [...pieces, piece]
}

/** Returns the text if it fits, else its longest beginning that fits with an ellipsis. */
export function cutToWidth(text: string, width: number, measure: (piece: string) => number): string {
  if (measure(text) <= width) return text
  const signs = [...text]
  while (signs.length > 0 && measure(`${signs.join('')}…`) > width) signs.pop()
  return `${signs.join('').trimEnd()}…`
}
