import { eventually } from '@svc/testing'
import { describe, expect, it } from 'vitest'
import { startNeighbours, type Neighbours } from '../neighbours.ts'
import { account, crashOf, MINUTE, startRig, type Rig } from '../rig.ts'
import { askAll, namings } from './every-answer.ts'

/** After so long an open episode is part of every answer. */
const KNOWN_AFTER = 10 * MINUTE
/**
 * Minutes in which no crisis begins, in steps: of the two hours of prices that the rules need, every fifth minute is enough,
 * and every minute an hour before the crisis, because falls are measured from there.
 */
const WARM_UP = [
  { minutes: 60, each: 5 },
  { minutes: 15, each: 1 },
  { minutes: 35, each: 5 },
] as const
const caller = { caller: account(1) }

const judge = async (rig: Rig) => {
  for (const job of ['listMarkets', 'observeMarkets', 'watchCrisis'] as const) await rig.run(job)
}
/** One minute of the market with the jobs of it; a board is due at each full five minutes. */
async function step(rig: Rig): Promise<void> {
  rig.exchange.clock.advance(MINUTE)
  await judge(rig)
  if (Math.floor(rig.clock.now().getTime() / MINUTE) % 5 === 0) await rig.run('computeBoard')
}

/** Operations that list the pair in any market; arbitrage does where another exchange has the asset. */
const ALWAYS = new Set([
  'readBoard',
  'searchTokens',
  'explainToken',
  'readTokenHistory',
  'listRiskBottom',
  'listTargets',
  'readTargets',
  'readTargetHistory',
])

/**
 * Returns what reads as calm, by its operation, among all answers that name the pair. `over`: a crisis that closed may stand
 * in the place of an open one.
 */
function calmAmong(answers: Record<string, unknown>, exchange: string, symbol: string, over = false): string[] {
  return Object.entries(answers).flatMap(([key, answer]) => {
    const said = namings(answer, exchange, symbol)
    // A list of the crises of now may leave out one that is over.
    if (said.length === 0)
      return ALWAYS.has(key) && !(over && key === 'listRiskBottom') ? [`${key} leaves the pair out`] : []
    return said.flatMap(({ lifecycle, outlook, alerts, recent_alerts }) => {
      const isOpen = (alerts ?? []).length > 0
      const calm = [
        ...(lifecycle === 'new' || lifecycle === 'active' ? [`lifecycle ${lifecycle}`] : []),
        ...(isOpen && outlook !== undefined && outlook !== 'worsening' ? [`outlook ${outlook}`] : []),
        ...(isOpen || (over && (recent_alerts ?? []).length > 0) ? [] : ['no alert']),
      ]
      return calm.length === 0 ? [] : [`${key} says ${calm.join(', ')}`]
    })
  })
}

/** Plays the market until ten minutes after the pair's crash opened; gives what every route says then. */
async function playToCrash(rig: Rig, symbol: string, minutes: number): Promise<string[]> {
  await rig.run('listMarkets')
  await rig.client.addTarget({ exchange: 'binance', symbol }, caller)
  for (const { minutes: warm, each } of WARM_UP)
    for (let minute = 0; minute < warm; minute += each) {
      rig.exchange.clock.advance(each * MINUTE)
      await judge(rig)
    }
  await rig.run('computeBoard')
  let opened: number | null = null
  for (let minute = 0; minute < minutes; minute += 1) {
    await step(rig)
    const { items } = await rig.client.listCrisisAlerts({ exchange: 'binance' })
    const own = items.find((one) => one.symbol === symbol)
    if (own === undefined) continue
    opened ??= Date.parse(own.opened_at)
    if (rig.clock.now().getTime() - opened < KNOWN_AFTER) continue
    await rig.newestBoard()
    for (const job of ['matchArbitrage', 'tellPool'] as const) await rig.run(job)
    return calmAmong(await askAll(rig, 'binance', symbol), 'binance', symbol)
  }
  throw new Error(`no crisis of ${symbol} within ${minutes} minutes`)
}

/** Plays on until no crisis of the pair has been open for ten minutes; gives what reads as calm then. */
async function playToEnd(rig: Rig, symbol: string, minutes: number): Promise<string[]> {
  let closed: number | null = null
  for (let minute = 0; minute < minutes; minute += 1) {
    await step(rig)
    const now = rig.clock.now().getTime()
    const { items } = await rig.client.listCrisisAlerts({ exchange: 'binance' })
    closed = items.some((one) => one.symbol === symbol) ? null : (closed ?? now)
    if (closed === null || now - closed < KNOWN_AFTER) continue
    await rig.newestBoard()
    await rig.run('matchArbitrage')
    return calmAmong(await askAll(rig, 'binance', symbol), 'binance', symbol, true)
  }
  throw new Error(`a crisis of ${symbol} is open after ${minutes} minutes`)
}

