import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../book.ts'
import { MINUTE, type Feed, type Listing } from '../feed.ts'
import { majors, inventedName } from './names.ts'
import { createSyntheticFeed, usualVenues } from './synthetic-feed.ts'

const DAY = 86_400_000
const from = Date.UTC(2026, 0, 1)
const make = (seed = 1, tokens = 300) => createSyntheticFeed({ seed, tokens, venues: usualVenues })
const feed = make()
const large = make(1, 1_500)
const all = (at: number, of: Feed = feed): Listing[] => of.venues.flatMap((venue) => [...of.listings(venue, at)])
const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0

describe('the synthetic universe', () => {
  it('returns equal answers for equal seeds and times, in any order of requests', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000 }), fc.integer({ min: 0, max: 900 }), (minutes, pick) => {
        const at = from + minutes * MINUTE
        const listing = all(at)[pick % 900]
        const again = make()
        const other = all(at, again).find(({ market }) => market.key === listing?.market.key)
        if (!listing || !other) return
        expect(other).toEqual(listing)
        expect(again.candle(other.market, at / MINUTE)).toEqual(feed.candle(listing.market, at / MINUTE))
        expect(again.day(other.market, at / MINUTE)).toEqual(feed.day(listing.market, at / MINUTE))
        expect(again.liquidity(other.market, at)).toEqual(feed.liquidity(listing.market, at))
      }),
      { numRuns: 15 },
    )
    expect(all(from, make(2))).not.toEqual(all(from))
  })

  it('has candles whose open and close lie between low and high, and whose range is 0 without trades', () => {
    const candles = all(from).flatMap(({ market }) =>
      Array.from({ length: 20 }, (_, minute) => feed.candle(market, from / MINUTE + minute)).filter(
        (candle) => candle !== null,
      ),
    )
    expect(candles.length).toBeGreaterThan(10_000)
    const wrong = candles.filter(
      ({ open, high, low, close, trades, volume }) =>
        low > Math.min(open, close) ||
        high < Math.max(open, close) ||
        low <= 0 ||
        (trades === 0) !== (volume === 0) ||
        (trades === 0 && high !== low),
    )
    expect(wrong).toEqual([])
  })

  it('has volumes and minutes without trades as measured at Binance', () => {
    const pairs = all(from, large).filter(
      ({ market, status }) => market.venue === 'binance' && market.quote === 'USDT' && status === 'trading',
    )
    const volumes = pairs.map(({ market }) => large.day(market, from / MINUTE)?.quoteVolume ?? 0)
    // Measured over 16.7 h: p10 $0.52M, p50 $2.2M, p90 $24M.
    expect(quantile(volumes, 0.1)).toBeGreaterThan(200_000)
    expect(quantile(volumes, 0.1)).toBeLessThan(1_500_000)
    expect(quantile(volumes, 0.5)).toBeGreaterThan(1_000_000)
    expect(quantile(volumes, 0.5)).toBeLessThan(6_000_000)
    expect(quantile(volumes, 0.9)).toBeGreaterThan(8_000_000)
    expect(quantile(volumes, 0.9)).toBeLessThan(60_000_000)
    const quiet = pairs.map(({ market }) => {
      let none = 0
      for (let minute = 0; minute < 300; minute += 3) {
        if (large.candle(market, from / MINUTE + minute)?.trades === 0) none += 1
      }
      return none / 100
    })
    // Measured: p50 2.9 %, p90 29 %.
    expect(quantile(quiet, 0.5)).toBeLessThan(0.12)
    expect(quantile(quiet, 0.9)).toBeGreaterThan(0.08)
    expect(quantile(quiet, 0.9)).toBeLessThan(0.5)
  })

  it('has books that end within 2 % at 100 levels where much is traded, with a tenth of the depth at the largest pair', () => {
    const shares = all(from)
      .filter(({ market, status }) => market.venue === 'binance' && market.quote === 'USDT' && status === 'trading')
      .map(({ market }) => {
        const mid = feed.candle(market, from / MINUTE)?.close ?? 0
        const shape = { ...feed.liquidity(market, from), mid, at: from, crossed: false }
        const depth = (limit: number) =>
          makeBook(market, { ...shape, limit })
            .bids.filter(([price]) => price >= mid * 0.98)
            .reduce((sum, [price, amount]) => sum + price * amount, 0)
        return { base: market.base, share: depth(100) / Math.max(1e-9, depth(5_000)) }
      })
    expect(shares.find(({ base }) => base === 'BTC')?.share).toBeLessThan(0.15)
    const cut = shares.filter(({ share }) => share < 0.99).length / shares.length
    expect(cut).toBeGreaterThan(0.1)
    expect(cut).toBeLessThan(0.5)
  })

  it('has no invented token with the volume of a major', () => {
    const volumes = all(from, large).map(({ market }) => ({
      isMajor: market.token.id === market.base,
      usd: market.quote === 'USDT' ? (large.day(market, from / MINUTE)?.quoteVolume ?? 0) : 0,
    }))
    const invented = Math.max(...volumes.flatMap(({ isMajor, usd }) => (isMajor ? [] : [usd])))
    // Measured at Binance on 2022-11-09: the 24th pair had $60M, the 13th $128M.
    expect(invented).toBeLessThan(250_000_000)
    expect(Math.max(...volumes.map(({ usd }) => usd))).toBeGreaterThan(1_000_000_000)
  })

  it('lists an asset at several venues at nearly the same price, and colliding tickers at different venues', () => {
    const byTicker = Map.groupBy(
      all(from).filter(({ market, status }) => market.quote === 'USDT' && status === 'trading'),
      ({ market }) => market.base,
    )
    let shared = 0
    let collisions = 0
    for (const listings of byTicker.values()) {
      const assets = new Set(listings.map(({ market }) => market.token.id))
      if (assets.size > 1) collisions += 1
      const prices = listings.map(({ market }) => feed.candle(market, from / MINUTE)?.close ?? 0)
      if (assets.size > 1 || listings.length < 2) continue
      shared += 1
      expect(Math.max(...prices) / Math.min(...prices)).toBeLessThan(1.06)
    }
    expect(shared).toBeGreaterThan(80)
    expect(collisions).toBeGreaterThan(2)
  })

  it('has one address per asset with a contract, and no address twice', () => {
    const tokens = feed.tokens(from)
    const addresses = tokens.flatMap(({ chain, address }) => (address === null ? [] : [`${chain} ${address}`]))
    expect(new Set(addresses).size).toBe(addresses.length)
    for (const { chain, address } of tokens) expect((chain === null) === (address === null)).toBe(true)
  })

  it('warns of, announces, ends, removes and relists tokens in this order, and its lists show each step', () => {
    const events = feed.events(from, from + 200 * DAY, 10_000)
    const ended = events.filter(({ kind, venue }) => kind === 'ended' && venue === 'gate')
    expect(ended.length).toBeGreaterThan(5)
    for (const { at, symbol, tokenId } of ended.slice(0, 10)) {
      const standing = (time: number) =>
        feed
          .listings('gate', time)
          .find(({ market }) => `${market.base}/${market.quote}` === symbol && market.token.id === tokenId)
      expect(standing(at - 10 * DAY)).toMatchObject({ warning: 'caution', endsAt: null })
      expect(standing(at - DAY)).toMatchObject({ warning: 'delisting', endsAt: at })
      expect(standing(at)).toMatchObject({ status: 'ended' })
      expect(standing(at + 3 * DAY)).toBeUndefined()
    }
    expect(events).toEqual(events.toSorted((a, b) => a.at - b.at))
  })

  it('reuses symbols: the successor is another asset', () => {
    const generations = new Map<string, Set<string>>()
    for (let day = 0; day < 900; day += 30) {
      for (const { market } of feed.listings('gate', from + day * DAY)) {
        const symbol = `${market.base}/${market.quote}`
        generations.set(symbol, (generations.get(symbol) ?? new Set()).add(market.token.id))
      }
    }
    expect([...generations.values()].filter((tokens) => tokens.size > 1).length).toBeGreaterThan(5)
  })

  it('has no trades in a halt, and a falling price with a thin, wide book in a crash', () => {
    const events = feed.events(from, from + 30 * DAY, 10_000)
    const marketAt = (at: number, symbol: string, venue: string) =>
      feed.listings(venue, at).find(({ market }) => `${market.base}/${market.quote}` === symbol)
    const halt = events.find(({ kind }) => kind === 'halt')
    const halted = halt && marketAt(halt.at, halt.symbol, halt.venue)
    expect(halted?.status).toBe('halted')
    expect(halted && feed.candle(halted.market, (halt?.at ?? 0) / MINUTE)?.trades).toBe(0)
    const crash = events.find(({ kind, symbol }) => kind === 'crash' && symbol.endsWith('/USDT'))
    const crashed = crash && marketAt(crash.at, crash.symbol, crash.venue)?.market
    if (!crash || !crashed) throw new Error('no crash')
    const before = feed.candle(crashed, crash.at / MINUTE - 1)?.close ?? 0
    const after = feed.candle(crashed, crash.at / MINUTE + 40)?.close ?? 0
    expect(after / before).toBeLessThan(0.87)
    const [calm, stressed] = [crash.at - MINUTE, crash.at + 40 * MINUTE].map((at) => feed.liquidity(crashed, at))
    expect(stressed?.depthQuote ?? 0).toBeLessThan((calm?.depthQuote ?? 0) * 0.4)
    expect(stressed?.spreadBps ?? 0).toBeGreaterThan((calm?.spreadBps ?? 0) * 2)
  })
})

it('invents a different ticker for each of 5,000 indices, never that of a major', () => {
  const tickers = Array.from({ length: 5_000 }, (_, index) => inventedName(index).ticker)
  expect(new Set([...tickers, ...majors.map(([ticker]) => ticker)]).size).toBe(5_000 + majors.length)
})
