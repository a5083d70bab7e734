import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, opened, refusalOf } from '@svc/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { startRelayRig } from './rig.ts'

const folder = mkdtempSync(join(tmpdir(), 'switches-'))
const BUILDER = '0x8c967e73e7b15087c42a10d344cff4c96d877f1d'
const rig = opened(() =>
  startRelayRig({
    environment: { SVC_VENUE_WEIGHT_MINUTE: '1000000', SVC_SWITCHES_DIR: folder, SVC_BUILDER_ADDRESS: BUILDER },
  }),
)
afterEach(() => rig.venue.control('clear-faults'))
afterAll(() => rmSync(folder, { recursive: true }))

const wallet = privateKeyToAccount(`0x${'7'.repeat(64)}`)
const user = wallet.address
const MINUTE = 60_000

describe('relayed markets', () => {
  test('the envelope says from where and when, and the data have the shape of the venue without unknown members', async () => {
    const answer = await rig.anybody.readMeta({})
    expect(answer).toMatchObject({
      source: 'hyperliquid',
      network: 'testnet',
      computed_at: rig.clock.now().toISOString(),
      stale: false,
    })
    const [meta, prices] = answer.data
    expect(meta.universe[2]).toEqual({
      name: 'OLD',
      szDecimals: 1,
      maxLeverage: 5,
      marginTableId: 5,
      isDelisted: true,
    })
    expect(prices[0]).toMatchObject({ markPx: '60000', midPx: '60000', funding: '0.0000125' })
    expect((await rig.anybody.readMeta({ dex: 'xyz' })).data[0].universe[1]?.name).toBe('xyz:TSLA')
    expect((await rig.anybody.readSpotMeta({})).data.tokens[0]).toMatchObject({ name: 'USDC', weiDecimals: 8 })
  })

  test('a dex or a market that the venue does not have is named, and the venue is not asked for it', async () => {
    const before = rig.asked('metaAndAssetCtxs')
    expect(await refusalOf(rig.anybody.readMeta({ dex: 'nodex' }))).toMatchObject({ status: 404, code: 'unknown_dex' })
    for (const call of [
      () => rig.anybody.readFunding({ coin: 'NOPE' }),
      () => rig.anybody.readLiquidity({ coins: 'NOPE,nodex:ETH' }),
      () => rig.anybody.readIndex({ sym: 'BTC' }),
    ])
      expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'unknown_coin' })
    expect([rig.asked('metaAndAssetCtxs'), rig.asked('fundingHistory')]).toEqual([before, 0])
  })

  test.each([
    ['/dex', () => rig.anybody.readMeta({ dex: '{"a":1}' })],
    ['/coin', () => rig.anybody.readFunding({ coin: 'BTC","x":"' })],
    ['/coins', () => rig.anybody.readLiquidity({ coins: Array.from({ length: 61 }, (_, n) => `C${n}`).join() })],
    ['/user', () => rig.anybody.readFees({ user: '0x12' })],
    ['/user', () => rig.anybody.readPortfolio({ user: 'BTC' })],
    ['/sym', () => rig.anybody.readIndex({ sym: '../TSLA' })],
    ['/limit', () => rig.anybody.readOrderHistory({ user, limit: 2_001 })],
    ['/query/start_time', () => rig.anybody.readFunding({ coin: 'BTC', start_time: '2027-01-01T00:00:00.000Z' })],
  ])('a parameter of another form is named: %s', async (pointer, call) => {
    expect(await refusalOf(call())).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer }] })
  })

  test('liquidity answers for the markets that the venue has, and names the others', async () => {
    const { data, unknown_coins } = await rig.anybody.readLiquidity({ coins: 'NOPE,BTC,nodex:ETH' })
    expect([data.map(({ coin }) => coin), unknown_coins]).toEqual([['BTC'], ['NOPE', 'nodex:ETH']])
    expect((await rig.anybody.readLiquidity({ coins: 'BTC' })).unknown_coins).toEqual([])
    for (const [coins, named] of [
      ['NOPE,nodex:ETH', 'no market NOPE, nodex:ETH on'],
      [Array.from({ length: 60 }, (_, n) => `NOPE${n}`).join(), 'NOPE19 and 40 more on'],
    ] as const)
      expect(await refusalOf(rig.anybody.readLiquidity({ coins }))).toMatchObject({
        code: 'unknown_coin',
        detail: expect.stringContaining(named),
      })
  })

  test('funding comes by the hour, a day without bounds, 500 hours at most, and equal hours are one question', async () => {
    rig.venue.control('funding', { coin: 'ETH', rate: '-0.00002' })
    const day = await rig.anybody.readFunding({ coin: 'ETH' })
    expect(day.data).toHaveLength(24)
    expect(day.data[0]).toMatchObject({ coin: 'ETH', fundingRate: '-0.00002', premium: '0.0' })
    const before = rig.asked('fundingHistory')
    const between = { coin: 'ETH', start_time: '2026-11-19T10:30:00Z', end_time: '2026-11-19T13:10:00Z' }
    expect((await rig.anybody.readFunding(between)).data).toHaveLength(3)
    const later = { ...between, start_time: '2026-11-19T10:31:00Z' }
    expect((await rig.anybody.readFunding(later)).data).toHaveLength(3)
    expect(rig.asked('fundingHistory')).toBe(before + 1)
    const long = await rig.anybody.readFunding({ coin: 'ETH', start_time: '2026-01-01T00:00:00Z' })
    expect([long.data.length, new Date(long.data[0]?.time ?? 0).toISOString()]).toEqual([
      500,
      '2026-01-01T00:00:00.020Z',
    ])
  })

  test('liquidity has spread and depth for up to five markets, and says null where it did not read', async () => {
    const few = await rig.anybody.readLiquidity({ coins: 'BTC,xyz:TSLA' })
    expect(few.data[0]).toMatchObject({
      coin: 'BTC',
      mid: '60000',
      mark: '60000',
      spread_bps: '2',
      impact_buy_bps: '1',
      impact_sell_bps: '1',
      volume_24h_usd: '2100000000',
      open_interest_usd: '0',
    })
    expect(few.data[0]?.depth?.asks).toHaveLength(20)
    const before = rig.asked('l2Book')
    const many = await rig.anybody.readLiquidity({ coins: 'BTC,ETH,SOL,HYPE,DOGE,OLD' })
    expect(many.data.map(({ spread_bps, depth }) => [spread_bps, depth])).toEqual(many.data.map(() => [null, null]))
    expect(rig.asked('l2Book')).toBe(before)
    rig.venue.control('book', { coin: 'SOL', asks: [], policy: 'taken' })
    rig.advance(20_000)
    const [empty] = (await rig.anybody.readLiquidity({ coins: 'SOL' })).data
    expect(empty).toMatchObject({ mid: null, spread_bps: null, impact_buy_bps: null, depth: { asks: [] } })
  })
})

