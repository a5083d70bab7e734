import { sql } from '@svc/postgres'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { account, crashOf, MINUTE, startRig, type Rig } from '../rig.ts'

const caller = { caller: account(1) }

/** Observes and judges the present minute, and reads the candles that are due. */
async function minute(rig: Rig): Promise<void> {
  for (const job of ['listMarkets', 'observeMarkets', 'watchCrisis'] as const) await rig.run(job)
  while ((await rig.run('readCandles')) > 0);
}

/** Plays minutes from a time, except those in which the venue does not answer; gives when a crash of the pair first opened. */
async function firstCrash(
  rig: Rig,
  symbol: string,
  { from, to, gap }: { readonly from: number; readonly to: number; readonly gap: readonly [number, number] | null },
): Promise<string | null> {
  for (let at = from; at <= to; at += MINUTE) {
    rig.exchange.clock.set(at)
    if (gap !== null && at >= gap[0] && at < gap[1]) continue
    await minute(rig)
    const { items } = await rig.client.listCrisisAlerts({ state: 'all', exchange: 'binance' })
    const crash = items.find((one) => one.symbol === symbol && one.rule === 'crash')
    if (crash !== undefined) return crash.opened_at
  }
  return null
}

const rowOf = async (rig: Rig, symbol: string) => {
  await rig.run('computeBoard')
  await rig.newestBoard()
  const { tokens } = await rig.client.readBoard({ limit: 100 })
  return tokens.find((row) => row.symbol === symbol)
}

it('a platform that starts minutes before a crash alerts it; what it cannot judge stands beside its alerts', async () => {
  const rig = await startRig({ tokens: 60 }, ['binance'])
  try {
    const crash = crashOf(rig)
    const start = Math.floor(crash.at / MINUTE) * MINUTE - 3 * MINUTE
    rig.exchange.clock.set(start)
    for (const job of ['listMarkets', 'observeMarkets', 'watchCrisis'] as const) await rig.run(job)
    const since = new Date(start).toISOString()
    expect((await rowOf(rig, crash.symbol))?.not_judged).toEqual([
      { rule: 'crash', reason: 'too_few_minutes', since },
      { rule: 'liquidity_withdrawal', reason: 'too_few_books', since },
      { rule: 'spread_blowout', reason: 'too_few_books', since },
    ])

    const opened = await firstCrash(rig, crash.symbol, { from: start, to: start + 70 * MINUTE, gap: null })
    expect(opened).not.toBeNull()
    // The candles of a first start reach further back than its own prices.
    const row = await rowOf(rig, crash.symbol)
    expect(row?.alerts?.map(({ rule }) => rule)).toEqual(['crash'])
    expect(row?.not_judged?.map(({ rule }) => rule)).toEqual(['liquidity_withdrawal', 'spread_blowout'])
  } finally {
    await rig.stop()
  }
})

describe('on the FTX day FTT is alerted in the minute of its fall, whatever was missed before', () => {
  const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
  const at = (time: string) => Date.parse(`2022-11-09T${time}:00.000Z`)
  it.skipIf(replayDir === '').each([
    { what: 'the venue is silent for half an hour', from: '01:20', gap: ['01:30', '02:00'] },
    { what: 'the venue is silent for an hour', from: '01:20', gap: ['01:25', '02:25'] },
    { what: 'the platform starts half an hour before', from: '02:00', gap: null },
    { what: 'the platform starts two minutes before', from: '02:30', gap: null },
  ] as const)('$what', async ({ from, gap }) => {
    const rig = await startRig({ dataset: 'ftx-usdt', replayDir }, ['binance'])
    try {
      const span = gap === null ? null : ([at(gap[0]), at(gap[1])] as const)
      const opened = await firstCrash(rig, 'FTT/USDT', { from: at(from), to: at('02:45'), gap: span })
      // As without a gap: the hour of the candle of 02:32 is 12 % below the market's, and that candle is complete at 02:33.
      expect(opened).toBe('2022-11-09T02:33:00.000Z')
      const { items } = await rig.client.listCrisisAlerts({ state: 'all', exchange: 'binance' })
      expect(items.filter(({ rule }) => rule === 'crash').map(({ symbol }) => symbol)).toEqual(['FTT/USDT'])
    } finally {
      await rig.stop()
    }
  })
})

const readRow = z.object({ symbol: z.string(), is_target: z.boolean() })

it('after a gap the candles of targets are read first, then those of the largest pairs; a gap of five minutes reads none', async () => {
  const rig = await startRig({ tokens: 120 }, ['binance'])
  try {
    await rig.run('listMarkets')
    await rig.run('observeMarkets')
    const board = await rowOf(rig, 'BTC/USDT')
    expect(board).toBeDefined()
    const { tokens } = await rig.client.readBoard({ limit: 100, order: 'asc' })
    const smallest = tokens.findLast((row) => row.volume_24h_usd !== null)?.symbol ?? ''
    await rig.client.addTarget({ exchange: 'binance', symbol: smallest }, caller)
    const read = () =>
      rig.context.pool.any(sql.type(readRow)`
        SELECT symbol, symbol = ${smallest} AS is_target FROM candle_close JOIN token USING (instance_id)
        WHERE read_at = ${rig.clock.now().toISOString()}`)
    expect(await rig.run('readCandles')).toBe(50)
    const first = (await read()).map(({ symbol }) => symbol)
    expect(first).toEqual(expect.arrayContaining([smallest, 'BTC/USDT', 'ETH/USDT']))
    while ((await rig.run('readCandles')) > 0);

    for (const [missed, reads] of [
      [5, false],
      [6, true],
    ] as const) {
      rig.exchange.clock.advance((missed + 1) * MINUTE)
      await rig.run('observeMarkets')
      await rig.run('readCandles')
      expect((await read()).length > 0).toBe(reads)
    }
  } finally {
    await rig.stop()
  }
})
