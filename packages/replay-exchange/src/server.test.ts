import { afterEach, describe, expect, it } from 'vitest'
import { createClock } from './clock.ts'
import { startReplayExchange, type ReplayExchange, type ReplayOptions } from './server.ts'

const startAt = Date.UTC(2026, 0, 5)
let replay: ReplayExchange
const start = async (options: ReplayOptions = {}) => {
  replay = await startReplayExchange({ tokens: 30, startAt, speed: 0, ...options })
  return replay
}
const get = (path: string) => fetch(replay.url + path)
const send = (method: string, path: string, body?: unknown) =>
  fetch(replay.url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
afterEach(() => replay?.stop())

describe('the clock', () => {
  it('runs at its speed, stands at 0, and never passes the end', () => {
    let real = 5_000
    const clock = createClock({ startAt: 1_000, speed: 600, endsAt: 3_000_000, real: () => real })
    real += 1_000
    expect(clock.now()).toBe(601_000)
    clock.setSpeed(0)
    real += 1_000
    expect(clock.now()).toBe(601_000)
    clock.advance(60_000)
    expect(clock.now()).toBe(661_000)
    clock.setSpeed(6_000)
    real += 60_000
    expect(clock.state()).toEqual({ now: 3_000_000, speed: 6_000, ended: true })
    expect(() => clock.setSpeed(-1)).toThrow(/speed/)
    expect(() => clock.set(0.5)).toThrow(/whole/)
  })

  it('is controlled over HTTP, which returns its state', async () => {
    await start()
    expect(await (await get('/control/state')).json()).toMatchObject({
      source: 'replay',
      dataset: 'synthetic',
      books: 'simulated',
      clock: { now: startAt, speed: 0, ended: false },
    })
    expect(await (await send('POST', '/control/clock', { advanceMs: 60_000 })).json()).toMatchObject({
      now: startAt + 60_000,
    })
    expect(await (await get('/binance/api/v3/time')).json()).toEqual({ serverTime: startAt + 60_000 })
    const refused = await send('POST', '/control/clock', { advance: 1 })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/advance/)])
  })
})

describe('faults', () => {
  it('are set over HTTP, for each n-th request and for one path', async () => {
    await start()
    await send('PUT', '/control/venues/gate/faults', { status: 503, every: 2, path: 'tickers' })
    const statuses = []
    for (let n = 0; n < 4; n += 1) statuses.push((await get('/gate/api/v4/spot/tickers')).status)
    expect(statuses).toEqual([200, 503, 200, 503])
    for (let n = 0; n < 2; n += 1) expect((await get('/gate/api/v4/spot/time')).status).toBe(200)
    await send('DELETE', '/control/faults')
    for (let n = 0; n < 2; n += 1) expect((await get('/gate/api/v4/spot/tickers')).status).toBe(200)
  })

  it('of an unknown venue or with a wrong value are rejected with the reason', async () => {
    await start()
    const unknown = await send('PUT', '/control/venues/nope/faults', { slowMs: 1 })
    expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringMatching(/choose one of binance/)])
    const wrong = await send('PUT', '/control/venues/gate/faults', { slowMs: -1 })
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringMatching(/slowMs/)])
  })

  it('of one venue do not affect the others', async () => {
    await start()
    replay.faults.set('binance', { limited: { status: 418, retryAfterSeconds: 90 } })
    const banned = await get('/binance/api/v3/ping')
    expect([banned.status, banned.headers.get('retry-after')]).toEqual([418, '90'])
    expect((await get('/gate/api/v4/spot/time')).status).toBe(200)
  })
})

describe('request limits', () => {
  it('count weights, reject with Retry-After, ban clients that continue, and reset with simulated time', async () => {
    await start({ startAt: startAt + 20_000 })
    let answer = await get('/binance/api/v3/exchangeInfo')
    expect(answer.headers.get('x-mbx-used-weight-1m')).toBe('20')
    const depth = () => get('/binance/api/v3/depth?symbol=BTCUSDT&limit=5000')
    for (let n = 0; n < 23; n += 1) expect((await depth()).status).toBe(200)
    answer = await depth()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '40'])
    expect((await answer.json()) as object).toMatchObject({ code: -1003 })
    for (let n = 0; n < 50; n += 1) answer = await depth()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([418, '120'])
    replay.clock.advance(119_000)
    expect((await depth()).status).toBe(418)
    replay.clock.advance(2_000)
    expect((await depth()).status).toBe(200)
  })

  it('are reported in the format of each venue', async () => {
    await start()
    const headers = async (path: string) => Object.fromEntries((await get(path)).headers)
    expect(await headers('/gate/api/v4/spot/time')).toMatchObject({ 'x-gate-ratelimit-requests-remain': '199' })
    expect(await headers('/kucoin/api/v1/market/allTickers')).toMatchObject({ 'gw-ratelimit-remaining': '1985' })
    expect(await headers('/upbit/v1/market/all')).toMatchObject({ 'remaining-req': expect.stringMatching(/sec=9$/) })
    for (let n = 0; n < 9; n += 1) await get('/upbit/v1/market/all')
    expect((await get('/upbit/v1/market/all')).status).toBe(429)
  })
})

describe('official flags', () => {
  it('are on the wire of every venue between announcement and end', async () => {
    await start({ tokens: 300 })
    const day = 86_400_000
    const body = async (path: string) => (await (await get(path)).json()) as never
    const paths: Record<string, (symbol: string) => Promise<unknown>> = {
      binance: async (symbol) =>
        ((await body('/binance/sapi/v1/spot/delist-schedule')) as { symbols: string[] }[])
          .flatMap(({ symbols }) => symbols)
          .includes(symbol.replace('/', '')),
      gate: async (symbol) =>
        ((await body('/gate/api/v4/spot/currency_pairs')) as { id: string; delisting_time: number }[]).some(
          ({ id, delisting_time }) => id === symbol.replace('/', '_') && delisting_time > 0,
        ),
      kucoin: async (symbol) =>
        ((await body('/kucoin/api/v2/symbols')) as { data: { symbol: string; st: boolean }[] }).data.some(
          (one) => one.symbol === symbol.replace('/', '-') && one.st,
        ),
      upbit: async (symbol) =>
        (
          (await body('/upbit/v1/market/all?is_details=true')) as {
            market: string
            market_event: { warning: boolean }
          }[]
        ).some(
          ({ market, market_event }) => market === symbol.split('/').toReversed().join('-') && market_event.warning,
        ),
      mexc: async (symbol) =>
        ((await body('/mexc/api/v3/exchangeInfo')) as { symbols: { symbol: string; st: boolean }[] }).symbols.some(
          (one) => one.symbol === symbol.replace('/', '') && one.st,
        ),
    }
    const events = replay.feed.events(startAt, startAt + 300 * day, 10_000)
    for (const [venue, flagged] of Object.entries(paths)) {
      const event = events.find((one) => one.kind === 'announced' && one.venue === venue)
      if (!event) throw new Error(`nothing is announced at ${venue}`)
      replay.clock.set(event.at + day)
      expect([venue, await flagged(event.symbol)]).toEqual([venue, true])
      replay.clock.set(event.at - 30 * day)
      expect([venue, await flagged(event.symbol)]).toEqual([venue, false])
    }
  })
})

it('rejects invalid options with a sentence', async () => {
  await expect(startReplayExchange({ tokens: 5 })).rejects.toThrow(/tokens must be from 30 to 5000/)
  await expect(startReplayExchange({ venues: ['nasdaq'] })).rejects.toThrow(/choose from binance/)
})
