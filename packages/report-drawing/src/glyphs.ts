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

/** Returns the characters of a text for which a font has no glyph. */
export function missingGlyphs(text: string, weight: Weight): string[] {
  const font = fontOf(weight)
  return [...text].filter((sign) => !font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))
}

/** Replaces characters without a glyph by question marks; venues send text in any script. */
export function drawable(text: string, weight: Weight): string {
  const font = fontOf(weight)
  let changed = ''
  for (const sign of text) changed += font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0) ? sign : '?'
  return changed
}
