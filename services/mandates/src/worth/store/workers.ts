import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

/** Workers on which clauses depend. */
export type Worker = 'mark' | 'stopLine'

/** Number of runs that a worker may miss, and seconds that a run may take, before the worker counts as gone. */
const RUNS_MISSED_MAX = 3
const RUN_SEC = 60

/** Stores a run of a worker. */
export async function noteRun(db: Db, worker: Worker, live: boolean, everySec: number, at: Date): Promise<void> {
  await db.query(sql.unsafe`
    INSERT INTO worker (name, live, every_sec, seen_at) VALUES (${worker}, ${live}, ${everySec}, ${at.toISOString()})
    ON CONFLICT (name) DO UPDATE SET live = excluded.live, every_sec = excluded.every_sec, seen_at = excluded.seen_at`)
}

const nameRow = z.object({ name: z.string() })

/** Returns the workers that run and act: their newest run was live and is at most a few periods old. */
export async function liveWorkers(db: Db, now: Date): Promise<ReadonlySet<string>> {
  const names = await db.anyFirst(sql.type(nameRow)`
    SELECT name FROM worker
    WHERE live AND seen_at > ${now.toISOString()}::timestamptz - make_interval(secs => every_sec * ${RUNS_MISSED_MAX} + ${RUN_SEC})`)
  return new Set(names)
}
