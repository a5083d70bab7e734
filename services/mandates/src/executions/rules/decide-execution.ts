import type { Decision } from '#books/rules/chain-order.ts'
import { keyOf, type Execution, type Judged, type StoredExecution, type ViolationReason } from './execution.ts'
import { judgeExecutions, type GivenApproval, type Spending } from './judge-executions.ts'

/** The chain's answers about an `Executed`, asked before any lock is taken. */
export interface ChainAnswers {
  /** Approvals whose calldata the transaction carries. */
  readonly carries: readonly string[]
  /** Approvals given at a block that a reorganisation has since replaced. */
  readonly replaced: readonly string[]
}

/** Everything that decides an `Executed`, read once under the locks of vault and mandate. */
export interface ExecutionScene {
  readonly execution: Execution
  /** False when a reorganisation removed the execution. */
  readonly canonical: boolean
  /** The judgement of its previous revision; null for an execution seen for the first time. */
  readonly known: (Judged & { readonly canonical: boolean }) | null
  /** Standing executions of the same target, function and amount that needed an approval. */
  readonly ofCall: readonly StoredExecution[]
  /** Approvals granted for the same target, function and amount, oldest first, with the key of the execution that used them. */
  readonly given: readonly (GivenApproval & { readonly usedBy: string | null })[]
  /** Null while nothing needs an approval. */
  readonly approvalAbove: bigint | null
  /** The stop in the record; null without one. */
  readonly stop: Decision | null
  /** Null when the chain was not asked. */
  readonly answers: ChainAnswers | null
}

/** One change that a judgement makes. */
export type ExecutionStep =
  | { readonly step: 'note_replaced'; readonly approvalIds: readonly string[] }
  | { readonly step: 'release' | 'use'; readonly execution: Execution; readonly approvalId: string }
  | { readonly step: 'store'; readonly execution: Execution; readonly judged: Judged }
  | {
      readonly step: 'resolve_alert' | 'record_violation'
      readonly execution: Execution
      readonly reason: ViolationReason
    }
  | { readonly step: 'compare_reports'; readonly txHash: string }

/** Returns whether an execution of this amount needs an approval. */
export const needsApproval = ({ approved }: Pick<Execution, 'approved'>, approvalAbove: bigint | null): boolean =>
  approvalAbove !== null && approved > approvalAbove

/**
 * Decides one revision of an `Executed` together with the other executions of its call, because a later approval or a
 * reorganisation can shift which execution uses which approval. Returns the changes in the order in which they must be
 * written: an approval is released before another execution uses it.
 */
export function decideExecution(scene: ExecutionScene): readonly ExecutionStep[] {
  const { execution, known, answers } = scene
  const carries = [...new Set([...(known?.carries ?? []), ...(answers?.carries ?? [])])]
  const before: Judged =
    known === null
      ? { verdict: 'orphaned', reason: null, approvalId: null, firstBlock: execution.blockNumber, carries }
      : { ...judgedOf(known), carries }
  // An execution judged while approvals were on keeps its verdict while they are off.
  if (scene.approvalAbove === null && scene.canonical && known?.canonical === true)
    return [{ step: 'store', execution, judged: before }]

  const others = scene.ofCall.filter((one) => keyOf(one.execution) !== keyOf(execution))
  const changes = judgeTogether(scene, others, { execution, judged: before })
  const replaced = answers?.replaced ?? []
  return [
    ...(replaced.length > 0 ? [{ step: 'note_replaced', approvalIds: replaced } as const] : []),
    ...changes.flatMap(released),
    ...changes.flatMap((change) => (change.execution === execution || differs(change) ? written(change) : [])),
    { step: 'compare_reports', txHash: execution.txHash },
  ]
}

interface Change {
  readonly execution: Execution
  readonly before: Judged
  readonly after: Judged
}

function judgeTogether(
  { canonical, given, approvalAbove, stop, answers }: ExecutionScene,
  others: readonly StoredExecution[],
  changed: StoredExecution,
): readonly Change[] {
  const all = [...others, changed]
  const keys = new Set(all.map(({ execution }) => keyOf(execution)))
  const free = given
    .filter(({ usedBy }) => usedBy === null || keys.has(usedBy))
    .map((one) => ({ ...one, replaced: one.replaced || answers?.replaced.includes(one.id) === true }))
  const verdicts = judgeExecutions((canonical ? all : others).map(spendingOf), free, { approvalAbove, stop })
  return all.map(({ execution, judged }) => {
    const found = verdicts.get(keyOf(execution))
    return {
      execution,
      before: judged,
      after: {
        ...judged,
        verdict: found?.verdict ?? 'orphaned',
        reason: found?.verdict === 'violation' ? found.reason : null,
        approvalId: found?.verdict === 'approved' ? found.approvalId : null,
      },
    }
  })
}

const judgedOf = ({ verdict, reason, approvalId, firstBlock, carries }: Judged): Judged => ({
  verdict,
  reason,
  approvalId,
  firstBlock,
  carries,
})

const spendingOf = ({ execution, judged }: StoredExecution): Spending => ({
  key: keyOf(execution),
  logIndex: execution.logIndex ?? 0,
  approved: execution.approved,
  carries: judged.carries,
  block: execution.blockNumber,
  firstBlock: judged.firstBlock,
  time: new Date(execution.blockTime),
})

const differs = ({ before, after }: Change): boolean =>
  before.verdict !== after.verdict || before.reason !== after.reason || before.approvalId !== after.approvalId

const released = ({ execution, before, after }: Change): readonly ExecutionStep[] =>
  before.approvalId === null || before.approvalId === after.approvalId
    ? []
    : [{ step: 'release', execution, approvalId: before.approvalId }]

function written({ execution, before, after }: Change): readonly ExecutionStep[] {
  const steps: ExecutionStep[] = [{ step: 'store', execution, judged: after }]
  if (after.approvalId !== null && after.approvalId !== before.approvalId)
    steps.push({ step: 'use', execution, approvalId: after.approvalId })
  if (before.reason !== null && after.reason === null)
    steps.push({ step: 'resolve_alert', execution, reason: before.reason })
  if (after.reason !== null && before.reason === null)
    steps.push({ step: 'record_violation', execution, reason: after.reason })
  return steps
}
