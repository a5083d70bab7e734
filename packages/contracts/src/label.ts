import { z } from 'zod'

/** Scripts whose words are written with joiners and non-joiners. */
const SCRIPTS =
  'Arabic Syriac Mandaic Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'.split(
    ' ',
  )
const LETTER = `[[\\p{L}\\p{M}]&&[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]]`
const JOINED = `(?<=${LETTER})[\\u200C\\u200D](?=${LETTER})`
const JOINED_EMOJI = '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})'
const UNFIT = new RegExp(`(?!${JOINED}|${JOINED_EMOJI})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]`, 'v')
const ALL_UNFIT = new RegExp(UNFIT.source, 'gv')
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v

/**
 * Removes everything from a text that `label` rejects: controls, marks that reorder or hide text, line breaks, joiners
 * between nothing.
 */
export const withoutUnfit = (text: string): string => text.replaceAll(ALL_UNFIT, '')

/**
 * Schema of a single line of plain text with at most `max` characters: letters of any script and emoji, but no
 * characters that only hide or reorder text or break a line. Zero-width joiners and non-joiners are accepted only where
 * they join: inside words of scripts that need them, and between emoji.
 */
export const label = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    // An empty text is reported once, by its length.
    .refine((text) => text === '' || (text.isWellFormed() && !UNFIT.test(text) && VISIBLE.test(text)), {
      abort: true,
      error: 'must be plain text on one line that can be seen, without control characters',
    })
    .refine((text) => text.trim() === text, 'must not start or end with a space')
