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
