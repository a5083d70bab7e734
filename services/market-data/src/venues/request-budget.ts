import type { Venue } from '@svc/contracts/market-data/board'
import type { Redis } from 'ioredis'
import { VenueError, type Priority } from './rules/venue.ts'
import type { VenueLimits } from './venue-limits.ts'

/** Share of a full bucket that must stay for those who come before. */
const RESERVE: Record<Priority, number> = { priority: 0, rotation: 0.25, backfill: 0.6 }

/**
 * Share of a window's units that may be used at once. A full bucket and what flows in during a window must not exceed
 * what the venue allows in any window; the limits leave a fifth for it.
 */
const BURST_SHARE = 0.25

/** Units that may be used at once. */
export const burstOf = ({ units }: Pick<VenueLimits, 'units'>): number => Math.max(1, Math.floor(units * BURST_SHARE))

/** Longest that one answer of a venue can close its budget. */
const CLOSED_MS_MAX = 3_600_000

/** A bucket that nobody touched for so long is full again and may be forgotten. */
const FORGET_MS = 7_200_000

/**
 * Token bucket in one step, by the clock of Redis. Answers 0 when the cost was taken, else the milliseconds to wait.
 * A cost above what the reserve leaves is let in once the bucket is full, so that no call can starve for ever.
 */
const TAKE = `
local bucket = redis.call('HMGET', KEYS[1], 'units', 'at', 'closed')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, perMs, cost, reserve = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local closed = tonumber(bucket[3] or '0')
if closed > now then return closed - now end
local units = math.min(capacity, tonumber(bucket[1] or capacity) + (now - tonumber(bucket[2] or now)) * perMs)
local needed = math.min(cost + reserve, capacity)
if units < needed then return math.ceil((needed - units) / perMs) end
redis.call('HSET', KEYS[1], 'units', tostring(units - cost), 'at', now)
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 0`

const CLOSE = `
local time = redis.call('TIME')
local until_ms = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
local closed = tonumber(redis.call('HGET', KEYS[1], 'closed') or '0')
if until_ms > closed then redis.call('HSET', KEYS[1], 'closed', until_ms) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 0`

/** The allowance of one venue, shared by all processes behind one address. */
export interface RequestBudget {
  /** Takes `cost` units, waiting at most `waitMs` for them; else rejects with `VenueError` of class `budget`. */
  take(cost: number, priority: Priority, waitMs: number): Promise<void>
  /** Closes the budget for everybody: the venue said to wait. */
  close(forMs: number): Promise<void>
  /** Milliseconds for which it stays closed; 0 when open. */
  closedForMs(): Promise<number>
}

/** Opens the budget of a venue. Without Redis nothing is taken: an unknown allowance is none. */
export function requestBudget(redis: Redis, exchange: Venue, address: string, limits: VenueLimits): RequestBudget {
  const key = `md:budget:${exchange}:${address}`
  const perMs = limits.units / limits.windowMs
  const burst = burstOf(limits)
  const ask = async (cost: number, reserve: number) =>
    Number(await redis.eval(TAKE, 1, key, burst, perMs, cost, reserve, FORGET_MS))
  const attempt = async (cost: number, priority: Priority) => {
    const reserve = Math.floor(burst * RESERVE[priority])
    try {
      // When this process stood still for longer than a command may take, all that it had under way ends with a
      // timeout although the answers are there. Asked again, a call may take its cost twice, never more than it may.
      return await ask(cost, reserve).catch(() => ask(cost, reserve))
    } catch (error) {
      throw new VenueError(exchange, 'budget', 'the request budget cannot be read', 1_000, { cause: error })
    }
  }
  const takeBy = async (cost: number, priority: Priority, deadline: number) => {
    for (;;) {
      const wait = await attempt(cost, priority)
      if (wait === 0) return
      if (performance.now() + wait > deadline)
        throw new VenueError(exchange, 'budget', `no allowance for ${wait} ms`, wait)
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  // Those who wait go one after the other: if all tried at once, whoever has waited longest could go without.
  const tails = new Map<Priority, Promise<void>>()
  return {
    take: (cost, priority, waitMs) => {
      const deadline = performance.now() + waitMs
      const turn = (tails.get(priority) ?? Promise.resolve()).then(() => takeBy(cost, priority, deadline))
      tails.set(
        priority,
        turn.catch(() => {}),
      )
      return turn
    },
    close: async (forMs) => {
      await redis.eval(CLOSE, 1, key, Math.min(Math.max(forMs, 1_000), CLOSED_MS_MAX), FORGET_MS)
    },
    closedForMs: async () => {
      const [closed, time] = await Promise.all([redis.hget(key, 'closed'), redis.time()])
      return Math.max(0, Number(closed ?? 0) - (Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000)))
    },
  }
}
