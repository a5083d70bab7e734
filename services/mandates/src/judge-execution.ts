import { prepare } from '@svc/chain'
import { usdcText, type Hex } from '@svc/limits'
import type { Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import { getAddress } from 'viem'
import { appendEntry } from './append-entry.ts'
import type { Context } from './context.ts'
import { carries, judgeExecution, type Candidate } from './domain/approval.ts'
import type { Mandate } from './domain/mandate.ts'
import { executionOf } from './execution-of-fact.ts'
import { recordViolation } from './record-violation.ts'
import { releaseApproval, usableApprovals, useApproval } from './store/approvals.ts'
import type { ChainFact } from './store/chain-facts.ts'
import { holderOf, judgedExecution, storeExecution, violationsOfCall, type Execution } from './store/executions.ts'
import { lockMandateById } from './store/mandates.ts'
import { newestTerms } from './store/signed-terms.ts'
import { lockVault, vaultOfMandate } from './store/vaults.ts'
import { signedFigures } from './terms-of-mandate.ts'

/**
 * Judges an `Executed` once for each revision of it. Above the approval amount it uses up one approval of exactly its
 * call, or is a violation with an alert; a reorganisation that takes it away gives the approval back. Mandate and
 * approvals are locked, so of any number of executions one uses an approval: the first in the chain, in whatever order
 * they are told.
 */
export async function judgeExecuted(tx: Tx, context: Context, fact: ChainFact): Promise<void> {
  if (fact.name !== 'Executed') return
  const vault = await lockVault(tx, fact.chainId, fact.vault)
  // Judged when the vault is attached.
  if (vault === null) return
  const known = await judgedExecution(tx, fact)
  if (known !== null && known.revision >= fact.revision) return
  const mandate = await lockMandateById(tx, vault.mandate_id)
  const execution = executionOf(fact, mandate.id)
  const now = context.clock.now()
  if (!fact.canonical) {
    await storeExecution(tx, execution, { verdict: 'orphaned', reason: null, approvalId: null })
    if (known === null || !known.canonical) return
    await giveBack(tx, context, mandate, execution, now, false)
    return
  }
  if (known?.canonical === true && known.verdict !== 'violation') {
    // The same execution in another block: what it used stays used, unless one that had none comes before it now.
    await storeExecution(tx, execution, { verdict: known.verdict, reason: null, approvalId: known.approval_id })
    const [first] = known.verdict === 'approved' ? await violationsOfCall(tx, mandate.id, execution) : []
    if (first !== undefined && isBefore(first, execution)) await giveBack(tx, context, mandate, execution, now, true)
    return
  }
  await judge(tx, context, mandate, vault.address, execution, now, known?.verdict === 'violation')
}

async function judge(
  tx: Tx,
  context: Context,
  mandate: Mandate,
  vault: string,
  execution: Execution,
  now: Date,
  toldBefore: boolean,
): Promise<void> {
  const above = await approvalAboveOf(tx, context, mandate)
  const needed = above !== null && execution.approved > above
  const candidates = needed ? await candidatesOf(tx, context, mandate, vault, execution) : []
  const spending = { approved: execution.approved, at: new Date(execution.blockTime) }
  const found = judgeExecution(spending, above, mandate.stoppedInRecordAt, candidates)
  const approvalId = found.verdict === 'approved' ? found.approvalId : null
  const reason = found.verdict === 'violation' ? found.reason : null
  const holder = approvalId === null ? null : await holderOf(tx, execution.chainId, approvalId)
  if (holder !== null) await release(tx, mandate, holder, now)
  await storeExecution(tx, execution, { verdict: found.verdict, reason, approvalId })
  if (found.verdict === 'approved') {
    if (!(await useApproval(tx, found.approvalId, execution.txHash, execution.logOrdinal)))
      throw new Error('an approval that was locked as usable could not be used')
    await appendEntry(tx, mandate, {
      at: now,
      kind: 'approval_used',
      source: 'chain',
      txHash: execution.txHash,
      body: {
        approval_id: found.approvalId,
        log_ordinal: execution.logOrdinal,
        amount_usdc: usdcText(execution.approved),
      },
    })
  } else if (found.verdict === 'violation' && !toldBefore) {
    await recordViolation(tx, context, mandate, execution, found, now)
  }
  if (holder !== null) await judge(tx, context, mandate, vault, holder, now, false)
}

const isBefore = (one: Execution, other: Execution): boolean =>
  one.blockNumber === other.blockNumber
    ? (one.logIndex ?? 0) < (other.logIndex ?? 0)
    : one.blockNumber < other.blockNumber

async function approvalAboveOf(tx: Tx, { settings }: Context, mandate: Mandate): Promise<bigint | null> {
  if (!settings.approvalEnabled) return null
  const signed = await newestTerms(tx, mandate.id)
  return signed === null ? null : signedFigures(signed).approvalAbove
}

/** Approvals of exactly the call that the transaction carries. */
async function candidatesOf(
  tx: Tx,
  context: Context,
  mandate: Mandate,
  vault: string,
  execution: Execution,
): Promise<readonly Candidate[]> {
  const usable = await usableApprovals(tx, mandate.id, execution)
  if (usable.length === 0) return []
  const transaction = await context.indexer.readTransaction(execution.txHash)
  // The event says that it is mined: a node that does not know it is behind.
  if (transaction === null || transaction.state === 'unknown')
    throw new Outage('chain', 'the transaction of an event is not there')
  const { to, input } = transaction
  // Longer than any call that was approved, so long that it is not handed on.
  if (input === null) return []
  return usable
    .filter(({ target, data, amount }) => {
      const call = prepare(execution.chainId)
        .vault(getAddress(vault))
        .execute({ target: getAddress(target), data: data as Hex, approveAmount: amount })
      return carries({ to, input }, vault, call.data)
    })
    .map(({ id, decided_at, expires_at }) => ({
      id,
      decidedAt: new Date(decided_at ?? expires_at),
      expiresAt: new Date(expires_at),
    }))
}

/**
 * Opens the approval of an execution that is gone, or that stands behind one without, and looks at all of its call that
 * have none in the order of the chain.
 */
async function giveBack(
  tx: Tx,
  context: Context,
  mandate: Mandate,
  execution: Execution,
  now: Date,
  stands: boolean,
): Promise<void> {
  if (!(await release(tx, mandate, execution, now))) return
  if (stands)
    await storeExecution(tx, execution, { verdict: 'violation', reason: 'unapproved_execution', approvalId: null })
  const all = await violationsOfCall(tx, mandate.id, execution)
  const vault = all.length === 0 ? null : await vaultOfMandate(tx, mandate.id)
  if (vault === null) return
  for (const one of all) {
    const toldBefore = one.txHash !== execution.txHash || one.logOrdinal !== execution.logOrdinal
    await judge(tx, context, mandate, vault.address, one, now, toldBefore)
  }
}

/** Opens the approval that an execution used up; false when it used none. */
async function release(tx: Tx, mandate: Mandate, execution: Execution, now: Date): Promise<boolean> {
  const approvalId = await releaseApproval(tx, execution.txHash, execution.logOrdinal, now)
  if (approvalId === null) return false
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'approval_released',
    source: 'chain',
    txHash: execution.txHash,
    body: { approval_id: approvalId, log_ordinal: execution.logOrdinal },
  })
  return true
}