describe('ten minutes after a crisis of a pair began, every answer about the pair shows it', () => {
  it('in a synthetic market; the feed publishes each rise of its severity once', async () => {
    const rig = await startRig({ tokens: 60 }, ['binance', 'gate'])
    const neighbours: Neighbours = await startNeighbours(rig.stack)
    try {
      const crash = crashOf(rig)
      rig.exchange.clock.set(Math.floor(crash.at / MINUTE) * MINUTE - 125 * MINUTE)
      expect(await playToCrash(rig, crash.symbol, 70)).toEqual([])

      // A crash that opens at its threshold grows worse while it falls on; each step of its severity is told once.
      const { items } = await rig.client.listCrisisAlerts({ exchange: 'binance' })
      const episode = items.find((one) => one.symbol === crash.symbol && one.rule === 'crash')
      const told = () =>
        neighbours
          .told('crisis_alerts')
          .filter((item) => item['episode_id'] === episode?.episode_id && item['change'] !== 'closed')
      await eventually(() => expect(told().at(-1)?.['severity']).toBe(episode?.severity))
      const severities = told().map((item) => Number(item['severity']))
      expect(severities).toEqual([...new Set(severities)].toSorted((a, b) => a - b))
      expect(told().map((item) => item['change'])).toEqual(['opened', ...severities.slice(1).map(() => 'escalated')])
    } finally {
      await neighbours.stop()
      await rig.stop()
    }
  })

  const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
  const recorded = [
    {
      what: 'FTX day, of FTT',
      dataset: 'ftx-usdt',
      venues: ['binance'],
      symbol: 'FTT/USDT',
      from: '2022-11-09T00:25',
      // The hour of FTT lies 12 % below the market's for the first time in this minute.
      condition: '2022-11-09T02:32:00.000Z',
      ends: true,
    },
    {
      what: 'fall of LUNA',
      dataset: 'luna',
      venues: ['binance'],
      symbol: 'LUNA/USDT',
      from: '2022-05-09T21:00',
      condition: null,
      ends: false,
    },
    {
      what: 'USDC depeg, of bitcoin in USDC',
      dataset: 'depeg',
      venues: ['binance', 'kucoin'],
      symbol: 'BTC/USDC',
      from: '2023-03-11T01:30',
      condition: null,
      ends: false,
    },
  ] as const
  it.skipIf(replayDir === '').each(recorded)(
    'on the recorded $what',
    async ({ dataset, venues, symbol, from, condition, ends }) => {
      const rig = await startRig({ dataset, replayDir }, [...venues])
      try {
        rig.exchange.clock.set(Date.parse(`${from}:00.000Z`))
        expect(await playToCrash(rig, symbol, 100)).toEqual([])
        const { items } = await rig.client.listCrisisAlerts({ state: 'all', limit: 500 })
        const crashes = items.filter(({ rule }) => rule === 'crash')
        expect(new Set(crashes.map((one) => one.symbol)).size, JSON.stringify(crashes)).toBeLessThanOrEqual(2)
        const [first] = items.toSorted((a, b) => a.opened_at.localeCompare(b.opened_at))
        expect(first?.symbol).toBe(symbol)
        if (condition !== null)
          expect(Date.parse(first?.opened_at ?? '') - Date.parse(condition)).toBeLessThanOrEqual(2 * MINUTE)
        // Once it is over, no answer forgets it.
        if (ends) expect(await playToEnd(rig, symbol, 360)).toEqual([])
      } finally {
        await rig.stop()
      }
    },
  )
})

it('crisis alerts are stale if no process judges the market, and name the last judged minute', async () => {
  const rig = await startRig({ tokens: 30 }, ['binance', 'gate'])
  try {
    const before = (await rig.client.listCrisisAlerts({})) as { stale?: boolean; computed_to?: string | null }
    expect(before).toMatchObject({ total: 0, stale: true, computed_to: null })
    for (let minute = 0; minute < 3; minute += 1) await step(rig)
    const judged = new Date(Math.floor(rig.clock.now().getTime() / MINUTE) * MINUTE).toISOString()
    await eventually(async () =>
      expect(await rig.client.listCrisisAlerts({})).toMatchObject({ stale: false, computed_to: judged }),
    )
    // One exchange falls silent: what is said of it ends there, whatever the others do.
    rig.exchange.faults.set('gate', { status: 503 })
    for (let minute = 0; minute < 8; minute += 1) await step(rig)
    await eventually(async () =>
      expect(await rig.client.listCrisisAlerts({ exchange: 'gate' })).toMatchObject({
        stale: true,
        computed_to: judged,
      }),
    )
    expect(await rig.client.listCrisisAlerts({ exchange: 'binance' })).toMatchObject({ stale: false })
    expect(await rig.client.listCrisisAlerts({})).toMatchObject({ stale: true, computed_to: judged })
    // After ten minutes none of its pairs is said to be calm, while those of the other exchange are.
    for (let minute = 0; minute < 7; minute += 1) await step(rig)
    await eventually(async () => {
      const alertsAt = async (exchange: string) =>
        new Set((await rig.client.readBoard({ exchange })).tokens.map(({ alerts }) => JSON.stringify(alerts)))
      expect(await alertsAt('gate')).toEqual(new Set(['null']))
      expect(await alertsAt('binance')).toEqual(new Set(['[]']))
    })
    rig.exchange.faults.clear()
    await step(rig)
    // A board that is not computed again says nothing of calm either.
    rig.exchange.clock.advance(12 * MINUTE)
    await eventually(async () => {
      const { tokens } = await rig.client.readBoard({ limit: 100 })
      expect(new Set(tokens.map(({ alerts }) => JSON.stringify(alerts)))).toEqual(new Set(['null']))
    })
    rig.exchange.clock.advance(76 * MINUTE)
    await eventually(async () => expect(await rig.client.listCrisisAlerts({})).toMatchObject({ total: 0, stale: true }))
    // And a board that is computed meanwhile does not call the pairs free of alerts.
    await rig.run('computeBoard')
    await eventually(async () => expect((await rig.client.readBoard({})).tokens[0]).toMatchObject({ alerts: null }))
  } finally {
    await rig.stop()
  }
})
