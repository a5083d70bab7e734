import { sql } from '@svc/postgres'
import { changesNothing, opened, refusalOf } from '@svc/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asOwner, startOrderRig, type Trader } from '../orders/order-rig.ts'

const rig = opened(() => startOrderRig())
let live = true
beforeEach(async () => {
  rig.heal()
  if (!live) await rig.restart({ SVC_LIVE_TRADING_ENABLED: '1' })
  live = true
})
const turnOff = async () => {
  await rig.restart({ SVC_LIVE_TRADING_ENABLED: '0' })
  live = false
}

const buy = { market: 'hl:BTC', side: 'buy', amount_usdc: '60' } as const
const open = (one: Trader) => asOwner(rig, one).placePageOrder({ ...buy, mode_seen: 'live' })
const book = (one: Trader) => asOwner(rig, one).createPaperBook({ name: 'Paper', start_usdc: '10000' })

test('me tells wallet, key, mode, limits and what live trading still needs', async () => {
  const one = await rig.trader()
  expect(await asOwner(rig, one).readTrader({})).toMatchObject({
    linked: true,
    order_key: 'enabled',
    live_switch: true,
    mode: 'live',
    limits: { per_order_usdc: '100', daily_usdc: '500', used_today_usdc: '0' },
    open_notional_max_usdc: '1000',
  })
  const { checks } = await asOwner(rig, one).readTrader({})
  expect(checks.map(({ id, verdict, fix }) => [id, verdict, fix])).toEqual(
    ['live_switch', 'linked', 'order_key', 'builder_fee', 'leg'].map((id) => [id, 'pass', null]),
  )
  const two = await rig.trader({ linked: false })
  const me = await asOwner(rig, two).readTrader({})
  expect(me).toMatchObject({ wallet: null, linked: false, order_key: 'none', mode: 'paper' })
  expect(me.checks.filter(({ verdict }) => verdict === 'fail').every(({ fix }) => fix !== null)).toBe(true)
})

test('limits only go down, and bind the terminal too, whatever its cap is', async () => {
  const one = await rig.trader()
  const as = asOwner(rig, one)
  expect(await as.lowerLimits({ per_order_usdc: '50' })).toMatchObject({
    ok: true,
    per_order_usdc: '50',
    daily_usdc: '500',
  })
  expect(await refusalOf(as.lowerLimits({ per_order_usdc: '51' }))).toMatchObject({
    code: 'limits_only_lower',
    per_order_usdc: '50',
  })
  expect(await refusalOf(as.lowerLimits({}))).toMatchObject({ code: 'invalid_request' })
  await as.raiseOrderCap({})
  expect(await as.readOrderCap({})).toMatchObject({ per_order_usdc: '50', daily_usdc: '1000' })
  expect((await as.readTrader({})).limits).toMatchObject({ per_order_usdc: '50' })
  expect(await refusalOf(open(one))).toMatchObject({
    code: 'order_refused',
    refusal: { code: 'over_order_cap', limit: '50' },
  })
})

describe('a live order of a page', () => {
  test('is signed with the order key and sent at once; one key of a call is one order', async () => {
    const one = await rig.trader()
    const keyed = asOwner(rig, one, 'k')
    const done = await keyed.placePageOrder({ ...buy, mode_seen: 'live' })
    expect(done).toMatchObject({ ok: true, order: { status: 'filled' }, position: { size: '0.00095' }, receipt: null })
    expect(await keyed.placePageOrder({ ...buy, mode_seen: 'live' })).toEqual(done)
    expect(await refusalOf(keyed.placePageOrder({ ...buy, amount_usdc: '61', mode_seen: 'live' }))).toMatchObject({
      code: 'idempotency_mismatch',
    })
    expect(rig.accountOf(one).orders).toHaveLength(1)
    const rehearsed = await changesNothing(rig.stack.databaseOf('hl-trade').superuserUrl, async () => [
      await asOwner(rig, one).placePageOrder({ ...buy, mode_seen: 'live', dry_run: true }),
      await asOwner(rig, one, 'c').closePosition({ market: 'hl:BTC', mode_seen: 'live', dry_run: true }),
    ])
    const dry = { order_id: null, order: { status: 'dry_run' } }
    expect(rehearsed).toMatchObject([dry, dry])
    expect(rig.accountOf(one).orders).toHaveLength(1)
  })

  test('without an enabled key is the action that the browser signs', async () => {
    const one = await rig.trader({ orderKey: false, webKey: true })
    const answer = await open(one)
    expect(answer).toMatchObject({ ok: true, code: 'signature_required', sign_mode: 'client' })
    if (!('code' in answer) || answer.code !== 'signature_required') throw new Error('nothing to sign')
    await rig.postSigned(one, answer)
    expect(await asOwner(rig, one).recordOrder({ confirm_id: answer.confirm_id ?? '' })).toMatchObject({
      order: { status: 'filled' },
    })
  })

  test('is not placed in a mode that the page did not show', async () => {
    const one = await rig.trader()
    await book(one)
    expect(await refusalOf(asOwner(rig, one).placePageOrder({ ...buy, mode_seen: 'paper' }))).toMatchObject({
      code: 'mode_changed',
      mode: 'live',
    })
    await turnOff()
    expect(await refusalOf(open(one))).toMatchObject({ code: 'mode_changed', mode: 'paper' })
    expect(rig.accountOf(one).orders).toHaveLength(0)
    const orders = await rig.pool.any(sql.type(z.object({ id: z.number() }))`
      SELECT id FROM trade_order WHERE owner_id = ${one.id}`)
    expect(orders).toEqual([])
  })

  test('without an answer is told so, and the same key asks again', async () => {
    const one = await rig.trader()
    rig.fault('drop', { count: 1 })
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'exchangeStatus', count: 100 })
    const keyed = asOwner(rig, one, 'lost')
    expect(await keyed.placePageOrder({ ...buy, mode_seen: 'live' })).toMatchObject({ code: 'order_unresolved' })
    rig.venue.control('clear-faults')
    expect(await keyed.placePageOrder({ ...buy, mode_seen: 'live' })).toMatchObject({ order: { status: 'filled' } })
    expect(rig.accountOf(one).orders).toHaveLength(1)
  })
})

