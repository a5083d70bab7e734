import type { Faults } from '@svc/replay-exchange'
import { opened } from '@svc/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Ask, VenueAdapter } from '#venues/rules/venue.ts'
import { MINUTE, startRig } from '../rig.ts'

const VENUES = ['binance', 'gate', 'kucoin', 'upbit', 'mexc', 'bithumb']
const KOREAN = ['upbit', 'bithumb']
const WITH_FLAGS = ['gate', 'kucoin', 'upbit', 'mexc', 'bithumb']
const WITH_NEWS = ['binance', 'kucoin', 'mexc', 'bithumb']
const ask: Ask = { priority: 'priority', signal: new AbortController().signal }

const rig = opened(() => startRig({ startAt: Date.UTC(2026, 8, 1, 12), tokens: 60 }, VENUES))
const adapterOf = (venue: string): VenueAdapter => {
  const open = rig.context.venues.get(venue)
  if (open === undefined) throw new Error(`${venue} is not open`)
  return open.adapter
}
const leftOut = () => rig.context.errors.take().filter(({ kind }) => kind === 'bad_row')
beforeEach(() => {
  rig.exchange.faults.clear()
  rig.context.errors.take()
})

/** Readers of a venue, each with how many rows of an answer it read. */
const readersOf = async (venue: string): Promise<Readonly<Record<string, () => Promise<number>>>> => {
  const adapter = adapterOf(venue)
  const { markets } = await adapter.listMarkets(ask)
  const trading = markets.filter((one) => one.trading).map(({ symbol }) => symbol)
  const pair = KOREAN.includes(venue) ? 'BTC/KRW' : 'BTC/USDT'
  const sizeOf = async (call: Promise<readonly unknown[] | null>) => (await call)?.length ?? 0
  return {
    markets: async () => (await adapter.listMarkets(ask)).markets.length,
    quotes: () => sizeOf(adapter.quotes(ask)),
    books: () => sizeOf(adapter.books(trading.slice(0, Math.min(adapter.booksPerCall, 20)), ask)),
    trades: () => sizeOf(adapter.trades(pair, ask)),
    candles: () => sizeOf(adapter.candles(pair, ask)),
    ...(WITH_FLAGS.includes(venue)
      ? { flags: async () => ((await adapter.officialFlags(ask))?.flags.length ?? 0) + 1 }
      : {}),
    ...(WITH_NEWS.includes(venue) ? { announcements: () => sizeOf(adapter.announcements(ask)) } : {}),
    currencies: async () => {
      const { wallets, contracts, names } = await adapter.currencies(ask)
      return (wallets?.size ?? 0) + (contracts?.size ?? 0) + (names?.size ?? 0)
    },
  }
}

describe.each(VENUES)('an odd answer of %s', (venue) => {
  it.each(['null', 'nameless', 'half'] as const)('costs the one row that is %s, with every reader', async (manner) => {
    for (const [reader, read] of Object.entries(await readersOf(venue))) {
      rig.exchange.faults.clear()
      await adapterOf(venue).listMarkets(ask)
      const whole = await read()
      rig.context.errors.take()
      rig.exchange.faults.set(venue, { oddRows: { manner, count: 1 } })
      const part = await read()
      // At some venues several lists are read for one answer.
      expect(part, `${venue} ${reader}`).toBeGreaterThanOrEqual(Math.max(Math.min(whole, 1), whole - 4))
      expect(part, `${venue} ${reader}`).toBeLessThanOrEqual(whole)
    }
  })

  it('is rejected as a whole if more than a fifth of its rows cannot be read', async () => {
    const { markets, quotes } = await readersOf(venue)
    for (const read of [markets, quotes]) {
      rig.exchange.faults.clear()
      const rows = (await read?.()) ?? 0
      rig.exchange.faults.set(venue, { oddRows: { manner: 'null', count: Math.ceil(rows * 0.5) } })
      await expect(read?.()).rejects.toMatchObject({ kind: 'bad_answer' })
    }
  })

  it.each(['seconds', 'microseconds', 'nanoseconds', 'year_ahead', 'year_2100'] as const)(
    'has no times in %s',
    async (oddTimes) => {
      const adapter = adapterOf(venue)
      const now = rig.exchange.clock.now()
      rig.exchange.faults.set(venue, { oddTimes })
      const times = (await adapter.quotes(ask)).flatMap(({ at }) => at ?? [])
      for (const at of times) expect(Math.abs(at - now)).toBeLessThan(7 * 24 * 60 * MINUTE)
      const { markets } = await adapter.listMarkets(ask)
      for (const { listedAt } of markets) if (listedAt !== null) expect(listedAt).toBeLessThan(now + 60 * MINUTE)
      for (const one of (await adapter.announcements(ask)) ?? [])
        if (one.publishedAt !== null) expect(one.publishedAt).toBeLessThan(now + 60 * MINUTE)
    },
  )
})

