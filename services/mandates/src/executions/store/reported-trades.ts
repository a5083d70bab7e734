import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** A report of an agent that a transaction bought or sold. */
export interface ReportedTrade {
  readonly seq: number
  readonly txHash: string
  readonly side: 'buy' | 'sell'
  /** USDC base units; null where the report names none. */
  readonly amount: bigint | null
}

/** Stores a report; `compareReports` compares it with the chain. */
export async function insertReportedTrade(tx: Tx, mandateId: number, trade: ReportedTrade): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO reported_trade (mandate_id, seq, tx_hash, side, amount)
    VALUES (${mandateId}, ${trade.seq}, ${trade.txHash}, ${trade.side}, ${trade.amount === null ? null : String(trade.amount)})`)
}

const comparedRow = z.object({ seq: z.number(), contradicts: z.boolean().nullable() })

/**
 * Compares the reports of a transaction with its standing executions. A report that no execution supports contradicts the
 * chain; null means that no fact of the transaction stands. Returns the results by the number of the entry. The mandate must
 * be locked.
 */
export async function compareReports(
  tx: Tx,
  mandateId: number,
  txHash: string,
): Promise<ReadonlyMap<number, boolean | null>> {
  const rows = await tx.any(sql.type(comparedRow)`
    UPDATE reported_trade r SET contradicts = CASE WHEN EXISTS (
        SELECT FROM vault v JOIN chain_fact f ON f.chain_id = v.chain_id AND f.vault = v.address
        WHERE v.mandate_id = r.mandate_id AND f.tx_hash = r.tx_hash AND f.canonical)
      THEN NOT EXISTS (
        SELECT FROM vault v JOIN execution x ON x.chain_id = v.chain_id AND x.mandate_id = v.mandate_id
        WHERE v.mandate_id = r.mandate_id AND x.tx_hash = r.tx_hash AND x.canonical AND CASE r.side
          WHEN 'buy' THEN x.spent > 0 AND coalesce(r.amount, x.spent) = x.spent
          ELSE x.received > 0 AND coalesce(r.amount, x.received) = x.received END)
      END
    WHERE r.mandate_id = ${mandateId} AND r.tx_hash = ${txHash}
    RETURNING seq, contradicts`)
  return new Map(rows.map(({ seq, contradicts }) => [seq, contradicts]))
}

const countRow = z.object({ count: z.number() })

/** Counts the reports of a mandate that contradict the chain. */
export async function countContradictions(db: Db, mandateId: number): Promise<number> {
  const { count } = await db.one(sql.type(countRow)`
    SELECT count(*) FROM reported_trade WHERE mandate_id = ${mandateId} AND contradicts`)
  return count
}
