import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totalCash } from '../src/index.ts'
import { ioc, startSdk } from './sdk.ts'

let at: Awaited<ReturnType<typeof startSdk>>
beforeAll(async () => {
  at = await startSdk()
})
afterAll(() => at.rig.close())

const mark = (coin: string, price: string) => at.rig.control('mark', { coin, price })
const limit = (asset: number, buy: boolean, price: string, size: string, tif: 'Gtc' | 'Alo' = 'Gtc') => ({
  orders: [{ a: asset, b: buy, p: price, s: size, r: false, t: { limit: { tif } } }],
  grouping: 'na' as const,
})
const trigger = (
  tpsl: 'tp' | 'sl',
  triggerPx: string,
  given: { buy?: boolean; size?: string; price?: string; isMarket?: boolean; reduceOnly?: boolean } = {},
) => ({
  a: 3,
  b: given.buy ?? false,
  p: given.price ?? '100',
  s: given.size ?? '1',
  r: given.reduceOnly ?? true,
  t: { trigger: { isMarket: given.isMarket ?? true, triggerPx, tpsl } },
})
type Placed = { response: { data: { statuses: unknown[] } } }
const oidOf = ({ response }: Placed, index = 0) =>
  (response.data.statuses[index] as { resting: { oid: number } }).resting.oid

describe('executions by time', () => {
  test('come oldest first, turned with `reversed`; 2,000 rows at most, and the rest of that end is left out', async () => {
    const { user } = at.funded('1000')
    const account = at.rig.state.accounts[user.toLowerCase()]
    at.rig.control('trade', { address: user, coin: 'SOL', side: 'buy', size: '1' })
    const [first] = account?.fills ?? []
    if (account === undefined || first === undefined) throw new Error('the trade has no execution')
    account.fills = Array.from({ length: 2_500 }, (_, index) => ({
      ...first,
      tid: 10_000 - index,
      time: first.time - index * 10,
    }))
    const oldest = first.time - 2_499 * 10
    const upwards = await at.info.userFillsByTime({ user, startTime: 0 })
    expect([upwards.length, upwards[0]?.time, upwards.at(-1)?.time]).toEqual([2_000, oldest, oldest + 1_999 * 10])
    const downwards = await at.info.userFillsByTime({ user, startTime: 0, reversed: true })
    expect([downwards.length, downwards[0]?.time]).toEqual([2_000, first.time])
    expect((await at.info.userFills({ user }))[0]?.time).toBe(first.time)
    const span = { user, startTime: oldest + 5, endTime: oldest + 30 }
    expect((await at.info.userFillsByTime(span)).map(({ time }) => time - oldest)).toEqual([10, 20, 30])
  })

  test('may be listed later than they happened, and a filled order may keep its first size', async () => {
    const { user, client } = at.funded('1000')
    at.rig.control('late-fills', { ms: 600_000 })
    at.rig.control('stale-sz', { on: true })
    await client.order(ioc(3, true, '155', '2'))
    const [listed] = await at.info.historicalOrders({ user })
    expect(listed).toMatchObject({ status: 'filled', order: { sz: '2', origSz: '2' } })
    const status = await at.info.orderStatus({ user, oid: listed?.order.oid ?? 0 })
    expect(status).toMatchObject({ order: { status: 'filled', order: { sz: '2' } } })
    expect(await at.info.userFills({ user })).toEqual([])
    expect(await at.info.userFillsByTime({ user, startTime: 0 })).toEqual([])
    expect((await at.info.clearinghouseState({ user })).assetPositions).toHaveLength(1)
    at.rig.control('stale-sz', { on: false })
    at.rig.control('late-fills', { ms: 0 })
    expect((await at.info.historicalOrders({ user }))[0]?.order.sz).toBe('0')
    expect(await at.info.userFills({ user })).toHaveLength(1)
  })
})

