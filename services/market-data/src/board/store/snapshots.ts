import { instant, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const source = z.enum(['live', 'replay', 'mixed'])
const heads = table('board_snapshot', {
  id: z.number(),
  computed_at: z.string(),
  formula_version: z.string(),
  source,
  graded: z.number(),
  inputs_sha256: z.string(),
})
const snapshots = table('board_snapshot', { ...heads.columns, rows: z.instanceof(Buffer) })
export type SnapshotHead = RowOf<typeof heads>

const idRow = z.object({ id: z.number() })

/** Returns the id of the newest snapshot; null before the first. */
export async function newestSnapshotId(db: Db): Promise<number | null> {
  return db.maybeOneFirst(sql.prepared('newest_snapshot', idRow)`
    SELECT id FROM board_snapshot ORDER BY id DESC LIMIT 1`)
}

/** A snapshot with its compressed rows. */
export async function readSnapshot(db: Db, id: number): Promise<RowOf<typeof snapshots> | null> {
  return db.maybeOne(sql.type(snapshots.row)`
    SELECT ${snapshots.list} FROM board_snapshot WHERE id = ${id}`)
}

const newSnapshots = table('board_snapshot', {
  computedAt: instant,
  formulaVersion: z.string(),
  source,
  tokens: z.number(),
  graded: z.number(),
  inputs: z.instanceof(Buffer),
  inputsSha256: z.string(),
  rows: z.instanceof(Buffer),
})
export type NewSnapshot = RowOf<typeof newSnapshots>

/**
 * Stores a snapshot that follows `previous`; null if another snapshot was stored in between. The lock serializes writers,
 * so that every snapshot continues the state of its predecessor.
 */
export async function insertSnapshot(tx: Tx, previous: number | null, made: NewSnapshot): Promise<number | null> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended('market_data.board_snapshot', 0))`)
  if ((await newestSnapshotId(tx)) !== previous) return null
  return tx.oneFirst(sql.type(idRow)`
    ${newSnapshots.insert(made)} RETURNING id`)
}

/** Deletes snapshots: all of the last two hours are kept, then one per hour for a week. */
export async function forgetSnapshots(db: Db, now: Date, max: number): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    DELETE FROM board_snapshot WHERE id IN (
      SELECT id FROM (
        SELECT id, computed_at, row_number() OVER (PARTITION BY date_trunc('hour', computed_at) ORDER BY id DESC) AS place,
          row_number() OVER (ORDER BY id DESC) AS age
        FROM board_snapshot) AS ranked
      WHERE age > 1 AND computed_at < ${now.toISOString()}::timestamptz - interval '2 hours'
        AND (place > 1 OR computed_at < ${now.toISOString()}::timestamptz - interval '7 days')
      LIMIT ${max})`)
  return rowCount
}

export interface LifecycleStep {
  readonly tokenId: string
  readonly instanceId: number
  readonly from: string | null
  readonly to: string
  readonly cause: string
  readonly evidence: Readonly<Record<string, unknown>>
}

/** A first board changes every token: all in one statement would reach the time limit of statements on a busy machine. */
const STEPS_PER_STATEMENT = 5_000

/** Appends lifecycle changes of tokens, numbered per token without gaps. */
export async function insertLifecycleSteps(tx: Tx, steps: readonly LifecycleStep[], at: Date): Promise<void> {
  for (let from = 0; from < steps.length; from += STEPS_PER_STATEMENT)
    await insertSteps(tx, steps.slice(from, from + STEPS_PER_STATEMENT), at)
}

async function insertSteps(tx: Tx, steps: readonly LifecycleStep[], at: Date): Promise<void> {
  const values = steps.map((step, place) => [
    place,
    step.tokenId,
    step.instanceId,
    step.from,
    step.to,
    step.cause,
    JSON.stringify(step.evidence),
  ])
  await tx.query(sql.unsafe`
    WITH step (place, token_id, instance_id, from_state, to_state, cause, evidence) AS (
      SELECT * FROM ${sql.unnest(values, ['int4', 'text', 'int4', 'text', 'text', 'text', 'text'])}
    ), counted AS (
      UPDATE token SET lifecycle_seq = lifecycle_seq + sums.n
      FROM (SELECT token_id, count(*)::int AS n FROM step GROUP BY token_id) AS sums
      WHERE token.token_id = sums.token_id
      RETURNING token.token_id, lifecycle_seq - sums.n AS before
    )
    INSERT INTO lifecycle_event (token_id, seq, instance_id, from_state, to_state, cause, evidence, at)
    SELECT token_id, before + row_number() OVER (PARTITION BY token_id ORDER BY place), instance_id, from_state, to_state, cause,
      evidence::jsonb, ${at.toISOString()}
    FROM step JOIN counted USING (token_id)`)
}

const eventRow = z.object({
  seq: z.number(),
  instance_id: z.number(),
  from: z.string().nullable(),
  to: z.string(),
  cause: z.string(),
  evidence: z.record(z.string(), z.unknown()),
  at: z.string(),
})

/** Returns the newest lifecycle changes of a token, oldest first. */
export async function lifecycleEvents(
  db: Db,
  tokenId: string,
  max: number,
): Promise<readonly z.output<typeof eventRow>[]> {
  const rows = await db.any(sql.type(eventRow)`
    SELECT seq, instance_id, from_state AS "from", to_state AS "to", cause, evidence, at
    FROM lifecycle_event WHERE token_id = ${tokenId} ORDER BY seq DESC LIMIT ${max}`)
  return rows.toReversed()
}
