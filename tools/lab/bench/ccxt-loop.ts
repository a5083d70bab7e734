// A bare loop of ccxt over the books of given pairs: no allowance, no checks, nothing stored.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

interface Exchange {
  urls: { api: unknown }
  loadMarkets(): Promise<unknown>
  fetchOrderBook(symbol: string, limit: number): Promise<unknown>
  fetchOrderBooks(symbols: readonly string[], limit: number): Promise<unknown>
}
interface Part {
  readonly exchange: string
  readonly baseUrl: string
  readonly symbols: readonly string[]
  readonly levels: number
  readonly booksPerCall: number
}
type ExchangeClass = new (options: object) => Exchange

const AT_ONCE = 8
const redirect = (tree: unknown, base: string): unknown => {
  if (typeof tree === 'string') return tree.replace(/^https?:\/\/[^/]+/, base)
  if (typeof tree !== 'object' || tree === null) return tree
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, redirect(value, base)]))
}
const folder = dirname(fileURLToPath(import.meta.resolve('ccxt')))
const opened = new Map<string, Exchange>()
async function open({ exchange, baseUrl }: Part): Promise<Exchange> {
  const known = opened.get(exchange)
  if (known !== undefined) return known
  const loaded = (await import(pathToFileURL(join(folder, 'src', `${exchange}.js`)).href)) as { default: ExchangeClass }
  const made = new loaded.default({
    enableRateLimit: false,
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] }, fetchTickersFees: false },
    has: { fetchCurrencies: false },
  })
  made.urls.api = redirect(made.urls.api, baseUrl)
  await made.loadMarkets()
  opened.set(exchange, made)
  return made
}

async function fetchAll(part: Part): Promise<number> {
  const exchange = await open(part)
  const { symbols, levels, booksPerCall } = part
  const calls: (() => Promise<unknown>)[] = []
  for (let start = 0; start < symbols.length; start += booksPerCall) {
    const asked = symbols.slice(start, start + booksPerCall)
    const [only = ''] = asked
    calls.push(() =>
      booksPerCall > 1 ? exchange.fetchOrderBooks(asked, levels) : exchange.fetchOrderBook(only, levels),
    )
  }
  const worker = async () => {
    for (let call = calls.pop(); call !== undefined; call = calls.pop()) await call()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return symbols.length
}

process.on('message', ({ parts }: { parts: readonly Part[] }) => {
  void (async () => {
    for (const part of parts) await open(part)
    const before = process.cpuUsage()
    const fetched = await Promise.all(parts.map(fetchAll))
    const { user, system } = process.cpuUsage(before)
    process.send?.({ books: fetched.reduce((sum, one) => sum + one, 0), seconds: (user + system) / 1e6 })
  })()
})
process.send?.({ ready: true })
