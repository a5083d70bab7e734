import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupOf, wholeGroups, type Grouped } from './record-steps.ts'

const MAX = 12
const PAGE = 6

test('a reader who takes page after page gets every entry, every group whole, and ends with the newest', () => {
  const record = fc
    .array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 })
    .map((places): readonly Grouped[] =>
      places.map((place, at) => ({ seq: at + 1, tx_hash: place === 0 ? null : `0x${place}`, group_key: null })),
    )
  fc.assert(
    fc.property(record, (entries) => {
      const sizeOf = Map.groupBy(entries, groupOf)
      const seen = new Set<number>()
      for (let since = 0; since < entries.length;) {
        const pageEnd = Math.min(entries.length, since + PAGE)
        const asked = new Set(entries.filter(({ seq }) => seq > since && seq <= pageEnd).map(groupOf))
        const told = entries.filter((entry) => asked.has(groupOf(entry)))
        const { steps, nextSince } = wholeGroups(told, since, pageEnd, MAX)
        const groups = Map.groupBy(steps, groupOf)
        for (const [name, group] of groups) expect(group).toHaveLength(sizeOf.get(name)?.length ?? 0)
        expect(steps.length <= MAX || groups.size === 1).toBe(true)
        expect(nextSince).toBeGreaterThan(since)
        expect(nextSince).toBeLessThanOrEqual(pageEnd)
        for (const { seq } of steps) seen.add(seq)
        since = nextSince
      }
      expect(seen.size).toBe(entries.length)
    }),
  )
})

test('late groups give way to new ones, and keep none of them back', () => {
  const entry = (seq: number, tx_hash: string): Grouped => ({ seq, tx_hash, group_key: null })
  const entries = [entry(1, 'late'), entry(2, 'late'), entry(3, 'new'), entry(4, 'new')]
  expect(wholeGroups(entries, 2, 4, 3)).toEqual({ steps: [entries[2], entries[3]], nextSince: 4 })
})
