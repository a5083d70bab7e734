import { sql, table, units, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Execution, Judged, StoredExecution } from '../rules/execution.ts'

const judgements = table('execution', {
  verdict: z.enum(['within', 'approved', 'violation', 'orphaned']),
  reason: z.enum(['executed_after_record_stop', 'unapproved_execution']).nullable(),
  approvalId: z.string().nullable(),
  firstBlock: z.number(),
  carries: z.array(z.string()).readonly(),
})
const known = table('execution', { revision: z.number(), canonical: z.boolean(), ...judgements.columns })
const plain = table('execution', {
  chainId: z.number(),
  txHash: z.string(),
  logOrdinal: z.number(),
  mandateId: z.number(),
  revision: z.number(),
  target: z.string(),
  selector: z.string(),
  approved: units,
  spent: units,
  received: units,
  day: z.number().transform(BigInt),
  blockNumber: z.number(),
  blockTime: z.string(),
})
const executions = table('execution', { ...plain.columns, ...known.columns })
const replaceExecution = executions.onConflict(
  ['chainId', 'txHash', 'logOrdinal'],
  ['mandateId', 'target', 'selector', 'firstBlock'],
)

/** Returns the last judgement of an execution; null before the first. */
export function judgedExecution(
  db: Db,
  { chainId, txHash, logOrdinal }: Pick<Execution, 'chainId' | 'txHash' | 'logOrdinal'>,
): Promise<RowOf<typeof known> | null> {
  return db.maybeOne(sql.type(known.row)`
    SELECT ${known.list} FROM execution
    WHERE chain_id = ${chainId} AND tx_hash = ${txHash} AND log_ordinal = ${logOrdinal}`)
}

/** Stores a judged execution in place of a lower revision; the block in which it was first seen is kept. */
export async function storeExecution(tx: Tx, execution: Execution, judged: Judged): Promise<void> {
  const row = { ...execution, ...judged, canonical: judged.verdict !== 'orphaned' }
  await tx.query(sql.unsafe`${executions.insert(row)} ${replaceExecution}`)
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

const executionRow = executions.row.extend({ logIndex: z.number().nullable() }).transform((row): StoredExecution => ({
  execution: { ...plain.only(row), logIndex: row.logIndex },
  judged: judgements.only(row),
}))
const columns = executions.listOf('e')
const GROUP_MAX = 500

/** Returns standing executions of this target, function and amount that needed an approval, at most the newest 500. */
export function executionsOfCall(
  tx: Tx,
  mandateId: number,
  { target, selector, approved }: Pick<Execution, 'target' | 'selector' | 'approved'>,
): Promise<readonly StoredExecution[]> {
  return tx.any(sql.type(executionRow)`
    SELECT ${columns}, f.log_index AS "logIndex"
    FROM execution e LEFT JOIN chain_fact f USING (chain_id, tx_hash, log_ordinal)
    WHERE mandate_id = ${mandateId} AND e.canonical AND target = ${target} AND selector = ${selector}
      AND approved = ${String(approved)}
      AND (verdict = 'approved' OR verdict = 'violation' AND reason = 'unapproved_execution')
    ORDER BY e.block_number DESC, log_index DESC LIMIT ${GROUP_MAX}`)
}