describe('relayed accounts', () => {
  test('orders, fees and portfolio of any address, whatever the case of its letters', async () => {
    rig.venue.control('fund', { address: user, amount: '1000' })
    for (const size of ['0.001', '0.002']) await rig.sendOrder(wallet, { asset: 0, side: 'buy', price: '61000', size })
    const history = await rig.anybody.readOrderHistory({ user })
    expect(history.data.map(({ order, status }) => [order.origSz, order.tif, status])).toEqual([
      ['0.002', 'Ioc', 'filled'],
      ['0.001', 'Ioc', 'filled'],
    ])
    const before = rig.asked('historicalOrders')
    const other = `0x${user.slice(2).toLowerCase()}`
    expect((await rig.anybody.readOrderHistory({ user: other, limit: 1 })).data).toEqual(history.data.slice(0, 1))
    expect(rig.asked('historicalOrders')).toBe(before)
    const fees = (await rig.anybody.readFees({ user })).data
    expect(fees).toMatchObject({ userCrossRate: '0.00045', feeSchedule: { cross: '0.00045' } })
    expect(fees.feeSchedule?.tiers?.vip.map(({ ntlCutoff }) => Number(ntlCutoff)).slice(0, 2)).toEqual([5e6, 25e6])
    expect(Number(fees.dailyUserVlm?.at(-1)?.userCross)).toBeGreaterThan(180)
    const { data } = await rig.anybody.readPortfolio({ user })
    expect(data.map(([span]) => span)).toContain('perpAllTime')
    expect(Number(data[0]?.[1].vlm)).toBeGreaterThan(180)
  })
})

