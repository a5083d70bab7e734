import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** Postgres ends the session of a leader that sends nothing for so long, and with it the lock. */
const SESSION_MS = 3_500
/** A leader stops when its last answered question is so old: sooner than Postgres lets another one lead. */
const HELD_MS = 3_000
const BEAT_MS = 1_000
/** So long an answer may take: what the lease has left after a pause. */
const ANSWER_MS = HELD_MS - BEAT_MS
const RETRY_MS = 250
/** How long a duty may take to end before the lock is given up or sought again. */
const ENDING_MS = 5_000

/** Leadership of one named duty, held by at most one process at a time. */
export interface Lease {
  /** Ends the duty, waits up to 5 s for that, and lets the next process lead. */
  stop(): Promise<void>
}

/** The work was started by a leader that leads no longer: another process may be doing it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

const term = new AsyncLocalStorage<() => boolean>()

/** Throws `LeaseLost` in work whose lease has run out since it began; every pool asks before each statement. */
export function assertLeading(): void {
  if (term.getStore()?.() === false) throw new LeaseLost('this process leads no longer')
}

/** What a leader does until `signal` aborts. Work within `guard` sends no statement once the lease has run out. */
export type Duty = (signal: AbortSignal, guard: <T>(work: () => T) => T) => Promise<void>

/**
 * Keeps trying to become the one leader of `name`, by a session advisory lock on a connection of its own that must lead
 * to Postgres directly, and runs `duty` at each gain. When a leader is killed, frozen or cut off, another one leads
 * within 5 s, and the former one cannot write when it wakes (docs/adr/0020).
 */
export function lead(url: string, name: string, duty: Duty): Lease {
  let closing = new AbortController()
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      closing = new AbortController()
      await session(url, name, duty, closing).catch(() => {})
      if (!stopped) await pause(RETRY_MS)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      closing.abort()
      await running
    },
  }
}

const pause = (ms: number, signal?: AbortSignal) => delay(ms, undefined, signal && { signal }).catch(() => {})

/** Seeks the lock, and holds it, until the connection breaks or `closing` aborts. */
async function session(url: string, name: string, duty: Duty, closing: AbortController): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS })
  for (const end of ['error', 'end'] as const) client.on(end, () => closing.abort())
  try {
    await client.connect()
    await client.query(`SET idle_session_timeout = ${SESSION_MS}`)
    while (!closing.signal.aborted) {
      const asked = reading()
      if (await take(client, name)) return await hold(client, asked, duty, closing.signal)
      await pause(RETRY_MS, closing.signal)
    }
  } finally {
    // Not waited for: a connection that is cut off does not answer, and what is left of it is destroyed.
    void client.end().catch(() => {})
  }
}

/** Tries to take the lock. The new leader ends transactions in which a process stands still: it would hold their locks. */
async function take(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS got', [
    name,
  ])
  if (rows[0]?.got !== true) return false
  await client.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE usename = current_user AND datname = current_database() AND state LIKE 'idle in transaction%'
      AND state_change < clock_timestamp() - interval '${HELD_MS} milliseconds'`)
  return true
}

/** Does the duty while questions are answered in time; when `closing` aborts, until the duty has ended. */
async function hold(client: pg.Client, gainedAt: Reading, duty: Duty, closing: AbortSignal): Promise<void> {
  let asked = gainedAt
  let over = false
  const stop = new AbortController()
  const held = () => elapsed(asked) < HELD_MS
  const ended = duty(stop.signal, (work) => term.run(held, work)).finally(() => {
    over = true
  })
  try {
    for (let stoppedAt: Reading | null = null; !over;) {
      await Promise.race([ended, stoppedAt === null ? pause(BEAT_MS, closing) : pause(BEAT_MS)])
      const asking = reading()
      await client.query('SELECT 1')
      if (!held() || (stoppedAt !== null && elapsed(stoppedAt) > ENDING_MS)) break
      asked = asking
      if (!closing.aborted || stoppedAt !== null) continue
      stoppedAt = asking
      stop.abort()
    }
  } finally {
    // What runs on has no lease: it can only read what it has and end.
    if (!over) asked = NEVER
    stop.abort()
    await Promise.race([ended, pause(ENDING_MS)])
  }
}

/** A reading of both clocks: the monotonic one may stand still while a machine sleeps, the other one may be set back. */
type Reading = readonly [monotonic: number, wall: number]
const NEVER: Reading = [-Infinity, -Infinity]
const reading = (): Reading => [performance.now(), Date.now()]
const elapsed = ([monotonic, wall]: Reading) => Math.max(performance.now() - monotonic, Date.now() - wall)
