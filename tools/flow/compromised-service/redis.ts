import type { Environment } from '@svc/contract'
import { Redis } from 'ioredis'

/** Commands that reveal, take or break data of other users; `foreign` is another user's key. */
const attacks = (foreign: string): readonly (readonly [string, ...string[]])[] => [
  ['SCAN', '0', 'COUNT', '1000'],
  ['KEYS', '*'],
  ['RANDOMKEY'],
  ['DBSIZE'],
  ['GET', foreign],
  ['EXISTS', foreign],
  ['TYPE', foreign],
  ['TTL', foreign],
  ['TOUCH', foreign],
  ['DUMP', foreign],
  ['STRLEN', foreign],
  ['OBJECT', 'ENCODING', foreign],
  ['MEMORY', 'USAGE', foreign],
  ['SET', foreign, 'stolen'],
  ['DEL', foreign],
  ['UNLINK', foreign],
  ['EXPIRE', foreign, '1'],
  ['RENAME', foreign, 'gone'],
  ['COPY', foreign, 'gone'],
  ['MOVE', foreign, '1'],
  ['SORT', foreign, 'BY', '*'],
  ['EVAL', "return redis.call('GET', KEYS[1])", '1', foreign],
  ['EVAL', `return redis.call('GET', '${foreign}')`, '0'],
  ['EVAL', "return redis.call('SCAN', '0', 'COUNT', '1000')", '0'],
  ['EVAL', "return redis.call('RANDOMKEY')", '0'],
  ['EVAL', "return redis.call('KEYS', '*')", '0'],
  ['SCRIPT', 'FLUSH'],
  ['SCRIPT', 'KILL'],
  ['FUNCTION', 'LIST'],
  ['FUNCTION', 'FLUSH'],
  ['FUNCTION', 'LOAD', "#!lua name=planted\nredis.register_function('planted', function() return 1 end)"],
  ['FLUSHALL'],
  ['FLUSHDB'],
  ['SWAPDB', '0', '1'],
  ['CONFIG', 'GET', '*'],
  ['CONFIG', 'SET', 'maxmemory', '1'],
  ['CLIENT', 'LIST'],
  ['CLIENT', 'KILL', 'TYPE', 'normal'],
  ['CLIENT', 'PAUSE', '1'],
  ['PUBSUB', 'CHANNELS'],
  ['PUBSUB', 'NUMPAT'],
  ['PUBLISH', 'other:channel', 'x'],
  ['PUBLISH', '__keyspace@0__:x', 'x'],
  ['ACL', 'LIST'],
  ['ACL', 'USERS'],
  ['ACL', 'GETUSER', 'default'],
  ['ACL', 'SETUSER', 'intruder', 'on', 'nopass', '~*', '+@all'],
  ['MONITOR'],
  ['SLOWLOG', 'GET'],
  ['LATENCY', 'LATEST'],
  ['DEBUG', 'OBJECT', foreign],
  ['MODULE', 'LIST'],
  ['REPLICAOF', '127.0.0.1', '1'],
  ['BGSAVE'],
  ['SHUTDOWN', 'NOSAVE'],
  ['AUTH', 'default', ''],
]

/** Returns the forbidden commands that a Redis user could run. */
export async function attackRedis(environment: Environment, foreign: string): Promise<readonly string[]> {
  const url = environment['SVC_REDIS_URL']
  if (url === undefined) return []
  const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0, enableReadyCheck: false })
  redis.on('error', () => {})
  const allowed: string[] = []
  const answered = async ([command, ...words]: readonly [string, ...string[]]) =>
    redis.call(command, ...words).then(
      () => true,
      () => false,
    )
  try {
    // A service without a Redis user cannot connect.
    if (!(await answered(['PING']))) return []
    for (const attack of attacks(foreign)) if (await answered(attack)) allowed.push(attack.join(' ').slice(0, 60))
    // Invalidation messages name keys; without a prefix they name those of all users.
    const id = String(await redis.call('CLIENT', 'ID'))
    if (await answered(['CLIENT', 'TRACKING', 'ON', 'REDIRECT', id, 'BCAST'])) allowed.push('CLIENT TRACKING BCAST')
    for (const pattern of ['*', '__key*__:*']) {
      const listener = redis.duplicate()
      listener.on('error', () => {})
      await listener.psubscribe(pattern).then(
        () => allowed.push(`PSUBSCRIBE ${pattern}`),
        () => {},
      )
      listener.disconnect()
    }
  } finally {
    redis.disconnect()
  }
  return allowed
}
