import { prepare } from '@svc/chain'
import { usdcText, type Hex } from '@svc/limits'
import type { Db, Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import { getAddress } from 'viem'
import { appendEntry } from '#record/append-entry.ts'
import type { Context, LocalContext } from '#context.ts'
import { carries } from './rules/judge-executions.ts'
import {
  decideExecution,
  needsApproval,
  type ChainAnswers,
  type ExecutionScene,
  type ExecutionStep,
} from './rules/decide-execution.ts'
import { keyOf, type Execution } from './rules/execution.ts'
import { factsChanged } from '#mandate/facts-changed.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { executionOf } from './execution-of-fact.ts'
import { recordViolation } from './record-violation.ts'
import type { Scene } from '#mandate/scene.ts'
import { resolveAlerts } from '#alerts/store/alerts.ts'
import {
  givenApprovals,
  noteReplaced,
  releaseApproval,
  useApproval,
  type GivenItem,
} from '#approvals/store/approvals.ts'
import { executionsOfCall, judgedExecution, storeExecution } from './store/executions.ts'
import { compareReports } from './store/reported-trades.ts'
import { firstReportedAt } from './store/reported-violations.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { findVault } from '#books/store/vaults.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import type { NewEntry } from '#record/rules/record-hash.ts'
import type { ChainFact } from '#books/rules/chain-fact.ts'

const NOTHING: ChainAnswers = { carries: [], replaced: [] }

/**
 * Asks the chain what the judgement of a fact needs, outside any transaction; null for a fact that is not judged. Rejects
 * with an outage while the chain does not answer.
 */
export async function lookAtExecution(
  { pool, settings, chainClient }: Pick<Context, 'pool' | 'settings' | 'chainClient'>,
  fact: ChainFact,
): Promise<ChainAnswers | null> {
  if (fact.name !== 'Executed' || !fact.canonical) return null
  const vault = await findVault(pool, fact.chainId, fact.vault)
  if (vault === null) return null
  const execution = executionOf(fact, vault.mandate_id)
  if (!needsApproval(execution, await approvalAboveOf(pool, settings, vault.mandate_id))) return NOTHING
  const given = await givenApprovals(pool, vault.mandate_id, execution)
  if (given.length === 0) return NOTHING
  const transaction = await chainClient.readTransaction(fact.txHash)
  // The event says that it is mined: a node that does not know it is behind.
  if (transaction === null || transaction.state === 'unknown')
    throw new Outage('chain', 'the transaction of an event is not there')
  const { to, input } = transaction
  // Longer than any call that was approved, so long that it is not handed on.
  if (input === null) return NOTHING
  const carried = given.filter(({ call }) => carries({ to, input }, fact.vault, calldataOf(fact, call)))
  return { carries: carried.map(({ id }) => id), replaced: await replacedAmong(chainClient, carried, fact.blockNumber) }
}

function calldataOf(fact: ChainFact, { target, data, amount }: GivenItem['call']): Hex {
  return prepare(fact.chainId)
    .vault(getAddress(fact.vault))
    .execute({ target: getAddress(target), data: data as Hex, approveAmount: amount }).data
}

/** Approvals whose known block, not below the execution's, is another one now. */
async function replacedAmong(
  chainClient: Context['chainClient'],
  given: readonly GivenItem[],
  block: number,
): Promise<readonly string[]> {
  const hashes = new Map<number, string | null>()
  const replaced: string[] = []
  for (const { id, head } of given) {
    if (head === null || head.number < block) continue
    const hash = hashes.get(head.number) ?? (await chainClient.blockHash(head.number))
    hashes.set(head.number, hash)
    if (hash !== head.hash) replaced.push(id)
  }
  return replaced
}

/**
 * Judges one revision of an `Executed`, exactly once. Vault and mandate must be locked; the chain is not asked. Rejects
 * with an outage when the vault was attached after the chain was asked, so that the event is delivered again.
 */
export async function judgeExecuted(
  tx: Tx,
  context: LocalContext,
  { mandate }: Scene,
  fact: ChainFact,
  answers: ChainAnswers | null,
): Promise<void> {
  const scene = await loadExecution(tx, context.settings, mandate, fact, answers)
  if (scene === null) return
  for (const step of decideExecution(scene)) await write(tx, context, mandate, step)
}

/** Reads what decides a fact; null for a fact that is no execution or was judged by a revision at least as high. */
async function loadExecution(
  tx: Tx,
  settings: Context['settings'],
  mandate: Mandate,
  fact: ChainFact,
  answers: ChainAnswers | null,
): Promise<ExecutionScene | null> {
  if (fact.name !== 'Executed') return null
  const known = await judgedExecution(tx, fact)
  if (known !== null && known.revision >= fact.revision) return null
  const execution = executionOf(fact, mandate.id)
  const approvalAbove = await approvalAboveOf(tx, settings, mandate.id)
  const isHeld = needsApproval(execution, approvalAbove)
  if (isHeld && fact.canonical && answers === null) throw new Outage('mandates', 'the vault was attached meanwhile')
  return {
    execution,
    canonical: fact.canonical,
    known,
    ofCall: isHeld ? await executionsOfCall(tx, mandate.id, execution) : [],
    given: isHeld ? await givenApprovals(tx, mandate.id, execution) : [],
    approvalAbove,
    stop: mandate.stoppedInRecordAt === null ? null : { at: mandate.stoppedInRecordAt, head: mandate.stoppedHead },
    answers,
  }
}

async function write(tx: Tx, context: LocalContext, mandate: Mandate, step: ExecutionStep): Promise<void> {
  const now = context.clock.now()
  switch (step.step) {
    case 'note_replaced':
      return noteReplaced(tx, step.approvalIds)
    case 'release':
      await releaseApproval(tx, step.approvalId, now)
      await appendUse(tx, mandate, step.execution, now, {
        kind: 'approval_released',
        body: { approval_id: step.approvalId, log_ordinal: step.execution.logOrdinal },
      })
      return
    case 'store':
      await storeExecution(tx, step.execution, step.judged)
      return factsChanged(tx, mandate, await firstChanged(tx, step.execution))
    case 'use': {
      const { execution, approvalId } = step
      if (!(await useApproval(tx, approvalId, execution.txHash, execution.logOrdinal)))
        throw new Error('an approval of a locked mandate could not be used')
      const amount_usdc = usdcText(execution.approved)
      await appendUse(tx, mandate, execution, now, {
        kind: 'approval_used',
        body: { approval_id: approvalId, log_ordinal: execution.logOrdinal, amount_usdc },
      })
      return
    }
    case 'resolve_alert':
      return resolveAlerts(tx, mandate.id, { kinds: [step.reason], about: [keyOf(step.execution)] }, now)
    case 'record_violation':
      return recordViolation(tx, context, mandate, { execution: step.execution, reason: step.reason, now })
    case 'compare_reports':
      await compareReports(tx, mandate.id, step.txHash)
  }
}

/** The chain decides about a violation that was reported of the same transaction, on the day of the report. */
async function firstChanged(tx: Tx, { mandateId, txHash, blockTime }: Execution): Promise<Date> {
  const reported = await firstReportedAt(tx, mandateId, txHash)
  const mined = new Date(blockTime)
  return reported === null || reported > mined ? mined : reported
}

async function appendUse(
  tx: Tx,
  mandate: Mandate,
  { txHash }: Execution,
  at: Date,
  entry: Pick<NewEntry, 'kind' | 'body'>,
): Promise<void> {
  await appendEntry(tx, mandate, { at, source: 'chain', txHash, ...entry })
}

async function approvalAboveOf(db: Db, settings: Context['settings'], mandateId: number): Promise<bigint | null> {
  if (!settings.approvalEnabled) return null
  const signed = await newestTerms(db, mandateId)
  return signed === null ? null : signedFigures(signed).approvalAbove
}
