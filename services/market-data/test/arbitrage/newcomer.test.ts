import { eventually } from '@svc/testing'
import { expect, it } from 'vitest'
import { account, startRig } from '../rig.ts'

it('a newcomer to the replay market finds arbitrage of two and of three exchanges, a crisis and the lowest grades', async () => {
  const rig = await startRig({ tokens: 60, lively: true }, ['binance', 'gate', 'kucoin', 'mexc'])
  const caller = { caller: account(2) }
  try {
    // The lists are read every five minutes, and every five minutes another pair stops trading.
    for (let minute = 0; minute < 13; minute += 1) {
      await rig.minutes(1)
      await rig.run('watchCrisis')
    }
    await rig.run('matchArbitrage')
    const two = await rig.client.listArbitrage({}, caller)
    expect(two).toMatchObject({ source: 'replay', pending: false })
    expect(two.items.length).toBeGreaterThan(0)
    for (const one of two.items.slice(0, 3)) {
      expect(Number(one.profit)).toBeGreaterThan(0)
      // The curated list proves the asset; a name or a price does not.
      expect(one.identity.length).toBeGreaterThan(0)
    }
    const multi = await rig.client.listArbitrageMulti({}, caller)
    expect(multi.items.some((one) => new Set(one.legs.map((leg) => leg.exchange)).size >= 3)).toBe(true)
    const crises = await rig.client.listCrisisAlerts({})
    expect(crises).toMatchObject({ source: 'replay' })
    expect(crises.items.length).toBeGreaterThan(0)
    for (let read = 1; read > 0;) read = await rig.run('readCandles')
    await rig.minutes(6)
    await eventually(async () => {
      const { tokens } = await rig.client.listRiskBottom({ percent: 5 }, caller)
      expect(tokens.length).toBeGreaterThan(0)
    })
  } finally {
    await rig.stop()
  }
}, 300_000)
