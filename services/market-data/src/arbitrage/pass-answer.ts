import type { Pool } from '@svc/postgres'
import { isTooOldForCalm } from '#crisis/alerts.ts'
import { newestPass, type PassResult } from './store/arbitrage.ts'
import { storedSource } from '#listings/store/venues.ts'

const STALE_MS = 180_000

interface Asked {
  readonly asset?: string | undefined
  /** Leaves out what earns less; items without a profit stay. */
  readonly profit_usd_min?: number | undefined
  readonly limit: number
}

/** Returns the members that every answer about the newest pass has, and the requested part of one of its lists. */
export async function passAnswer<K extends 'two' | 'reel' | 'multi'>(
  pool: Pool,
  now: Date,
  { asset, profit_usd_min: profitMin = 0, limit }: Asked,
  list: K,
): Promise<{ head: object & Head; result: PassResult | null; page: PassResult[K] }> {
  const newest = await newestPass(pool)
  const pass =
    newest === null || !isTooOldForCalm(newest.computed_at, now)
      ? newest
      : { ...newest, result: withoutCalm(newest.result) }
  const items: readonly PassResult[K][number][] = pass?.result[list] ?? []
  const fits = items.filter(
    (one) => (asset === undefined || one.asset === asset) && (!('profit_usd' in one) || one.profit_usd >= profitMin),
  )
  return {
    head: {
      computed_at: pass?.computed_at ?? null,
      stale: pass !== null && now.getTime() - Date.parse(pass.computed_at) > STALE_MS,
      pending: pass === null,
      source: await storedSource(pool),
      total: fits.length,
    },
    result: pass?.result ?? null,
    page: fits.slice(0, limit) as PassResult[K],
  }
}

/** Returns a value in which no pair is said to have no open alerts: an old pass cannot know. */
function withoutCalm<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutCalm) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'not_judged' || (name === 'alerts' && Array.isArray(member) && member.length === 0)
        ? null
        : withoutCalm(member),
    ]),
  ) as T
}

interface Head {
  readonly computed_at: string | null
  readonly stale: boolean
  readonly pending: boolean
  readonly source: 'live' | 'replay' | 'mixed'
  readonly total: number
}
