import type { PreparedOrder } from '@svc/contracts/hl-trade/order-schemas'
import { tradeCodes } from '@svc/contracts/hl-trade/order-schemas'
import type { IocOrder } from '@svc/hyperliquid'
import { sql } from '@svc/postgres'
import { changesNothing, opened, refusalOf } from '@svc/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asAgent, asOwner, startOrderRig, type Trader } from './order-rig.ts'

const rig = opened(() => startOrderRig())
let live = true
beforeEach(async () => {
  rig.heal()
  if (!live) await rig.restart({ SVC_LIVE_TRADING_ENABLED: '1' })
  live = true
})
const turnOff = async (more: Record<string, string> = {}) => {
  await rig.restart({ SVC_LIVE_TRADING_ENABLED: '0', ...more })
  live = false
}

const buy = { market: 'hl:BTC', side: 'buy', amount_usdc: '60', mode: 'live' } as const
const sell = { market: 'hl:BTC', side: 'sell', size: '1', reduce_only: true, mode: 'live' } as const
const confirmOf = ({ confirm_id }: Pick<PreparedOrder, 'confirm_id'>) => confirm_id ?? 'none'
const execute = (one: Trader, prepared: PreparedOrder, key?: string) =>
  asOwner(rig, one, key).executeOrder({ confirm_id: confirmOf(prepared) })
const open = async (one: Trader) => execute(one, { ...(await asOwner(rig, one).prepareOrder(buy)) })
const working = (one: Trader, more: object = {}) =>
  rig.mandates.set(`${one.id} ${one.agentId}`, [
    { public_id: `mdt_${'1'.repeat(32)}`, state: 'working', per_tx_cap_usdc: '50', markets: ['hl:BTC'], ...more },
  ])
const codeOf = async (asked: Promise<unknown>) => {
  const { code, refusal, reason } = (await refusalOf(asked)) as {
    code: string
    refusal?: { code: string; fix: string }
    reason?: string
  }
  expect(refusal?.fix).toBeTruthy()
  return [code, refusal?.code, ...(reason == null ? [] : [reason])]
}

