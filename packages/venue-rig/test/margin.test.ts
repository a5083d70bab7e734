import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totalCash } from '../src/index.ts'
import { ioc, startSdk } from './sdk.ts'

let at: Awaited<ReturnType<typeof startSdk>>
beforeAll(async () => {
  at = await startSdk()
})
afterAll(() => at.rig.close())

const mark = (coin: string, price: string) => at.rig.control('mark', { coin, price })
const positionOf = async (user: `0x${string}`, dex = '') =>
  (await at.info.clearinghouseState({ user, dex })).assetPositions[0]?.position

describe('leverage', () => {
  test('of a market without a position is 20 or the most there is, is kept, and says what may be traded', async () => {
    const { user, client } = at.funded('1000')
    expect(await at.info.activeAssetData({ user, coin: 'BTC' })).toEqual({
      user: user.toLowerCase(),
      coin: 'BTC',
      leverage: { type: 'cross', value: 20 },
      maxTradeSzs: ['0.33333', '0.33333'],
      availableToTrade: ['1000', '1000'],
      markPx: '60000',
    })
    await client.updateLeverage({ asset: 0, isCross: true, leverage: 3 })
    expect(await at.info.activeAssetData({ user, coin: 'BTC' })).toMatchObject({
      leverage: { type: 'cross', value: 3 },
      maxTradeSzs: ['0.05', '0.05'],
    })
    await expect(client.order(ioc(0, true, '61000', '0.06'))).rejects.toThrow('Insufficient margin')
    await client.order(ioc(0, true, '61000', '0.04'))
    expect(await positionOf(user)).toMatchObject({ leverage: { type: 'cross', value: 3 }, marginUsed: '800' })
    const [buy, sell] = (await at.info.activeAssetData({ user, coin: 'BTC' })).maxTradeSzs
    expect(Number(sell) - Number(buy)).toBeCloseTo(0.08, 4)
    expect(await at.info.activeAssetData({ user, coin: 'HYPE' })).toMatchObject({ leverage: { value: 10 } })
  })

  test('is neither above that of the market nor lowered beyond the margin there is', async () => {
    const { client } = at.funded('1000')
    await expect(client.updateLeverage({ asset: 3, isCross: true, leverage: 21 })).rejects.toThrow('Invalid leverage')
    await client.order(ioc(3, true, '155', '20'))
    await expect(client.updateLeverage({ asset: 3, isCross: true, leverage: 2 })).rejects.toThrow(
      'Cross position does not have sufficient margin available to decrease leverage',
    )
    await client.updateLeverage({ asset: 3, isCross: true, leverage: 5 })
  })

  test('keeps its type while there is a position', async () => {
    const { client } = at.funded('1000')
    await client.order(ioc(3, true, '155', '1'))
    await expect(client.updateLeverage({ asset: 3, isCross: false, leverage: 5 })).rejects.toThrow(
      'Cannot switch leverage type with open position.',
    )
    await client.order(ioc(3, false, '145', '1', true))
    await client.updateLeverage({ asset: 3, isCross: false, leverage: 5 })
    await client.order(ioc(3, true, '155', '1'))
    await expect(client.updateLeverage({ asset: 3, isCross: true, leverage: 5 })).rejects.toThrow(
      'Cannot switch leverage type with open position.',
    )
  })
})