describe('a close', () => {
  test('closes what is held, once a key, with live trading off, caps at zero and a leg in the account', async () => {
    const one = await rig.trader()
    await open(one)
    await asOwner(rig, one).lowerLimits({ per_order_usdc: '0', daily_usdc: '0' })
    rig.legs.set(one.account, `mdt_${'3'.repeat(32)}`)
    await turnOff()
    const closing = { market: 'hl:BTC', mode: 'live', mode_seen: 'paper' } as const
    expect(await refusalOf(asOwner(rig, one).closePosition({ ...closing, mode_seen: 'live' }))).toMatchObject({
      code: 'mode_changed',
    })
    const part = await asOwner(rig, one, 'p').closePosition({ ...closing, size: '0.0005' })
    expect(part).toMatchObject({ order: { status: 'filled', filled_size: '0.0005' }, position: { size: '0.00045' } })
    expect(await asOwner(rig, one, 'p').closePosition({ ...closing, size: '0.0005' })).toEqual(part)
    const rest = await asOwner(rig, one, 'all').closePosition(closing)
    expect(rest).toMatchObject({ order: { filled_size: '0.00045' }, position: { size: '0' } })
    expect(await asOwner(rig, one, 'all').closePosition(closing)).toEqual(rest)
    expect(await refusalOf(asOwner(rig, one).closePosition(closing))).toMatchObject({ code: 'nothing_to_close' })
    expect(rig.positionOf(one)).toBe('0')
  })

  test('of more than is held closes what is held and turns nothing; without a key the browser signs it', async () => {
    const one = await rig.trader()
    await open(one)
    expect(await asOwner(rig, one).closePosition({ market: 'hl:BTC', size: '5', mode_seen: 'live' })).toMatchObject({
      order: { filled_size: '0.00095' },
    })
    const two = await rig.trader({ orderKey: false, webKey: true })
    await rig.trade(rig.walletOfTrader(two), { asset: 0, side: 'sell', price: '57100', size: '0.0005' })
    expect(await asOwner(rig, two).closePosition({ market: 'hl:BTC', mode_seen: 'live' })).toMatchObject({
      code: 'signature_required',
      action: { orders: [{ b: true, r: true, s: '0.0005' }] },
    })
  })
})

test('a paper order is filled at once on the real book, and positions show paper and live apart', async () => {
  const one = await rig.trader()
  await open(one)
  expect((await asOwner(rig, one).readPositions({})).live).toMatchObject([
    { market: 'hl:BTC', size: '0.00095', book: null },
  ])
  await turnOff()
  const as = asOwner(rig, one, 'paper')
  expect(await refusalOf(as.placePageOrder({ ...buy, mode_seen: 'paper' }))).toMatchObject({
    code: 'paper_book_unknown',
  })
  const { book: name } = await book(one)
  const done = await as.placePageOrder({ ...buy, side: 'sell', mode_seen: 'paper' })
  expect(done).toMatchObject({ ok: true, order: { cloid: null, oid: null, status: 'filled' }, usage: null })
  expect(await as.placePageOrder({ ...buy, side: 'sell', mode_seen: 'paper' })).toEqual(done)
  const { paper } = await asOwner(rig, one).readPositions({})
  expect(paper).toMatchObject([{ market: 'hl:BTC', book: name }])
  expect(paper[0]?.size.startsWith('-')).toBe(true)
  const prepared = await asOwner(rig, one).prepareOrder({ ...buy, mode: 'paper', book: name, dry_run: true })
  expect(prepared).toMatchObject({ order_id: null, sign_mode: 'none', expires_at: null, fill: { status: 'dry_run' } })
  expect(await asOwner(rig, one).closePosition({ market: 'hl:BTC', mode_seen: 'paper' })).toMatchObject({
    order: { status: 'filled' },
  })
  expect((await asOwner(rig, one).readPositions({})).paper).toEqual([])
  expect(await refusalOf(asOwner(rig, one).closePosition({ market: 'hl:BTC', mode_seen: 'paper' }))).toMatchObject({
    code: 'nothing_to_close',
  })
  expect(rig.positionOf(one)).toBe('0.00095')
})

