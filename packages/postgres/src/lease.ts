import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** Postgres ends a leader's session, which releases its lock, after this time without a statement. */
export const SESSION_MS = 3_500
/**
 * A leader stops when its last answered heartbeat is this old, which is sooner than Postgres lets another process lead.
 */
export const HELD_MS = 3_000
export const BEAT_MS = 1_000
/** Maximum time of an answer: the rest of the lease after a pause. */
export const ANSWER_MS = HELD_MS - BEAT_MS
const RETRY_MS = 250
/** Time that a duty has to end before the lock is released or sought again. */
export const ENDING_MS = 5_000

/** Leadership of a named duty, held by at most one process at a time. */
export interface Lease {
  /** Ends the duty, waits for it up to 5 s, and lets the next process lead. */
  stop(): Promise<void>
}

/** The leader that started this work has lost its lease: another process may be doing the same work. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

const term = new AsyncLocalStorage<() => boolean>()

/** Throws `LeaseLost` inside work whose lease has expired since it began. Every pool calls it before each statement. */
export function assertLeading(): void {
  if (term.getStore()?.() === false) throw new LeaseLost('this process leads no longer')
}

/** Returns whether the lease of the surrounding work still holds; true outside such work. */
export const leads = (): boolean => term.getStore()?.() !== false

/** Runs work that sends no statement once `held` is false. */
export const underTerm = <T>(held: () => boolean, work: () => T): T => term.run(held, work)

/** Ends transactions of processes that stand still. */
export const endFrozenTransactions = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pg_has_role(current_user, usesysid, 'MEMBER') AND datname = current_database() AND state LIKE 'idle in transaction%'
    AND state_change < clock_timestamp() - interval '${HELD_MS} milliseconds'`

/** Work of a leader until `signal` aborts. Work inside `guard` sends no statement after the lease has expired. */
export type Duty = (signal: AbortSignal, guard: <T>(work: () => T) => T) => Promise<void>

/**
 * Seeks to become the only leader of `name`, and runs `duty` whenever it does. The lock is a session advisory lock on a
 * separate connection, which must lead to Postgres directly. If a leader is killed, frozen or cut off, another process
 * leads within 5 s, and the former leader cannot write when it resumes (docs/adr/0020).
 */
export const lead = (url: string, name: string, duty: Duty): Lease =>
  seekAgain((closing) => session(url, name, duty, closing))

/** Runs a session with a signal of its own again and again, whatever ended the one before, until the lease is stopped. */
export function seekAgain(session: (closing: AbortController) => Promise<void>): Lease {
  let closing = new AbortController()
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      closing = new AbortController()
      await session(closing).catch(() => {})
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

export const pause = (ms: number, signal?: AbortSignal) => delay(ms, undefined, signal && { signal }).catch(() => {})

/** Seeks the lock and holds it until the connection breaks or `closing` aborts. */
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
    // Not awaited: a connection that is cut off does not answer; it is destroyed.
    void client.end().catch(() => {})
  }
}

/**
 * Tries to acquire the lock. The new leader ends transactions of processes that stand still, because these would keep
 * their locks.
 */
async function take(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS got', [
    name,
  ])
  if (rows[0]?.got !== true) return false
  await client.query(endFrozenTransactions)
  return true
}

/** Runs the duty while heartbeats are answered in time. After `closing` aborts, continues until the duty has ended. */
async function hold(client: pg.Client, gainedAt: Reading, duty: Duty, closing: AbortSignal): Promise<void> {
  let asked = gainedAt
  let over = false
  const stop = new AbortController()
  /** Ends the pauses that are left: their timers keep a process alive that has nothing else to do. */
  const done = new AbortController()
  const closed = AbortSignal.any([closing, done.signal])
  const held = () => elapsed(asked) < HELD_MS
  const ended = duty(stop.signal, (work) => term.run(held, work)).finally(() => {
    over = true
    done.abort()
  })
  // It is awaited below; until then a failed duty is no unhandled rejection.
  ended.catch(() => {})
  try {
    for (let stoppedAt: Reading | null = null; !over;) {
      // Without a race against the duty: each race would leave a reaction behind for as long as the duty runs, which is weeks.
      await pause(BEAT_MS, stoppedAt === null ? closed : done.signal)
      const asking = reading()
      await client.query('SELECT 1')
      if (!held() || (stoppedAt !== null && elapsed(stoppedAt) > ENDING_MS)) break
      asked = asking
      if (!closing.aborted || stoppedAt !== null) continue
      stoppedAt = asking
      stop.abort()
    }
    if (over) await ended
  } finally {
    // Work that still runs has no lease: it can only read the rows that it has and end.
    if (!over) asked = NEVER
    stop.abort()
    await Promise.race([ended, pause(ENDING_MS, done.signal)])
    done.abort()
  }
}

/**
 * A reading of both clocks: the monotonic clock may stop while a machine sleeps, and the wall clock may be set back.
 */
export type Reading = readonly [monotonic: number, wall: number]
const NEVER: Reading = [-Infinity, -Infinity]
export const reading = (): Reading => [performance.now(), Date.now()]
export const elapsed = ([monotonic, wall]: Reading) => Math.max(performance.now() - monotonic, Date.now() - wall)