describe('an isolated position', () => {
  test('has its own cash, of which the rest of the account has nothing', async () => {
    const { user, client } = at.funded('1000')
    await client.updateLeverage({ asset: 3, isCross: false, leverage: 5 })
    await client.order(ioc(3, true, '155', '10'))
    const position = await positionOf(user)
    if (position?.leverage.type !== 'isolated') throw new Error('the position is isolated')
    // 10 SOL at about 150 with leverage 5: 300 of margin, so its cash is 300 − 1,500.
    expect(Number(position.leverage.rawUsd)).toBeCloseTo(-1_200, 0)
    expect(Number(position.marginUsed)).toBeCloseTo(300, 0)
    const { marginSummary, crossMarginSummary, withdrawable, crossMaintenanceMarginUsed } =
      await at.info.clearinghouseState({ user })
    expect(Number(marginSummary.accountValue)).toBeCloseTo(999, 0)
    expect(Number(crossMarginSummary.accountValue)).toBeCloseTo(699, 0)
    expect(Number(withdrawable)).toBeCloseTo(699, 0)
    expect([crossMaintenanceMarginUsed, crossMarginSummary.totalNtlPos]).toEqual(['0', '0'])
    // Its loss of 250 is its own: what the account can withdraw stays.
    mark('SOL', '125')
    expect((await at.cashOf(user)).withdrawable).toBe(Number(withdrawable))
    mark('SOL', '150')
    expect(Number(position.liquidationPx)).toBeGreaterThan(120)
    expect(Number(position.liquidationPx)).toBeLessThan(125)
  })

  test('gives back its share when a part is closed, and turns with margin for the other side', async () => {
    const { user, client } = at.funded('1000')
    await client.updateLeverage({ asset: 3, isCross: false, leverage: 5 })
    await client.order(ioc(3, true, '155', '10'))
    await client.order(ioc(3, false, '145', '4', true))
    expect(Number((await positionOf(user))?.marginUsed)).toBeCloseTo(180, 0)
    await client.order(ioc(3, false, '145', '8'))
    const turned = await positionOf(user)
    expect(turned).toMatchObject({ szi: '-2', leverage: { type: 'isolated' } })
    expect(Number(turned?.marginUsed)).toBeCloseTo(60, 0)
    await client.order(ioc(3, true, '155', '2', true))
    const { value, withdrawable } = await at.cashOf(user)
    expect(value).toBe(withdrawable)
    const fills = await at.info.userFills({ user })
    const result = fills.reduce((sum, fill) => sum + Number(fill.closedPnl) - Number(fill.fee), 1_000)
    expect(value).toBeCloseTo(result, 5)
  })

  test('takes and gives margin by hand, but not below what it needs', async () => {
    const { user, client } = at.funded('1000')
    const update = (ntli: number) => client.updateIsolatedMargin({ asset: 3, isBuy: true, ntli })
    await expect(update(1_000_000)).rejects.toThrow('empty position')
    await client.updateLeverage({ asset: 3, isCross: false, leverage: 5 })
    await client.order(ioc(3, true, '155', '10'))
    await update(100_000_000)
    expect(Number((await positionOf(user))?.marginUsed)).toBeCloseTo(400, 0)
    await expect(update(-150_000_000)).rejects.toThrow('sufficient margin for reduction')
    await update(-90_000_000)
    expect(Number((await positionOf(user))?.marginUsed)).toBeCloseTo(310, 0)
    await expect(update(900_000_000)).rejects.toThrow('sufficient margin available for increase')
  })

  test('pays its own funding, and is liquidated alone: the account loses no more than its margin', async () => {
    const { user, client } = at.funded('1000')
    await client.order(ioc(1, true, '3100', '0.1'))
    await client.updateLeverage({ asset: 3, isCross: false, leverage: 20 })
    await client.order(ioc(3, true, '155', '20'))
    const before = await at.cashOf(user)
    const { position } = (await at.info.clearinghouseState({ user })).assetPositions[1] ?? expect.fail('no position')
    const cross = before.value - Number(position.marginUsed)
    const margin = Number(position.marginUsed) - Number(position.unrealizedPnl)
    mark('SOL', '120')
    const after = await at.cashOf(user)
    mark('SOL', '150')
    expect((await positionOf(user))?.coin).toBe('ETH')
    expect(after.value).toBeCloseTo(cross, 5)
    // What its executions say is what it lost.
    const sold = (await at.info.userFills({ user })).find(({ coin, side }) => coin === 'SOL' && side === 'A')
    expect(Number(sold?.closedPnl)).toBeCloseTo(-margin, 5)
    expect(Number(sold?.fee)).toBe(0)
    expect((await at.info.userNonFundingLedgerUpdates({ user, startTime: 0 })).at(-1)?.delta).toMatchObject({
      type: 'liquidation',
      leverageType: 'Isolated',
      liquidatedPositions: [{ coin: 'SOL', szi: '20' }],
    })
    expect(totalCash(at.rig.state).abs().toNumber()).toBeLessThan(1e-9)
  })
})

