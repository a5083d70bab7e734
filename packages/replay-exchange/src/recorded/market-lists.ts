import { z } from 'zod'
import { readLines } from './read-lines.ts'

/** A pair in a recorded market list. */
export interface Listed {
  readonly base: string
  readonly quote: string
  readonly trading: boolean
  readonly name: string | null
  readonly koreanName: string | null
}

const text = z.string().min(1)
const binanceSymbols = z.object({ symbols: z.array(z.object({ status: text, baseAsset: text, quoteAsset: text })) })
const gatePairs = z.array(z.object({ base: text, quote: text, trade_status: text }))
const kucoinSymbols = z.object({
  data: z.array(z.object({ baseCurrency: text, quoteCurrency: text, enableTrading: z.boolean() })),
})
const upbitMarkets = z.array(z.object({ market: text.regex(/^[^-]+-[^-]+$/), english_name: text, korean_name: text }))

const plain = (base: string, quote: string, trading: boolean): Listed => ({
  base,
  quote,
  trading,
  name: null,
  koreanName: null,
})
const binance = (body: unknown) =>
  binanceSymbols.parse(body).symbols.map((one) => plain(one.baseAsset, one.quoteAsset, one.status === 'TRADING'))

/** The recorded lists: file, part of the recorded address, and how the body is read. */
export const marketLists = {
  binance2021: { file: 'BINANCE.jsonl.zst', url: '/api/v3/exchangeInfo', read: binance },
  binance2023: { file: 'v2-BINANCE_TR.0.zst', url: '/api/v3/exchangeInfo', read: binance },
  gate: {
    file: 'GATEIO.jsonl.zst',
    url: '/api/v4/spot/currency_pairs',
    read: (body: unknown) =>
      gatePairs.parse(body).map((one) => plain(one.base, one.quote, one.trade_status === 'tradable')),
  },
  kucoin: {
    file: 'KUCOIN.jsonl.zst',
    url: '/api/v1/symbols',
    read: (body: unknown) =>
      kucoinSymbols.parse(body).data.map((one) => plain(one.baseCurrency, one.quoteCurrency, one.enableTrading)),
  },
  upbit: {
    file: 'UPBIT.jsonl.zst',
    url: '/v1/market/all',
    read: (body: unknown) =>
      upbitMarkets.parse(body).map(({ market, english_name, korean_name }): Listed => {
        const [quote = '', base = ''] = market.split('-')
        return { base, quote, trading: true, name: english_name, koreanName: korean_name }
      }),
  },
} as const

const HEAD_BYTES = 400

/** Reads one recorded market list. Throws when the recording is missing or holds none. */
export async function readMarketList(replayDir: string, key: keyof typeof marketLists): Promise<Listed[]> {
  const { file, url, read } = marketLists[key]
  let found: Listed[] | null = null
  await readLines(replayDir, `cryptofeed/${file}`, (line) => {
    if (found === null && line.subarray(0, HEAD_BYTES).includes(url)) found = read(bodyOf(line.toString('utf8')))
  })
  if (found === null) throw new Error(`The recording cryptofeed/${file} holds no market list.`)
  return found
}

/** Body of a recorded answer: `{"t":"http","url":…,"data":"…"}`, or `URL -> time: body` in the older recordings. */
function bodyOf(line: string): unknown {
  if (!line.startsWith('{')) return JSON.parse(line.slice(line.indexOf(': {') + 2))
  return JSON.parse(z.object({ data: text }).parse(JSON.parse(line)).data)
}
