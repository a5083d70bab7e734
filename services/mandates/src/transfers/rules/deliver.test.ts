import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deliveries } from './deliver.ts'

const party: fc.Arbitrary<string> = fc.constantFrom('0xa1', '0xb2', '0xc3')
const amount = fc.constantFrom(1n, 2n)
const movements = fc.array(fc.record({ from: party, to: party, amount }), { maxLength: 6 })
const awaited = fc
  .array(
    fc.record({
      direction: fc.constantFrom('in' as const, 'out' as const),
      amount,
      parties: fc.uniqueArray(party, { maxLength: 2 }).map((all) => new Set(all)),
    }),
    { maxLength: 6 },
  )
  .map((all) => all.map((one, id) => ({ id, ...one })))

test('each movement delivers one transfer, of its amount and with a party of the agent at the named end', () => {
  fc.assert(
    fc.property(awaited, movements, (transfers, moved) => {
      const found = deliveries(transfers, moved)
      expect(new Set(found.values()).size).toBe(found.size)
      for (const [id, at] of found) {
        const [transfer, movement] = [transfers[id], moved[at]]
        expect(movement?.amount).toBe(transfer?.amount)
        expect(transfer?.parties.has((transfer.direction === 'in' ? movement?.to : movement?.from) ?? '')).toBe(true)
      }
    }),
  )
})

test('a transfer stays in transit only if no unused movement could deliver it', () => {
  fc.assert(
    fc.property(awaited, movements, (transfers, moved) => {
      const found = deliveries(transfers, moved)
      const used = new Set(found.values())
      const waiting = transfers.filter(({ id }) => !found.has(id))
      const unused = moved.filter((_, at) => !used.has(at))
      for (const { direction, amount: wanted, parties } of waiting)
        for (const { from, to, amount: given } of unused)
          expect(given === wanted && parties.has(direction === 'in' ? to : from)).toBe(false)
    }),
  )
})
