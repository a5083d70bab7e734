import {
  assess,
  assessOrder,
  nobody,
  type Address,
  type Assessment,
  type ClauseVerdict,
  type Hex,
  type OrderAssessment,
  type Terms,
  type VerdictLine,
  verdictLine,
} from '@svc/limits'
import { bodyNumber, bodyPart, bodyText, type RecordStep } from './record.ts'
import {
  amountOf,
  booksAt,
  foldFacts,
  secondsOf,
  spokenForBefore,
  type FoldedFacts,
  type Moment,
} from './record-fold.ts'

/** The terms that judge, and the markets of the leg that they allow. */
export interface JudgingTerms {
  readonly terms: Terms
  readonly markets: readonly string[]
}

/** What each clause says of an attempt, computed here from the facts of the record. */
export interface Recomputed {
  readonly verdicts: readonly VerdictLine[]
  readonly amount: bigint
  /** Kind of the refusal that the record states, and the kind that follows from the facts; null if nothing refuses. */
  readonly recorded: string | null
  readonly computed: string | null
  /** The clause that refuses; null if no clause is the cause. */
  readonly clause: ClauseVerdict['clause'] | null
  /**
   * `agrees`: the facts of the record lead to the recorded kind. `differs`: they lead to another one, so one of both is wrong.
   * `open`: what the service knew besides, such as the worth or a reserved order, is not in the record. `shown`: a trade or a
   * question, of which the record states no refusal.
   */
  readonly finding: 'agrees' | 'differs' | 'open' | 'shown'
}

/** A record that was folded once, to judge each of its refused attempts. */
export interface FoldedRecord {
  readonly entries: readonly RecordStep[]
  readonly folded: FoldedFacts
  readonly judging: JudgingTerms
}

/** Kinds that the vault itself refuses for; the rules and the facts of the chain decide them. */
const VAULT_KINDS = new Set(['TargetNotAllowed', 'OverPerTxCap', 'OverDailyCap', 'MandateStopped', 'MandateEnded'])

/** Folds the facts of a record under its terms. */
export const foldRecord = (entries: readonly RecordStep[], judging: JudgingTerms): FoldedRecord => ({
  entries,
  judging,
  folded: foldFacts(entries, judging.terms.agent),
})

/** Returns true for an entry that `recompute` may judge. */
export const isJudged = (step: RecordStep): boolean =>
  step.kind === 'refused' ||
  step.kind === 'approval_requested' ||
  (step.kind === 'chain_fact' && bodyText(step, 'name') === 'Executed')

/**
 * Judges an attempt again by the facts that stood when it was refused, asked or executed. Returns null for an entry of another
 * kind, a refusal by the owner, and an attempt that names no amount.
 */
export function recompute(record: FoldedRecord, step: RecordStep): Recomputed | null {
  if (!isJudged(step)) return null
  if (step.kind === 'chain_fact') return judgeTrade(record, step)
  const recorded = step.kind === 'refused' ? bodyText(step, 'kind') : null
  if (step.kind === 'refused' && (recorded === null || recorded === 'owner_declined')) return null
  const { target, selector, market, amount, at } = attemptOf(step)
  if (amount === null) return null
  if (target !== null && selector !== null) return judgeCall(record, step, { target, selector, amount, at, recorded })
  return market === null ? null : judgeOrder(record, step, { market, amount, at, recorded })
}

/** Judges a trade that the vault let pass, by the books before it; null for one that spent nothing. */
function judgeTrade(record: FoldedRecord, step: RecordStep): Recomputed | null {
  const { target, spent } = bodyPart(step, 'args')
  const amount = typeof spent === 'string' && /^\d{1,39}$/.test(spent) ? BigInt(spent) : 0n
  const selector = bodyText(step, 'data')?.slice(0, 10) ?? null
  if (typeof target !== 'string' || selector === null || amount === 0n) return null
  const at = secondsOf(bodyText(step, 'block_time') ?? step.at)
  const call = { target, selector, amount, at, recorded: null }
  return resultOf(assessAt(record, step, call, { moment: { seq: step.seq }, onChain: true }), call, false)
}

/** An agent's own report carries the attempt in a member of its own. */
function attemptOf(step: RecordStep) {
  const told = bodyPart(step, 'attempted')
  const of = (name: string) => bodyText(step, name) ?? (typeof told[name] === 'string' ? told[name] : null)
  return {
    target: of('target'),
    selector: of('selector') ?? of('data')?.slice(0, 10) ?? null,
    market: of('market'),
    amount: amountOf(of('amount_usdc')),
    at: secondsOf(bodyText(step, 'block_time') ?? bodyText(step, 'occurred_at') ?? step.at),
  }
}