describe.each(VENUES)('a request limit of %s', (venue) => {
  const forms = ['date', ...(KOREAN.includes(venue) ? [] : (['body'] as const))] as const
  it.each(forms)('closes the budget, be it stated by a %s', async (form) => {
    const name = { MARKET_OUTGOING_ADDRESS: `limited-${venue}-${form}` }
    const [first, other] = [await rig.newContext(name), await rig.newContext(name)].map((one) => one.venues.get(venue))
    await first?.adapter.listMarkets(ask)
    rig.exchange.faults.set(venue, { limited: { status: 429, retryAfterSeconds: 1_800, form } })
    const pair = KOREAN.includes(venue) ? 'BTC/KRW' : 'BTC/USDT'
    await expect(first?.adapter.books([pair], ask)).rejects.toMatchObject({ kind: 'rate_limited' })
    const closedMs = (await other?.budget.closedForMs()) ?? 0
    expect(closedMs).toBeGreaterThan(form === 'date' ? 1_700_000 : 0)
    expect(closedMs).toBeLessThanOrEqual(1_800_000)
  })
})

it('counts the rows that are left out, and the coverage shows them', async () => {
  rig.exchange.faults.set('gate', { oddRows: { manner: 'null', count: 1 } })
  await rig.run('listMarkets')
  await rig.run('observeMarkets')
  const { exchanges } = await rig.client.readCoverage({})
  const errors = exchanges.find(({ exchange }) => exchange === 'gate')?.errors_1h
  expect(errors).toContainEqual({ class: 'bad_row', count: expect.any(Number) })
  expect(errors?.map((one) => one.class)).toEqual(['bad_row'])
})

it.each(KOREAN)('a thin book of %s that is padded with zeros costs nothing, nor the other books', async (venue) => {
  const adapter = adapterOf(venue)
  const { markets } = await adapter.listMarkets(ask)
  const symbols = markets.slice(0, 20).map(({ symbol }) => symbol)
  const [thin = ''] = symbols
  const faults: Faults = { paddedBooks: { symbol: thin, levels: 3 } }
  rig.exchange.faults.set(venue, faults)
  const books = await adapter.books(symbols, ask)
  expect(books.length).toBe(symbols.length)
  const [book] = books.filter(({ symbol }) => symbol === thin)
  expect([book?.bids.length, book?.asks.length]).toEqual([3, 3])
  expect(leftOut()).toEqual([])
})

it('one time of a ticker neither stops a minute nor moves the clock of its venue', async () => {
  for (const oddTimes of ['nanoseconds', 'year_ahead'] as const) {
    await rig.run('listMarkets')
    rig.exchange.faults.set('binance', { oddTimes })
    rig.exchange.clock.advance(MINUTE)
    await rig.run('observeMarkets')
    const { minute, venueTime } = rig.context.market.of('binance')
    const now = rig.exchange.clock.now()
    expect(minute).toBe(Math.floor(now / MINUTE) * MINUTE)
    expect(Math.abs((venueTime ?? 0) - now)).toBeLessThan(60 * MINUTE)
    rig.exchange.faults.clear()
  }
})

it('of Bithumb a book has the same levels alone and among others; a deeper one has all that the venue returns', async () => {
  const adapter = adapterOf('bithumb')
  const { markets } = await adapter.listMarkets(ask)
  const symbols = ['BTC/KRW', ...markets.map(({ symbol }) => symbol).filter((one) => one !== 'BTC/KRW')].slice(0, 5)
  const [alone] = await adapter.books(['BTC/KRW'], ask)
  const [among] = await adapter.books(symbols, ask)
  expect(alone).toMatchObject({ symbol: 'BTC/KRW', limit: 15, bids: { length: 15 } })
  expect(among).toMatchObject({ symbol: 'BTC/KRW', limit: 15, bids: { length: 15 } })
  expect(await adapter.deeperBook('BTC/KRW', 30, ask)).toMatchObject({ bids: { length: 30 } })
})

it.each([
  ['the market list fails', { status: 503, path: 'currency_pairs' }],
  ['a row of the list of pairs is half made', { oddRows: { manner: 'half', count: 1 }, path: 'currency_pairs' }],
] as const)('shows closed wallets also while %s', async (_, fault) => {
  const open = () =>
    [...(rig.context.market.of('gate').wallets ?? [])].filter(([, networks]) =>
      networks.some(({ deposit, withdraw }) => deposit === true || withdraw === true),
    )
  rig.exchange.clock.advance(6 * MINUTE)
  await rig.run('listMarkets')
  expect(open().length).toBeGreaterThan(0)
  rig.exchange.faults.set('gate', { ...fault, walletsClosed: true })
  rig.exchange.clock.advance(6 * MINUTE)
  await rig.run('listMarkets')
  expect(open()).toEqual([])
  expect(rig.context.market.of('gate').wallets).not.toBeNull()
})

it.each([0.65, 2])('one print at %d times the price of bitcoin moves no rate of its venue', async (factor) => {
  const observe = async () => {
    rig.exchange.clock.advance(MINUTE)
    await rig.run('listMarkets')
    await rig.run('observeMarkets')
    return rig.context.market.of('binance')
  }
  const before = (await observe()).rates.get('BTC') ?? 0
  expect(before).toBeGreaterThan(0)
  rig.exchange.faults.set('binance', { oddPrice: { symbol: 'BTC/USDT', factor } })
  const { rates, quotes } = await observe()
  const share = (price: number | null | undefined) => Math.abs((price ?? 0) / before - 1)
  expect(share(quotes.get('BTC/USDT')?.last)).toBeGreaterThan(0.3)
  expect(share(rates.get('BTC'))).toBeLessThan(0.05)
})
