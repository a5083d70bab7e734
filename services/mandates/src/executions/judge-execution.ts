import { prepare } from '@svc/chain'
import { usdcText, type Hex } from '@svc/limits'
import type { Db, Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import { getAddress } from 'viem'
import { appendEntry } from '#record/append-entry.ts'
import type { Context, LocalContext } from '#context.ts'
import { carries, judgeExecutions, type ExecutionVerdict, type Spending } from './rules/judge-executions.ts'
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
import type { ChainFact } from '#books/store/chain-facts.ts'
import {
  executionsOfCall,
  judgedExecution,
  storeExecution,
  type Execution,
  type Judged,
  type StoredExecution,
} from './store/executions.ts'
import { compareReports } from './store/reported-trades.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { findVault } from '#books/store/vaults.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'

/** What the chain was asked about an `Executed` before it is judged. */
export interface Looked {
  /** Approvals whose calldata its transaction carries. */
  readonly carries: readonly string[]
  /** Approvals given on a block that is not in the chain any more. */
  readonly replaced: readonly string[]
}

const NOTHING: Looked = { carries: [], replaced: [] }

/**
 * Asks the chain what the judgement of a fact needs, outside any transaction; null for a fact that is not judged. Rejects
 * with an outage while the chain does not answer.
 */
export async function lookAtExecution(
  { pool, settings, indexer }: Pick<Context, 'pool' | 'settings' | 'indexer'>,
  fact: ChainFact,
): Promise<Looked | null> {
  if (fact.name !== 'Executed' || !fact.canonical) return null
  const vault = await findVault(pool, fact.chainId, fact.vault)
  if (vault === null) return null
  const execution = executionOf(fact, vault.mandate_id)
  if (!exceeds(execution, await approvalAboveOf(pool, settings, vault.mandate_id))) return NOTHING
  const given = await givenApprovals(pool, vault.mandate_id, execution)
  if (given.length === 0) return NOTHING
  const transaction = await indexer.readTransaction(fact.txHash)
  // The event says that it is mined: a node that does not know it is behind.
  if (transaction === null || transaction.state === 'unknown')
    throw new Outage('chain', 'the transaction of an event is not there')
  const { to, input } = transaction
  // Longer than any call that was approved, so long that it is not handed on.
  if (input === null) return NOTHING
  const carried = given.filter(({ call }) => carries({ to, input }, fact.vault, calldataOf(fact, call)))
  return { carries: carried.map(({ id }) => id), replaced: await replacedAmong(indexer, carried, fact.blockNumber) }
}

function calldataOf(fact: ChainFact, { target, data, amount }: GivenItem['call']): Hex {
  return prepare(fact.chainId)
    .vault(getAddress(fact.vault))
    .execute({ target: getAddress(target), data: data as Hex, approveAmount: amount }).data
}

/** Approvals whose known block, not below the execution's, is another one now. */
async function replacedAmong(
  indexer: Context['indexer'],
  given: readonly GivenItem[],
  block: number,
): Promise<readonly string[]> {
  const hashes = new Map<number, string | null>()
  const replaced: string[] = []
  for (const { id, head } of given) {
    if (head === null || head.number < block) continue
    const hash = hashes.get(head.number) ?? (await indexer.blockHash(head.number))
    hashes.set(head.number, hash)
    if (hash !== head.hash) replaced.push(id)
  }
  return replaced
}

/**
 * Judges an `Executed` once for each revision of it, together with the others of its call: above the approval amount each
 * uses up one approval, in the order of the chain, or is a violation with an alert. A reorganisation that takes one away
 * gives its approval back. Vault and mandate must be locked; asks nobody.
 */
export async function judgeExecuted(
  tx: Tx,
  context: LocalContext,
  { mandate }: Scene,
  fact: ChainFact,
  looked: Looked | null,
): Promise<void> {
  if (fact.name !== 'Executed') return
  const known = await judgedExecution(tx, fact)
  if (known !== null && known.revision >= fact.revision) return
  const execution = executionOf(fact, mandate.id)
  const above = await approvalAboveOf(tx, context.settings, mandate.id)
  const judged: Judged = {
    ...(known ?? { verdict: 'orphaned', reason: null, approvalId: null, firstBlock: fact.blockNumber }),
    carries: [...new Set([...(known?.carries ?? []), ...(looked?.carries ?? [])])],
  }
  // What was judged while approvals were on stays so while they are off.
  if (above === null && fact.canonical && known?.canonical === true) return storeExecution(tx, execution, judged)
  const isHeld = exceeds(execution, above)
  // It was attached after the chain was asked: the event is delivered again.
  if (isHeld && fact.canonical && looked === null) throw new Outage('mandates', 'the vault was attached meanwhile')
  if (looked !== null && looked.replaced.length > 0) await noteReplaced(tx, looked.replaced)

  const others = (isHeld ? await executionsOfCall(tx, mandate.id, execution) : []).filter(
    (one) => keyOf(one.execution) !== keyOf(execution),
  )
  const changed: StoredExecution = { execution, judged }
  const standing = fact.canonical ? [...others, changed] : others
  const given = isHeld ? await givenApprovals(tx, mandate.id, execution) : []
  const keys = new Set([...standing, changed].map((one) => keyOf(one.execution)))
  const verdicts = judgeExecutions(
    standing.map(spendingOf),
    given.filter(({ usedBy }) => usedBy === null || keys.has(usedBy)),
    { approvalAbove: above, stop: stopOf(mandate) },
  )
  await writeVerdicts(tx, context, mandate, { others, changed }, verdicts)
  await compareReports(tx, mandate.id, fact.txHash)
}

const keyOf = ({ txHash, logOrdinal }: Pick<Execution, 'txHash' | 'logOrdinal'>) => `${txHash}:${logOrdinal}`

const exceeds = ({ approved }: Execution, above: bigint | null): boolean => above !== null && approved > above

const stopOf = ({ stoppedInRecordAt, stoppedHead }: Mandate) =>
  stoppedInRecordAt === null ? null : { at: stoppedInRecordAt, head: stoppedHead }

const spendingOf = ({ execution, judged }: StoredExecution): Spending => ({
  key: keyOf(execution),
  logIndex: execution.logIndex ?? 0,
  approved: execution.approved,
  carries: judged.carries,
  block: execution.blockNumber,
  firstBlock: judged.firstBlock,
  time: new Date(execution.blockTime),
})

/** Stores what became other, and what was told; an execution without a verdict is gone. Approvals are given back before others use them. */
async function writeVerdicts(
  tx: Tx,
  context: LocalContext,
  mandate: Mandate,
  { others, changed }: { readonly others: readonly StoredExecution[]; readonly changed: StoredExecution },
  verdicts: ReadonlyMap<string, ExecutionVerdict>,
): Promise<void> {
  const now = context.clock.now()
  const changes = [...others, changed].map(({ execution, judged }) => {
    const found = verdicts.get(keyOf(execution)) ?? null
    const approvalId = found?.verdict === 'approved' ? found.approvalId : null
    return { execution, before: judged, found, approvalId }
  })
  for (const { execution, before, approvalId } of changes)
    if (before.approvalId !== null && before.approvalId !== approvalId)
      await release(tx, mandate, execution, before.approvalId, now)
  for (const { execution, before, found, approvalId } of changes) {
    const reason = found?.verdict === 'violation' ? found.reason : null
    const verdict = found?.verdict ?? 'orphaned'
    const stands = before.verdict === verdict && before.reason === reason && before.approvalId === approvalId
    if (stands && execution !== changed.execution) continue
    await storeExecution(tx, execution, { ...before, verdict, reason, approvalId })
    if (approvalId !== null && approvalId !== before.approvalId) await use(tx, mandate, execution, approvalId, now)
    if (before.verdict === 'violation' && before.reason !== null && verdict !== 'violation')
      await resolveAlerts(tx, mandate.id, { kinds: [before.reason], about: [keyOf(execution)] }, now)
    if (found?.verdict === 'violation' && before.verdict !== 'violation')
      await recordViolation(tx, context, mandate, execution, found, now)
  }
}

async function use(tx: Tx, mandate: Mandate, execution: Execution, approvalId: string, now: Date): Promise<void> {
  if (!(await useApproval(tx, approvalId, execution.txHash, execution.logOrdinal)))
    throw new Error('an approval of a locked mandate could not be used')
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'approval_used',
    source: 'chain',
    txHash: execution.txHash,
    body: {
      approval_id: approvalId,
      log_ordinal: execution.logOrdinal,
      amount_usdc: usdcText(execution.approved),
    },
  })
}

async function release(tx: Tx, mandate: Mandate, execution: Execution, approvalId: string, now: Date): Promise<void> {
  await releaseApproval(tx, approvalId, now)
  await appendEntry(tx, mandate, {
    at: now,
    kind: 'approval_released',
    source: 'chain',
    txHash: execution.txHash,
    body: { approval_id: approvalId, log_ordinal: execution.logOrdinal },
  })
}

async function approvalAboveOf(db: Db, settings: Context['settings'], mandateId: number): Promise<bigint | null> {
  if (!settings.approvalEnabled) return null
  const signed = await newestTerms(db, mandateId)
  return signed === null ? null : signedFigures(signed).approvalAbove
}
