import { describe, expect, test } from 'vitest'
import { observationsOf } from './crisis-inputs.ts'

const VENUES = ['alpha', 'beta', 'gamma']
const PAIRS = 2_500
const HOUR = 3_600_000
const AT = Date.parse('2026-11-21T08:00:00.000Z')

test('the observations of a minute are made in steps: one for each venue and for each thousand tokens', () => {
  const tokens = VENUES.flatMap((exchange, venue) =>
    Array.from({ length: PAIRS }, (_, n) => ({
      instance_id: venue * PAIRS + n, exchange, symbol: `T${n}/USDT`, base: `T${n}`, quote: 'USDT', name: null,
      trading: 'trading' as const, trading_since: new Date(AT).toISOString(), chain: null, address: null,
    })),
  ) // prettier-ignore
  const minutes = VENUES.map((exchange) => {
    const own = tokens.filter((token) => token.exchange === exchange)
    const price = own.map((_, n) => n + 1)
    return {
      exchange, books_synthetic: false, instance_ids: own.map((token) => token.instance_id), price,
      spread_bps: price.map(() => 1), depth: price.map(() => 1_000), truncated: null,
    } // prettier-ignore
  })
  const steps = observationsOf(AT, {
    minutes,
    tokens,
    flags: [],
    traded: new Map(),
    listedAt: new Map(),
    closes: new Map(),
  })
  let yields = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) yields += 1
  expect(step.value.observations).toHaveLength(tokens.length)
  expect(yields).toBeGreaterThanOrEqual(3 * VENUES.length + 2 * Math.ceil(tokens.length / 1_000))
})

test('what a venue stated is unknown once its lists are old; a new flag counts at once', () => {
  const token = {
    instance_id: 1, exchange: 'alpha', symbol: 'T/USDT', base: 'T', quote: 'USDT', name: null,
    trading: 'halted' as const, trading_since: new Date(AT - 3 * HOUR).toISOString(), chain: null, address: null,
  } // prettier-ignore
  const observed = (listedAt: number, flaggedAt: number) => {
    const flag = { instance_id: 1, flag: 'warning', meaning: 'warning' as const, at: new Date(flaggedAt).toISOString() }
    const facts = { minutes: [], tokens: [token], flags: [flag], traded: new Map() }
    const listed = new Map([['alpha', new Date(listedAt).toISOString()]])
    const steps = observationsOf(AT, { ...facts, listedAt: listed, closes: new Map() })
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value.observations[0]
    }
  }
  expect(observed(AT - HOUR / 4, AT - 2 * HOUR)).toMatchObject({ halted: true, flags: [{ flag: 'warning' }] })
  expect(observed(AT - HOUR, AT - 2 * HOUR)).toMatchObject({ halted: null, flags: null })
  expect(observed(AT - HOUR, AT - HOUR / 4)).toMatchObject({ halted: null, flags: [{ flag: 'warning' }] })
})

test('prices a pair that is quoted in a coin from the candles of the coin, whichever of its pairs in dollars has them', () => {
  const tokenOf = (instance_id: number, base: string, quote: string) => ({
    instance_id, exchange: 'alpha', symbol: `${base}/${quote}`, base, quote, name: null,
    trading: 'trading' as const, trading_since: new Date(AT - HOUR).toISOString(), chain: null, address: null,
  }) // prettier-ignore
  const tokens = [tokenOf(1, 'BTC', 'USDT'), tokenOf(2, 'BTC', 'USDC'), tokenOf(3, 'ADA', 'BTC')]
  const minutes = [{
    exchange: 'alpha', books_synthetic: false, instance_ids: [1, 2, 3], price: [100, 100, 0.5],
    spread_bps: [1, 1, 1], depth: [1, 1, 1], truncated: null,
  }] // prettier-ignore
  const firstMinute = AT / 60_000 - 2
  const closesOf = (close: number[]) => ({ firstMinute, tradedSinceMinute: firstMinute, close })
  const pricesOf = (coin: number | null) => {
    const closes = new Map([
      [3, closesOf([0.25, 0.5])],
      ...(coin === null ? [] : [[coin, closesOf([200, 100])] as const]),
    ])
    const steps = observationsOf(AT, { minutes, tokens, flags: [], traded: new Map(), listedAt: new Map(), closes })
    for (;;) {
      const step = steps.next()
      if (step.done === true)
        return step.value.observations.find(({ id }) => id === '3')?.candlePrices?.priceUsd ?? null
    }
  }
  expect(pricesOf(1)).toEqual([50, 50])
  expect(pricesOf(2)).toEqual([50, 50])
  expect(pricesOf(null)).toBeNull()
})

describe('a dollar coin that is quoted in won', () => {
  const tokenOf = (instance_id: number, exchange: string, base: string, quote: string) => ({
    instance_id, exchange, symbol: `${base}/${quote}`, base, quote, name: null,
    trading: 'trading' as const, trading_since: new Date(AT - HOUR).toISOString(), chain: null, address: null,
  }) // prettier-ignore
  /** The prices by which the pegs of the coins are judged, at a premium of won of 3 %; null where there is none. */
  const pegsOf = (worth: Readonly<Record<string, number>>, { inWon = ['USDT', 'USDC'], bitcoin = true } = {}) => {
    const won = 1_300 * 1.03
    const listed = [
      ...inWon.map((coin) => ['korea', coin, 'KRW', (worth[coin] ?? 1) * won] as const),
      ...(bitcoin ? [['korea', 'BTC', 'KRW', 100_000 * won] as const] : []),
      ...['USDT', 'USDC', 'USD'].map((dollar) => ['world', 'BTC', dollar, 100_000 / (worth[dollar] ?? 1)] as const),
    ]
    const tokens = listed.map(([exchange, base, quote], at) => tokenOf(at, exchange, base, quote))
    const minutes = ['korea', 'world'].map((exchange) => {
      const own = tokens.filter((token) => token.exchange === exchange)
      return {
        exchange, books_synthetic: false, instance_ids: own.map((token) => token.instance_id),
        price: own.map((token) => listed[token.instance_id]?.[3] ?? null), spread_bps: own.map(() => 1),
        depth: own.map(() => 1), truncated: null,
      } // prettier-ignore
    })
    const facts = { minutes, tokens, flags: [], traded: new Map(), listedAt: new Map(), closes: new Map() }
    const steps = observationsOf(AT, facts)
    for (;;) {
      const step = steps.next()
      if (step.done === true)
        return step.value.observations.slice(0, inWon.length).map((seen) => (seen.peggedToUsd ? (seen.pegPriceUsd ?? 0) : null)) // prettier-ignore
    }
  }

  test('is judged by bitcoin in won, so that a premium of the currency is no depeg', () => {
    for (const peg of pegsOf({})) expect(peg).toBeCloseTo(1, 6)
    expect(pegsOf({}, { inWon: ['USDT'] })[0]).toBeCloseTo(1, 6)
  })

  test('is reported when it fell, and the other coin is not', () => {
    const [usdt, usdc] = pegsOf({ USDC: 0.88 })
    expect(usdt).toBeCloseTo(1, 6)
    expect(usdc).toBeCloseTo(0.88, 6)
    expect(pegsOf({ USDT: 0.95 }, { inWon: ['USDT'] })[0]).toBeCloseTo(0.95, 6)
  })

  test('is not judged where nobody quotes bitcoin in won', () => {
    expect(pegsOf({ USDT: 0.9 }, { bitcoin: false })).toEqual([null, null])
  })
})
