import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

const turnRow = z.object({
  instance_id: z.number(),
  exchange: z.string(),
  symbol: z.string(),
  quote: z.string(),
  due_at: z.string(),
})

/** A scan that this process has taken. */
export type ScanTurn = z.output<typeof turnRow>

/** Adds a turn of a pair that is due now, if it has none; waits for a transaction that takes or ends the turn. */
export async function openTurn(tx: Tx, tokenId: string, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO scan_turn (token_id, next_at) VALUES (${tokenId}, ${now.toISOString()})
    ON CONFLICT (token_id) DO UPDATE SET next_at = scan_turn.next_at`)
}

const nextAtRow = z.object({ next_at: z.string().nullable() })

/** Returns when the next turn of these venues is due, milliseconds; null without a turn. */
export async function nextTurn(db: Db, exchanges: readonly string[]): Promise<number | null> {
  const { next_at } = await db.one(sql.type(nextAtRow)`
    SELECT min(next_at) AS next_at FROM scan_turn JOIN token USING (token_id)
    WHERE exchange = ANY(${sql.array([...exchanges], 'text')})`)
  return next_at === null ? null : Date.parse(next_at)
}

/** Adds a turn for every active target without one: a target may be added while the turns of its pair end. */
export async function openMissingTurns(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    INSERT INTO scan_turn (token_id, next_at)
    SELECT DISTINCT token_id, ${now.toISOString()}::timestamptz FROM target
    WHERE status = 'active' AND NOT EXISTS (SELECT FROM scan_turn WHERE scan_turn.token_id = target.token_id)
    ON CONFLICT DO NOTHING`)
  return rowCount
}

const tradingTurnRow = turnRow.extend({ trading: z.string() })

/**
 * Takes the due turns, of each venue up to its limit and the longest due first, and moves each to its second of the next
 * minute, which leases the pair for this minute. Turns that another process is taking are skipped. Turns of venues that
 * return many books per call fall in six seconds of the minute, so that they share calls; others spread over the minute.
 * Deletes turns of pairs that no account watches, and skips pairs that do not trade.
 */
export async function takeTurns(
  db: Db,
  now: Date,
  venues: readonly { readonly exchange: string; readonly max: number; readonly together: boolean }[],
): Promise<readonly ScanTurn[]> {
  const at = now.toISOString()
  const asked = sql.unnest(
    venues.map(({ exchange, max, together }) => [exchange, max, together]),
    ['text', 'int4', 'bool'],
  )
  const rows = await db.any(sql.type(tradingTurnRow)`
    WITH due AS (
      SELECT turn.*, venue.exchange, together,
        EXISTS (SELECT FROM target WHERE target.token_id = turn.token_id AND status = 'active') AS watched
      FROM ${asked} AS venue (exchange, free, together), LATERAL (
        SELECT turn.token_id, turn.next_at, symbol, quote, instance_id FROM scan_turn AS turn JOIN token USING (token_id)
        WHERE next_at <= ${at} AND token.exchange = venue.exchange
        ORDER BY next_at LIMIT venue.free FOR UPDATE OF turn SKIP LOCKED) AS turn
    ), ended AS (
      DELETE FROM scan_turn USING due WHERE scan_turn.token_id = due.token_id AND NOT watched
    )
    UPDATE scan_turn SET next_at = date_trunc('minute', ${at}::timestamptz) + interval '1 minute' + interval '1 second' *
      (2 + CASE WHEN together THEN (hashtext(due.token_id) & 1048575) % 6 * 9 ELSE (hashtext(due.token_id) & 1048575) % 52 END)
    FROM due JOIN token_instance AS instance USING (instance_id)
    WHERE scan_turn.token_id = due.token_id AND watched
    RETURNING due.instance_id, exchange, symbol, quote, due.next_at AS due_at, trading`)
  return rows.filter((row) => row.trading === 'trading')
}