describe('orders that rest', () => {
  test('a limit order holds margin, is listed, and what closes fills no more than the position', async () => {
    const { user, client } = at.funded('1000')
    await client.order(limit(3, true, '140', '2'))
    expect((await at.cashOf(user)).used).toBe(14)
    await client.order(ioc(3, true, '155', '1'))
    await client.order({
      ...limit(3, false, '160', '5'),
      orders: [{ ...limit(3, false, '160', '5').orders[0]!, r: true }],
    })
    mark('SOL', '165')
    mark('SOL', '150')
    expect((await at.info.clearinghouseState({ user })).assetPositions).toEqual([])
    expect((await at.info.userFills({ user }))[0]).toMatchObject({ px: '160', sz: '1', crossed: false })
    expect(await at.info.openOrders({ user })).toMatchObject([{ limitPx: '140', sz: '2' }])
  })

  test('a post-only order that would match is refused with the best prices', async () => {
    const { client } = at.funded('1000')
    await expect(client.order(limit(3, true, '160', '1', 'Alo'))).rejects.toThrow(/bbo was [\d.]+@[\d.]+/)
  })

  test('a stop rests without a position too, is listed with its condition, and can be cancelled', async () => {
    const { user, client } = at.funded('1000')
    const oid = oidOf(await client.order({ orders: [trigger('sl', '140')], grouping: 'na' }))
    expect(await at.info.openOrders({ user })).toMatchObject([{ oid, coin: 'SOL', side: 'A', sz: '1' }])
    expect(await at.info.frontendOpenOrders({ user })).toMatchObject([
      {
        oid,
        isTrigger: true,
        triggerPx: '140',
        triggerCondition: 'Price below 140',
        orderType: 'Stop Market',
        isPositionTpsl: false,
        reduceOnly: true,
        tif: null,
      },
    ])
    await client.cancel({ cancels: [{ a: 3, o: oid }] })
    expect(await at.info.openOrders({ user })).toEqual([])
    expect((await at.info.historicalOrders({ user }))[0]).toMatchObject({ status: 'canceled', order: { oid } })
  })

  test('a trigger that is reached already is refused', async () => {
    const { client } = at.funded('1000')
    const place = (order: ReturnType<typeof trigger>) => client.order({ orders: [order], grouping: 'na' })
    await expect(place(trigger('sl', '155'))).rejects.toThrow('Invalid TP/SL price.')
    await expect(place(trigger('tp', '145'))).rejects.toThrow('Invalid TP/SL price.')
    await expect(place(trigger('sl', '145', { buy: true, price: '200' }))).rejects.toThrow('Invalid TP/SL price.')
  })

  test.each([
    ['a stop sells below its price', trigger('sl', '145'), '144', 'Stop Market'],
    ['a profit is taken above its price', trigger('tp', '155'), '156', 'Take Profit Market'],
  ])('%s, at the mark and as a taker', async (_, order, price, orderType) => {
    const { user, client } = at.funded('1000')
    await client.order(ioc(3, true, '155', '1'))
    await client.order({ orders: [order], grouping: 'na' })
    mark('SOL', price)
    mark('SOL', '150')
    expect((await at.info.clearinghouseState({ user })).assetPositions).toEqual([])
    const [fill] = await at.info.userFills({ user })
    expect(fill).toMatchObject({ dir: 'Close Long', crossed: true })
    expect(Number(fill?.px)).toBeCloseTo(Number(price), 0)
    expect((await at.info.historicalOrders({ user }))[0]).toMatchObject({ status: 'filled', order: { orderType } })
  })

  test('a limit order with a trigger rests at its own price once the trigger is reached', async () => {
    const { user, client } = at.funded('1000')
    const order = trigger('sl', '155', { buy: true, price: '152', isMarket: false, reduceOnly: false })
    await client.order({ orders: [order], grouping: 'na' })
    expect((await at.cashOf(user)).used).toBe(0)
    mark('SOL', '158')
    expect(await at.info.userFills({ user })).toEqual([])
    expect(await at.info.openOrders({ user })).toMatchObject([{ limitPx: '152' }])
    mark('SOL', '150')
    expect(await at.info.userFills({ user })).toMatchObject([{ px: '152', dir: 'Open Long', crossed: false }])
  })

  test('a pair of exits waits for its entry; one of them ends the other', async () => {
    const { user, client } = at.funded('1000')
    const entry = limit(3, true, '148', '1').orders[0]!
    const orders = [entry, trigger('tp', '160'), trigger('sl', '140')]
    const placed = await client.order({ orders, grouping: 'normalTpsl' })
    expect(placed.response.data.statuses.slice(1)).toEqual(['waitingForFill', 'waitingForFill'])
    const [listed] = await at.info.frontendOpenOrders({ user })
    expect(listed?.children.map(({ triggerPx }) => triggerPx).toSorted()).toEqual(['140', '160'])
    mark('SOL', '139')
    mark('SOL', '150')
    // The entry was filled at its price, then the stop was reached.
    expect((await at.info.userFills({ user })).map(({ dir }) => dir)).toEqual(['Close Long', 'Open Long'])
    expect((await at.info.historicalOrders({ user })).map(({ status }) => status).toSorted()).toEqual([
      'filled',
      'filled',
      'siblingFilledCanceled',
    ])
  })

  test('an exit of the whole position follows its size, and is gone with it', async () => {
    const { user, client } = at.funded('1000')
    const exits = [trigger('tp', '170', { size: '0' }), trigger('sl', '140', { size: '0' })]
    await expect(client.order({ orders: exits, grouping: 'positionTpsl' })).rejects.toThrow('Reduce only')
    await client.order(ioc(3, true, '155', '1'))
    const placed = await client.order({ orders: exits, grouping: 'positionTpsl' })
    expect(placed.response.data.statuses).toEqual(['waitingForTrigger', 'waitingForTrigger'])
    await client.order(ioc(3, true, '155', '2'))
    expect(await at.info.frontendOpenOrders({ user })).toMatchObject([
      { isPositionTpsl: true },
      { isPositionTpsl: true },
    ])
    mark('SOL', '139')
    mark('SOL', '150')
    expect((await at.info.userFills({ user }))[0]).toMatchObject({ sz: '3', dir: 'Close Long' })
    expect(await at.info.openOrders({ user })).toEqual([])
  })

  test('are cancelled with those that wait for them', async () => {
    const { user, client } = at.funded('1000')
    const orders = [limit(3, true, '120', '1').orders[0]!, trigger('sl', '110')]
    const oid = oidOf(await client.order({ orders, grouping: 'normalTpsl' }))
    await client.cancel({ cancels: [{ a: 3, o: oid }] })
    expect((await at.info.historicalOrders({ user })).map(({ status }) => status)).toEqual(['canceled', 'canceled'])
  })
})

