import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { createZstdCompress } from 'node:zlib'
import { packRow, type RawMinute } from '@svc/replay-exchange'
import { z } from 'zod'

const MINUTE = 60_000
const MINUTES_MAX = 1_000
const ATTEMPTS = 5
/** Weight per minute beyond which the recorder waits for the next minute: Binance refuses at 6,000. */
const WEIGHT_CAREFUL = 4_500

const info = z.object({
  symbols: z.array(z.object({ symbol: z.string(), status: z.string(), quoteAsset: z.string() })),
})
const text = z.string()
const klines = z.array(
  z.tuple([z.int(), text, text, text, text, text, z.int(), text, z.int(), text, text]).rest(z.unknown()),
)

export interface RecordOptions {
  /** Address in place of https://api.binance.com. */
  readonly baseUrl: string
  /** Quote currency; null for all. */
  readonly quote: string | null
  /** How many whole minutes up to now, 1 to 1,000. */
  readonly minutes: number
  readonly file: string
  readonly onPair?: (symbol: string, done: number, of: number) => void
}

/**
 * Records the last minutes of every trading pair at Binance into a file that the data set `packed` replays. All pairs get
 * the same minutes; pairs that were listed within them are left out. Resolves with the number of pairs. Throws when the
 * venue goes on refusing.
 */
export async function recordCandles({ baseUrl, quote, minutes, file, onPair }: RecordOptions): Promise<number> {
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MINUTES_MAX)
    throw new RangeError(`the minutes must be from 1 to ${MINUTES_MAX}`)
  const { serverTime } = z.object({ serverTime: z.int() }).parse(await ask(`${baseUrl}/api/v3/time`))
  const end = Math.floor(serverTime / MINUTE) * MINUTE
  const pairs = info
    .parse(await ask(`${baseUrl}/api/v3/exchangeInfo`))
    .symbols.filter((one) => one.status === 'TRADING' && (quote === null || one.quoteAsset === quote))
  const compress = createZstdCompress()
  const output = compress.pipe(createWriteStream(file))
  let recorded = 0
  for (const [index, { symbol }] of pairs.entries()) {
    const span = `startTime=${end - minutes * MINUTE}&endTime=${end - 1}&limit=${minutes}`
    const rows = klines
      .parse(await ask(`${baseUrl}/api/v3/klines?symbol=${encodeURIComponent(symbol)}&interval=1m&${span}`))
      .map(rawOf)
    if (rows.length === minutes) {
      if (!compress.write(`${packRow(symbol, rows)}\n`)) await once(compress, 'drain')
      recorded += 1
    }
    onPair?.(symbol, index + 1, pairs.length)
  }
  compress.end()
  await once(output, 'finish')
  return recorded
}

function rawOf([at, open, high, low, close, volume, , quote, trades, , taker]: z.infer<
  typeof klines
>[number]): RawMinute {
  const numbers = { volume: Number(volume), quoteVolume: Number(quote), takerBuyQuote: Number(taker) }
  return { at, open, high, low, close, trades, ...numbers }
}

async function ask(url: string): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) })
    const used = Number(answer.headers.get('x-mbx-used-weight-1m') ?? 0)
    if (answer.ok) {
      const body: unknown = await answer.json()
      if (used > WEIGHT_CAREFUL) await wait(MINUTE - (Date.now() % MINUTE))
      return body
    }
    if (attempt === ATTEMPTS || answer.status === 418) throw new Error(`${url} was refused with ${answer.status}`)
    await wait(Number(answer.headers.get('retry-after') ?? attempt) * 1_000)
  }
}
