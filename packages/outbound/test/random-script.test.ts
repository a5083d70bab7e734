import { opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playScript, script, type Cast } from '@svc/outbound/testing'
import { adapterOf, CLAIM_MS, deedsOf, newDeed, openDeeds, type kind } from './effect-rig.ts'

const long = process.env['TEST_LONG'] === '1'
const database = opened(() => openDeeds())

const cast: Cast<(typeof kind)['row']> = {
  newEffect: () => newDeed(database.pool),
  machineOf: (one) => deedsOf(database.pool, one),
  adapterOf,
  transaction: (work) => database.pool.transaction(work),
  claimMs: CLAIM_MS,
}

test('with lost answers, late copies, refused copies, contradictions, wrong clocks and processes that die or stand still an effect happens at most once, ends as what it was, and is reported once', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const { row, peer, faults } = await playScript(cast, steps)
      expect(faults).toEqual([])
      // With the columns of its kind.
      expect(row.result).toBe(row.effect_outcome)
      // Reported once in effect.
      expect([...peer.informed]).toEqual([row.effect_outcome])
    }),
    { numRuns: long ? 10_000 : 200, seed: Number(process.env['TEST_SEED'] ?? 7) },
  )
})
