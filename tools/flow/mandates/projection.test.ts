import { eventually, FakeClock } from '@svc/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mustServeTheChain, projectionOf } from './compare.ts'
import { fund, play, signMandate, step, syncClock, type Played, type Theatre } from './script.ts'
import { copyWords, mustVerify, swept } from './checks.ts'
import { startChain, startStack } from './stack.ts'
import { mustMarkTheChain } from './worth.ts'

const LONG = process.env['TEST_LONG'] === '1'
const SEED = Number(process.env['TEST_SEED'] ?? 20_261_121)
// Each round has its own chain: after some 900 blocks and 100 reorganisations anvil 1.7.1 may go back to a wrong state.
const ROUNDS = LONG ? 8 : 1
const SCRIPTS = LONG ? 5 : 2
const STEPS = LONG ? 40 : 24
const OWNERS = [101, 103]
const AGENTS = [202, 204]

let theatre: Theatre
let worths = 0
beforeEach(async () => {
  const chain = await startChain()
  const stack = await startStack(chain)
  const clock = new FakeClock(new Date((await chain.anvil.now()) * 1_000))
  // Two instances of each: both receive events, in any order.
  for (const service of ['chain-indexer', 'mandates', 'chain-indexer', 'mandates'] as const)
    await stack.start(service, service === 'mandates' ? clock : undefined)
  await fund(chain, [...OWNERS, ...AGENTS])
  worths = 0
  theatre = {
    chain,
    stack,
    clock,
    swept: () => swept(chain, stack),
    marked: async (cast) => {
      worths += await mustMarkTheChain(theatre, cast)
    },
  }
})
afterEach(async () => {
  await theatre?.stack.stop()
  await theatre?.chain.stop()
})

test.each(Array.from({ length: ROUNDS }, (_, round) => SEED + round))(
  'after any script with reorganisations the served figures equal the chain and those of an instance that reads it from the first block (seed %i)',
  async (seed) => {
    const { chain, stack, clock } = theatre
    const scripts = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), { seed, numRuns: SCRIPTS })
    const played: Played[] = []
    for (const script of scripts) {
      const cast = [await signMandate(theatre, 101, 202), await signMandate(theatre, 103, 204)]
      played.push(...cast)
      await play(theatre, cast, script)
      await theatre.swept()
      for (const one of cast)
        await eventually(() => mustServeTheChain(stack, chain.chain, one, clock.now()), {
          everyMs: 200,
        })
      await theatre.marked(cast)
    }
    await syncClock(theatre)
    const counts = { facts: 0, executions: 0, refusals: 0 }
    const fresh = await startStack(chain)
    try {
      await copyWords(stack, fresh)
      await fresh.start('chain-indexer')
      await fresh.start('mandates', clock)
      await swept(chain, fresh)
      for (const one of played) {
        await eventually(
          async () => expect(await projectionOf(stack.pools, one)).toEqual(await projectionOf(fresh.pools, one)),
          { everyMs: 200 },
        )
        const seen = await projectionOf(stack.pools, one)
        counts.facts += seen.facts.length
        counts.executions += seen.executions.length
        counts.refusals += seen.refusals.length
        await mustServeTheChain(stack, chain.chain, one, clock.now())
        await mustServeTheChain(fresh, chain.chain, one, clock.now())
        await mustVerify(stack, chain, one)
        await mustVerify(fresh, chain, one)
      }
    } finally {
      await fresh.stop()
    }
    // The scripts had effects.
    for (const count of [...Object.values(counts), worths]) expect(count).toBeGreaterThan(0)
  },
)
