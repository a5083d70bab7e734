import { z } from 'zod'

/** A fault in a list of a query: which word, and what may stand in its place. */
const wrongWord = (word: string, allowed: readonly string[]) =>
  `"${word.slice(0, 40)}" is not known here; use one or more of ${allowed.join(', ')}, separated by commas`

/**
 * Returns the words of a list in a query. A space at the end of a word is a plus sign that the sender did not encode.
 */
export const wordsOf = (text: string): string[] =>
  text.split(',').map((word) => word.trimStart().replace(/ +$/, (spaces) => '+'.repeat(spaces.length)))

/** List in a query: words of a closed list, separated by commas, each at most once. */
export const queryWords = (allowed: readonly string[], description: string) =>
  z
    .string()
    .max(allowed.join(',').length)
    .superRefine((text, context) => {
      const words = wordsOf(text)
      const unknown = words.find((word) => !allowed.includes(word))
      if (unknown !== undefined) context.addIssue({ code: 'custom', message: wrongWord(unknown, allowed) })
      else if (new Set(words).size < words.length)
        context.addIssue({ code: 'custom', message: 'a word stands twice in the list; name each once' })
    })
    .meta({ description })
