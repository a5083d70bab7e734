import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** Workers on whom a clause depends. */
export type Worker = 'mark' | 'stop_line'

/** Runs that may be missed before a worker counts as gone, and the seconds that a run may take. */
const RUNS_MISSED_MAX = 3
const RUN_SEC = 60

/** Notes a run of a worker. */
export async function noteRun(db: Db, worker: Worker, live: boolean, everySec: number, at: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO worker (name, live, every_sec, seen_at) VALUES (${worker}, ${live}, ${everySec}, ${at.toISOString()})
    ON CONFLICT (name) DO UPDATE SET live = excluded.live, every_sec = excluded.every_sec, seen_at = excluded.seen_at`)
}

/** Workers that run and act: their newest run was live and is not older than a few of their periods. */
export async function liveWorkers(db: Db, now: Date): Promise<ReadonlySet<string>> {
  const names = await db.anyFirst(sql.type(z.object({ name: z.string() }))`
    SELECT name FROM worker
    WHERE live AND seen_at > ${now.toISOString()}::timestamptz - make_interval(secs => every_sec * ${RUNS_MISSED_MAX} + ${RUN_SEC})`)
  return new Set(names)
}
