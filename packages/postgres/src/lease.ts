import pg from 'pg'

/** Leadership of one named duty, held by at most one process at a time. */
export interface Lease {
  /** True while this process holds the lock; false at once when its connection breaks. */
  held(): boolean
  stop(): Promise<void>
}

/**
 * Keeps trying to become the one leader of `name`, by a session advisory lock on a connection of
 * its own. `onGain` runs at each gain; its signal aborts when leadership or the process ends.
 */
export function lead(url: string, name: string, onGain: (signal: AbortSignal) => void, retryMs = 250): Lease {
  let leading: AbortController | null = null
  let client: pg.Client | null = null
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const lose = () => {
    leading?.abort()
    leading = null
    client?.end().catch(() => {})
    client = null
  }
  const attempt = async () => {
    if (client === null) {
      const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 3000 })
      fresh.on('error', lose)
      fresh.on('end', lose)
      await fresh.connect()
      client = fresh
    }
    if (leading === null) {
      const answer = await client.query<{ got: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS got',
        [name],
      )
      if (answer.rows[0]?.got === true && !stopped) {
        leading = new AbortController()
        onGain(leading.signal)
      }
    }
  }
  const loop = () => {
    attempt()
      .catch(lose)
      .finally(() => {
        if (!stopped) timer = setTimeout(loop, retryMs)
      })
  }
  loop()
  return {
    held: () => leading !== null,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      const connection = client
      leading?.abort()
      leading = null
      client = null
      await connection?.end().catch(() => {})
    },
  }
}
