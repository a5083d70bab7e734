import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { drawNonce, drawNoncesAhead } from '@svc/venue/store/nonces'
import { readBook, readVenuePrices } from '#venue/read-prices.ts'
import { SignerQueue } from '@svc/venue/signer-queue'
import { venueSkew } from '#venue/venue-clock.ts'
import { startRig, walletOf } from '../rig.ts'

const rig = opened(() => startRig())
const signer = walletOf(99).address

describe('markets', () => {
  test('mandates get the listed markets of the configured dexes by volume, with ids that orders can name', async () => {
    await rig.run('readMarkets')
    const { items, seeded } = await rig.from('mandates').listLegMarkets({})
    expect(seeded).toBe(true)
    expect(items.map(({ market_id }) => market_id)).toEqual([
      'hl:BTC',
      'hl:ETH',
      'hl:SOL',
      'hl:HYPE',
      'hl:DOGE',
      'hl:xyz:XYZ100',
      'hl:xyz:TSLA',
    ])
    expect(items.at(-1)).toEqual({
      market_id: 'hl:xyz:TSLA',
      title: 'TSLA perpetual',
      dex: 'xyz',
      coin: 'xyz:TSLA',
      listed: true,
      volume_24h_usdc: '21000000',
      max_leverage: 10,
      min_order_usdc: '10',
      size_decimals: 3,
    })
  })

  test('a delisted market keeps the number of its neighbours and leaves the list', async () => {
    rig.venue.control('delist', { coin: 'ETH', delisted: true })
    rig.advance(60_000)
    await rig.run('readMarkets')
    const { items } = await rig.from('mandates').listLegMarkets({})
    expect(items.map(({ coin }) => coin)).not.toContain('ETH')
    const prices = await readVenuePrices(rig.context, 'orders', ['SOL', 'xyz:TSLA'])
    expect([prices.get('SOL')?.market.asset, prices.get('xyz:TSLA')?.market.asset]).toEqual([3, 110_001])
    rig.venue.control('delist', { coin: 'ETH', delisted: false })
  })
})

describe('prices', () => {
  test('the middle needs both sides of the book and a mark that agrees', async () => {
    const priced = async () => (await readVenuePrices(rig.context, 'orders', ['BTC'])).get('BTC')
    expect((await priced())?.middle).toBe('60000')
    rig.venue.control('book', { coin: 'BTC', asks: [], policy: 'taken' })
    expect(await priced()).toMatchObject({ middle: null, market: { mark: '60000' } })
    rig.venue.control('book', {
      coin: 'BTC',
      bids: [{ px: '69000', sz: '1' }],
      asks: [{ px: '70000', sz: '1' }],
    })
    expect((await priced())?.middle).toBeNull()
    rig.venue.control('book', { coin: 'BTC', policy: 'refill', ladder: {} })
    expect((await readBook(rig.context, 'orders', 'BTC')).middle).toBe('60000')
  })

  test('a book that is too old, an unknown market and an unreadable answer are outages', async () => {
    rig.venue.control('fault', { kind: 'stale', endpoint: 'info', type: 'l2Book', ms: 121_000 })
    await expect(readBook(rig.context, 'orders', 'BTC')).rejects.toThrow('too old')
    await expect(readBook(rig.context, 'orders', 'NOPE')).rejects.toThrow('no book')
    for (const kind of ['status429', 'status500', 'html502', 'truncated', 'wrong-type']) {
      rig.venue.control('fault', { kind, endpoint: 'info', type: 'l2Book' })
      await expect(readBook(rig.context, 'orders', 'BTC'), kind).rejects.toMatchObject({ name: 'Outage' })
    }
  })

  test('the difference to the clock of the venue is measured', async () => {
    rig.advance(3 * 60_000)
    rig.venue.control('time', { now_ms: rig.clock.now().getTime() + 7_000 })
    expect(await venueSkew(rig.context, 'orders')).toMatchObject({ skewMs: 7_000 })
    rig.advance(3 * 60_000)
    expect(await venueSkew(rig.context, 'orders')).toMatchObject({ skewMs: 0 })
  })
})

