import { readMarket, readMarkets } from '#venues/ccxt-answers.ts'
import { rowReader } from '@svc/contracts/market-data/answer-rows'
import { venueFile } from '@svc/contracts/market-data/venues'
import { eventually, opened } from '@svc/testing'
import { describe, expect, it } from 'vitest'
import { standingFlags } from '#listings/store/flags.ts'
import type { Ask, VenueAdapter } from '#venues/rules/venue.ts'
import { VenueError } from '#venues/rules/venue.ts'
import { startRig } from '../rig.ts'

const VENUES = ['binance', 'gate', 'kucoin', 'upbit', 'mexc', 'bithumb']
const KOREAN = ['upbit', 'bithumb']
const ask: Ask = { priority: 'priority', signal: new AbortController().signal }
const adapterOf = (venue: string): VenueAdapter => {
  const open = rig.context.venues.get(venue)
  if (open === undefined) throw new Error(`${venue} is not open`)
  return open.adapter
}
const failureOf = async (call: Promise<unknown>): Promise<VenueError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof VenueError)) throw new Error('the call did not fail with VenueError', { cause: error })
  return error
}

const rig = opened(() => startRig({ startAt: Date.UTC(2026, 8, 1, 12) }, VENUES))

describe.each(VENUES)('%s through ccxt', (venue) => {
  const pair = KOREAN.includes(venue) ? 'BTC/KRW' : 'BTC/USDT'

  it('lists its markets, quotes and books, and they agree with each other', async () => {
    const adapter = adapterOf(venue)
    expect(adapter.source).toBe('replay')
    const { markets, venueTime } = await adapter.listMarkets(ask)
    expect(venueTime).not.toBeNull()
    const truth = rig.exchange.feed.listings(venue, rig.exchange.clock.now())
    const trading = truth.filter((one) => one.status === 'trading')
    expect(markets.filter((one) => one.trading).length).toBe(trading.length)
    expect(new Set(markets.map((one) => one.symbol)).size).toBe(markets.length)

    const quotes = new Map((await adapter.quotes(ask)).map((quote) => [quote.symbol, quote]))
    expect(quotes.size).toBeGreaterThanOrEqual(trading.length)
    const [book] = await adapter.books([pair], ask)
    const quote = quotes.get(pair)
    expect(book?.bids.length).toBeGreaterThan(5)
    const best = book?.bids[0]?.[0] ?? 0
    expect(Math.abs(best / (quote?.last ?? 0) - 1)).toBeLessThan(0.02)
    expect(best).toBeLessThan(book?.asks[0]?.[0] ?? 0)
    for (const levels of adapter.deeperLevels) {
      const deeper = await adapter.deeperBook(pair, levels, ask)
      expect(deeper.bids.length).toBeGreaterThan(adapter.bookLevels)
      expect(deeper.bids.length).toBeLessThanOrEqual(levels)
      expect(deeper.bids[0]).toEqual(book?.bids[0])
    }
    // Tickers of the Korean venues carry no best prices; their books do.
    if (!KOREAN.includes(venue)) expect(quote?.bid).toBeGreaterThan(0)
    expect(quote?.quoteVolume24h).toBeGreaterThan(0)
  })

  it('returns trades and one-minute candles, oldest first', async () => {
    const adapter = adapterOf(venue)
    const trades = await adapter.trades(pair, ask)
    expect(trades.length).toBeGreaterThan(0)
    for (const trade of trades) expect(trade.price).toBeGreaterThan(0)
    const candles = await adapter.candles(pair, ask)
    expect(candles.length).toBeGreaterThan(100)
    expect(candles.map((one) => one.at)).toEqual(candles.map((one) => one.at).toSorted((a, b) => a - b))
    expect(rig.exchange.clock.now() - (candles.at(-1)?.at ?? 0)).toBeLessThan(120_000)
  })

  it('rejects every fault with its class', async () => {
    const adapter = adapterOf(venue)
    const faults = [
      [{ status: 503 }, 'server_error'],
      [{ status: 500 }, 'server_error'],
      [{ disconnect: true }, 'network'],
      [{ truncated: true }, 'bad_answer'],
    ] as const
    for (const [fault, kind] of faults) {
      rig.exchange.faults.set(venue, fault)
      expect((await failureOf(adapter.books([pair], ask))).kind).toBe(kind)
      expect((await failureOf(adapter.quotes(ask))).kind).toBe(kind)
      expect((await failureOf(adapter.listMarkets(ask))).kind).toBe(kind)
      rig.exchange.faults.clear(venue)
    }
    expect((await adapter.books([pair], ask)).length).toBe(1)
  })

  it('closes the budget of all processes for the time that a 429 names', async () => {
    const other = (await rig.newContext({ MARKET_OUTGOING_ADDRESS: `limited-${venue}` })).venues.get(venue)
    const again = (await rig.newContext({ MARKET_OUTGOING_ADDRESS: `limited-${venue}` })).venues.get(venue)
    if (other === undefined || again === undefined) throw new Error('not open')
    await other.adapter.listMarkets(ask)
    await again.adapter.listMarkets(ask)
    rig.exchange.faults.set(venue, { limited: { status: 429, retryAfterSeconds: 77 } })
    const failure = await failureOf(other.adapter.books([pair], ask))
    rig.exchange.faults.clear(venue)
    expect(failure).toMatchObject({ kind: 'rate_limited', retryMs: 77_000 })
    const closedFor = await again.budget.closedForMs()
    expect(closedFor).toBeGreaterThan(70_000)
    expect(closedFor).toBeLessThanOrEqual(77_000)
    expect(await failureOf(again.adapter.listMarkets({ ...ask, priority: 'rotation' }))).toMatchObject({
      kind: 'budget',
    })
    expect(await adapterOf(venue).books([pair], ask)).toHaveLength(1)
  })
})