describe('markets', () => {
  test('of another dex may allow isolated margin only, and say so', async () => {
    const { user, client } = at.funded('100')
    at.rig.control('fund', { address: user, amount: '100', place: 'xyz' })
    const { universe } = await at.info.meta({ dex: 'xyz' })
    expect(universe.find(({ name }) => name === 'xyz:TSLA')).toMatchObject({
      onlyIsolated: true,
      marginMode: 'noCross',
    })
    expect(universe.find(({ name }) => name === 'xyz:XYZ100')).not.toHaveProperty('marginMode')
    await expect(client.updateLeverage({ asset: 110_001, isCross: true, leverage: 5 })).rejects.toThrow(
      'Cross margin is not allowed for this asset.',
    )
    await client.order(ioc(110_001, true, '330', '0.5'))
    expect(await positionOf(user, 'xyz')).toMatchObject({ leverage: { type: 'isolated', value: 10 } })
    at.rig.control('margin', { coin: 'xyz:TSLA', mode: 'strictIsolated' })
    await expect(client.updateIsolatedMargin({ asset: 110_001, isBuy: true, ntli: -1_000_000 })).rejects.toThrow(
      'Cannot remove isolated margin for this asset',
    )
    at.rig.control('margin', { coin: 'xyz:TSLA', mode: 'noCross' })
  })

  test('need more margin from the bounds of their table on, without a step in maintenance', async () => {
    const { user, client } = at.funded('100000')
    const { universe, marginTables } = await at.info.meta()
    const btc = universe.find(({ name }) => name === 'BTC')
    expect(btc?.marginTableId).toBe(56)
    expect(new Map(marginTables).get(56)?.marginTiers).toEqual([
      { lowerBound: '0.0', maxLeverage: 40 },
      { lowerBound: '150000000.0', maxLeverage: 20 },
    ])
    const tiers = [
      { lowerBound: '0.0', maxLeverage: 20 },
      { lowerBound: '15000.0', maxLeverage: 10 },
      { lowerBound: '30000.0', maxLeverage: 5 },
    ]
    at.rig.control('margin', { coin: 'DOGE', tiers })
    await client.updateLeverage({ asset: 5, isCross: true, leverage: 20 })
    mark('DOGE', '0.1')
    const sized = async (size: string) => {
      await client.order(ioc(5, true, '0.11', size))
      const state = await at.info.clearinghouseState({ user })
      return [Number(state.marginSummary.totalMarginUsed), Number(state.crossMaintenanceMarginUsed)]
    }
    expect(await sized('100000')).toEqual([500, 250])
    expect(await sized('50000')).toEqual([1_500, 375])
    // 30,000 × 1/20 − 15,000 × (1/20 − 1/40)
    expect(await sized('149900')).toEqual([2_999, 1_124.5])
    // and beyond the next bound a tenth, less 375 and 30,000 × (1/10 − 1/20).
    expect(await sized('100')).toEqual([6_000, 1_125])
    await client.order(ioc(5, false, '0.09', '300000', true))
    mark('DOGE', '0.1523')
  })

  test('state the open interest of all long positions', async () => {
    const interest = async () => {
      const [{ universe }, contexts] = await at.info.metaAndAssetCtxs()
      return Number(contexts[universe.findIndex(({ name }) => name === 'HYPE')]?.openInterest)
    }
    const [long, short] = [at.funded('1000'), at.funded('1000')]
    const before = await interest()
    await long.client.order(ioc(4, true, '34', '10'))
    expect(await interest()).toBe(before + 10)
    // The house sells to one what the other sells to it.
    await short.client.order(ioc(4, false, '31', '4'))
    expect(await interest()).toBe(before + 10)
    await long.client.order(ioc(4, false, '31', '10', true))
    expect(await interest()).toBe(before + 4)
    await short.client.order(ioc(4, true, '34', '4', true))
  })
})

describe('fees', () => {
  test('fall with the volume of the 14 days before today, as the schedule says', async () => {
    const { user, client } = at.funded('2000000')
    const start = Math.ceil(Date.now() / 86_400_000) * 86_400_000
    at.rig.control('time', { now_ms: start })
    const base = await at.info.userFees({ user })
    expect(base).toMatchObject({ userCrossRate: '0.00045', userAddRate: '0.00015' })
    expect(base.feeSchedule.tiers.vip.map(({ ntlCutoff }) => Number(ntlCutoff))).toEqual([
      5e6, 25e6, 100e6, 500e6, 2e9, 7e9,
    ])
    for (const buy of [true, false, true]) await client.order(ioc(0, buy, buy ? '66000' : '54000', '30'))
    const today = await at.info.userFees({ user })
    expect(today.userCrossRate).toBe('0.00045')
    const day = today.dailyUserVlm.at(-1)
    expect([today.dailyUserVlm.length, day?.userAdd, day?.date]).toEqual([
      15,
      '0',
      new Date(start).toISOString().slice(0, 10),
    ])
    expect(Number(day?.userCross)).toBeGreaterThan(5_300_000)
    at.rig.control('time', { advance_ms: 86_400_000 })
    expect(await at.info.userFees({ user })).toMatchObject({ userCrossRate: '0.0004', userAddRate: '0.00012' })
    await client.order(ioc(0, false, '54000', '0.1'))
    const [fill] = await at.info.userFills({ user })
    expect(Number(fill?.fee)).toBeCloseTo(Number(fill?.px) * 0.1 * 0.0004, 4)
    at.rig.control('time', { advance_ms: 14 * 86_400_000 })
    expect((await at.info.userFees({ user })).userCrossRate).toBe('0.00045')
  })
})
