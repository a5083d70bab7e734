import { openSync } from 'fontkit'
import { expect, test } from 'vitest'
import { reportFonts } from './index.ts'

const SIGNS = 'Az09 ₩€$%‰±≥≤→↑↓▲▼✓·…–—“”×÷‘’①가나다뷁힣ㄱㅎ'

test.each(Object.entries(reportFonts))(
  '%s has every sign that reports use, with digits of one width',
  (_name, path) => {
    const font = openSync(path)
    if (!('hasGlyphForCodePoint' in font)) throw new Error('a collection, not a font')
    const missing = [...SIGNS].filter((sign) => !font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0))
    expect(missing).toEqual([])
    const hangul = Array.from({ length: 11_172 }, (_, index) => 0xac00 + index)
    expect(hangul.filter((code) => !font.hasGlyphForCodePoint(code))).toEqual([])
    const widths = new Set([...'0123456789'].map((digit) => font.layout(digit).advanceWidth))
    expect(widths.size).toBe(1)
  },
)
