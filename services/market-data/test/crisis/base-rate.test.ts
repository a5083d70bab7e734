import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { account, MINUTE, startRig, type Rig } from '../rig.ts'

/** Official words about a pair itself. */
const OFFICIAL = new Set(['caution', 'warning', 'delisting_announced'])

/** Shares of the trading pairs that a calm market shows at risk, and at risk or watched, without an official word. */
async function sharesOf(rig: Rig): Promise<{ pairs: number; atRisk: number; noticed: number; wronglyCalm: string[] }> {
  for (const job of ['listMarkets', 'observeMarkets', 'rotateBooks'] as const) await rig.run(job)
  for (let read = 1; read > 0;) read = await rig.run('readCandles')
  // A state that follows from a rank is shown once two boards agree.
  await rig.minutes(11)
  const { tokens } = await rig.client.listRiskBottom({ percent: 50, limit: 2_500 }, { caller: account(2) })
  const board = await rig.client.readBoard({ limit: 2_500 }, { caller: account(2) })
  const own = board.tokens.filter(
    (row) =>
      row.lifecycle !== 'delisted' &&
      row.lifecycle !== 'halted' &&
      !row.flags.some(({ meaning }) => OFFICIAL.has(meaning)),
  )
  const share = (...states: string[]) => own.filter((row) => states.includes(row.lifecycle)).length / own.length
  const illiquid = tokens.filter(
    ({ risk, gpa, grades }) => (risk?.score ?? 0) >= 97 && ((gpa ?? 9) < 1.5 || grades.volume === 'F'),
  )
  return {
    pairs: own.length,
    atRisk: share('at_risk'),
    noticed: share('at_risk', 'watch'),
    wronglyCalm: illiquid.filter(({ lifecycle }) => lifecycle === 'active').map(({ token_id }) => token_id),
  }
}

it('few pairs of a synthetic market are at_risk without an official flag, and the most illiquid pairs are', async () => {
  const rig = await startRig({ tokens: 120 }, ['gate', 'mexc'])
  try {
    const { pairs, atRisk, noticed, wronglyCalm } = await sharesOf(rig)
    expect(pairs).toBeGreaterThan(150)
    expect(atRisk).toBeLessThan(0.06)
    expect(noticed).toBeGreaterThan(0.05)
    expect(noticed).toBeLessThan(0.2)
    expect(wronglyCalm).toEqual([])
  } finally {
    await rig.stop()
  }
}, 600_000)

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''
it.skipIf(replayDir === '')(
  'few pairs of the recorded market of an ordinary evening are at risk',
  async () => {
    const rig = await startRig({ dataset: 'ftx-usdt', replayDir }, ['binance'])
    try {
      rig.exchange.clock.advance(60 * MINUTE)
      const { pairs, atRisk, noticed } = await sharesOf(rig)
      expect(pairs).toBeGreaterThan(300)
      expect(atRisk).toBeLessThan(0.06)
      expect(noticed).toBeLessThan(0.2)
    } finally {
      await rig.stop()
    }
  },
  600_000,
)

/** Greatest number of false alarms per 100 pairs a week that the method states, of all rules together on a day of stress. */
function statedRate(): number {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/method/crisis-calibration.md'), 'utf8')
  const row = page.split('\n').find((line) => line.startsWith('| all rules'))
  const [, upper] = /… (\d+)\) \|$/.exec(row ?? '') ?? []
  if (upper === undefined) throw new Error('the page states no rate of all rules')
  return Number(upper)
}

/** Counts the pairs that an answer shows in crisis, and those of which it says that no episode is open. */
function alertsIn(answer: unknown): { open: number; none: number; unknown: number } {
  const counts = { open: 0, none: 0, unknown: 0 }
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { alerts } = value as { alerts?: readonly unknown[] | null }
    if (alerts === null) counts.unknown += 1
    else if (alerts !== undefined) counts[alerts.length === 0 ? 'none' : 'open'] += 1
    Object.values(value).forEach(look)
  }
  look(answer)
  return counts
}

// Two and a half hours of 325 pairs, so that every rule that prices can judge has its inputs.
it.skipIf(replayDir === '' || process.env['TEST_LONG'] !== '1')(
  'no answer shows danger on the recorded ordinary evening more often than the stated base rate, and every pair is known to be calm',
  async () => {
    const rig = await startRig({ dataset: 'ftx-usdt', replayDir }, ['binance'])
    try {
      await rig.run('listMarkets')
      await rig.client.addTarget({ exchange: 'binance', symbol: 'SOL/USDT' }, { caller: account(2) })
      const minutes = 150
      const most = { open: 0, none: Infinity, unknown: 0 }
      for (let minute = 1; minute <= minutes; minute += 1) {
        rig.exchange.clock.advance(MINUTE)
        for (const job of ['observeMarkets', 'watchCrisis'] as const) await rig.run(job)
        if (minute % 30 !== 0) continue
        await rig.run('computeBoard')
        await rig.newestBoard()
        const caller = { caller: account(2) }
        const answers = [
          await rig.client.readBoard({ limit: 2_500 }, caller),
          await rig.client.searchTokens({ q: 'USDT', limit: 100 }),
          await rig.client.listRiskBottom({ percent: 50, limit: 2_500 }, caller),
          await rig.client.listTargets({}, caller),
        ]
        const { open, none, unknown } = alertsIn(answers)
        most.open = Math.max(most.open, open)
        most.none = Math.min(most.none, none)
        most.unknown = Math.max(most.unknown, unknown)
      }
      const { total } = await rig.client.listCrisisAlerts({ state: 'all' })
      const expected = (statedRate() / 100) * 325 * (minutes / 10_080)
      expect(total).toBeLessThanOrEqual(Math.ceil(expected))
      // A pair stands once in each of the four answers, and once more in the list of crises.
      expect(most.open).toBeLessThanOrEqual(5 * total)
      expect(most.none).toBeGreaterThan(325)
      expect(most.unknown).toBe(0)
    } finally {
      await rig.stop()
    }
  },
  600_000,
)