describe('nonces', () => {
  test('two processes never draw the same nonce, and nonces follow the time', async () => {
    const other = await rig.second()
    const now = rig.clock.now()
    const drawn = await Promise.all(
      Array.from({ length: 40 }, (_, n) => drawNonce(n % 2 === 0 ? rig.pool : other.pool, signer, now)),
    )
    expect(new Set(drawn).size).toBe(40)
    expect(Math.min(...drawn)).toBe(now.getTime())
    const later = new Date(now.getTime() + 60_000)
    expect(await drawNonce(rig.pool, signer, later)).toBe(later.getTime())
  })

  test('nonces for many actions at once are each another one, later than every former one of their signer', async () => {
    const other = await rig.second()
    const now = new Date(rig.clock.now().getTime() + 120_000)
    const [one, two] = [walletOf(100).address, walletOf(101).address]
    const draws = await Promise.all(
      Array.from({ length: 10 }, (_, n) => drawNoncesAhead(n % 2 === 0 ? rig.pool : other.pool, [one, two, one], now)),
    )
    const ofOne = draws.flatMap(([first = 0, , third = 0]) => [first, third])
    const ofTwo = draws.flatMap(([, second = 0]) => [second])
    const following = (count: number) => Array.from({ length: count }, (_, n) => now.getTime() + n)
    const inOrder = (nonces: readonly number[]) => nonces.toSorted((a, b) => a - b)
    expect([inOrder(ofOne), inOrder(ofTwo)]).toEqual([following(20), following(10)])
    expect(await drawNonce(rig.pool, one, now)).toBe(now.getTime() + 20)
    expect(await drawNoncesAhead(rig.pool, [], now)).toEqual([])
  })
})

describe('the queue of a signer', () => {
  test('a close waits for nothing, and other actions wait for closes and for each other', async () => {
    const queue = new SignerQueue()
    const order: string[] = []
    const held = new Map<string, () => void>()
    const send = (name: string, isClose: boolean) =>
      queue.run('0xa', isClose, async () => {
        order.push(name)
        await new Promise<void>((resolve) => held.set(name, resolve))
      })
    const all = [send('open 1', false), send('open 2', false), send('close 1', true), send('close 2', true)]
    await expect.poll(() => order.toSorted()).toEqual(['close 1', 'close 2', 'open 1'])
    held.get('open 1')?.()
    held.get('close 1')?.()
    await all[2]
    expect(order).not.toContain('open 2')
    held.get('close 2')?.()
    await expect.poll(() => order.at(-1)).toBe('open 2')
    held.get('open 2')?.()
    await Promise.all(all)
  })
})

describe('the weight of requests', () => {
  test('closes keep their share while relays are flooded, and a refusal says when to repeat', async () => {
    await rig.restart({ SVC_VENUE_WEIGHT_MINUTE: '1200' })
    await rig.pool.query(sql.unsafe`DELETE FROM venue_weight`)
    rig.venue.control('budget', { weight: 1200 })
    const ask = (by: 'closes' | 'relays', n: number) =>
      Promise.allSettled(Array.from({ length: n }, () => rig.context.venue.ask(by, 'meta')))
    const relays = await ask('relays', 20)
    expect(relays.filter(({ status }) => status === 'fulfilled').length).toBe(14)
    const refused = relays.find((one) => one.status === 'rejected')
    expect(refused?.reason).toMatchObject({ refusal: { code: 'venue_budget', status: 503 } })
    const closes = await ask('closes', 25)
    expect(closes.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1)
  })

  test('what is paid ahead is spent once, serves its class alone, and what no request used returns', async () => {
    await rig.restart({ SVC_VENUE_WEIGHT_MINUTE: '1200' })
    await rig.pool.query(sql.unsafe`DELETE FROM venue_weight`)
    rig.venue.control('budget', { weight: null })
    const spent = async () =>
      rig.pool.any(sql.type(z.object({ class: z.string(), weight: z.number() }))`
        SELECT class, sum(weight)::int AS weight FROM venue_weight GROUP BY class HAVING sum(weight) > 0 ORDER BY class`)
    const { venue, giveBack } = await rig.context.venue.prepay('orders', 50)
    await venue.ask('orders', 'l2Book', { coin: 'BTC' })
    await venue.askEach('orders', 'clearinghouseState', [{ user: signer }, { user: signer, dex: 'xyz' }])
    expect(await spent()).toEqual([{ class: 'orders', weight: 50 }])
    await venue.ask('closes', 'l2Book', { coin: 'BTC' })
    await venue.ask('orders', 'meta')
    expect(await spent()).toEqual([
      { class: 'closes', weight: 2 },
      { class: 'orders', weight: 50 },
    ])
    await venue.ask('orders', 'meta')
    await venue.ask('orders', 'meta')
    expect((await spent()).at(-1)).toEqual({ class: 'orders', weight: 70 })
    await giveBack()
    await giveBack()
    expect((await spent()).at(-1)).toEqual({ class: 'orders', weight: 66 })
    await expect(rig.context.venue.prepay('orders', 135)).rejects.toMatchObject({ refusal: { code: 'venue_budget' } })
  })
})