describe('a venue that does not answer', () => {
  it('ends its call after the timeout, with the class timeout', async () => {
    const context = await rig.newContext({ MARKET_VENUE_TIMEOUT_MS: '200' })
    const adapter = context.venues.get('binance')?.adapter
    // On a busy machine a list may take longer.
    await eventually(() => adapter?.listMarkets(ask))
    rig.exchange.faults.set('binance', { slowMs: 2_000 })
    const failure = await failureOf(adapter?.books(['BTC/USDT'], ask) ?? Promise.resolve())
    rig.exchange.faults.clear('binance')
    expect(failure.kind).toBe('timeout')
  })
})

describe('official flags', () => {
  it('are exactly those that the venues publish', async () => {
    for (const venue of ['gate', 'upbit', 'kucoin', 'mexc']) {
      const given = (await adapterOf(venue).officialFlags(ask))?.flags ?? []
      const warned = rig.exchange.feed.listings(venue, rig.exchange.clock.now()).filter((one) => one.warning !== 'none')
      const symbols = new Set(warned.map(({ market }) => `${market.base}/${market.quote}`))
      for (const flag of given) expect(symbols.has(flag.symbol), `${venue} ${flag.symbol} ${flag.flag}`).toBe(true)
    }
    expect(await adapterOf('binance').officialFlags(ask)).toBeNull()
  })

  it('of Bithumb include its alarms, with their own source and first sight, and end with them', async () => {
    const standing = async () => {
      await rig.run('listMarkets')
      const { tokens } = await rig.client.readBoard({ exchange: 'bithumb', limit: 2_500 })
      return tokens.flatMap(({ symbol, flags }) => flags.map((one) => ({ symbol, ...one })))
    }
    await rig.minutes(2)
    const alarms = (await standing()).filter(({ source }) => source === 'bithumb /v1/market/virtual_asset_warning')
    expect(alarms.length).toBeGreaterThan(0)
    for (const alarm of alarms)
      expect(alarm).toMatchObject({
        flag: expect.stringMatching(/^virtual_asset_warning\.PRICE_SUDDEN_FLUCTUATION\.(CAUTION|WARNING|DANGER)$/),
        meaning: 'caution',
        since: expect.any(String),
        published_at: null,
        lateness_seconds: null,
      })
    const answered = adapterOf('bithumb').officialFlags(ask)
    const told = new Set((await answered)?.flags.map(({ symbol, flag }) => `${symbol} ${flag}`))
    expect(alarms.every(({ symbol, flag }) => told.has(`${symbol} ${flag}`))).toBe(true)
  })

  it('end a day after their endpoint began to fail for good, and stand again once it answers', async () => {
    const standing = async (hours: number, readings = 1) => {
      for (let reading = 0; reading < readings; reading += 1) {
        rig.exchange.clock.advance((hours / readings) * 3_600_000)
        await rig.run('listMarkets')
      }
      return (await standingFlags(rig.context.pool, 'bithumb')).length
    }
    expect(await standing(0)).toBeGreaterThan(0)
    rig.exchange.faults.set('bithumb', { status: 503, path: 'virtual_asset_warning' })
    // A time in which nobody asked, such as an outage of this service, ages nothing.
    expect([await standing(1), await standing(30), await standing(22, 11)]).not.toContain(0)
    expect(await standing(2)).toBe(0)
    rig.exchange.faults.clear('bithumb')
    expect(await standing(1)).toBeGreaterThan(0)
  })

  it('of Bithumb do not count an alarm whose end has passed', () => {
    const reader = venueFile('bithumb').flags
    const raw = {
      markets: [{ market: 'KRW-BTC', market_warning: 'CAUTION' }],
      alarms: [{ market: 'KRW-BTC', warning_type: 'PRICE_DIFFERENCE_HIGH', end_date: '2026-09-01 09:00:00' }],
    }
    const flagsAt = (time: string) =>
      reader
        ?.read(raw, { symbolOf: (id) => id, venueTime: Date.parse(time), rows: rowReader() })
        .map(({ flag }) => flag)
    expect(flagsAt('2026-08-31T23:59:59Z')).toEqual([
      'market_warning.CAUTION',
      'virtual_asset_warning.PRICE_DIFFERENCE_HIGH',
    ])
    expect(flagsAt('2026-09-01T00:00:00Z')).toEqual(['market_warning.CAUTION'])
  })
})