describe('a venue that is away, slow, late or wrong', () => {
  test('a copy of up to ten minutes stands in, marked stale; then the answer is 503', async () => {
    const first = await rig.anybody.readFees({ user })
    rig.advance(11_000)
    for (const kind of ['status429', 'status500', 'html502', 'truncated', 'wrong-type', 'oversized'] as const) {
      rig.venue.control('fault', { kind, endpoint: 'info', type: 'userFees' })
      const stale = await rig.anybody.readFees({ user })
      expect(stale, kind).toEqual({ ...first, stale: true })
      expect(rig.asked('userFees'), kind).toBeGreaterThan(0)
      rig.advance(2_000)
    }
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'userFees', count: 100 })
    rig.advance(10 * MINUTE)
    await expect(rig.anybody.readFees({ user })).rejects.toMatchObject({ name: 'Outage' })
  })

  test('a question that failed is not asked again for two seconds, and never by each who asks', async () => {
    const other = `0x${'5'.repeat(40)}`
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'portfolio', count: 100 })
    const before = rig.asked('portfolio')
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => rig.anybody.readPortfolio({ user: other })))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'rejected'))
    expect(rig.asked('portfolio')).toBeLessThanOrEqual(before + 1)
    rig.venue.control('clear-faults')
    rig.advance(2_001)
    expect((await rig.anybody.readPortfolio({ user: other })).stale).toBe(false)
  })

  test('a hundred who ask the same at once wait for one request, even if it is slow', async () => {
    rig.advance(2 * MINUTE)
    rig.venue.control('fault', { kind: 'delay', endpoint: 'info', type: 'spotMeta', ms: 300 })
    const before = rig.asked('spotMeta')
    const all = await Promise.all(Array.from({ length: 100 }, () => rig.anybody.readSpotMeta({})))
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(rig.asked('spotMeta')).toBe(before + 1)
  })
})

describe('what can be traded', () => {
  test('indices are the listed markets of other dexes, with titles, sessions and how far the mark is from the oracle', async () => {
    rig.venue.control('mark', { coin: 'xyz:TSLA', price: '326', oracle: '325' })
    rig.advance(2 * MINUTE)
    const { items, stale, computed_at } = await rig.anybody.listIndices({})
    expect([stale, computed_at]).toEqual([false, rig.clock.now().toISOString()])
    expect(items.map(({ sym, title }) => [sym, title])).toEqual([
      ['XYZ100', 'Hundred largest US technology stocks (index) perpetual'],
      ['TSLA', 'Tesla perpetual'],
    ])
    expect(items[1]).toEqual({
      sym: 'TSLA',
      market_id: 'hl:xyz:TSLA',
      dex: 'xyz',
      title: 'Tesla perpetual',
      mark_price: '326',
      oracle_price: '325',
      premium_bps: '30.77',
      funding_hourly: '0.0000125',
      open_interest_usd: '0',
      volume_24h_usd: '21000000',
      max_leverage: 10,
      session: 'open',
      status: 'paper',
    })
    for (const sym of ['TSLA', 'xyz:TSLA', 'tsla', 'xyz:tsla'])
      expect((await rig.anybody.readIndex({ sym })).item).toEqual(items[1])
  })

  test('products are all listed markets by volume, with the change of a day and what the least order is', async () => {
    rig.venue.control('mark', { coin: 'BTC', price: '61500' })
    rig.advance(2 * MINUTE)
    const { items, made_up } = await rig.anybody.listProducts({})
    expect([made_up, items.map(({ coin }) => coin)]).toEqual([
      true,
      ['BTC', 'ETH', 'SOL', 'HYPE', 'DOGE', 'xyz:XYZ100', 'xyz:TSLA'],
    ])
    expect(items[0]).toMatchObject({ kind: 'crypto', change_24h_pct: '2.5', session: null, min_order_usdc: '10' })
    expect(items.slice(-2).map(({ kind }) => kind)).toEqual(['index', 'stock'])
  })

  test('the live switch decides what products, indices and the station say, from the moment it is turned', async () => {
    const modes = async () => (await rig.anybody.listProducts({})).items.map((item) => item.modes.join())
    const live = async () => (await rig.anybody.readStation({})).live_trading
    expect([new Set(await modes()), await live()]).toEqual([new Set(['paper']), false])
    writeFileSync(join(folder, 'SVC_LIVE_TRADING_ENABLED'), 'on')
    await eventually(live)
    expect(new Set(await modes())).toEqual(new Set(['paper,live']))
    expect((await rig.anybody.listIndices({})).items[0]?.status).toBe('live')
    writeFileSync(join(folder, 'SVC_LIVE_TRADING_ENABLED'), 'off')
    await eventually(async () => !(await live()))
    expect(new Set(await modes())).toEqual(new Set(['paper']))
  })
})