describe('bounds of single actions', () => {
  test('a withdrawal is more than its fee, and what leaves is never negative', async () => {
    const { user, client } = at.funded('100')
    for (const amount of ['0.5', '1'])
      await expect(client.withdraw3({ destination: user, amount })).rejects.toThrow('fee of 1 USDC')
    await expect(client.withdraw3({ destination: user, amount: '100.01' })).rejects.toThrow('Insufficient balance')
    await client.withdraw3({ destination: user, amount: '100' })
    const rows = await at.info.userNonFundingLedgerUpdates({ user, startTime: 0 })
    expect(rows.at(-1)?.delta).toMatchObject({ type: 'withdraw', usdc: '99', fee: '1.0' })
    expect((await at.cashOf(user)).value).toBe(0)
  })

  test('a scheduled cancel needs traded volume and five seconds, ends resting orders, and happens ten times a day', async () => {
    const { user, client } = at.funded('300000')
    await expect(client.scheduleCancel({ time: Date.now() + 60_000 })).rejects.toThrow('enough volume traded')
    for (const buy of [true, false]) await client.order(ioc(0, buy, buy ? '66000' : '54000', '9'))
    const clock = async () => (await at.info.exchangeStatus()).time
    await expect(client.scheduleCancel({ time: (await clock()) + 4_000 })).rejects.toThrow('5 seconds')
    // A client's nonces are of the real clock, and the rig refuses those that are two days behind its own.
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000
    at.rig.control('time', { now_ms: midnight })
    const rest = async () => {
      await client.order(limit(3, true, '120', '1'))
      await client.order({ orders: [trigger('sl', '140')], grouping: 'na' })
    }
    await rest()
    await client.scheduleCancel({ time: (await clock()) + 60_000 })
    await client.scheduleCancel()
    at.rig.control('time', { advance_ms: 61_000 })
    expect(await at.info.openOrders({ user })).toHaveLength(2)
    for (let times = 1; times <= 10; times += 1) {
      await client.scheduleCancel({ time: (await clock()) + 5_000 })
      at.rig.control('time', { advance_ms: 5_000 })
    }
    expect(await at.info.openOrders({ user })).toEqual([])
    expect((await at.info.historicalOrders({ user }))[0]?.status).toBe('scheduledCancel')
    await expect(client.scheduleCancel({ time: (await clock()) + 60_000 })).rejects.toThrow('today')
    at.rig.control('time', { now_ms: midnight + 86_400_000 })
    await client.scheduleCancel({ time: (await clock()) + 60_000 })
  })
})

test('no money appears or vanishes in all of this', () => {
  expect(totalCash(at.rig.state).abs().toNumber()).toBeLessThan(1e-9)
})
