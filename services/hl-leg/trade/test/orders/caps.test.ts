import { opened, refusalOf } from '@svc/testing'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { asAgent, asOwner, startOrderRig, type Trader } from './order-rig.ts'

const rig = opened(() => startOrderRig())
beforeEach(() => rig.heal())

const buy = { market: 'hl:BTC', side: 'buy' } as const
const atTerminal = (one: Trader, amount_usdc: string, mode: 'live' | 'paper' = 'live') =>
  asOwner(rig, one).prepareOrder({ ...buy, amount_usdc, mode })
const execute = (one: Trader, { confirm_id }: { confirm_id: string | null }) =>
  asOwner(rig, one).executeOrder({ confirm_id: confirm_id ?? '' })
const atPages = (one: Trader, amount_usdc: string) =>
  asOwner(rig, one).placePageOrder({ ...buy, amount_usdc, mode_seen: 'live' })
const capAt = (one: Trader) => asOwner(rig, one).readOrderCap({})
const limitsOf = async (one: Trader) => (await asOwner(rig, one).readTrader({})).limits
const book = (one: Trader) => asOwner(rig, one).createPaperBook({ name: 'Paper', start_usdc: '10000' })
const raise = async (one: Trader, times: number) => {
  for (let n = 0; n < times; n += 1) await asOwner(rig, one).raiseOrderCap({})
}

const blockOf = async (asked: Promise<unknown>) => {
  const { code, refusal } = (await refusalOf(asked)) as { code: string; refusal?: object }
  expect(code).toBe('order_refused')
  return refusal
}

describe('a limit of the owner', () => {
  test('binds the trade pages and the terminal, whose cap was raised before', async () => {
    const one = await rig.trader()
    await raise(one, 4)
    expect(await capAt(one)).toMatchObject({
      per_order_usdc: '1000',
      daily_usdc: '5000',
      bound_by: { per_order_usdc: 'terminal_cap', daily_usdc: 'terminal_cap' },
    })
    const lowered = await asOwner(rig, one).lowerLimits({ per_order_usdc: '90', daily_usdc: '150' })
    const bound = {
      per_order_usdc: '90',
      daily_usdc: '150',
      bound_by: { per_order_usdc: 'owner_limit', daily_usdc: 'owner_limit' },
    }
    expect(lowered).toMatchObject(bound)
    expect(await capAt(one)).toMatchObject(bound)
    expect(await limitsOf(one)).toMatchObject(bound)
    expect(await blockOf(atTerminal(one, '95'))).toMatchObject({ code: 'over_order_cap', limit: '90' })
    expect(await blockOf(atPages(one, '95'))).toMatchObject({ code: 'over_order_cap', limit: '90' })
    expect((await atTerminal(one, '85')).judgement.max_passing_amount_usdc).toBe('90')
    expect(await blockOf(atTerminal(one, '85'))).toMatchObject({ code: 'over_daily_cap', limit: '150' })
  })

  test('that is lowered after an order was prepared refuses its execution', async () => {
    const one = await rig.trader()
    const { confirm_id } = await atTerminal(one, '60')
    await asOwner(rig, one).lowerLimits({ per_order_usdc: '50' })
    const execution = asOwner(rig, one).executeOrder({ confirm_id: confirm_id ?? '' })
    expect(await blockOf(execution)).toMatchObject({ code: 'over_order_cap', limit: '50' })
    expect(rig.accountOf(one).orders).toHaveLength(0)
  })

  test('of one figure leaves the other: the default of the trade pages does not bind the terminal', async () => {
    const one = await rig.trader()
    await raise(one, 2)
    expect(await limitsOf(one)).toMatchObject({
      per_order_usdc: '100',
      daily_usdc: '500',
      bound_by: { per_order_usdc: 'default', daily_usdc: 'default' },
    })
    await asOwner(rig, one).lowerLimits({ per_order_usdc: '90' })
    expect(await limitsOf(one)).toMatchObject({
      daily_usdc: '500',
      bound_by: { per_order_usdc: 'owner_limit', daily_usdc: 'default' },
    })
    expect(await capAt(one)).toMatchObject({
      per_order_usdc: '90',
      daily_usdc: '2000',
      bound_by: { per_order_usdc: 'owner_limit', daily_usdc: 'terminal_cap' },
    })
    // The figure that stands can be set, and then binds the terminal.
    await asOwner(rig, one).lowerLimits({ daily_usdc: '500' })
    expect(await capAt(one)).toMatchObject({
      per_order_usdc: '90',
      daily_usdc: '500',
      bound_by: { per_order_usdc: 'owner_limit', daily_usdc: 'owner_limit' },
    })
  })

  test('binds the orders of an agent of the owner', async () => {
    const one = await rig.trader()
    rig.mandates.set(`${one.id} ${one.agentId}`, [
      { public_id: `mdt_${'1'.repeat(32)}`, state: 'working', per_tx_cap_usdc: '80', markets: ['hl:BTC'] },
    ])
    await asOwner(rig, one).lowerLimits({ per_order_usdc: '40' })
    const order = asAgent(rig, one).prepareOrder({ ...buy, amount_usdc: '60', mode: 'live' })
    expect(await blockOf(order)).toMatchObject({ code: 'over_order_cap', limit: '40' })
    expect(await asAgent(rig, one).readOrderCap({})).toMatchObject({ bound_by: { per_order_usdc: 'owner_limit' } })
  })
})

