import pg from 'pg'
import {
  ANSWER_MS,
  BEAT_MS,
  elapsed,
  endFrozenTransactions,
  ENDING_MS,
  HELD_MS,
  pause,
  reading,
  seekAgain,
  SESSION_MS,
  underTerm,
  type Lease,
  type Reading,
} from './lease.ts'
import { sharePlan } from './share-plan.ts'

/** Work on the held names until `signal` aborts. Work inside `guard` sends no statement after the lease has expired. */
export type ShareDuty = (names: readonly string[], signal: AbortSignal, guard: <T>(work: () => T) => T) => Promise<void>

interface Shared {
  readonly group: string
  readonly names: readonly string[]
  readonly duty: ShareDuty
}

/** Locks of a group, as `pg_locks` shows keys of two integers. */
const LOOK = `
  WITH lock AS (
    SELECT classid::bigint AS class, objid::bigint AS object, mode FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  )
  SELECT (SELECT count(*)::int FROM lock WHERE mode = 'ShareLock' AND class = hashtext($1)::bigint & 4294967295
      AND object = hashtext($2)::bigint & 4294967295) AS instances,
    ARRAY(SELECT name FROM unnest($3::text[]) AS name WHERE NOT EXISTS (
      SELECT FROM lock WHERE mode = 'ExclusiveLock' AND class = hashtext($1)::bigint & 4294967295
        AND object = hashtext(name)::bigint & 4294967295)) AS free`

/**
 * Shares a list of names among the processes that seek it: each name is held by at most one of them, and each process
 * holds an equal part. Runs `duty` on the held names, and again whenever they change. Locks are those of a session of
 * Postgres, with the heartbeat and the fence of `lead`: names of a process that is killed, frozen or cut off are taken
 * over within 6 s, and that process cannot write when it resumes (docs/adr/0034).
 */
export function share(url: string, group: string, names: readonly string[], duty: ShareDuty): Lease {
  if (names.length === 0) return { stop: async () => {} }
  return seekAgain((closing) => session(url, { group, names: names.toSorted(), duty }, closing))
}

/** Seeks and holds names until the connection breaks or `closing` aborts. */
async function session(url: string, shared: Shared, closing: AbortController): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS })
  for (const end of ['error', 'end'] as const) client.on(end, () => closing.abort())
  try {
    await client.connect()
    await client.query(`SET idle_session_timeout = ${SESSION_MS}`)
    // Processes with another list do not count: what they may not hold must not be left to them.
    const list = shared.names.join(',')
    await client.query('SELECT pg_advisory_lock_shared(hashtext($1), hashtext($2))', [shared.group, list])
    await hold(client, { ...shared, list }, closing.signal)
  } finally {
    // Not awaited: a connection that is cut off does not answer; it is destroyed.
    void client.end().catch(() => {})
  }
}

/** One run of the duty on an unchanging set of names. */
interface Run {
  /** Aborts the work; resolves when it has ended, and rejects if it failed. */
  readonly stop: AbortController
  readonly ended: Promise<void>
  over: boolean
  /** Aborts when the run is over or the session closes, and with it the pause between two heartbeats. */
  readonly noPause: AbortSignal
  /** Takes the right to write from work that did not end in time. */
  revoke(): void
}

async function hold(
  client: pg.Client,
  { group, names, duty, list }: Shared & { readonly list: string },
  closing: AbortSignal,
): Promise<void> {
  let asked: Reading = reading()
  const fresh = () => elapsed(asked) < HELD_MS
  /** Asks Postgres and renews the lease with the answer. Throws if it came too late. */
  const ask = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> => {
    const asking = reading()
    const { rows } = await client.query<T>(text, [...values])
    if (!fresh()) throw new Error('the lease has expired')
    asked = asking
    return rows
  }
  let held: readonly string[] = []
  let run: Run | null = null
  /** Ends the run, at most 5 s after it was told to; the lease is renewed meanwhile. */
  const end = async (ending: Run | null) => {
    if (ending === null) return
    ending.stop.abort()
    const begun = reading()
    while (!ending.over && elapsed(begun) < ENDING_MS) {
      await Promise.race([ending.ended, pause(BEAT_MS)])
      await ask('SELECT 1')
    }
    ending.revoke()
  }
  try {
    while (!closing.aborted) {
      const [seen] = await ask<{ instances: number; free: string[] }>(LOOK, [group, list, names])
      const { drop, seek } = sharePlan({ names, held, instances: 1, free: [], ...seen })
      const won = seek.length === 0 ? [] : await take(ask, group, seek)
      if (drop.length + won.length > 0) {
        await end(run)
        if (drop.length > 0)
          await ask('SELECT pg_advisory_unlock(hashtext($1), hashtext(name)) FROM unnest($2::text[]) AS name', [
            group,
            drop,
          ])
        held = [...held.filter((name) => !drop.includes(name)), ...won]
        run = held.length === 0 ? null : begin(duty, held, fresh, closing)
      }
      // A race against the run would leave a reaction behind at each heartbeat, for as long as the run lasts.
      await pause(BEAT_MS, run === null || run.over ? closing : run.noPause)
      if (run?.over === true) await run.ended
    }
    await end(run)
  } finally {
    run?.revoke()
    run?.stop.abort()
    if (run !== null) await Promise.race([run.ended.catch(() => {}), pause(ENDING_MS)])
  }
}

function begin(duty: ShareDuty, names: readonly string[], fresh: () => boolean, closing: AbortSignal): Run {
  const stop = new AbortController()
  const done = new AbortController()
  let valid = true
  const run: Run = {
    stop,
    over: false,
    noPause: AbortSignal.any([closing, done.signal]),
    revoke: () => {
      valid = false
    },
    ended: duty(names, stop.signal, (work) => underTerm(() => valid && fresh(), work)).finally(() => {
      run.over = true
      done.abort()
    }),
  }
  // Whoever waits for the run sees its failure.
  run.ended.catch(() => {})
  return run
}

/** Tries to lock names; returns those that were free. Ends transactions of processes that stand still, which keep locks. */
async function take(
  ask: <T extends object>(text: string, values?: readonly unknown[]) => Promise<T[]>,
  group: string,
  seek: readonly string[],
): Promise<readonly string[]> {
  const rows = await ask<{ name: string; got: boolean }>(
    'SELECT name, pg_try_advisory_lock(hashtext($1), hashtext(name)) AS got FROM unnest($2::text[]) AS name',
    [group, seek],
  )
  const won = rows.filter(({ got }) => got).map(({ name }) => name)
  if (won.length > 0) await ask(endFrozenTransactions)
  return won
}
