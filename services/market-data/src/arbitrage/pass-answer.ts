import type { Pool } from '@svc/postgres'
import { newestPass, type PassResult } from './store/arbitrage.ts'
import { storedSource } from '#listings/store/venues.ts'

const STALE_MS = 180_000

interface Asked {
  readonly asset?: string | undefined
  readonly limit: number
}

/** Returns the members that every answer about the newest pass has, and the requested part of one of its lists. */
export async function passAnswer<K extends 'two' | 'reel' | 'multi'>(
  pool: Pool,
  now: Date,
  { asset, limit }: Asked,
  list: K,
): Promise<{ head: object & Head; result: PassResult | null; page: PassResult[K] }> {
  const pass = await newestPass(pool)
  const items: readonly PassResult[K][number][] = pass?.result[list] ?? []
  const fits = items.filter((one) => asset === undefined || one.asset === asset)
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

interface Head {
  readonly computed_at: string | null
  readonly stale: boolean
  readonly pending: boolean
  readonly source: 'live' | 'replay' | 'mixed'
  readonly total: number
}
