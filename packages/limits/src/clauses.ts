import type { Attempt } from './attempt.ts'
import {
  approvalVerdict,
  endVerdict,
  feeVerdict,
  headroomOf,
  listVerdict,
  spendingVerdict,
  stopLineVerdict,
  type ClauseVerdict,
} from './clause-verdict.ts'
import { mayMark, usageAt } from './ledger.ts'
import type { VaultState } from './state.ts'
import { isAllowed, selectorOf, type Terms } from './terms.ts'

/** What is known about a mandate when an attempt is judged. */
export interface Observed {
  readonly vault: VaultState
  /** USDC balance of the vault's address, recognised or not. */
  readonly balance: bigint
  /** Worth of the whole mandate; null if unknown. */
  readonly worth: bigint | null
  /** USDC held by approvals, pending or approved and not yet spent, except the attempt's own approval. */
  readonly held: bigint
  /** USDC held by the open approval of exactly this attempt; zero without one. */
  readonly own: bigint
  /** What orders of the leg use of today's daily cap: fills of opens, and reservations. Not money of the vault. */
  readonly legUsed: bigint
  /** What open approvals of the leg's orders hold of the daily cap. Not money of the vault. */
  readonly legHeld: bigint
  /** True if the owner has approved exactly this attempt. */
  readonly approved: boolean
  /** True if the owner stopped the mandate in the record; the vault may still be open. */
  readonly stoppedInRecord: boolean
}

/** Returns true if the known worth has reached the stop line. A stop line that the principal never exceeded is not reached. */
export function stopLineReached(terms: Terms, { vault, worth }: Observed): boolean {
  return terms.stopLine !== 0n && worth !== null && worth <= terms.stopLine && mayMark(terms, vault)
}

/** Returns the verdict of each of the eight clauses, each independent of the others. `observed.vault` must have recognised its balance. */
export function clauseVerdicts(terms: Terms, observed: Observed, attempt: Attempt): readonly ClauseVerdict[] {
  const { vault, held, legUsed, legHeld, worth } = observed
  const { amount, at } = attempt
  const { selector, complete } = selectorOf(attempt.data)
  const listed = complete && isAllowed(terms, attempt.target, selector)
  return [
    spending(1, vault.accounted, { spent: 0n, beside: held, amount }),
    spending(2, terms.perTxCap, { spent: 0n, beside: 0n, amount }),
    spending(3, terms.dailyCap, { spent: usageAt(terms, vault, at).used, beside: held + legUsed + legHeld, amount }),
    listVerdict(listed, 'contract'),
    endVerdict(terms.endsAt, at, true, 'contract'),
    approvalVerdict(terms.approvalAbove, amount, needsApproval(terms, observed, amount)),
    stopLine(terms, observed, worth),
    feeVerdict(terms),
  ]
}

/** Returns true if clause 6 makes this amount wait for the owner. */
export function needsApproval(terms: Terms, { approved }: Observed, amount: bigint): boolean {
  return terms.approvalAbove !== null && amount > terms.approvalAbove && !approved
}

interface Spending {
  readonly spent: bigint
  /** What approvals and the leg hold; only the guard counts them. */
  readonly beside: bigint
  readonly amount: bigint
}

/** Judges a limit on spending. The contract knows what calls spent, so the guard refuses where only `beside` makes the difference. */
function spending(clause: 1 | 2 | 3, limit: bigint, { spent, beside, amount }: Spending): ClauseVerdict {
  const used = spent + beside
  const onlyGuardRefuses = amount > headroomOf(limit, used) && amount <= headroomOf(limit, spent)
  return spendingVerdict(clause, { limit, used, amount }, onlyGuardRefuses ? 'guard' : 'contract')
}

/** Judges the stop line. The worth after a trade is not known before the trade, so `wouldBe` is unknown. */
function stopLine(terms: Terms, observed: Observed, worth: bigint | null): ClauseVerdict {
  const tripped = observed.vault.stopReason === 2
  const reached = tripped || stopLineReached(terms, observed)
  return stopLineVerdict(terms.stopLine, { worth, wouldBe: null, reached }, tripped ? 'contract' : 'guard')
}
