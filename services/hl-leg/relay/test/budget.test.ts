import { opened } from '@svc/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { randomRead, stranger } from './random-reads.ts'
import { startRelayRig } from './rig.ts'

const REQUESTS = process.env['TEST_LONG'] === '1' ? 10_000 : 2_000
const RELAYS_SHARE = 200
const VISITORS_SHARE = 100

const rig = opened(() => startRelayRig())
beforeEach(async () => {
  // Copies and refusals of the test before are forgotten by time.
  rig.advance(30 * 60_000)
  await rig.forgetWeight()
})
afterEach(() => rig.venue.control('clear-faults'))

test('a process spends the weight of its own classes alone, so that a stolen credential of the relay bars no close', async () => {
  const [relay, trade] = ['hl-relay', 'hl-trade'] as const
  for (const by of ['closes', 'orders', 'worth'] as const)
    await expect(rig.weightAs(relay, by)).rejects.toMatchObject({ body: { code: 'invalid_request' } })
  await expect(rig.weightAs(trade, 'worth')).rejects.toMatchObject({ body: { code: 'invalid_request' } })
  expect(await rig.weightAs(relay, 'visitors')).toMatchObject({ retry_at: null })
  expect(await rig.weightAs(trade, 'closes')).toMatchObject({ retry_at: null })
})

/** Sends requests in lanes and returns how often each outcome came. */
async function flood(requests: number): Promise<Readonly<Record<string, number>>> {
  const outcomes: Record<string, number> = {}
  let sent = 0
  const lane = async () => {
    for (let n = sent++; n < requests; n = sent++) {
      const { status, body } = await rig.raw(...randomRead(n))
      const outcome = status === 200 ? 'answered' : String(body['code'])
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 100 }, lane))
  return outcomes
}

/** Reads accounts until the part of strangers is spent. */
async function spendVisitors(): Promise<void> {
  for (let n = 0; n <= VISITORS_SHARE / 20; n += 1) await rig.raw('readFees', { user: stranger() })
}

describe('a flood of strangers', () => {
  test('moves the weight of the venue by at most the share of relays, costs hl-leg a few questions, and stops no market', async () => {
    const before = rig.weight()
    const questions = rig.weightQuestions()
    const { answered = 0, venue_budget = 0, unknown_coin = 0, ...others } = await flood(REQUESTS)
    expect(others).toEqual({})
    expect(answered + venue_budget + unknown_coin).toBe(REQUESTS)
    expect(unknown_coin).toBe(2 * Math.floor(REQUESTS / 6) + Math.max(0, (REQUESTS % 6) - 3))
    expect(answered).toBeLessThan(20)
    expect(rig.weight() - before).toBeLessThanOrEqual(RELAYS_SHARE)
    expect(await rig.spent('visitors')).toBeLessThanOrEqual(VISITORS_SHARE)
    expect(rig.weightQuestions() - questions).toBeLessThan(60)
    rig.advance(61_000)
    for (const dex of ['', 'xyz']) expect((await rig.anybody.readMeta({ dex })).stale).toBe(false)
    expect((await rig.trade.readVenueBook({ coin: 'BTC' })).bids).not.toEqual([])
  })

  test('what strangers are refused, everybody else still gets: the same markets in the same second', async () => {
    await rig.anybody.readMeta({})
    await spendVisitors()
    rig.advance(16_000)
    const [strangers, trading] = await Promise.all([
      rig.anybody.readLiquidity({ coins: 'BTC,ETH,SOL,HYPE,DOGE,OLD' }),
      rig.trade.readVenueMarkets({ max_age_ms: 5_000 }),
    ])
    expect([strangers.stale, trading.items[0]?.read_at]).toEqual([true, rig.clock.now().toISOString()])
  })

  test('who is refused is told when to repeat, and who has a copy gets it', async () => {
    const known = stranger()
    const first = await rig.anybody.readFees({ user: known })
    await spendVisitors()
    rig.advance(11_000)
    expect(await rig.anybody.readFees({ user: known })).toEqual({ ...first, stale: true })
    const { status, retry = 0, body } = await rig.raw('readFees', { user: stranger() })
    expect([status, body['code']]).toEqual([503, 'venue_budget'])
    expect(Date.parse(String(body['retry_at']))).toBe(rig.clock.now().getTime() + retry * 1_000)
    expect(retry).toBeGreaterThan(0)
    expect(retry).toBeLessThanOrEqual(60)
  })
})

test('without weight and without a copy each read is refused with venue_budget, and the venue is not asked', async () => {
  rig.advance(2 * 3_600_000)
  await rig.spendAll()
  const before = rig.weight()
  const coin = 'BTC'
  const open = [
    rig.raw('readMeta', {}),
    rig.raw('readSpotMeta', {}),
    rig.raw('readFunding', { coin }),
    rig.raw('readLiquidity', { coins: coin }),
    rig.raw('readOrderHistory', { user: stranger() }),
    rig.raw('listIndices', {}),
    rig.raw('readIndex', { sym: 'TSLA' }),
    rig.raw('listProducts', {}),
  ]
  for (const { status, body } of await Promise.all(open)) expect([status, body['code']]).toEqual([503, 'venue_budget'])
  for (const ask of [
    () => rig.trade.readVenueMarkets({}),
    () => rig.trade.readVenueBook({ coin }),
    () => rig.trade.walkVenueBook({ coin, side: 'buy', size: '1' }),
  ])
    await expect(ask()).rejects.toMatchObject({ reason: 'venue_budget' })
  expect(rig.weight()).toBe(before)
})

describe('the weight of a read', () => {
  test('of unknown length is spent whole before, and what it did not need returns', async () => {
    const wallet = privateKeyToAccount(`0x${'8'.repeat(64)}`)
    rig.venue.control('fund', { address: wallet.address, amount: '10000' })
    for (let n = 0; n < 21; n += 1)
      await rig.sendOrder(wallet, { asset: 0, side: 'buy', price: '61000', size: '0.001' })
    expect((await rig.anybody.readOrderHistory({ user: wallet.address })).data).toHaveLength(21)
    expect(await rig.spent('visitors')).toBe(21)
    expect((await rig.anybody.readOrderHistory({ user: stranger() })).data).toEqual([])
    expect(await rig.spent('visitors')).toBe(41)
    await rig.anybody.readFunding({ coin: 'ETH', start_time: '2026-11-18T00:00:00Z', end_time: '2026-11-20T00:00:00Z' })
    expect(await rig.spent('visitors')).toBe(41 + 20 + 2)
  })
})

describe('without hl-leg', () => {
  test('copies are served, everything else is 503', async () => {
    const meta = await rig.anybody.readMeta({})
    await rig.endLeg()
    rig.advance(61_000)
    const [stale, ...refused] = await Promise.allSettled([
      rig.anybody.readMeta({}),
      ...Array.from({ length: 40 }, () => rig.anybody.readFees({ user: stranger() })),
    ])
    expect(stale).toMatchObject({ value: { ...meta, stale: true } })
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']))
    await expect(rig.anybody.readFees({ user: stranger() })).rejects.toMatchObject({ name: 'Outage' })
  })
})
