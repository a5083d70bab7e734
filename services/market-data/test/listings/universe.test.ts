import { sql } from '@svc/postgres'
import type { Faults, FeedEvent } from '@svc/replay-exchange'
import { eventually } from '@svc/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { account, MINUTE, startRig, type Rig } from '../rig.ts'

const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
let rig: Rig
afterEach(() => rig.stop())

/** Lives of the tokens as the board keeps them: token, state and cause of each step. */
const lives = () =>
  rig.context.pool.any(
    sql.type(
      z.object({
        token_id: z.string(),
        instance_id: z.number(),
        to_state: z.string(),
        cause: z.string(),
        seq: z.number(),
      }),
    )`SELECT token_id, instance_id, to_state, cause, seq FROM lifecycle_event ORDER BY token_id, seq`,
  )
const tradingCount = () =>
  rig.context.pool.oneFirst(
    sql.type(z.object({ n: z.number() }))`SELECT count(*)::int AS n FROM token_instance WHERE trading = 'trading'`,
  )
const errorClasses = async () => {
  const { exchanges } = await rig.client.readCoverage({})
  return exchanges.flatMap((one) => one.errors_1h.map((error) => error.class))
}

const LOOK = ['listMarkets', 'rotateBooks', 'observeMarkets', 'computeBoard'] as const
/** One look at everything, or by some of the jobs, at an instant. */
async function lookAt(at: number, jobs: readonly (typeof LOOK)[number][] = LOOK): Promise<void> {
  rig.exchange.clock.set(at)
  for (const job of jobs) await rig.run(job)
}

/** Begin of a time span in which nothing happens to any token, as far as lists can tell. */
function quietSpan(from: number, length: number): number {
  const matters = (event: FeedEvent) => event.kind !== 'crash'
  const times = rig.exchange.feed
    .events(from, from + 30 * DAY, 10_000)
    .filter(matters)
    .map((event) => event.at)
  const begin = [from, ...times].find((at, place) => (times[place] ?? Infinity) - at > length + 4 * HOUR)
  if (begin === undefined) throw new Error('no quiet span in 30 days')
  // Halts of up to 90 minutes are over.
  return begin + 3 * HOUR
}

describe('a venue that fails', () => {
  it('delists nothing, halts nothing and changes no state, whatever the failure', async () => {
    rig = await startRig({ tokens: 40 }, ['binance', 'gate'])
    await lookAt(quietSpan(rig.exchange.clock.now(), 13 * 40 * MINUTE))
    await rig.minutes(2)
    const before = { trading: await tradingCount(), lives: await lives() }
    expect(before.trading).toBeGreaterThan(100)
    const faults: readonly (readonly [Faults, string | null])[] = [
      [{ status: 503 }, 'server_error'],
      [{ limited: { status: 429, retryAfterSeconds: 1 } }, 'rate_limited'],
      [{ disconnect: true }, 'network'],
      [{ truncated: true }, 'bad_answer'],
      [{ truncated: true, every: 3 }, 'bad_answer'],
      [{ missingFields: ['symbols', 'base', 'bids', 'lastPrice'] }, 'bad_answer'],
      [{ missingFields: ['status', 'trade_status', 'asks', 'last'] }, null],
      [{ listedShare: 0.5 }, 'short_list'],
      [{ listedShare: 0 }, null],
      [{ staleBooksMs: 3_600_000 }, null],
      [{ crossedBooks: true }, 'bad_answer'],
      [{ clockSkewMs: 86_400_000 }, null],
      [{ clockSkewMs: -86_400_000 }, null],
    ]
    for (const [fault, kind] of faults) {
      for (const venue of ['binance', 'gate']) rig.exchange.faults.set(venue, fault)
      // More lists than delist a pair that is missing from them; books and a board once.
      for (let round = 0; round < 3; round += 1) await lookAt(rig.exchange.clock.now() + 6 * MINUTE, ['listMarkets'])
      await lookAt(rig.exchange.clock.now() + 6 * MINUTE)
      rig.exchange.faults.clear()
      for (const { budget } of rig.context.venues.values())
        await eventually(async () => (await budget.closedForMs()) === 0)
      expect(await tradingCount(), JSON.stringify(fault)).toBe(before.trading)
      if (kind !== null) expect(await errorClasses(), JSON.stringify(fault)).toContain(kind)
    }
    await lookAt(rig.exchange.clock.now() + 6 * MINUTE)
    const states = (rows: Awaited<ReturnType<typeof lives>>) =>
      rows.filter((row) => row.to_state === 'halted' || row.to_state === 'delisted')
    expect(states(await lives())).toEqual(states(before.lives))
    const board = await rig.client.readBoard({ limit: 1 })
    expect(board.total).toBe(before.trading)

    // Half an answer is not believed, so that no pair loses its values by it.
    for (const venue of ['binance', 'gate']) rig.exchange.faults.set(venue, { listedShare: 0.5 })
    await lookAt(rig.exchange.clock.now() + 6 * MINUTE)
    const rows = await rig.client.readBoard({ limit: 2500 }, { caller: account() })
    expect(rows.tokens.filter((row) => row.volume_24h_usd === null)).toEqual([])
  })
})

