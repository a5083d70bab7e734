import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packScans, SCAN_FIGURES, unpackScans, type ScanColumns } from './scan-block.ts'

const amount = fc.double({ min: 0, max: 1e12, noNaN: true })
const bps = fc.oneof(fc.double({ min: -1e4, max: 1e6, noNaN: true }), fc.constant(0))
const ms = fc.integer({ min: -2_000_000_000, max: 2_000_000_000 })
/** Prices of one pair have so many decimal places. */
const figureOf = (name: string, places: number): fc.Arbitrary<number> => {
  if (name === 'bid' || name === 'ask' || name === 'last')
    return fc.integer({ min: 1, max: 99_999_999 }).map((units) => Number(`${units}e-${places}`))
  if (name.endsWith('_usd')) return amount
  if (name.endsWith('_bps')) return bps
  if (name.endsWith('_ms')) return ms
  if (name === 'imbalance') return fc.double({ min: -0.5, max: 0.5, noNaN: true })
  return fc.integer({ min: 0, max: name === 'flags' ? 255 : 1e9 })
}

/** Any scans of a pair in two hours: minutes missing, figures unknown, scans failed. */
const scans: fc.Arbitrary<ScanColumns> = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 0, max: 119 }), { minLength: 1, maxLength: 120 }),
    fc.integer({ min: 0, max: 16 }),
  )
  .chain(([minutes, places]) => {
    const column = <T>(value: fc.Arbitrary<T>) =>
      fc.array(fc.option(value), { minLength: minutes.length, maxLength: minutes.length })
    return fc.record({
      place: fc.constant(minutes.toSorted((a, b) => a - b)),
      error: column(fc.constantFrom('timeout', 'budget', 'rate_limited', '시간 초과')),
      ...(Object.fromEntries(SCAN_FIGURES.map((name) => [name, column(figureOf(name, places))])) as Record<
        (typeof SCAN_FIGURES)[number],
        fc.Arbitrary<(number | null)[]>
      >),
    })
  })

/** What a figure may lose. */
function allowed(name: string, value: number): number {
  if (name.endsWith('_usd')) return Math.abs(value) * 1e-3 + 1e-3
  if (name.endsWith('_bps')) return Math.abs(value) * 1e-3 + 1e-4
  if (name.endsWith('_ms')) return 5
  return name === 'imbalance' ? 0.0005 + 1e-12 : 0
}

test('unpacked scans equal the packed ones within the rounding of each figure, with their minutes, nulls and failures', () => {
  fc.assert(
    fc.property(scans, (columns) => {
      const read = unpackScans(packScans(columns))
      expect(read.place).toEqual(columns.place)
      expect(read.error).toEqual(columns.error)
      for (const name of SCAN_FIGURES)
        for (const [at, value] of columns[name].entries()) {
          const got = read[name][at] ?? null
          if (value === null || got === null) expect(got).toBe(value)
          else expect(Math.abs(got - value), `${name} ${value}`).toBeLessThanOrEqual(allowed(name, value))
        }
    }),
  )
})

const one = (bid: number, ask: number): ScanColumns => ({
  ...(Object.fromEntries(SCAN_FIGURES.map((name) => [name, [null]])) as unknown as Record<
    (typeof SCAN_FIGURES)[number],
    null[]
  >),
  place: [7],
  error: [null],
  flags: [0],
  bid: [bid],
  ask: [ask],
})

test('prices without a common number of decimal places keep 14 digits of the largest price', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-20, max: 1e20, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (ask, share) => {
        const read = unpackScans(packScans(one(ask * share, ask)))
        expect(Math.abs((read.ask[0] ?? NaN) - ask)).toBeLessThanOrEqual(ask * 1e-13)
        expect(Math.abs((read.bid[0] ?? NaN) - ask * share)).toBeLessThanOrEqual(ask * 1e-13)
      },
    ),
  )
})

test('a block with a changed byte, or that was cut or extended, is rejected', () => {
  fc.assert(
    fc.property(scans, fc.nat(), fc.integer({ min: 1, max: 255 }), (columns, place, bits) => {
      const block = packScans(columns)
      const damaged = Buffer.from(block)
      const at = place % block.length
      damaged[at] = (damaged[at] ?? 0) ^ bits
      expect(() => unpackScans(damaged)).toThrow(/block of scans/)
      expect(() => unpackScans(block.subarray(0, at))).toThrow(/block of scans/)
      expect(() => unpackScans(Buffer.concat([block, Buffer.from([bits])]))).toThrow(/block of scans/)
    }),
  )
})

test('the error for another version differs from the error for a damaged block', () => {
  const block = packScans(one(1, 2))
  block[0] = 3
  expect(() => unpackScans(block)).toThrow('version 3')
})

test('a block of the release before is read; the narrowest band is unknown in it', () => {
  // One scan at minute 7 with bid 1, ask 2, $100 of bids within 2 % and flags 1, as version 1 packed it.
  const block = Buffer.from('AR5Atk4otS/9IBu9AACIAQAADwADAwAAAAAAAPckAAMBADawBA==', 'base64')
  const { place, bid, ask, depth_bid_2_usd, depth_bid_01_usd, flags } = unpackScans(block)
  expect({ place, bid, ask, depth_bid_01_usd, flags }).toEqual({
    place: [7],
    bid: [1],
    ask: [2],
    depth_bid_01_usd: [null],
    flags: [1],
  })
  expect(depth_bid_2_usd[0]).toBeCloseTo(100, 0)
})

test('figures that are not numbers are rejected', () => {
  expect(() => packScans({ ...one(1, 2), volume_usd: [NaN] })).toThrow(RangeError)
  expect(() => packScans({ ...one(1, 2), skew_ms: [Infinity] })).toThrow(RangeError)
})