describe('the cap of the terminal', () => {
  test('binds the terminal alone: once it is raised, the trade pages still refuse above their default', async () => {
    const one = await rig.trader()
    await raise(one, 1)
    expect(await blockOf(atPages(one, '150'))).toMatchObject({ code: 'over_order_cap', limit: '100' })
    expect((await atTerminal(one, '150')).judgement.max_passing_amount_usdc).toBe('200')
  })

  test('says at each step what it was and is, and which limit binds instead of it', async () => {
    const one = await rig.trader()
    expect(await asOwner(rig, one).raiseOrderCap({})).toMatchObject({
      ok: true,
      changed: { per_order_usdc: { from: '100', to: '200' }, daily_usdc: { from: '500', to: '1000' } },
      per_order_usdc: '200',
      daily_usdc: '1000',
      bound_by: { per_order_usdc: 'terminal_cap', daily_usdc: 'terminal_cap' },
    })
    await asOwner(rig, one).lowerLimits({ per_order_usdc: '90' })
    expect(await asOwner(rig, one).raiseOrderCap({})).toMatchObject({
      changed: { per_order_usdc: { from: '200', to: '400' }, daily_usdc: { from: '1000', to: '2000' } },
      per_order_usdc: '90',
      daily_usdc: '2000',
      bound_by: { per_order_usdc: 'owner_limit', daily_usdc: 'terminal_cap' },
    })
    await raise(one, 2)
    expect(await asOwner(rig, one).raiseOrderCap({})).toMatchObject({
      changed: { per_order_usdc: { from: '1000', to: '1000' }, daily_usdc: { from: '5000', to: '5000' } },
      per_order_usdc: '90',
    })
  })
})

test('live opens of both doors count in one sum of their owner and day', async () => {
  const one = await rig.trader()
  const { estimate } = await atTerminal(one, '85')
  const done = await atPages(one, '85')
  const filled = 'usage' in done ? done.order.notional_usdc : expect.fail('the order of the page is not resolved')
  const used = Number(estimate.notional_usdc) + Number(filled)
  expect(Number((await capAt(one)).used_today_usdc)).toBeCloseTo(used, 6)
  expect((await limitsOf(one)).used_today_usdc).toBe((await capAt(one)).used_today_usdc)
  expect('usage' in done && done.usage).toMatchObject({ bound_by: { per_order_usdc: 'default' } })
})

