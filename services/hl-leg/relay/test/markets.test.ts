import { opened, refusalOf } from '@svc/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { startRelayRig } from './rig.ts'

const rig = opened(() => startRelayRig({ environment: { SVC_VENUE_WEIGHT_MINUTE: '1000000' } }))
afterEach(() => rig.venue.control('clear-faults'))

describe('markets for the services that trade', () => {
  test('every market of every dex has its number, its prices and the time of their reading', async () => {
    const { items } = await rig.trade.readVenueMarkets({})
    expect(items.map(({ market_id }) => market_id)).toEqual([
      'hl:BTC',
      'hl:ETH',
      'hl:OLD',
      'hl:SOL',
      'hl:HYPE',
      'hl:DOGE',
      'hl:xyz:XYZ100',
      'hl:xyz:TSLA',
    ])
    expect(items.find(({ coin }) => coin === 'OLD')?.listed).toBe(false)
    expect(items.at(-1)).toEqual({
      market_id: 'hl:xyz:TSLA',
      coin: 'xyz:TSLA',
      dex: 'xyz',
      asset: 110_001,
      title: 'Tesla perpetual',
      size_decimals: 3,
      max_leverage: 10,
      listed: true,
      only_isolated: true,
      mark_price: '325.5',
      oracle_price: '325.5',
      mid_price: expect.stringMatching(/^325\./),
      prev_day_price: '325.5',
      funding_hourly: '0.0000125',
      volume_24h_usd: '21000000',
      open_interest_usd: '0',
      read_at: rig.clock.now().toISOString(),
    })
  })

  test('named markets come alone, and a name that the venue does not have is left out', async () => {
    const { items } = await rig.trade.readVenueMarkets({ coins: ['ETH', 'xyz:TSLA', 'NOPE'] })
    expect(items.map(({ coin }) => coin)).toEqual(['ETH', 'xyz:TSLA'])
  })

  test('no price is older than the caller accepts: without a younger one the call fails', async () => {
    await rig.trade.readVenueMarkets({})
    rig.advance(5_000)
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'metaAndAssetCtxs', count: 9 })
    const before = rig.asked('metaAndAssetCtxs')
    expect((await rig.trade.readVenueMarkets({ max_age_ms: 5_000 })).items).not.toEqual([])
    expect(rig.asked('metaAndAssetCtxs')).toBe(before)
    await expect(rig.trade.readVenueMarkets({ max_age_ms: 4_000 })).rejects.toMatchObject({ name: 'Outage' })
  })
})

describe('books for the services that trade', () => {
  test('a book has both sides, best offers first, and is asked for once', async () => {
    rig.advance(3_000)
    const before = rig.asked('l2Book')
    const [one, other] = await Promise.all([
      rig.trade.readVenueBook({ coin: 'BTC' }),
      rig.trade.readVenueBook({ coin: 'BTC' }),
    ])
    expect(one).toEqual(other)
    expect(rig.asked('l2Book')).toBe(before + 1)
    expect([one.bids[0], one.asks[0], one.at]).toEqual([
      { price: '59994', size: '2' },
      { price: '60006', size: '2' },
      rig.clock.now().toISOString(),
    ])
    expect(Number(one.bids[1]?.price)).toBeLessThan(59_994)
  })

  test('a market that no dex has is refused by its name', async () => {
    const before = rig.asked('l2Book')
    for (const coin of ['NOPE', 'xyz:NOPE', 'nodex:BTC']) {
      expect(await refusalOf(rig.trade.readVenueBook({ coin }))).toMatchObject({ status: 404, code: 'unknown_coin' })
      const order = { coin, side: 'buy', size: '1' } as const
      expect(await refusalOf(rig.trade.walkVenueBook(order))).toMatchObject({ status: 404, code: 'unknown_coin' })
    }
    expect(rig.asked('l2Book')).toBe(before)
  })

  test('a walk fills level by level, to the limit price, with the fee of the dex', async () => {
    rig.advance(6_000)
    rig.venue.control('book', {
      coin: 'xyz:TSLA',
      bids: [{ px: '325', sz: '10' }],
      asks: [
        { px: '326', sz: '2' },
        { px: '327', sz: '5' },
        { px: '330', sz: '50' },
      ],
      policy: 'taken',
    })
    const walk = await rig.trade.walkVenueBook({ coin: 'xyz:TSLA', side: 'buy', size: '10', limit_price: '328' })
    expect(walk).toEqual({
      coin: 'xyz:TSLA',
      at: rig.clock.now().toISOString(),
      best_price: '326',
      middle_price: '325.5',
      filled_size: '7',
      average_price: '326.714285714',
      worst_price: '327',
      notional_usdc: '2287',
      fee_usdc: '2.0583',
      taker_fee: '0.0009',
      unfilled: '3',
    })
    const amount = await rig.trade.walkVenueBook({ coin: 'xyz:TSLA', side: 'sell', amount_usdc: '100' })
    expect(amount).toMatchObject({ filled_size: '0.307', worst_price: '325', unfilled: '0.225' })
  })

  test('a walk names exactly one quantity', async () => {
    for (const quantity of [{}, { size: '1', amount_usdc: '10' }]) {
      const refused = await refusalOf(rig.trade.walkVenueBook({ coin: 'BTC', side: 'buy', ...quantity }))
      expect(refused).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer: '/size' }] })
    }
  })

  test('a venue that is away, slow, late, or answers in an unknown form is an outage, and nothing is filled', async () => {
    for (const kind of ['status429', 'status500', 'html502', 'truncated', 'wrong-type', 'stale'] as const) {
      rig.advance(6_000)
      rig.venue.control('fault', { kind, endpoint: 'info', type: 'l2Book', ms: 120_000 })
      const walk = rig.trade.walkVenueBook({ coin: 'BTC', side: 'buy', size: '1' })
      await expect(walk, kind).rejects.toMatchObject({ name: 'Outage' })
    }
  })
})
