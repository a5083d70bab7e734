import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { leakOnce, type ProcessLeak } from './leaks.ts'
import { sampleAtRest } from './sampling.ts'

/** First message to a process that works and leaks; each later message asks for a sample. */
export interface LeakStart {
  readonly kind: ProcessLeak | null
  readonly postgresUrl: string
}

/** Uses heap, listeners, timers, sockets and connections, and gives all of them back. */
async function work(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const ending = new AbortController()
  const pauses = Array.from({ length: 20 }, (_, at) => delay(at, at, { signal: ending.signal }))
  await client.query(`SELECT repeat('x', 100000)`)
  await Promise.all(pauses)
  await client.end()
}

process.once('message', ({ kind, postgresUrl }: LeakStart) => {
  process.on('message', () => {
    void work(postgresUrl)
      .then(() => (kind === null ? undefined : leakOnce(kind, postgresUrl)))
      .then(sampleAtRest)
      .then((sample) => process.send?.(sample))
  })
  process.send?.('ready')
})
process.on('disconnect', () => process.exit(0))
