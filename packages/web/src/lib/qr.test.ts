import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correctionOf, qrCode, type QrCode } from './qr.ts'

/** Reads a code back as a camera's software does, by the standard and not by the encoder. */
function read(code: QrCode): string {
  const size = code.length
  const dark = (row: number, column: number) => (code[row]?.[column] === true ? 1 : 0)
  let format = 0
  for (const [row, column] of [
    [8, 0],
    [8, 1],
    [8, 2],
    [8, 3],
    [8, 4],
    [8, 5],
    [8, 7],
    [8, 8],
    [7, 8],
    [5, 8],
    [4, 8],
    [3, 8],
    [2, 8],
    [1, 8],
    [0, 8],
  ] as const)
    format = (format << 1) | dark(row, column)
  const unmasked = format ^ 0x5412
  expect(unmasked >>> 13, 'level M').toBe(0)
  const mask = (unmasked >>> 10) & 7
  const flips = (r: number, c: number) =>
    [
      (r + c) % 2,
      r % 2,
      c % 3,
      (r + c) % 3,
      (Math.floor(r / 2) + Math.floor(c / 3)) % 2,
      ((r * c) % 2) + ((r * c) % 3),
      (((r * c) % 2) + ((r * c) % 3)) % 2,
      (((r + c) % 2) + ((r * c) % 3)) % 2,
    ][mask] === 0
  const isFixed = (r: number, c: number) =>
    r === 6 ||
    c === 6 ||
    (r < 9 && (c < 9 || c >= size - 8)) ||
    (r >= size - 8 && c < 9) ||
    (size > 21 && Math.abs(r - (size - 7)) < 3 && Math.abs(c - (size - 7)) < 3)
  const bits: number[] = []
  let up = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1) {
      const r = up ? size - 1 - step : step
      for (const c of [right, right - 1]) if (!isFixed(r, c)) bits.push(dark(r, c) ^ (flips(r, c) ? 1 : 0))
    }
    up = !up
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  )
  const blocks = [1, 1, 1, 2, 2, 4][(size - 21) / 4] ?? 1
  const data = [16, 28, 44, 64, 86, 108][(size - 21) / 4] ?? 0
  const inOrder = Array.from({ length: blocks }, (_, block) =>
    words.slice(0, data).filter((_, at) => at % blocks === block),
  )
  const corrections = Array.from({ length: blocks }, (_, block) =>
    words.slice(data).filter((_, at) => at % blocks === block),
  )
  inOrder.forEach((block, at) => expect(corrections[at]).toEqual(correctionOf(block, corrections[at]?.length ?? 0)))
  const text = inOrder
    .flat()
    .map((word) => word.toString(2).padStart(8, '0'))
    .join('')
  expect(text.slice(0, 4)).toBe('0100')
  const length = Number.parseInt(text.slice(4, 12), 2)
  const bytes = Array.from({ length }, (_, at) => Number.parseInt(text.slice(12 + at * 8, 20 + at * 8), 2))
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

describe('a QR code', () => {
  test('corrects errors by the published example of the standard', () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    expect(correctionOf(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23])
  })

  test('is read back as the text that it was made of', () => {
    const address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
    expect(read(qrCode(address))).toBe(address)
    fc.assert(
      fc.property(fc.string({ maxLength: 26, unit: 'grapheme' }), (text) => {
        const bytes = new TextEncoder().encode(text).length
        if (bytes <= 106) expect(read(qrCode(text))).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  test('has three corners, timing lines and no more than the text needs', () => {
    expect(qrCode('a'.repeat(14))).toHaveLength(21)
    expect(qrCode('a'.repeat(15))).toHaveLength(25)
    expect(qrCode('a'.repeat(106))).toHaveLength(41)
    expect(() => qrCode('a'.repeat(107))).toThrow(RangeError)
    const code = qrCode('hub')
    expect(code[0]?.slice(0, 8)).toEqual([true, true, true, true, true, true, true, false])
    expect(code[6]?.slice(8, 13)).toEqual([true, false, true, false, true])
  })
})
