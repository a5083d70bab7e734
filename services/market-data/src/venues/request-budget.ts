import { setTimeout as delay } from 'node:timers/promises'
import { partsOf, type Cost, type Pool, type VenueFile } from '@svc/contracts/market-data/venue-file'
import type { Redis } from 'ioredis'
import { VenueError, type Priority } from './rules/venue.ts'

/** Share of a full bucket that is reserved for higher priorities. */
const RESERVE: Record<Priority, number> = { priority: 0, rotation: 0.25, backfill: 0.6 }

/**
 * Share of a window's units that may be used at once. A full bucket and the units that flow in during a window must not
 * exceed the limit of the venue; the pools of its file are four fifths of the published limits for that reason.
 */
const BURST_SHARE = 0.25

/** Returns how many units may be used at once. */
export const burstOf = ({ units }: Pick<Pool, 'units'>): number => Math.max(1, Math.floor(units * BURST_SHARE))

/** Longest time for which one answer of a venue can close its budget: the longest ban that a venue documents, three days. */
const CLOSED_MS_MAX = 259_200_000

/** A bucket that was not used for this time is full and may be deleted. */
const FORGET_MS = 7_200_000

/**
 * Token bucket in one step, by the clock of Redis. Returns 0 if the cost was taken, else the milliseconds to wait. A cost
 * above the unreserved part is admitted when the bucket is full, so that no call starves.
 */
const TAKE = `
local bucket = redis.call('HMGET', KEYS[1], 'units', 'at')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, perMs, cost, reserve = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local closed = tonumber(redis.call('HGET', KEYS[2], 'closed') or '0')
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

/** The allowance of one venue in its pools, shared by all processes behind one address. */
export interface RequestBudget {
  /** Takes a cost from its pool, waiting at most `waitMs`. Rejects with `VenueError` of class `budget` after that. */
  take(cost: Cost, priority: Priority, waitMs: number): Promise<void>
  /** Closes all pools for all processes, because the venue demanded a pause. */
  close(forMs: number): Promise<void>
  /** Returns the milliseconds for which the budget stays closed; 0 if it is open. */
  closedForMs(): Promise<number>
}

/** Opens the budget of a venue. Without Redis every call is rejected, because the allowance is unknown. */
export function requestBudget(
  redis: Redis,
  exchange: string,
  address: string,
  pools: VenueFile['pools'],
): RequestBudget {
  const key = `md:budget:${exchange}:${address}`
  const attempt = async (cost: Cost, priority: Priority) => {
    const { pool: name, units } = partsOf(cost)
    const pool = pools[name]
    if (pool === undefined) throw new RangeError(`${exchange} has no pool ${name}`)
    const burst = burstOf(pool)
    const poolKey = name === 'main' ? key : `${key}:${name}`
    const perMs = pool.units / pool.windowMs
    const reserve = Math.floor(burst * RESERVE[priority])
    const ask = async () => Number(await redis.eval(TAKE, 2, poolKey, key, burst, perMs, units, reserve, FORGET_MS))
    try {
      // If this process was suspended for longer than the timeout of a command, all pending commands time out although
      // their answers have arrived. A second try may take the cost twice, but never exceeds the allowance.
      return await ask().catch(ask)
    } catch (error) {
      throw new VenueError(exchange, 'budget', 'the request budget cannot be read', 1_000, { cause: error })
    }
  }
  const takeBy = async (cost: Cost, priority: Priority, deadline: number) => {
    for (;;) {
      const wait = await attempt(cost, priority)
      if (wait === 0) return
      if (performance.now() + wait > deadline)
        throw new VenueError(exchange, 'budget', `no allowance for ${wait} ms`, wait)
      await delay(wait)
    }
  }
  // Calls wait in a queue: if all tried at the same time, the call that has waited longest could get nothing.
  const tails = new Map<string, Promise<void>>()
  return {
    take: (cost, priority, waitMs) => {
      const deadline = performance.now() + waitMs
      const queue = `${partsOf(cost).pool} ${priority}`
      const turn = (tails.get(queue) ?? Promise.resolve()).then(() => takeBy(cost, priority, deadline))
      tails.set(
        queue,
        turn.catch(() => {}),
      )
      return turn
    },
    close: async (forMs) => {
      const closedMs = Math.ceil(Math.min(Math.max(forMs, 1_000), CLOSED_MS_MAX))
      await redis.eval(CLOSE, 1, key, closedMs, closedMs + FORGET_MS)
    },
    closedForMs: async () => {
      const [closed, time] = await Promise.all([redis.hget(key, 'closed'), redis.time()])
      return Math.max(0, Number(closed ?? 0) - (Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000)))
    },
  }
}
