import { reportFonts } from '@svc/report-fonts'
import { openSync } from 'fontkit'

export type Weight = 'regular' | 'bold'

const fonts = new Map<Weight, { hasGlyphForCodePoint(codePoint: number): boolean }>()

function fontOf(weight: Weight) {
  const known = fonts.get(weight)
  if (known !== undefined) return known
  const opened = openSync(reportFonts[weight])
  if (!('hasGlyphForCodePoint' in opened)) throw new Error(`the ${weight} font file holds several fonts`)
  fonts.set(weight, opened)
  return opened
}

/** Control characters, and those that a reader ignores: marks of direction, zero width, fillers. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u

const shows = (font: ReturnType<typeof fontOf>, sign: string): boolean =>
  font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0) && !UNSEEN.test(sign)

/** Returns the characters of a text for which a font has no glyph, or one that nobody sees. */
export function missingGlyphs(text: string, weight: Weight): string[] {
  const font = fontOf(weight)
  return [...text].filter((sign) => !shows(font, sign))
}

/** Replaces characters without a glyph that is seen by question marks; venues send text in any script. */
export function drawable(text: string, weight: Weight): string {
  const font = fontOf(weight)
  let changed = ''
  for (const sign of text) changed += shows(font, sign) ? sign : '?'
  return changed
}

/** Replaces characters that nobody sees by question marks, in a text that a viewer shows with a font of its own, such as a title. */
export const visible = (text: string): string => [...text].map((sign) => (UNSEEN.test(sign) ? '?' : sign)).join('')
