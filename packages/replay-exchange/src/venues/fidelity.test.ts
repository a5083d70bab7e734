import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplayExchange, type ReplayExchange } from '../index.ts'

const recordings = process.env['MARKET_REPLAY_DIR']
let replay: ReplayExchange

/** Body of the first recorded answer whose address contains `url`. */
function recorded(file: string, url: string): unknown {
  const lines = zstdDecompressSync(readFileSync(join(recordings ?? '', 'cryptofeed', file))).toString('utf8')
  for (const line of lines.split('\n')) {
    if (!line.includes(url)) continue
    const record = JSON.parse(line) as { t?: string; url?: string; data?: string }
    if (record.t === 'http' && record.url?.includes(url) === true) return JSON.parse(record.data ?? '')
  }
  throw new Error(`${file} has no ${url}`)
}

/** Names and types of a value's members; of an array, its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}

const one = (body: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], body)

describe.skipIf(recordings === undefined)('answers have the members and types of recorded ones', () => {
  beforeAll(async () => {
    replay = await startReplayExchange({ tokens: 60, speed: 0, startAt: Date.UTC(2026, 0, 5), limits: false })
  })
  afterAll(() => replay?.stop())

  it.each([
    ['binance', 'BINANCE', '/api/v3/depth?symbol=NKNUSDT', '/api/v3/depth?symbol=ETHUSDT&limit=1000', []],
    ['gate', 'GATEIO', 'order_book?currency_pair=HAI_ETH', '/api/v4/spot/order_book?currency_pair=ETH_USDT&with_id=true', []], // prettier-ignore
    ['kucoin', 'KUCOIN', 'level2?symbol=BCHSV-USDT', '/api/v1/market/orderbook/level2_100?symbol=ETH-USDT', []],
    ['gate', 'GATEIO', '/spot/currency_pairs', '/api/v4/spot/currency_pairs', [0]],
    ['kucoin', 'KUCOIN', '/api/v1/symbols', '/api/v2/symbols', ['data', 0]],
    ['upbit', 'UPBIT', '/v1/market/all', '/v1/market/all', [0]],
    ['binance', 'BINANCE', '/api/v3/exchangeInfo', '/api/v3/exchangeInfo', ['symbols', 0]],
  ] as const)('%s, recording %s: %s', async (venue, file, url, path, place) => {
    const then = shapeOf(one(recorded(`${file}.jsonl.zst`, url), ...place)) as object
    const now = shapeOf(one(await (await fetch(replay.venueUrl(venue) + path)).json(), ...place))
    expect(now).toMatchObject(expectedOf(then))
  })
})

/** `permissions` is empty since `permissionSets`; of `filters` only those that clients read are served. */
const dropped = new Set(['filters', 'permissions'])

function expectedOf(shape: object): object {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !dropped.has(name)))
}
