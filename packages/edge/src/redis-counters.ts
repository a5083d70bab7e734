import type { Redis } from 'ioredis'
import type { Counters } from './limiter.ts'

const TAKE = `
local used = redis.call('GET', KEYS[1])
if not used then
  if ARGV[4] == '1' then return {-1, 0} end
  used = 0
  redis.call('SET', KEYS[1], 0, 'EX', ARGV[3])
end
used = tonumber(used)
local granted = math.min(tonumber(ARGV[1]), tonumber(ARGV[2]) - used)
if granted <= 0 then return {0, used} end
return {granted, redis.call('INCRBY', KEYS[1], granted)}`

interface WithTake {
  gwTake(key: string, want: number, limit: number, ttl: number, durable: string): Promise<[number, number]>
}

/** Counters in Redis under `gw:`; each call is one round trip. */
export function redisCounters(redis: Redis): Counters {
  redis.defineCommand('gwTake', { numberOfKeys: 1, lua: TAKE })
  const scripted = redis as unknown as WithTake
  return {
    take: async (key, want, limit, ttlSec, durable) => {
      const [granted, used] = await scripted.gwTake(`gw:${key}`, want, limit, ttlSec, durable ? '1' : '0')
      return granted < 0 ? null : { granted, used }
    },
    seed: async (key, used, ttlSec) => {
      await redis.set(`gw:${key}`, used, 'EX', ttlSec, 'NX')
    },
    giveBack: async (key, count) => {
      await redis.decrby(`gw:${key}`, count)
    },
  }
}
