/** A piece of the note; `field` is the limit that its words set, null for words that set none. */
export interface NotePiece {
  readonly text: string
  readonly field: string | null
}

/** Words of the note that set a limit. */
interface NotedWords {
  readonly field: string
  readonly words: string | null
}

/** Cuts a note into pieces, so that the words that set a limit can be marked. Words that are marked already are not marked twice. */
export function notePieces(note: string, noted: readonly NotedWords[]): readonly NotePiece[] {
  const marks: { from: number; to: number; field: string }[] = []
  for (const { field, words } of noted) {
    if (words === null || words === '') continue
    const from = freePlace(note, words, marks)
    if (from !== null) marks.push({ from, to: from + words.length, field })
  }
  const pieces: NotePiece[] = []
  let at = 0
  for (const { from, to, field } of marks.toSorted((one, other) => one.from - other.from)) {
    if (from > at) pieces.push({ text: note.slice(at, from), field: null })
    pieces.push({ text: note.slice(from, to), field })
    at = to
  }
  if (at < note.length) pieces.push({ text: note.slice(at), field: null })
  return pieces
}

/** Returns the first place of words that no mark covers; null if there is none. */
function freePlace(note: string, words: string, marks: readonly { from: number; to: number }[]): number | null {
  const [haystack, needle] = [note.toLowerCase(), words.toLowerCase()]
  for (let from = haystack.indexOf(needle); from >= 0; from = haystack.indexOf(needle, from + 1)) {
    const to = from + needle.length
    if (marks.every((mark) => to <= mark.from || from >= mark.to)) return from
  }
  return null
}