test('positions of an account that is not linked, or that the venue does not answer for, are unknown and not empty', async () => {
  const one = await rig.trader({ linked: false })
  expect(await asOwner(rig, one).readPositions({})).toEqual({ live: null, live_read_at: null, paper: [] })
  const two = await rig.trader()
  rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'clearinghouseState', count: 100 })
  expect((await asOwner(rig, two).readPositions({})).live).toBeNull()
  rig.heal()
  expect((await asOwner(rig, two).readPositions({})).live).toEqual([])
})

describe('what a page may be answered', () => {
  const place = (one: Trader, body: object = {}) =>
    asOwner(rig, one).placePageOrder({ ...buy, mode_seen: 'live', ...body })
  const close = (one: Trader, body: object = {}) =>
    asOwner(rig, one).closePosition({ market: 'hl:BTC', mode_seen: 'live', ...body })
  const codeOf = async (asked: Promise<unknown>) => (await refusalOf(asked)).code

  test('to an order: the field, the position, the venue, and how often it may be asked', async () => {
    const one = await rig.trader()
    expect(await codeOf(place(one, { size: '1' }))).toBe('invalid_request')
    expect(await codeOf(place(one, { side: 'sell', reduce_only: true }))).toBe('nothing_to_close')
    await open(one)
    expect(await codeOf(place(one, { side: 'sell' }))).toBe('would_flip')
    const poor = await rig.trader({ usdc: '1' })
    expect(await codeOf(place(poor))).toBe('venue_rejected')
    for (let n = 0; n < 17; n += 1) await place(one, { dry_run: true })
    expect(await codeOf(place(one, { dry_run: true }))).toBe('rate_limited')
  })

  test('to a close: the account, the key that the venue forgot, and how often it may be asked', async () => {
    const unlinked = await rig.trader({ linked: false })
    expect(await codeOf(close(unlinked, { mode: 'live', mode_seen: 'paper' }))).toBe('order_refused')
    expect(await codeOf(close(unlinked, { mode_seen: 'paper' }))).toBe('paper_book_unknown')
    const one = await rig.trader()
    expect(await codeOf(close(one, { max_slippage: '0.4' }))).toBe('nothing_to_close')
    await open(one)
    expect(await codeOf(close(one, { max_slippage: '0.4' }))).toBe('invalid_request')
    for (const [address, { user }] of Object.entries(rig.venue.state.agents))
      if (user === one.account) rig.venue.control('prune', { agent: address })
    expect(await refusalOf(close(one))).toMatchObject({ code: 'venue_rejected' })
    expect(rig.positionOf(one)).toBe('0.00095')
    const signing = await rig.trader({ orderKey: false })
    rig.advance(1_000)
    await rig.trade(rig.walletOfTrader(signing), { asset: 0, side: 'buy', price: '62900', size: '0.0005' })
    for (let n = 0; n < 20; n += 1) expect(await close(signing)).toMatchObject({ code: 'signature_required' })
    expect(await codeOf(close(signing))).toBe('rate_limited')
  })

  test('on paper: what the venue would not accept', async () => {
    const one = await rig.trader({ linked: false })
    await book(one)
    const paper = { mode_seen: 'paper' } as const
    expect(await codeOf(place(one, { ...paper, amount_usdc: '5' }))).toBe('paper_rejected')
    await place(one, paper)
    expect(await codeOf(close(one, { ...paper, size: '0.00000001' }))).toBe('paper_rejected')
    const mode = 'paper' as const
    expect(await codeOf(asOwner(rig, one).prepareOrder({ ...buy, amount_usdc: '5', mode }))).toBe('paper_rejected')
    const other = `pbk_${'0'.repeat(32)}`
    expect(await codeOf(asOwner(rig, one).prepareOrder({ ...buy, book: other, mode }))).toBe('paper_book_unknown')
  })

  test('while the weight of the venue is spent: the time to come back', async () => {
    const one = await rig.trader({ orderKey: false, webKey: true })
    await rig.trade(rig.walletOfTrader(one), { asset: 0, side: 'buy', price: '62900', size: '0.0005' })
    const answer = await open(one)
    const confirm_id = 'confirm_id' in answer ? (answer.confirm_id ?? '') : ''
    const { answers } = rig.peers.leg
    const before = answers['spendVenueWeight']
    answers['spendVenueWeight'] = () => ({ retry_at: new Date(rig.clock.now().getTime() + 5_000).toISOString() })
    const spent = /venue_budget/
    await expect(place(one)).rejects.toThrow(spent)
    await expect(close(one)).rejects.toThrow(spent)
    await expect(asOwner(rig, one).recordOrder({ confirm_id })).rejects.toThrow(spent)
    if (before !== undefined) answers['spendVenueWeight'] = before
    rig.advance(6_000)
    expect(await close(one)).toMatchObject({ code: 'signature_required' })
  })
})
