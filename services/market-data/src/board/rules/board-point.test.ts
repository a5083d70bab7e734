import { letter, lifecycle, outlook, venueFlag } from '@svc/contracts/market-data/board'
import { crisisRule } from '@svc/contracts/market-data/crisis'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodePoint, encodePoint } from './board-point.ts'

const grade = fc.option(fc.constantFrom(...letter.options))
const at = '2026-11-21T10:00:00.000Z'

it('a point of the history keeps every word that a row can have', () => {
  const anyRow = fc.record({
    grades: fc.record({ spread: grade, depth: grade, volume: grade, stability: grade }),
    lifecycle: fc.constantFrom(...lifecycle.options),
    outlook: fc.option(fc.constantFrom(...outlook.options)),
    depth_is_lower_bound: fc.boolean(),
    flags: fc.subarray([...venueFlag.shape.meaning.options]),
    alerts: fc.option(
      fc
        .subarray([...crisisRule.options])
        .chain((rules) =>
          fc.tuple(
            ...rules.map((rule) => fc.record({ rule: fc.constant(rule), severity: fc.integer({ min: 1, max: 3 }) })),
          ),
        ),
    ),
  })
  fc.assert(
    fc.property(anyRow, (row) => {
      const flags = row.flags.map((meaning) => ({
        flag: meaning,
        meaning,
        since: at,
        effective_at: null,
        source: null,
        published_at: null,
        lateness_seconds: null,
      }))
      const alerts = row.alerts?.map((alert) => ({
        ...alert,
        episode_id: 'cri_1',
        opened_at: at,
        text: { en: '', ko: '' },
      }))
      const codes = encodePoint({ ...row, flags, alerts: alerts ?? null })
      for (const code of Object.values(codes)) expect(Math.abs(code)).toBeLessThan(2 ** 31)
      expect(decodePoint(codes)).toEqual(row)
    }),
  )
})
