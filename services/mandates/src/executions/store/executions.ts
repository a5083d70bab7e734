import { sql, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Execution, Judged, StoredExecution } from '../rules/execution.ts'

const judgedFields = {
  verdict: z.enum(['within', 'approved', 'violation', 'orphaned']),
  reason: z.enum(['executed_after_record_stop', 'unapproved_execution']).nullable(),
  approval_id: z.string().nullable(),
  first_block: z.number(),
  carries: z.array(z.string()),
}
type JudgedRow = z.output<z.ZodObject<typeof judgedFields>>
const judgedOf = (row: JudgedRow): Judged => ({
  verdict: row.verdict,
  reason: row.reason,
  approvalId: row.approval_id,
  firstBlock: row.first_block,
  carries: row.carries,
})
const judgedColumns = sql.fragment`verdict, reason, approval_id, first_block, carries`
const knownRow = z
  .object({ revision: z.number(), canonical: z.boolean(), ...judgedFields })
  .transform(({ revision, canonical, ...row }) => ({ revision, canonical, ...judgedOf(row) }))

/** Returns the last judgement of an execution; null before the first. */
export function judgedExecution(
  db: Db,
  { chainId, txHash, logOrdinal }: Pick<Execution, 'chainId' | 'txHash' | 'logOrdinal'>,
): Promise<z.output<typeof knownRow> | null> {
  return db.maybeOne(sql.type(knownRow)`
    SELECT revision, canonical, ${judgedColumns} FROM execution
    WHERE chain_id = ${chainId} AND tx_hash = ${txHash} AND log_ordinal = ${logOrdinal}`)
}

/** Stores a judged execution in place of a lower revision; the block in which it was first seen is kept. */
export async function storeExecution(tx: Tx, execution: Execution, judged: Judged): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO execution (chain_id, tx_hash, log_ordinal, mandate_id, revision, canonical, verdict, reason, approval_id,
      target, selector, approved, spent, received, day, block_number, block_time, first_block, carries)
    VALUES (${execution.chainId}, ${execution.txHash}, ${execution.logOrdinal}, ${execution.mandateId}, ${execution.revision},
      ${judged.verdict !== 'orphaned'}, ${judged.verdict}, ${judged.reason}, ${judged.approvalId}, ${execution.target},
      ${execution.selector}, ${String(execution.approved)}, ${String(execution.spent)}, ${String(execution.received)},
      ${String(execution.day)}, ${execution.blockNumber}, ${execution.blockTime}, ${judged.firstBlock},
      ${sql.array([...judged.carries], 'text')})
    ON CONFLICT (chain_id, tx_hash, log_ordinal) DO UPDATE SET revision = excluded.revision, canonical = excluded.canonical,
      verdict = excluded.verdict, reason = excluded.reason, approval_id = excluded.approval_id, approved = excluded.approved,
      spent = excluded.spent, received = excluded.received, day = excluded.day, block_number = excluded.block_number,
      block_time = excluded.block_time, carries = excluded.carries`)
}

const executedRow = z.object({
  tx_hash: z.string(),
  verdict: z.enum(['within', 'approved', 'violation', 'orphaned']),
  reason: z.string().nullable(),
})

/** Returns the standing executions of a mandate in one transaction. */
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
    ...judgedFields,
  })
  .transform((row): StoredExecution => ({
    execution: {
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
    },
    judged: judgedOf(row),
  }))
const GROUP_MAX = 500

/** Returns standing executions of this target, function and amount that needed an approval, at most the newest 500. */
export function executionsOfCall(
  tx: Tx,
  mandateId: number,
  { target, selector, approved }: Pick<Execution, 'target' | 'selector' | 'approved'>,
): Promise<readonly StoredExecution[]> {
  return tx.any(sql.type(executionRow)`
    SELECT chain_id, tx_hash, log_ordinal, log_index, mandate_id, e.revision, target, selector, approved, spent, received,
      day, e.block_number, e.block_time, ${judgedColumns}
    FROM execution e LEFT JOIN chain_fact f USING (chain_id, tx_hash, log_ordinal)
    WHERE mandate_id = ${mandateId} AND e.canonical AND target = ${target} AND selector = ${selector}
      AND approved = ${String(approved)}
      AND (verdict = 'approved' OR verdict = 'violation' AND reason = 'unapproved_execution')
    ORDER BY e.block_number DESC, log_index DESC LIMIT ${GROUP_MAX}`)
}
