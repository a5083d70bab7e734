import { verdictKind } from '@svc/contracts/gallery/gaps'
import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const row = z
  .object({
    follow_id: z.string(),
    seq: z.number(),
    kind: verdictKind,
    reason: z.string().nullable(),
    signal_price: z.string().nullable(),
    fill_price: z.string().nullable(),
    delay_ms: z.number().nullable(),
    gap_bps: z.string().nullable(),
    notional_usdc: z.number().nullable(),
    decided_at: z.string(),
  })
  .transform((verdict) => ({
    followId: verdict.follow_id,
    seq: verdict.seq,
    kind: verdict.kind,
    reason: verdict.reason,
    signalPrice: verdict.signal_price,
    fillPrice: verdict.fill_price,
    delayMs: verdict.delay_ms,
    gapBps: verdict.gap_bps,
    notionalUsdc: verdict.notional_usdc === null ? null : BigInt(verdict.notional_usdc),
    decidedAt: verdict.decided_at,
  }))
/** What the house runner decided on a signal of a follow, for ever. */
export type Verdict = z.output<typeof row>

/** A verdict to store, with what it belongs to. */
export interface NewVerdict extends Omit<Verdict, 'decidedAt'> {
  readonly mandateId: string
  readonly vaultId: string
}

/** Rows of one statement. */
const ROWS_MAX = 5_000

/**
 * Stores verdicts and moves their follows forward. The follows must be locked, and the verdicts of each must be those of the
 * signals right after the last decided one, in their order: then no signal has two verdicts and none is left out. Rejects if a
 * row exists.
 */
export async function storeVerdicts(tx: Tx, verdicts: readonly NewVerdict[], at: Date): Promise<void> {
  const decidedAt = at.toISOString()
  for (let from = 0; from < verdicts.length; from += ROWS_MAX) {
    const rows = verdicts
      .slice(from, from + ROWS_MAX)
      .map((one) => [
        one.followId,
        one.seq,
        one.mandateId,
        one.vaultId,
        one.kind,
        one.reason,
        one.signalPrice,
        one.fillPrice,
        one.delayMs,
        one.gapBps,
        one.notionalUsdc === null ? null : String(one.notionalUsdc),
      ])
    await tx.query(sql.unsafe`
      INSERT INTO verdict (follow_id, seq, mandate_id, vault_id, kind, reason, signal_price, fill_price, delay_ms,
        gap_bps, notional_usdc, decided_at)
      SELECT one.*, ${decidedAt}::timestamptz FROM ${sql.unnest(rows, [
        'text',
        'int8',
        'text',
        'text',
        'text',
        'text',
        'numeric',
        'numeric',
        'int8',
        'numeric',
        'int8',
      ])} AS one`)
  }
  const last = new Map(verdicts.map(({ followId, seq }) => [followId, seq]))
  await tx.query(sql.unsafe`
    UPDATE follow SET decided_seq = done.seq
    FROM ${sql.unnest([...last], ['text', 'int8'])} AS done (id, seq) WHERE follow.id = done.id`)
}

/** Returns verdicts of a follow, newest first. */
export function newestVerdicts(
  db: Db,
  { id, mandateId, vaultId }: { readonly id: string; readonly mandateId: string; readonly vaultId: string },
  limit: number,
): Promise<readonly Verdict[]> {
  return db.any(sql.type(row)`
    SELECT follow_id, seq, kind, reason, signal_price::text, fill_price::text, delay_ms, gap_bps::text,
      notional_usdc, decided_at
    FROM verdict WHERE mandate_id = ${mandateId} AND vault_id = ${vaultId} AND follow_id = ${id} ORDER BY seq DESC LIMIT ${limit}`)
}