interface RefusedCall {
  readonly target: string
  readonly selector: string
  readonly amount: bigint
  readonly at: bigint
  readonly recorded: string | null
}

function judgeCall(record: FoldedRecord, step: RecordStep, call: RefusedCall): Recomputed {
  const block = bodyNumber(step, 'block_number')
  const moments: readonly Moment[] =
    block === null
      ? [{ seq: step.seq }]
      : [
          { block, withBlock: false },
          { block, withBlock: true },
        ]
  const onChain = block !== null
  const [first, ...others] = moments.map((moment) => assessAt(record, step, call, { moment, onChain }))
  if (first === undefined) throw new Error('there is always a moment')
  const agreeing = [first, ...others].find(({ refusal }) => refusal?.kind === call.recorded)
  const isDecided = call.recorded !== null && VAULT_KINDS.has(call.recorded) && (onChain || step.source === 'server')
  return resultOf(agreeing ?? first, call, isDecided)
}

function assessAt(
  { entries, folded, judging: { terms } }: FoldedRecord,
  { seq }: RecordStep,
  { target, selector, amount, at }: RefusedCall,
  { moment, onChain }: { readonly moment: Moment; readonly onChain: boolean },
): Assessment {
  const vault = booksAt(folded, moment)
  const { held, legHeld, legUsed, stoppedInRecord } = spokenForBefore(entries, seq, at)
  // The vault knows nothing of held items, of the leg, and of a stop in the record.
  const beside = onChain
    ? { held: 0n, legHeld: 0n, legUsed: 0n, stoppedInRecord: false }
    : { held, legHeld, legUsed, stoppedInRecord: stoppedInRecord !== null }
  const observed = { vault, balance: vault.accounted + vault.feeOwed, worth: null, own: 0n, approved: false, ...beside }
  const attempt = { caller: terms.agent, target: target as Address, data: selector as Hex, amount, at }
  const assessment = assess(terms, observed, attempt)
  // On the chain only what the vault reverts with refuses; its clause 6 would have asked the owner.
  return onChain && assessment.refusal?.revert === null ? { ...assessment, refusal: null } : assessment
}

interface RefusedOrder extends Pick<RefusedCall, 'amount' | 'at' | 'recorded'> {
  readonly market: string
}

/** Judges an order of the leg. The record does not hold reservations and worths, so a difference proves nothing. */
function judgeOrder({ entries, folded, judging }: FoldedRecord, step: RecordStep, order: RefusedOrder): Recomputed {
  const { terms, markets } = judging
  const vault = booksAt(folded, { seq: step.seq })
  const { held, legHeld, legUsed, stoppedInRecord } = spokenForBefore(entries, step.seq, order.at)
  const usedByVault = vault.usedDay === order.at / 86_400n ? vault.usedAmount : 0n
  const stop = { owner: 'owner_in_record', stop_line: 'stop_line' } as const
  const stopped = vault.stopReason === 0 ? null : vault.stopReason === 1 ? 'owner' : 'stop_line'
  const observed = {
    working: true,
    paused: vault.agent === nobody && vault.stopReason === 0,
    stop: stoppedInRecord === null ? stopped : stop[stoppedInRecord],
    markets,
    used: usedByVault + legUsed,
    held: held + legHeld,
    own: 0n,
    approvedUpTo: null,
    worth: null,
    guards: [],
  } as const
  const { market, amount: notional, at } = order
  return resultOf(
    assessOrder(terms, observed, { by: 'agent', market, opening: true, notional, loss: 0n, at }),
    order,
    false,
  )
}

function resultOf(
  { verdicts, refusal }: Pick<Assessment | OrderAssessment, 'verdicts' | 'refusal'>,
  { amount, recorded }: Pick<RefusedCall, 'amount' | 'recorded'>,
  decided: boolean,
): Recomputed {
  const computed = refusal?.kind ?? null
  return {
    verdicts: verdicts.map(verdictLine),
    amount,
    recorded,
    computed,
    clause: refusal?.clause ?? null,
    finding: recorded === null ? 'shown' : computed === recorded ? 'agrees' : decided ? 'differs' : 'open',
  }
}