describe('market of a venue', () => {
  const by = (member: string | null) => ({ member, precisionMode: 4, now: Date.UTC(2026, 8, 1) })

  it('with a ticker that cannot be part of a path is left out', () => {
    const raw = (base: string, info = {}) => ({
      symbol: `${base}/USDT`,
      base,
      quote: 'USDT',
      spot: true,
      active: false,
      info,
    })
    for (const base of ['A/B', 'a b', '../X', '', 'X_Y', "'; --", 'x'.repeat(40)])
      expect(readMarket(raw(base), by(null))).toBeNull()
    expect(readMarket(raw('1INCH'), by(null))?.symbol).toBe('1INCH/USDT')
  })

  it('with a ticker in another script is left out, counted and named, and costs no other pair', () => {
    const raw = (base: string) => ({ symbol: `${base}/USDT`, base, quote: 'USDT', spot: true, active: true, info: {} })
    const rows = rowReader()
    const { markets, unread } = readMarkets(['BTC', 'ETH', '龙', 'ADA'].map(raw), by(null), rows)
    expect(markets.map(({ base }) => base)).toEqual(['BTC', 'ETH', 'ADA'])
    expect([rows.leftOut, unread]).toEqual([1, ['龙/USDT']])
  })

  it('without the status that its venue always states is unreadable, not halted', () => {
    const raw = { symbol: 'A/USDT', base: 'A', quote: 'USDT', spot: true, active: false }
    expect(readMarket({ ...raw, info: {} }, by('status'))).toBeNull()
    expect(readMarket({ ...raw, info: { status: 'BREAK' } }, by('status'))).toMatchObject({
      trading: false,
      status: 'BREAK',
    })
  })
})
