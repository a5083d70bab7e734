import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { account, MINUTE, startRig } from '../rig.ts'

/** Fills of the minute that is captured. */
let trades: number
const as = { caller: account(2) }
const captureRow = z.object({
  started_at: z.string(),
  ended_at: z.string().nullable(),
  cause: z.string(),
  fills: z.number().nullable(),
  books: z.number().nullable(),
  bursts: z.array(z.object({ startMs: z.number(), orders: z.number(), fills: z.number(), notionalUsd: z.number() })),
})
const captures = () =>
  rig.context.pool.any(
    sql.type(captureRow)`SELECT started_at, ended_at, cause, fills, books, bursts FROM hf_capture ORDER BY started_at`,
  )
/** Runs the captures second by second of the simulated clock. */
async function seconds(count: number, contexts: readonly Context[] = [rig.context]): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    await Promise.all(contexts.map((one) => rig.run('captureBursts', one)))
    rig.exchange.clock.advance(1_000)
  }
}

const rig = opened(() => startRig({ tokens: 40, startAt: Date.parse('2026-03-02T12:00:00Z') }, ['kucoin']))
beforeAll(async () => {
  const { feed, clock } = rig.exchange
  // A minute in which a market that is usually quiet has a burst of one-sided fills: the one with the most money in it.
  const from = Math.ceil(clock.now() / MINUTE) + 5
  const found = feed
    .listings('kucoin', clock.now())
    .filter((one) => one.status === 'trading' && one.market.quote === 'USDT')
    .flatMap(({ market }) =>
      Array.from({ length: 600 }, (_, ahead) => ({
        market,
        minute: from + ahead,
        candle: feed.candle(market, from + ahead),
      })),
    )
    .filter(({ candle }) => candle?.burst != null && candle.trades < 60)
    .toSorted((a, b) => (b.candle?.quoteVolume ?? 0) - (a.candle?.quoteVolume ?? 0))[0]
  if (found === undefined) throw new Error('the seed has no burst')
  const { market, minute, candle } = found
  trades = candle?.trades ?? 0
  clock.set(minute * MINUTE - 1_000)
  await rig.minutes(1)
  clock.set(minute * MINUTE - 1_000)
  await rig.run('observeMarkets')
  await rig.client.addTarget(
    { exchange: 'kucoin', symbol: `${market.base}/${market.quote}`, microburst_hf_captures: 2 },
    as,
  )
})

describe('captures', () => {
  it('record every trade of a minute and its books in one of two processes; a small notional is not a burst', async () => {
    const second = await rig.newContext()
    await rig.run('listMarkets', second)
    await rig.run('observeMarkets', second)
    await seconds(63, [rig.context, second])
    const [first, ...others] = await captures()
    expect(others).toEqual([])
    expect(first).toMatchObject({ cause: 'schedule' })
    expect(Date.parse(first?.ended_at ?? '') - Date.parse(first?.started_at ?? '')).toBe(MINUTE)
    expect(first?.books).toBeGreaterThan(50)
    // The capture began a second before the minute and ended one before it did.
    expect(first?.fills).toBeGreaterThanOrEqual(trades - 4)
    expect(first?.fills).toBeLessThanOrEqual(trades + 4)
    // 24 fills within half a second, but for less than a twentieth of the depth that they hit.
    expect(first?.bursts).toEqual([])
  })

  it('do not exceed the number of the day, and need Tier 2', async () => {
    await seconds(70)
    // One of two is for triggers, and nothing has jumped.
    expect((await captures()).length).toBe(1)
    await rig.context.pool.query(sql.unsafe`UPDATE target_account SET tier = 1`)
    rig.exchange.clock.advance(24 * 60 * MINUTE)
    await seconds(3)
    expect((await captures()).length).toBe(1)
    await rig.context.pool.query(sql.unsafe`UPDATE target_account SET tier = 2`)
  })

  it('that are interrupted have no end and count as used', async () => {
    rig.exchange.clock.advance(10_000)
    const killed = await rig.newContext()
    await rig.run('listMarkets', killed)
    await rig.run('observeMarkets', killed)
    await seconds(3, [killed])
    expect((await captures()).at(-1)).toMatchObject({ ended_at: null, cause: 'schedule' })
    const before = (await captures()).length
    rig.exchange.clock.advance(2 * MINUTE)
    await seconds(10)
    expect((await captures()).length).toBe(before)
  })

  it('of a venue that fails end with the data read so far', async () => {
    rig.exchange.clock.advance(24 * 60 * MINUTE)
    rig.exchange.faults.set('kucoin', { status: 503 })
    await seconds(63)
    rig.exchange.faults.clear()
    expect((await captures()).at(-1)).toMatchObject({ fills: 0, books: 0, bursts: [] })
    expect((await captures()).at(-1)?.ended_at).not.toBeNull()
  })
})
