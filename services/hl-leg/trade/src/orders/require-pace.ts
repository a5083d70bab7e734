import { refuse } from '@svc/contract'
import { common } from '@svc/contracts'
import { LRUCache } from 'lru-cache'
import type { Context } from '#context.ts'
import type { VenueClient } from '@svc/venue/venue-client'

/** How often a process reads account and book for orders of one account in a minute: for opens, and for closes. */
const READS_MAX = { opens: 20, closes: 60 } as const
const MINUTE_MS = 60_000
const ACCOUNTS_MAX = 10_000

type Times = readonly number[]
const read = new WeakMap<VenueClient, LRUCache<string, Times>>()

/**
 * Counts a reading of the venue for an order. Refuses with `rate_limited` beyond the maximum of a minute, so that no account
 * uses up the weight of everybody's orders; opens take nothing from closes.
 */
export function requirePace(
  { venue, clock }: Pick<Context, 'venue' | 'clock'>,
  accountId: number,
  closing: boolean,
): void {
  const kind = closing ? 'closes' : 'opens'
  const all = read.get(venue) ?? new LRUCache<string, Times>({ max: ACCOUNTS_MAX })
  read.set(venue, all)
  const key = `${accountId} ${kind}`
  const now = clock.now().getTime()
  const times = (all.get(key) ?? []).filter((at) => at > now - MINUTE_MS)
  const [first = now] = times
  if (times.length >= READS_MAX[kind])
    refuse(common.rateLimited, `${READS_MAX[kind]} ${kind} of your account were planned or executed within a minute.`, {
      retry_at: new Date(first + MINUTE_MS).toISOString(),
    })
  all.set(key, [...times, now])
}