describe('a paper order', () => {
  test('is refused above the cap of one order with the code and the block of a live one', async () => {
    const one = await rig.trader()
    await book(one)
    for (const [limit, amount] of [
      ['100', '105'],
      ['90', '95'],
    ] as const) {
      const live = await blockOf(atTerminal(one, amount))
      expect(live).toMatchObject({ code: 'over_order_cap', limit })
      expect(await blockOf(atTerminal(one, amount, 'paper'))).toEqual(live)
      await asOwner(rig, one).lowerLimits({ per_order_usdc: '90' })
    }
    expect(await atTerminal(one, '85', 'paper')).toMatchObject({
      judgement: { code: null, max_passing_amount_usdc: '90' },
      fill: { status: 'filled' },
    })
  })

  test('spends a day of its own, in all books together, and nothing of the live day', async () => {
    const one = await rig.trader()
    const [first, second] = [await book(one), await book(one)]
    await asOwner(rig, one).lowerLimits({ daily_usdc: '150' })
    const onPaper = (name: string, amount_usdc: string, more: object = {}) =>
      asOwner(rig, one).prepareOrder({ ...buy, amount_usdc, mode: 'paper', book: name, ...more })
    const { fill } = await onPaper(first.book, '85')
    const spent = await capAt(one)
    expect(spent).toMatchObject({ used_today_usdc: '0', remaining_today_usdc: '150' })
    expect(spent.paper_used_today_usdc).toBe(fill?.notional_usdc)
    const over = { code: 'over_daily_cap', limit: '150', resets_at: spent.resets_at }
    expect(await blockOf(onPaper(second.book, '85'))).toMatchObject(over)
    expect(await blockOf(onPaper(second.book, '85', { dry_run: true }))).toMatchObject(over)
    expect((await limitsOf(one)).paper_used_today_usdc).toBe(spent.paper_used_today_usdc)
    // What paper spent leaves the live day whole, and a live order nothing of the day of paper.
    await atPages(one, '85')
    expect((await capAt(one)).paper_used_today_usdc).toBe(spent.paper_used_today_usdc)
    expect(await onPaper(second.book, '60')).toMatchObject({ fill: { status: 'filled' } })
    // A close spends nothing, and passes a day that is used up.
    await asOwner(rig, one).lowerLimits({ daily_usdc: '0' })
    const used = (await capAt(one)).paper_used_today_usdc
    const sale = { ...buy, side: 'sell', size: '0.5', reduce_only: true, mode: 'paper', book: second.book } as const
    expect(await asOwner(rig, one).prepareOrder(sale)).toMatchObject({ fill: { status: 'filled' } })
    expect((await capAt(one)).paper_used_today_usdc).toBe(used)
    rig.advance(86_400_000)
    expect((await capAt(one)).paper_used_today_usdc).toBe('0')
  })

  test('is refused above the open notional of its book, at the marks of now', async () => {
    const one = await rig.trader()
    await book(one)
    await rig.setCap(one, '100', '100')
    await atTerminal(one, '60', 'paper')
    rig.setMark('200000')
    expect(await blockOf(atTerminal(one, '25', 'paper'))).toMatchObject({ code: 'over_open_notional', limit: '200' })
  })

  test('of two at the same time, one that the day has no room for is refused', async () => {
    const one = await rig.trader()
    await book(one)
    await rig.setCap(one, '100', '100')
    const asked = Array.from({ length: 4 }, () => atTerminal(one, '60', 'paper'))
    const settled = await Promise.allSettled(asked)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('of an agent is refused above the cap of its working mandate for the market, as a live one', async () => {
    const one = await rig.trader()
    await book(one)
    const asAgentOn = (mode: 'live' | 'paper', amount_usdc: string, more: object = {}) =>
      asAgent(rig, one).prepareOrder({ ...buy, amount_usdc, mode, ...more })
    const mandate = { public_id: `mdt_${'2'.repeat(32)}`, state: 'working', per_tx_cap_usdc: '40' }
    // Without a working mandate that lists the market an agent rehearses by the caps of its owner.
    expect(await asAgentOn('paper', '60')).toMatchObject({ judgement: { code: null, max_passing_amount_usdc: '100' } })
    rig.mandates.set(`${one.id} ${one.agentId}`, [
      { ...mandate, state: 'paused', markets: ['hl:BTC'] },
      { ...mandate, per_tx_cap_usdc: '90', markets: ['hl:ETH'] },
    ])
    expect(await asAgentOn('paper', '60')).toMatchObject({ judgement: { code: null, max_passing_amount_usdc: '100' } })
    rig.mandates.set(`${one.id} ${one.agentId}`, [{ ...mandate, markets: ['hl:BTC'] }])
    const live = await blockOf(asAgentOn('live', '60'))
    expect(live).toMatchObject({ code: 'over_order_cap', limit: '40' })
    const { paper_used_today_usdc: used } = await capAt(one)
    expect(await blockOf(asAgentOn('paper', '60'))).toEqual(live)
    expect(await blockOf(asAgentOn('paper', '60', { dry_run: true }))).toEqual(live)
    expect((await capAt(one)).paper_used_today_usdc).toBe(used)
    expect(await asAgentOn('paper', '35')).toMatchObject({
      judgement: { code: null, max_passing_amount_usdc: '40' },
      fill: { status: 'filled' },
    })
    // No cap judges a close, and no mandate the orders of the owner.
    const sale = { market: 'hl:BTC', side: 'sell', size: '0.5', reduce_only: true, mode: 'paper' } as const
    expect(await asAgent(rig, one).prepareOrder(sale)).toMatchObject({ fill: { status: 'filled' } })
    expect(await atTerminal(one, '60', 'paper')).toMatchObject({ fill: { status: 'filled' } })
  })

  test('of an agent waits for the service of the mandates, and a close does not', async () => {
    const one = await rig.trader()
    await book(one)
    await atTerminal(one, '60', 'paper')
    const answer = rig.peers.mandates.answers['listAgentMandates']
    onTestFinished(() => void (rig.peers.mandates.answers['listAgentMandates'] = answer ?? expect.fail('no answer')))
    rig.peers.mandates.answers['listAgentMandates'] = () => {
      throw new Error('away')
    }
    await expect(asAgent(rig, one).prepareOrder({ ...buy, amount_usdc: '35', mode: 'paper' })).rejects.toThrow()
    const sale = { market: 'hl:BTC', side: 'sell', size: '0.5', reduce_only: true, mode: 'paper' } as const
    expect(await asAgent(rig, one).prepareOrder(sale)).toMatchObject({ fill: { status: 'filled' } })
  })

  test('is judged by the caps before the margin of its book', async () => {
    const one = await rig.trader()
    await asOwner(rig, one).createPaperBook({ name: 'Small', start_usdc: '100' })
    expect(await blockOf(atTerminal(one, '50000', 'paper'))).toMatchObject({ code: 'over_order_cap' })
  })
})

test('an order that was prepared before midnight UTC and is executed after it uses the cap of the new day', async () => {
  const one = await rig.trader()
  await rig.setCap(one, '100', '100')
  const nextDay = (Math.floor(rig.clock.now().getTime() / 86_400_000) + 1) * 86_400_000
  rig.advance(nextDay - 1 - rig.clock.now().getTime())
  const before = await atTerminal(one, '60')
  const estimate = Number(before.estimate.notional_usdc)
  expect(Number((await capAt(one)).used_today_usdc)).toBeCloseTo(estimate, 6)
  expect(await blockOf(atTerminal(one, '60'))).toMatchObject({ code: 'over_daily_cap', limit: '100' })

  rig.advance(1)
  expect(await capAt(one)).toMatchObject({
    used_today_usdc: '0',
    resets_at: new Date(nextDay + 86_400_000).toISOString(),
  })
  const after = await atTerminal(one, '60')
  expect(await execute(one, after)).toMatchObject({ order: { status: 'filled' } })
  expect(await blockOf(execute(one, before))).toMatchObject({ code: 'over_daily_cap', limit: '100' })
  expect(rig.accountOf(one).orders).toHaveLength(1)
  await rig.setCap(one, '100', '200')
  expect(await execute(one, before)).toMatchObject({ order: { status: 'filled' } })
  expect(Number((await capAt(one)).used_today_usdc)).toBeGreaterThan(1.9 * estimate)
})
