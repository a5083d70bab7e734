import type { Pair } from '@svc/contracts/market-data'
import type { Clock } from '@svc/service'
import { LRUCache } from 'lru-cache'

const KEPT_MAX = 5_000
const KEPT_MS = 30_000

type Ask = (pairs: { exchange: string; symbol: string }[]) => Promise<readonly (Pair | null)[]>

/** Looks up pairs. Caches the found ones for half a minute; the others are requested again. */
export function pairFinder(ask: Ask, clock: Clock): (exchange: string, symbol: string) => Promise<Pair | null> {
  const kept = new LRUCache<string, { readonly pair: Pair; readonly until: number }>({ max: KEPT_MAX })
  return async (exchange, symbol) => {
    const key = `${exchange} ${symbol}`
    const now = clock.now().getTime()
    const known = kept.get(key)
    if (known !== undefined && known.until > now) return known.pair
    const [pair] = await ask([{ exchange, symbol }])
    if (pair === undefined || pair === null) return null
    kept.set(key, { pair, until: now + KEPT_MS })
    return pair
  }
}