describe('the station', () => {
  test('says what a visitor can do, in switches and in words', async () => {
    const status = await rig.anybody.readStation({})
    expect(status).toMatchObject({
      live_trading: false,
      paper_trading: true,
      hl_leg: false,
      leg_funding: false,
      relay_ok: true,
      gas_drip: false,
      signals: false,
      network: 'testnet',
      made_up: true,
      chain_id: 31_337,
    })
    expect(status.labels).toMatchObject({
      paper_trading: expect.stringContaining('simulated order book'),
      relay: 'A simulator answers; its prices are made up',
      live_trading: expect.stringContaining('switched off'),
      house_runner: 'There is no house runner here',
      doors: 'The doors say how to start: GET /hub/doors',
      signals: 'Operators cannot publish signals now',
      gas_drip: 'The gas drip is switched off',
    })
    rig.advance(11 * MINUTE)
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', count: 100 })
    expect(await rig.anybody.readStation({})).toMatchObject({
      relay_ok: false,
      labels: { relay: expect.stringContaining('does not answer') },
    })
  })

  test('says that operators publish signals while that switch is on', async () => {
    const signals = async () => (await rig.anybody.readStation({})).signals
    writeFileSync(join(folder, 'SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED'), 'on')
    await eventually(signals)
    expect((await rig.anybody.readStation({})).labels.signals).toBe('Operators publish signals')
    writeFileSync(join(folder, 'SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED'), 'off')
    await eventually(async () => !(await signals()))
  })

  test('says that wallets get test ETH while the switch of the gas drip is on', async () => {
    const drips = async () => (await rig.anybody.readStation({})).gas_drip
    writeFileSync(join(folder, 'HUB_GAS_DRIP_ENABLED'), 'on')
    await eventually(drips)
    expect((await rig.anybody.readStation({})).labels.gas_drip).toContain('first test ETH')
    writeFileSync(join(folder, 'HUB_GAS_DRIP_ENABLED'), 'off')
    await eventually(async () => !(await drips()))
  })

  test('lists seven exchanges with the trading that goes on, and whose markets follow them', async () => {
    const { items } = await rig.anybody.listSessions({})
    expect(items.map(({ exchange }) => exchange).toSorted()).toEqual([
      'XCME',
      'XHKG',
      'XKRX',
      'XLON',
      'XNAS',
      'XNYS',
      'XTKS',
    ])
    const of = (mic: string) => items.find(({ exchange }) => exchange === mic)
    expect(of('XNAS')).toMatchObject({
      time_zone: 'America/New_York',
      state: 'open',
      opens_at: '2026-11-20T14:30:00.000Z',
      closes_at: '2026-11-20T21:00:00.000Z',
      next_opens_at: '2026-11-23T14:30:00.000Z',
      markets: expect.arrayContaining(['xyz:TSLA']),
    })
    expect(of('XTKS')).toMatchObject({ state: 'closed', opens_at: null, closes_at: null })
  })

  test('names the builder whose fee orders carry', async () => {
    expect(await rig.anybody.readBuilderFee({})).toEqual({
      configured: true,
      builder: '0x8c967E73E7B15087c42A10D344cFf4c96D877f1D',
      max_fee_rate: '0.1%',
      max_fee: 100,
    })
  })
})
