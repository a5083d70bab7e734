import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sendClose } from '#orders/send-close.ts'
import { readScene } from '#orders/read-scene.ts'
import { readLeg } from '#legs/store/legs.ts'
import { asAgent, asOwner, startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(() => startOrderRig())

const buy = (leg: TestLeg, amount_usdc = '100') =>
  ({ public_id: leg.publicId, market: 'hl:BTC', side: 'buy', amount_usdc }) as const
const sell = (leg: TestLeg, size: string) =>
  ({ public_id: leg.publicId, market: 'hl:BTC', side: 'sell', size }) as const

describe('an estimate', () => {
  test('walks the order through the book, with fee, liquidation price and the loss of closing at once; nothing is written', async () => {
    const leg = await rig.newLeg()
    const simulate = rig.from('mandates').simulateLegOrder
    const estimate = await simulate(buy(leg, '50000'))
    expect(estimate).toMatchObject({
      opening: true,
      size: '0.79365',
      worst_price: '63000',
      reference_price: '63000',
      notional_usdc: '49999.95',
      fills: { filled_size: '0.79365', average_price: '60006', unfilled_size: '0', slippage_bps: 1 },
      mark_price: '60000',
    })
    // 0.79365 × (6 + 6) of spread and twice the fee of 0.045 %.
    expect(Number(estimate.stop_line_loss_usdc)).toBeCloseTo(0.79365 * 12 + 2 * 0.79365 * 60_000 * 0.00045, 2)
    expect(Number(estimate.liquidation_price)).toBeCloseTo(59_487, -2)
    expect(rig.accountOf(leg).orders).toHaveLength(0)
    const stored = await rig.pool.oneFirst(
      sql.type(z.object({ n: z.number() }))`
        SELECT count(*)::int AS n FROM leg_order WHERE public_id = ${leg.publicId}`,
    )
    expect(stored).toBe(0)
  })

  test('says what a thin book leaves unfilled, and that the loss of closing is unknown', async () => {
    const leg = await rig.newLeg()
    rig.venue.control('book', {
      coin: 'ETH',
      policy: 'taken',
      asks: [{ px: '3000.3', sz: '0.01' }],
      bids: [{ px: '2999.7', sz: '0.001' }],
    })
    const estimate = await rig.from('mandates').simulateLegOrder({ ...buy(leg), market: 'hl:ETH' })
    expect(estimate).toMatchObject({
      fills: { filled_size: '0.01', unfilled_size: '0.0217' },
      stop_line_loss_usdc: null,
    })
  })

  test('is refused for what no order can be', async () => {
    const leg = await rig.newLeg()
    const simulate = rig.from('mandates').simulateLegOrder
    const none = `mdt_${'9'.repeat(32)}`
    expect(await refusalOf(simulate({ ...buy(leg), public_id: none }))).toMatchObject({ code: 'hub_hl_leg_none' })
    expect(await refusalOf(simulate({ ...buy(leg), size: '1' }))).toMatchObject({ code: 'invalid_request' })
    expect(await refusalOf(simulate({ ...buy(leg), max_slippage: '0.06' }))).toMatchObject({ code: 'invalid_request' })
    expect(await refusalOf(simulate({ ...buy(leg), market: 'hl:NOSUCH' }))).toMatchObject({
      status: 404,
      code: 'hub_leg_unknown_market',
    })
    await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
    expect(await refusalOf(simulate(sell(leg, '1')))).toMatchObject({ code: 'would_flip' })
    expect(await refusalOf(simulate(sell(leg, '0.000001')))).toMatchObject({ code: 'hub_leg_nothing_to_close' })
    expect(await simulate(sell(leg, '0.00158'))).toMatchObject({ opening: false, liquidation_price: null })
  })
})

test('a close of this house is one reduce-only order of the whole position, judged by nobody and told to mandates', async () => {
  const leg = await rig.newLeg()
  await asAgent(rig, leg, 'open').placeLegOrder(buy(leg))
  const stored = await readLeg(rig.pool, leg.publicId)
  if (stored === null) throw new Error('the leg is stored')
  const scene = await readScene(rig.context, stored, 'hl:BTC', true)
  if (scene === null || scene.position === null) throw new Error('the position is there')
  const judged = rig.books.judged.length
  const { market, reading, position } = scene
  const close = { leg: stored, by: 'stop_line', position, market, worstPrice: '57000', reading } as const
  expect(await sendClose(rig.context, close)).toMatchObject({ state: 'filled', filledSize: '0.00158', by: 'stop_line' })
  expect([rig.positionOf(leg, 'BTC'), rig.books.judged.length]).toEqual(['0', judged])
  expect(rig.accountOf(leg).orders[0]).toMatchObject({ reduceOnly: true, tif: 'Ioc' })
  expect([...rig.books.ended.values()].at(-1)).toMatchObject({ as: 'stop_line', opening: false, outcome: 'filled' })
  // A position that is gone meanwhile is not turned.
  expect(await sendClose(rig.context, close)).toMatchObject({ state: 'rejected' })
  expect(rig.positionOf(leg, 'BTC')).toBe('0')
})

test('nothing but orders and moves between dexes is ever signed by the keys of legs', () => {
  const counts = rig.venue.control('counts') as Record<string, number>
  const sent = Object.keys(counts).filter((name) => name.startsWith('exchange '))
  expect(sent.toSorted()).toEqual(['exchange approveAgent', 'exchange order'])
})

describe('without what an order needs', () => {
  test('the switch, the seed or the weight of requests: each is named, and the key is not used up', async () => {
    const leg = await rig.newLeg()
    await rig.restart({ HUB_HL_LEG_ENABLED: '0' })
    expect(await refusalOf(asAgent(rig, leg, 'k').placeLegOrder(buy(leg)))).toMatchObject({
      status: 404,
      code: 'hub_feature_disabled',
    })
    await rig.restart({ HUB_HL_LEG_SEED: undefined as unknown as string })
    await expect(asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).rejects.toMatchObject({ reason: 'not_configured' })
    await rig.restart({ SVC_VENUE_WEIGHT_MINUTE: '120' })
    await expect(asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).rejects.toMatchObject({ reason: 'venue_budget' })
    await expect(rig.from('mandates').simulateLegOrder(buy(leg))).rejects.toMatchObject({ reason: 'venue_budget' })
    const read = rig.from('gallery').readFollowLegs({ public_ids: [leg.publicId], now: true })
    await expect(read).rejects.toMatchObject({ reason: 'venue_budget' })
    await rig.restart({})
    expect(await asAgent(rig, leg, 'k').placeLegOrder(buy(leg))).toMatchObject({ order: { status: 'filled' } })
    expect(await asOwner(rig, leg, 'c').placeLegOrder(sell(leg, '1'))).toMatchObject({ order: { status: 'filled' } })
  })
})
