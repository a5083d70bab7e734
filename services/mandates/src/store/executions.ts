import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'

/** An `Executed` of a vault. Amounts are USDC base units. */
export interface Execution {
  readonly chainId: number
  readonly txHash: string
  readonly logOrdinal: number
  /** Place of its event in the block; null where it is not known. */
  readonly logIndex: number | null
  readonly mandateId: number
  readonly revision: number
  readonly target: string
  readonly selector: string
  readonly approved: bigint
  readonly spent: bigint
  readonly received: bigint
  readonly day: bigint
  readonly blockNumber: number
  readonly blockTime: string
}

/** What became of an execution, and the approval that it used up. */
export interface Judged {
  readonly verdict: 'within' | 'approved' | 'violation' | 'orphaned'
  readonly reason: string | null
  readonly approvalId: string | null
}

const judgedRow = z.object({
  revision: z.number(),
  canonical: z.boolean(),
  verdict: z.enum(['within', 'approved', 'violation', 'orphaned']),
  approval_id: z.string().nullable(),
})

/** How an execution was judged last; null before. */
export function judgedExecution(
  tx: Tx,
  { chainId, txHash, logOrdinal }: Pick<Execution, 'chainId' | 'txHash' | 'logOrdinal'>,
): Promise<z.output<typeof judgedRow> | null> {
  return tx.maybeOne(sql.type(judgedRow)`
    SELECT revision, canonical, verdict, approval_id FROM execution
    WHERE chain_id = ${chainId} AND tx_hash = ${txHash} AND log_ordinal = ${logOrdinal}`)
}

/** Stores an execution as judged, in place of a lower revision. */
export async function storeExecution(tx: Tx, execution: Execution, judged: Judged): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO execution (chain_id, tx_hash, log_ordinal, mandate_id, revision, canonical, verdict, reason, approval_id,
      target, selector, approved, spent, received, day, block_number, block_time)
    VALUES (${execution.chainId}, ${execution.txHash}, ${execution.logOrdinal}, ${execution.mandateId}, ${execution.revision},
      ${judged.verdict !== 'orphaned'}, ${judged.verdict}, ${judged.reason}, ${judged.approvalId}, ${execution.target},
      ${execution.selector}, ${String(execution.approved)}, ${String(execution.spent)}, ${String(execution.received)},
      ${String(execution.day)}, ${execution.blockNumber}, ${execution.blockTime})
    ON CONFLICT (chain_id, tx_hash, log_ordinal) DO UPDATE SET revision = excluded.revision, canonical = excluded.canonical,
      verdict = excluded.verdict, reason = excluded.reason, approval_id = excluded.approval_id, approved = excluded.approved,
      spent = excluded.spent, received = excluded.received, day = excluded.day, block_number = excluded.block_number,
      block_time = excluded.block_time`)
}

const executedRow = z.object({
  tx_hash: z.string(),
  verdict: z.enum(['within', 'approved', 'violation', 'orphaned']),
  reason: z.string().nullable(),
})

/** Standing executions of a mandate in one transaction. */
export function executionsIn(
  db: Db,
  mandateId: number,
  txHash: string,
): Promise<readonly z.output<typeof executedRow>[]> {
  return db.any(sql.type(executedRow)`
    SELECT tx_hash, verdict, reason FROM execution WHERE mandate_id = ${mandateId} AND tx_hash = ${txHash} AND canonical`)
}

const executionRow = z
  .object({
    chain_id: z.number(),
    tx_hash: z.string(),
    log_ordinal: z.number(),
    log_index: z.number().nullable(),
    mandate_id: z.number(),
    revision: z.number(),
    target: z.string(),
    selector: z.string(),
    approved: z.string().transform(BigInt),
    spent: z.string().transform(BigInt),
    received: z.string().transform(BigInt),
    day: z.number(),
    block_number: z.number(),
    block_time: z.string(),
  })
  .transform((row): Execution => ({
    chainId: row.chain_id,
    txHash: row.tx_hash,
    logOrdinal: row.log_ordinal,
    logIndex: row.log_index,
    mandateId: row.mandate_id,
    revision: row.revision,
    target: row.target,
    selector: row.selector,
    approved: row.approved,
    spent: row.spent,
    received: row.received,
    day: BigInt(row.day),
    blockNumber: row.block_number,
    blockTime: row.block_time,
  }))

const columns = sql.fragment`chain_id, tx_hash, log_ordinal, mandate_id, e.revision, target, selector, approved, spent,
  received, day, e.block_number, e.block_time`
const withPlace = sql.fragment`execution e LEFT JOIN chain_fact f USING (chain_id, tx_hash, log_ordinal)`

/** Standing executions without an approval that look like this one, in the order of the chain. */
export function violationsOfCall(
  tx: Tx,
  mandateId: number,
  { target, selector, approved }: Pick<Execution, 'target' | 'selector' | 'approved'>,
): Promise<readonly Execution[]> {
  return tx.any(sql.type(executionRow)`
    SELECT ${columns}, log_index FROM ${withPlace}
    WHERE mandate_id = ${mandateId} AND e.canonical AND verdict = 'violation' AND reason = 'unapproved_execution' AND target = ${target}
      AND selector = ${selector} AND approved = ${String(approved)}
    ORDER BY e.block_number, log_index LIMIT 100`)
}

/** The execution that used an approval up. */
export function holderOf(tx: Tx, chainId: number, approvalId: string): Promise<Execution | null> {
  return tx.maybeOne(sql.type(executionRow)`
    SELECT ${columns}, log_index FROM ${withPlace}
    WHERE (chain_id, tx_hash, log_ordinal) IN (
      SELECT ${chainId}::bigint, used_tx, used_ordinal FROM approval WHERE id = ${approvalId})`)
}
