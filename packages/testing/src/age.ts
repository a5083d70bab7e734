import { jetstreamManager } from '@nats-io/jetstream'
import { withClient } from '@svc/servers'
import type { Bus } from '@svc/service'
import { Redis } from 'ioredis'
import { eventually } from './eventually.ts'

const NANOS = 1_000_000
/** Shortest age that NATS accepts, milliseconds. */
const NATS_AGE_MS_MIN = 100
const KEYS_A_PAGE = 500

/** A column whose age Postgres measures by its own clock. */
export interface Aged {
  readonly schema: string
  readonly table: string
  readonly column: string
}

/**
 * Makes every row of a table older by `ms`, for ages that Postgres measures by its own clock (`now()`); ages that a
 * service measures by its injected clock need no hook. `superuserUrl` names the database. Returns the number of rows.
 */
export async function agePostgres(superuserUrl: string, { schema, table, column }: Aged, ms: number): Promise<number> {
  let moved: number | null = 0
  await withClient(superuserUrl, async (client) => {
    const [place, name] = [
      `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(table)}`,
      client.escapeIdentifier(column),
    ]
    const { rowCount } = await client.query(`UPDATE ${place} SET ${name} = ${name} - $1 * interval '1 millisecond'`, [
      ms,
    ])
    moved = rowCount
  })
  return moved
}

/** Shortens the remaining life of all keys of a Redis database by `ms`. Returns the number of keys that expired. */
export async function ageRedis(url: string, ms: number): Promise<number> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1 })
  let ended = 0
  try {
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'COUNT', KEYS_A_PAGE)
      for (const key of keys) {
        const left = await redis.pttl(key)
        // Negative: the key is gone or never expires.
        if (left < 0) continue
        if (left <= ms) ended += 1
        await redis.pexpire(key, Math.max(0, left - ms))
      }
      cursor = next
    } while (cursor !== '0')
  } finally {
    redis.disconnect()
  }
  return ended
}

/**
 * Makes the messages of a stream, and the ids that it rejects as duplicates, older by `ms`. The server measures both ages
 * by its real clock, so their limits are shortened until the server has dropped what expired, and then restored. The
 * pause before a redelivery cannot be shortened. `bus` needs the rights of the provisioner.
 */
export async function ageNats(bus: Bus, stream: string, ms: number): Promise<void> {
  const { streams } = await jetstreamManager(bus.connection, { checkAPI: false })
  const { config, state } = await streams.info(stream)
  const shortened = (nanos: number) => (nanos === 0 ? 0 : Math.max(NATS_AGE_MS_MIN * NANOS, nanos - ms * NANOS))
  const age = shortened(config.max_age)
  const window = shortened(config.duplicate_window)
  await streams.update(stream, { max_age: age, duplicate_window: age === 0 ? window : Math.min(age, window) })
  try {
    const oldest = Date.now() - Math.max(0, config.max_age / NANOS - ms)
    const isOld = (time: string) => age > 0 && new Date(time).getTime() < oldest
    if (state.messages > 0)
      await eventually(async () => {
        const { messages, first_ts } = (await streams.info(stream)).state
        return messages === 0 || !isOld(first_ts)
      })
  } finally {
    await streams.update(stream, { max_age: config.max_age, duplicate_window: config.duplicate_window })
  }
}
