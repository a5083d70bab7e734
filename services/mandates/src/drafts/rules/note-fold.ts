/** A folded note of the same length, and the words with characters that cannot be read. */
export interface Folded {
  readonly text: string
  readonly unreadable: readonly { readonly words: string; readonly why: string }[]
}

/** Letters of English and Korean. Other letters may look like these, or state a limit in a language that is not read. */
const LETTER = /[a-z가-힣]/
/** Full-width forms; their code is that of the ASCII form plus 0xFEE0. */
const FULL_WIDTH = /[\uff01-\uff5e]/g
const NAMED = /(?:called|named|이름은|이름)\s+(?:["“']([^"”'\n]{1,60})["”'])/gi

/** Folds letter case and full-width forms; each character keeps its position. Replaces names in quotation marks by spaces. */
export function fold(note: string): Folded {
  const masked = note.replace(NAMED, (whole) => ' '.repeat(whole.length))
  const text = masked
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const unreadable = [...text.matchAll(/[\p{L}\p{N}\p{M}\p{Cf}\p{Co}]+/gu)].flatMap((word) => {
    const strange = [...word[0]].find((sign) => !LETTER.test(sign) && !/[0-9]/.test(sign))
    if (strange === undefined) return []
    const code = `U+${(strange.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    const words = /^\p{Cf}+$/u.test(word[0]) ? code : note.slice(word.index, word.index + word[0].length)
    return [{ words, why: `contains a character that is neither English nor Korean, ${code}` }]
  })
  return { text, unreadable }
}

/** Returns the name that a note states, with its words; null if it states no name. */
export function nameIn(note: string): { readonly name: string; readonly words: string } | null {
  const found = [...note.matchAll(NAMED)][0]
  return found?.[1] === undefined ? null : { name: found[1], words: found[0] }
}
