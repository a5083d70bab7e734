import type { WorkerSeen } from '@svc/contracts/common/heartbeat'
import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Gap } from '../rules/gaps.ts'

const row = z.object({
  service: z.string(),
  job: z.string(),
  live: z.boolean(),
  every_sec: z.number(),
  due_at: z.string(),
  last_run_at: z.string(),
  last_ok_at: z.string().nullable(),
  last_live_at: z.string().nullable(),
  figures: z.record(z.string(), z.union([z.number(), z.string(), z.null()])),
  first_seen_at: z.string(),
  told_at: z.string(),
})
/** A job as its service told of it last. */
export type Worker = z.output<typeof row>

/** Returns all jobs that were ever told of, by service and name. */
export function allWorkers(db: Db): Promise<readonly Worker[]> {
  return db.any(sql.type(row)`SELECT * FROM worker ORDER BY service, job LIMIT 1000`)
}

/** Returns the jobs of a service, locked in their order until the transaction ends. */
export function lockWorkers(tx: Tx, service: string): Promise<readonly Worker[]> {
  return tx.any(sql.type(row)`SELECT * FROM worker WHERE service = ${service} ORDER BY job FOR UPDATE`)
}

/** Stores what a service told at a time; rows that were told later stay. */
export async function storeWorkers(
  tx: Tx,
  service: string,
  workers: readonly WorkerSeen[],
  toldAt: string,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO worker AS known (service, job, live, every_sec, due_at, last_run_at, last_ok_at, last_live_at, figures,
      first_seen_at, told_at)
    SELECT ${service}, job, live, every_sec, due_at, last_run_at, last_ok_at, CASE WHEN live THEN last_ok_at END, figures,
      last_run_at, ${toldAt}
    FROM json_to_recordset(${JSON.stringify(workers)}::json) AS r (job text, live boolean, every_sec double precision,
      due_at timestamptz, last_run_at timestamptz, last_ok_at timestamptz, figures jsonb)
    ORDER BY job
    ON CONFLICT (service, job) DO UPDATE SET live = excluded.live, every_sec = excluded.every_sec, due_at = excluded.due_at,
      last_run_at = excluded.last_run_at, last_ok_at = coalesce(excluded.last_ok_at, known.last_ok_at),
      last_live_at = coalesce(excluded.last_live_at, known.last_live_at), figures = excluded.figures, told_at = excluded.told_at
      WHERE known.told_at <= excluded.told_at`)
}

const gaps = table('worker_gap', { service: z.string(), job: z.string(), began_at: z.string(), ended_at: z.string() })
/** A time in which a worker did not run. */
export type WorkerGap = RowOf<typeof gaps>

/** Days for which gaps are kept. */
const GAP_DAYS = 40

/** Stores that a worker did not run for a time, and deletes gaps that are long past. */
export async function storeGap(tx: Tx, service: string, job: string, { fromMs, toMs }: Gap): Promise<void> {
  const [began_at, ended_at] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  await tx.query(sql.unsafe`
    ${gaps.insert({ service, job, began_at, ended_at })}
    ON CONFLICT (service, job, began_at) DO UPDATE SET ended_at = greatest(worker_gap.ended_at, excluded.ended_at)`)
  await tx.query(sql.unsafe`
    DELETE FROM worker_gap WHERE ended_at < ${ended_at}::timestamptz - make_interval(days => ${GAP_DAYS})`)
}

/** Returns the gaps that ended after a time, oldest first. */
export function gapsSince(db: Db, since: Date): Promise<readonly WorkerGap[]> {
  return db.any(sql.type(gaps.row)`
    SELECT ${gaps.list} FROM worker_gap WHERE ended_at > ${since.toISOString()}
    ORDER BY began_at LIMIT 100000`)
}