describe('a live order with an enabled order key', () => {
  test('is prepared, waits for its owner, and is executed once however often it is confirmed', async () => {
    const one = await rig.trader()
    const prepared = await asOwner(rig, one, 'k1').prepareOrder(buy)
    expect(prepared).toMatchObject({
      ok: true,
      sign_mode: 'server',
      typed_data: null,
      requested_by: 'owner',
      estimate: { size: '0.00095', price: '60006' },
      judgement: { kind: null, code: null, max_passing_amount_usdc: '100' },
      fill: null,
    })
    expect(await asOwner(rig, one, 'k1').prepareOrder(buy)).toEqual(prepared)
    expect(await refusalOf(asOwner(rig, one, 'k1').prepareOrder({ ...buy, amount_usdc: '61' }))).toMatchObject({
      code: 'idempotency_mismatch',
    })
    const { items } = await asOwner(rig, one).listPendingOrders({})
    expect(items).toMatchObject([{ order_id: prepared.order_id, confirm_id: prepared.confirm_id, side: 'buy' }])
    expect(await asOwner(rig, one).readOrderCap({})).toMatchObject({
      per_order_usdc: '100',
      daily_usdc: '500',
      used_today_usdc: prepared.estimate.notional_usdc,
    })

    const done = await execute(one, prepared, 'e1')
    expect(done).toMatchObject({
      ok: true,
      order_id: prepared.order_id,
      order: { status: 'filled', filled_size: '0.00095' },
      position: { size: '0.00095' },
      receipt: null,
      violation: false,
    })
    expect(rig.accountOf(one).fills[0]?.builderFee).toBeDefined()
    const again = await Promise.all([
      execute(one, prepared, 'e1'),
      execute(one, prepared),
      execute(one, prepared, 'e2'),
    ])
    expect(again).toEqual([done, done, done])
    expect(rig.accountOf(one).orders).toHaveLength(1)
    const { used_today_usdc } = await asOwner(rig, one).readOrderCap({})
    expect(used_today_usdc).toBe('order' in done ? done.order.notional_usdc : '')
    expect((await asOwner(rig, one).listPendingOrders({})).items).toEqual([])
    const own = await asOwner(rig, one).readOrder({ order_id: prepared.order_id ?? '' })
    expect(own).toMatchObject({ state: 'filled', mode: 'live', requested_by: 'owner', violation: false })
    expect(own.order).toEqual('order' in done ? done.order : null)
    expect((await asOwner(rig, one).listOrders({})).items).toEqual([own])
    const other = await asOwner(rig, one).prepareOrder(buy)
    expect(await refusalOf(execute(one, other, 'e1'))).toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('of an agent waits in pending for its owner, under the lower of both caps, and the agent confirms nothing', async () => {
    const one = await rig.trader()
    working(one)
    expect(await codeOf(asAgent(rig, one).prepareOrder(buy))).toEqual(['order_refused', 'over_order_cap'])
    const prepared = await asAgent(rig, one).prepareOrder({ ...buy, amount_usdc: '40' })
    expect(prepared).toMatchObject({ confirm_id: null, requested_by: 'agent', sign_mode: 'server' })
    expect(prepared.judgement.max_passing_amount_usdc).toBe('50')
    expect((await asAgent(rig, one).listPendingOrders({})).items).toMatchObject([
      { order_id: prepared.order_id, confirm_id: null, agent_id: one.agentId, public_id: `mdt_${'1'.repeat(32)}` },
    ])
    const [pending] = (await asOwner(rig, one).listPendingOrders({})).items
    const confirm_id = pending?.confirm_id ?? ''
    expect(await refusalOf(asAgent(rig, one).executeOrder({ confirm_id }))).toMatchObject({ code: 'scope_denied' })
    expect(await refusalOf(asAgent(rig, one).recordOrder({ confirm_id }))).toMatchObject({ code: 'scope_denied' })
    expect(await asOwner(rig, one).executeOrder({ confirm_id })).toMatchObject({ order: { status: 'filled' } })
    const order_id = prepared.order_id ?? ''
    expect(await asAgent(rig, one).readOrder({ order_id })).toMatchObject({ state: 'filled', agent_id: one.agentId })
    const another = await rig.trader()
    for (const read of [asOwner(rig, another), asAgent(rig, another)])
      expect(await refusalOf(read.readOrder({ order_id }))).toMatchObject({ status: 404, code: 'unknown_order' })
    expect((await asOwner(rig, another).listOrders({})).items).toEqual([])
    working(one, { state: 'paused' })
    const status = await asAgent(rig, one).readAgentStatus({})
    expect(status).toMatchObject({ may_trade: false, mode: 'live', reasons: ['mandate_not_working'] })
    expect(status.fixes).toEqual([{ reason: 'mandate_not_working', fix: status.fix }])
    expect(await asOwner(rig, one).readAgentStatus({ agent_id: one.agentId })).toEqual(status)
    working(one)
    expect(await asAgent(rig, one).readAgentStatus({})).toEqual({
      may_trade: true,
      mode: 'live',
      reasons: [],
      fix: null,
      fixes: [],
    })
    expect(await asOwner(rig, one).readAgentStatus({})).toMatchObject({ may_trade: true })
    const stranger = await rig.trader({ linked: false })
    expect(await asOwner(rig, stranger).readAgentStatus({ agent_id: one.agentId })).toMatchObject({
      mode: 'paper',
      reasons: ['agent_not_paired'],
    })
  })

  test('is not executed by another owner, in another mode than was seen, or in the way of browsers', async () => {
    const [one, other] = [await rig.trader(), await rig.trader()]
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    const confirm_id = confirmOf(prepared)
    expect(await refusalOf(execute(other, prepared))).toMatchObject({ code: 'unknown_order', status: 404 })
    expect(await refusalOf(asOwner(rig, other).recordOrder({ confirm_id }))).toMatchObject({ code: 'unknown_order' })
    expect(await refusalOf(asOwner(rig, one).executeOrder({ confirm_id, mode_seen: 'paper' }))).toMatchObject({
      code: 'mode_changed',
      mode: 'live',
    })
    expect(await refusalOf(asOwner(rig, one).recordOrder({ confirm_id }))).toMatchObject({ code: 'wrong_sign_mode' })
    expect(rig.accountOf(one).orders).toHaveLength(0)
  })

  test('that would turn the position is refused, and without a position there is nothing to close', async () => {
    const one = await rig.trader()
    expect(await refusalOf(asOwner(rig, one).prepareOrder(sell))).toMatchObject({ code: 'nothing_to_close' })
    await open(one)
    expect(await refusalOf(asOwner(rig, one).prepareOrder({ ...sell, reduce_only: false }))).toMatchObject({
      code: 'would_flip',
      position_size: '0.00095',
    })
    const close = await asOwner(rig, one).prepareOrder(sell)
    await asOwner(rig, one).prepareOrder(sell)
    expect(close.estimate.size).toBe('0.00095')
    expect(await execute(one, close)).toMatchObject({ order: { status: 'filled' }, position: { size: '0' } })
    const late = (await asOwner(rig, one).listPendingOrders({})).items[0]
    expect(await refusalOf(asOwner(rig, one).executeOrder({ confirm_id: late?.confirm_id ?? '' }))).toMatchObject({
      code: 'nothing_to_close',
    })
    expect(rig.positionOf(one)).toBe('0')
  })
})

describe('each of the 13 codes refuses, with what to do', () => {
  const seen = new Set<string>()
  const refused = async (asked: Promise<unknown>, code: string, reason?: string) => {
    seen.add(code)
    expect(await codeOf(asked)).toEqual(['order_refused', code, ...(reason === undefined ? [] : [reason])])
  }

  test('by the account, the agent and the mandate', async () => {
    const one = await rig.trader()
    const alone = { ...one, agentId: 9_999 }
    await refused(asAgent(rig, alone).prepareOrder(buy), 'agent_not_paired')
    await refused(asAgent(rig, alone).readOrderCap({}), 'agent_not_paired')
    expect(await asAgent(rig, alone).listPendingOrders({})).toEqual({ items: [], next_cursor: null })
    await refused(asAgent(rig, one).prepareOrder(buy), 'no_mandate')
    working(one, { state: 'stopped' })
    await refused(asAgent(rig, one).prepareOrder(buy), 'mandate_not_working')
    working(one, { markets: ['hl:ETH'] })
    await refused(asAgent(rig, one).prepareOrder(buy), 'market_not_allowed')
    await refused(asOwner(rig, one).prepareOrder({ ...buy, market: 'hl:NOPE' }), 'market_not_allowed')
    await refused(asOwner(rig, one).prepareOrder({ ...buy, market: 'hl:OLD', amount_usdc: '20' }), 'market_not_allowed')
    const unlinked = await rig.trader({ linked: false })
    await refused(asOwner(rig, unlinked).prepareOrder(buy), 'account_not_linked', 'not_linked')
    rig.legs.set(one.account, `mdt_${'2'.repeat(32)}`)
    await refused(asOwner(rig, one).prepareOrder(buy), 'account_not_linked', 'leg_bound')
    rig.legs.delete(one.account)
    const keyless = await rig.trader({ orderKey: false })
    working(keyless)
    await refused(
      asAgent(rig, keyless).prepareOrder({ ...buy, amount_usdc: '40' }),
      'account_not_linked',
      'key_not_enabled',
    )
    const feeless = await rig.trader({ builderFee: false })
    await refused(asOwner(rig, feeless).prepareOrder(buy), 'builder_fee_not_approved')
  })

  test('by the caps, counted for all orders that are not resolved', async () => {
    const one = await rig.trader()
    await refused(asOwner(rig, one).prepareOrder({ ...buy, amount_usdc: '101' }), 'over_order_cap')
    for (let n = 0; n < 5; n += 1) await asOwner(rig, one).prepareOrder({ ...buy, amount_usdc: '85' })
    expect(await refusalOf(asOwner(rig, one).prepareOrder(buy))).toMatchObject({ code: 'rate_limited', status: 429 })
    await refused(asOwner(rig, one).prepareOrder({ ...buy, amount_usdc: '90' }), 'over_daily_cap')
    // What was prepared and not confirmed frees its part.
    rig.advance(61_000)
    expect((await rig.resolve()).done).toBeGreaterThanOrEqual(5)
    expect((await asOwner(rig, one).readOrderCap({})).used_today_usdc).toBe('0')
    await rig.setCap(one, '100', '100')
    await open(one)
    rig.setMark('200000')
    await refused(asOwner(rig, one).prepareOrder({ ...buy, amount_usdc: '25' }), 'over_open_notional')
  })

  test('by session and price', async () => {
    const one = await rig.trader()
    rig.venue.control('book', {
      coin: 'BTC',
      policy: 'taken',
      bids: [{ px: '30000', sz: '1' }],
      asks: [{ px: '30010', sz: '1' }],
    })
    await refused(asOwner(rig, one).prepareOrder(buy), 'price_out_of_band')
    rig.venue.control('book', { coin: 'BTC', policy: 'taken', bids: [], asks: [{ px: '60010', sz: '1' }] })
    await refused(asOwner(rig, one).prepareOrder(buy), 'price_out_of_band')
    rig.heal()
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    rig.setMark('64000')
    await refused(execute(one, prepared), 'price_out_of_band')
    rig.heal()
    rig.advance(61_000)
    await refused(execute(one, prepared), 'confirm_expired')
    expect(rig.accountOf(one).orders).toHaveLength(0)
    // Saturday in New York.
    const until = Date.parse('2026-11-28T15:00:00.000Z') - rig.clock.now().getTime()
    rig.advance(until)
    rig.venue.control('mark', { coin: 'xyz:TSLA', price: '325.5' })
    await refused(asOwner(rig, one).prepareOrder({ ...buy, market: 'hl:xyz:TSLA' }), 'session_closed')
  })

  test('by the live switch, also between preparation and execution', async () => {
    const one = await rig.trader()
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    await turnOff()
    await refused(asOwner(rig, one).prepareOrder(buy), 'live_trading_off')
    await refused(execute(one, prepared), 'live_trading_off')
    expect(rig.accountOf(one).orders).toHaveLength(0)
    expect(await asOwner(rig, one).readAgentStatus({})).toMatchObject({ mode: 'paper', reasons: ['live_trading_off'] })
  })

  test('and no code is left out', () => {
    expect([...seen].toSorted()).toEqual([...tradeCodes].toSorted())
  })
})

test("an owner's verified close passes while live trading is off and caps are used up; an agent's does not", async () => {
  const one = await rig.trader()
  working(one)
  await open(one)
  rig.legs.set(one.account, `mdt_${'2'.repeat(32)}`)
  await rig.setCap(one, '0', '0')
  await turnOff()
  expect(await codeOf(asOwner(rig, one).prepareOrder(buy))).toEqual(['order_refused', 'live_trading_off'])
  expect(await codeOf(asAgent(rig, one).prepareOrder(sell))).toEqual(['order_refused', 'live_trading_off'])
  rig.peers.relay.isAway = true
  rig.peers.mandates.isAway = true
  const part = await asOwner(rig, one).prepareOrder({ ...sell, size: '0.0005' })
  expect(await execute(one, part)).toMatchObject({ order: { status: 'filled', filled_size: '0.0005' } })
  // A close is one by the position, whatever the request says, and in whatever mode the account is meanwhile.
  await rig.pool.query(sql.unsafe`UPDATE own_account SET refused = 'other_mode' WHERE owner_id = ${one.id}`)
  const close = await asOwner(rig, one).prepareOrder({ ...sell, size: '0.00045', reduce_only: false })
  expect(await execute(one, close)).toMatchObject({ order: { status: 'filled', filled_size: '0.00045' } })
  rig.peers.relay.isAway = false
  rig.peers.mandates.isAway = false
  expect(rig.positionOf(one)).toBe('0')
})

test('a position whose exchange is closed cannot grow, and its owner closes it', async () => {
  const one = await rig.trader()
  const share = { market: 'hl:xyz:TSLA', side: 'buy', amount_usdc: '60', mode: 'live' } as const
  const account = rig.venue.state.accounts[one.account] ?? expect.fail('the venue knows the account')
  account.dexes['xyz'] = { raw: '500', positions: {}, leverage: {} }
  const goTo = (time: string) => {
    rig.advance(Date.parse(time) - rig.clock.now().getTime())
    rig.venue.control('mark', { coin: 'xyz:TSLA', price: '325.5' })
  }
  // Monday morning in New York, then the night after it.
  goTo('2026-11-30T15:00:00.000Z')
  await execute(one, await asOwner(rig, one).prepareOrder(share))
  const held = rig.positionOf(one, 'xyz:TSLA')
  expect(Number(held)).toBeGreaterThan(0)
  goTo('2026-12-01T02:00:00.000Z')
  expect(await codeOf(asOwner(rig, one).prepareOrder(share))).toEqual(['order_refused', 'session_closed'])
  const { amount_usdc: _, ...sale } = { ...share, side: 'sell', size: held, reduce_only: true } as const
  expect(await execute(one, await asOwner(rig, one).prepareOrder(sale))).toMatchObject({ order: { status: 'filled' } })
  expect(rig.positionOf(one, 'xyz:TSLA')).toBe('0')
})

test('a paper order of an owner or its agent is filled once, however often its key is sent at the same time', async () => {
  const one = await rig.trader({ linked: false })
  await asOwner(rig, one).createPaperBook({ name: 'Paper', start_usdc: '1000' })
  const paper = { ...buy, mode: 'paper' } as const
  for (const as of [asOwner(rig, one, 'p'), asAgent(rig, one, 'p')]) {
    const all = await Promise.all([1, 2, 3].map(() => as.prepareOrder(paper)))
    expect(all[0]).toMatchObject({ sign_mode: 'none', confirm_id: null, expires_at: null, fill: { status: 'filled' } })
    expect(all[1]).toEqual(all[0])
    expect(all[2]).toEqual(all[0])
  }
  const { paper: held } = await asOwner(rig, one).readPositions({})
  expect(held).toMatchObject([{ size: '0.0019' }])
  expect(await rig.statesOf(one)).toHaveLength(2)
})

describe('a live order that the browser signs', () => {
  const web = { orderKey: false, webKey: true } as const

  test('executes at the venue alone, and its record believes the venue', async () => {
    const one = await rig.trader(web)
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    expect(prepared).toMatchObject({ sign_mode: 'client', action: { type: 'order', grouping: 'na' } })
    expect(prepared.expires_after).toBe(Date.parse(prepared.expires_at ?? ''))
    const confirm_id = confirmOf(prepared)
    expect(await refusalOf(asOwner(rig, one).recordOrder({ confirm_id }))).toMatchObject({ code: 'order_not_at_venue' })
    expect(await refusalOf(execute(one, prepared))).toMatchObject({ code: 'wrong_sign_mode' })
    expect(await rig.postSigned(one, prepared)).toMatchObject({ status: 'ok' })
    expect(rig.positionOf(one)).toBe('0.00095')
    // While the venue lists it as open nothing is certain.
    const [listed] = rig.accountOf(one).orders
    if (listed === undefined) throw new Error('no order at the venue')
    const { status } = listed
    listed.status = 'open'
    expect(await asOwner(rig, one, 'r').recordOrder({ confirm_id })).toMatchObject({ code: 'order_unresolved' })
    listed.status = status
    const done = await asOwner(rig, one, 'r').recordOrder({ confirm_id })
    expect(done).toMatchObject({ ok: true, order: { status: 'filled', filled_size: '0.00095' }, violation: false })
    expect(await asOwner(rig, one, 'r').recordOrder({ confirm_id })).toEqual(done)
    expect(rig.accountOf(one).orders).toHaveLength(1)
  })

  test('and sends with its record is posted as it was signed, once however often it is sent', async () => {
    const one = await rig.trader(web)
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    const record = { confirm_id: confirmOf(prepared), signature: await rig.signatureOf(one, prepared) }
    const before = rig.sent()
    const [done] = await Promise.all([asOwner(rig, one, 's').recordOrder(record), rig.postSigned(one, prepared)])
    expect(done).toMatchObject({ ok: true, order: { status: 'filled', filled_size: '0.00095' }, violation: false })
    expect(await asOwner(rig, one, 's').recordOrder(record)).toEqual(done)
    expect(rig.positionOf(one)).toBe('0.00095')
    expect(rig.sent() - before).toBe(2)
    expect(rig.accountOf(one).orders).toHaveLength(1)
  })

  test('with a key that the wallet has not approved is refused in the words of the venue', async () => {
    const one = await rig.trader({ orderKey: false })
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    const record = { confirm_id: confirmOf(prepared), signature: await rig.signatureOf(one, prepared) }
    expect(await refusalOf(asOwner(rig, one).recordOrder(record))).toMatchObject({ code: 'venue_rejected' })
    expect(await rig.statesOf(one)).toMatchObject([{ state: 'offered' }])
    const codes: unknown[] = []
    for (let n = 0; n < 20; n += 1) codes.push((await refusalOf(asOwner(rig, one).recordOrder(record))).code)
    expect(new Set(codes)).toEqual(new Set(['venue_rejected', 'rate_limited']))
  })

  test('and is not recorded frees no cap: the job finds it, with more than was prepared as a violation', async () => {
    const one = await rig.trader(web)
    const [first, second, third] = [
      await asOwner(rig, one).prepareOrder(buy),
      await asOwner(rig, one).prepareOrder(buy),
      await asOwner(rig, one).prepareOrder(buy),
    ]
    await rig.postSigned(one, first)
    await bigger(one, second)
    const reserved = (await asOwner(rig, one).readOrderCap({})).used_today_usdc
    rig.advance(16_000)
    await rig.resolve()
    expect(await rig.statesOf(one)).toEqual([
      { state: 'filled', filled_size: '0.00095', violation: false },
      { state: 'filled', filled_size: '0.005', violation: true },
      { state: 'offered', filled_size: '0', violation: false },
    ])
    const used = (await asOwner(rig, one).readOrderCap({})).used_today_usdc
    expect(Number(used)).toBeGreaterThan(Number(reserved))
    expect(await asOwner(rig, one).recordOrder({ confirm_id: confirmOf(second) })).toMatchObject({ violation: true })
    // The third was never posted: a minute past its expiry, by the venue's own time, it ends.
    rig.advance(50_000)
    await rig.resolve()
    expect((await rig.statesOf(one))[2]).toMatchObject({ state: 'offered' })
    rig.advance(60_000)
    await rig.resolve()
    expect((await rig.statesOf(one))[2]).toMatchObject({ state: 'missed' })
    expect(await asOwner(rig, one).recordOrder({ confirm_id: confirmOf(third) })).toMatchObject({
      order: { status: 'missed' },
    })
  })

  test('and whose execution lies behind a full page of others is not missed, and is found when the page reaches it', async () => {
    const one = await rig.trader(web)
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    await rig.postSigned(one, prepared)
    const { fills } = rig.accountOf(one)
    const [own] = fills
    if (own === undefined) throw new Error('no execution at the venue')
    fills.push(
      ...Array.from({ length: 2_000 }, (_, index) => ({
        ...own,
        cloid: null,
        tid: 1_000_000 + index,
        time: own.time - 10_000 - index,
      })),
    )
    rig.advance(126_000)
    await rig.resolve()
    expect(await rig.statesOf(one)).toMatchObject([{ state: 'offered' }])
    fills.splice(1)
    rig.advance(60_000)
    await rig.resolve()
    expect(await rig.statesOf(one)).toMatchObject([{ state: 'filled', filled_size: '0.00095' }])
  })

  test('is not believed for an order of another market or side', async () => {
    const one = await rig.trader(web)
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    await bigger(one, prepared, { asset: 1, price: '3100', size: '0.02' })
    expect(await refusalOf(asOwner(rig, one).recordOrder({ confirm_id: confirmOf(prepared) }))).toMatchObject({
      code: 'order_differs',
    })
    expect(await rig.statesOf(one)).toMatchObject([{ state: 'offered' }])
  })

  test('that the venue rejects is answered with its words', async () => {
    const one = await rig.trader({ ...web, usdc: '1' })
    const prepared = await asOwner(rig, one).prepareOrder(buy)
    await rig.postSigned(one, prepared)
    const confirm_id = confirmOf(prepared)
    expect(await refusalOf(asOwner(rig, one).recordOrder({ confirm_id }))).toMatchObject({ code: 'venue_rejected' })
  })

  /** Signs another order with the id of a prepared one, as only its own key can. */
  const bigger = (one: Trader, { action }: PreparedOrder, change: Partial<IocOrder> = {}): Promise<unknown> => {
    const [{ c: cloid }] = (action as { orders: [{ c: `0x${string}` }] }).orders
    const order = { asset: 0, side: 'buy', price: '62000', size: '0.005', reduceOnly: false, cloid, ...change } as const
    return rig.postOther(one, order)
  }
})

test('two parallel orders never pass a cap that one would fill', async () => {
  const one = await rig.trader()
  await rig.setCap(one, '100', '100')
  const asked = Array.from({ length: 4 }, () => asOwner(rig, one).prepareOrder(buy))
  const settled = await Promise.allSettled(asked)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('twenty closes a minute are an account’s, and the caps rise by steps for its owner alone', async () => {
  const one = await rig.trader()
  await open(one)
  for (let n = 0; n < 20; n += 1) await asOwner(rig, one).prepareOrder({ ...sell, size: '0.0001' })
  expect(await refusalOf(asOwner(rig, one).prepareOrder(sell))).toMatchObject({ code: 'rate_limited', status: 429 })
  rig.advance(61_000)
  expect(await asOwner(rig, one).prepareOrder(sell)).toMatchObject({ sign_mode: 'server' })
  expect(await refusalOf(asAgent(rig, one).raiseOrderCap({}))).toMatchObject({ code: 'scope_denied' })
  const steps = []
  for (let n = 0; n < 5; n += 1) steps.push((await asOwner(rig, one).raiseOrderCap({})).per_order_usdc)
  expect(steps).toEqual(['200', '400', '800', '1000', '1000'])
  expect(await asOwner(rig, one).readOrderCap({})).toMatchObject({ per_order_usdc: '1000', daily_usdc: '5000' })
})

test('a process reads the venue for the opens of no account more than twenty times a minute, while its closes go on', async () => {
  const one = await rig.trader()
  await open(one)
  const prepared = await asOwner(rig, one).prepareOrder(buy)
  rig.setMark('66000')
  const codes: unknown[] = []
  for (let n = 0; n < 20; n += 1) codes.push((await refusalOf(execute(one, prepared))).code)
  expect(new Set(codes.slice(0, 17))).toEqual(new Set(['order_refused']))
  expect(codes.slice(17)).toEqual(['rate_limited', 'rate_limited', 'rate_limited'])
  expect(await refusalOf(asOwner(rig, one).prepareOrder(buy))).toMatchObject({ code: 'rate_limited' })
  rig.heal()
  const close = await asOwner(rig, one).prepareOrder(sell)
  expect(await execute(one, close)).toMatchObject({ order: { status: 'filled' } })
  rig.advance(60_000)
  expect(await asOwner(rig, one).prepareOrder(buy)).toMatchObject({ sign_mode: 'server' })
})

test('a dry run plans and judges by the same rules, and writes nothing', async () => {
  const one = await rig.trader()
  const { superuserUrl } = rig.stack.databaseOf('hl-trade')
  const dry = await changesNothing(superuserUrl, () => asOwner(rig, one, 'd').prepareOrder({ ...buy, dry_run: true }))
  expect(dry).toMatchObject({ order_id: null, confirm_id: null, sign_mode: 'server', judgement: { kind: null } })
  expect(await codeOf(asOwner(rig, one, 'd').prepareOrder({ ...buy, amount_usdc: '101', dry_run: true }))).toEqual([
    'order_refused',
    'over_order_cap',
  ])
  expect(await rig.statesOf(one)).toEqual([])
  const counts = await rig.pool.one(sql.type(z.object({ n: z.number() }))`
    SELECT count(*)::int AS n FROM order_cap WHERE owner_id = ${one.id}`)
  expect(counts).toEqual({ n: 0 })
  const prepared = await asOwner(rig, one, 'd').prepareOrder(buy)
  expect(prepared).toMatchObject({ sign_mode: 'server' })

  const rehearse = () => asOwner(rig, one, 'x').executeOrder({ confirm_id: confirmOf(prepared), dry_run: true })
  const rehearsed = await changesNothing(superuserUrl, rehearse)
  expect(rehearsed).toMatchObject({ order_id: null, order: { status: 'dry_run', filled_size: '0' }, position: null })
  expect(rig.accountOf(one).orders).toEqual([])
  const done = await execute(one, prepared, 'x')
  expect(done).toMatchObject({ order: { status: 'filled' } })
  expect(await changesNothing(superuserUrl, rehearse)).toEqual(done)
  expect(rig.accountOf(one).orders).toHaveLength(1)
})

test('bad input names the field', async () => {
  const one = await rig.trader()
  const field = async (body: object) =>
    ((await refusalOf(asOwner(rig, one).prepareOrder({ ...buy, ...body }))) as { errors: { pointer: string }[] })
      .errors[0]?.pointer
  expect(await field({ size: '1' })).toBe('/size')
  expect(await field({ amount_usdc: undefined })).toBe('/amount_usdc')
  expect(await field({ max_slippage: '0.4' })).toBe('/max_slippage')
  expect(await field({ amount_usdc: '9' })).toBe('/amount_usdc')
  expect(await field({ amount_usdc: undefined, size: '0.0011111' })).toBe('/size')
  const nobody = asOwner(rig, one).readAgentStatus({ agent_id: -1 })
  expect(await refusalOf(nobody)).toMatchObject({ code: 'invalid_request' })
  expect(await refusalOf(asOwner(rig, one).listOrders({ cursor: 'zz' }))).toMatchObject({ code: 'invalid_request' })
  expect(await refusalOf(asOwner(rig, one).listPendingOrders({ cursor: 'zz' }))).toMatchObject({
    code: 'invalid_request',
  })
})