describe('a symbol that is used again', () => {
  it('is a new token: the old one ends, and nothing of it counts for the new token', async () => {
    rig = await startRig({ tokens: 60 }, ['binance'])
    const from = rig.exchange.clock.now()
    const events = rig.exchange.feed.events(from, from + 400 * DAY, 10_000).filter((event) => event.venue === 'binance')
    const end = events.find(
      (event) =>
        event.kind === 'ended' &&
        events.some((one) => one.kind === 'listed' && one.symbol === event.symbol && one.at > event.at),
    )
    if (end === undefined) throw new Error('no symbol is used again within 400 days')
    const again = events.find((one) => one.kind === 'listed' && one.symbol === end.symbol && one.at > end.at)
    await lookAt(end.at - HOUR)
    await lookAt(end.at + 10 * MINUTE)
    await lookAt(end.at + 30 * MINUTE)
    await lookAt(end.at + 25 * HOUR)
    await lookAt(end.at + 25 * HOUR + 6 * MINUTE)
    await lookAt(end.at + 25 * HOUR + 12 * MINUTE)
    await lookAt((again?.at ?? 0) + 10 * MINUTE)
    const tokenId = `binance_${end.symbol.replace('/', '_').toLowerCase()}`
    const steps = (await lives()).filter((step) => step.token_id === tokenId)
    const [old, fresh] = [...new Set(steps.map((step) => step.instance_id))]
    const statesOf = (id: number | undefined) =>
      steps.filter((step) => step.instance_id === id).map((step) => step.to_state)
    expect(statesOf(old).slice(-2)).toEqual(['halted', 'delisted'])
    // It is new, or already at risk by its rank.
    expect(statesOf(fresh)).toHaveLength(1)
    expect(['new', 'at_risk']).toContain(statesOf(fresh)[0])
    expect(steps.map((step) => step.seq)).toEqual(steps.map((_, place) => place + 1))
    const detail = await eventually(async () => {
      const now = await rig.client.explainToken({ token_id: tokenId }, { caller: account() })
      expect(now.instance_id).toBe(fresh)
      return now
    })
    expect(detail.predecessor_instance_id).toBe(old)
    expect(detail.components.find((one) => one.key === 'stability')?.n).toBe(0)
  })
})

const recordings = process.env['MARKET_REPLAY_DIR'] ?? null

describe.skipIf(recordings === null)('the LUNA recording', () => {
  it('ends the old token and starts a new token with the same symbol', async () => {
    rig = await startRig({ dataset: 'luna', replayDir: recordings }, ['binance'])
    const ended = Date.parse('2022-05-13T02:00:00.000Z')
    await lookAt(Date.parse('2022-05-01T00:00:00.000Z'))
    await lookAt(ended)
    for (let hours = 1; hours <= 30; hours += 1) await lookAt(ended + hours * HOUR)
    await eventually(async () => {
      const between = await rig.client.readBoard({})
      expect(between.tokens.map((row) => row.lifecycle)).toEqual(['delisted'])
    })
    await lookAt(Date.parse('2022-05-31T08:00:00.000Z'))
    const steps = await lives()
    expect(steps.map((step) => step.to_state)).toEqual(['active', 'halted', 'delisted', 'new'])
    expect(new Set(steps.map((step) => step.instance_id)).size).toBe(2)
    await eventually(async () => {
      const after = await rig.client.readBoard({})
      expect(after.tokens).toMatchObject([{ token_id: 'binance_luna_usdt', lifecycle: 'new' }])
      expect(after.tokens[0]?.price).toBeGreaterThan(1)
    })
  })
})
