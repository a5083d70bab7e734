import type { Standing } from '@svc/contracts/mandates/overview'

const DAY_MS = 86_400_000
/** Time between the two drips of a wallet. */
export const SECOND_AFTER_MS = 7 * DAY_MS
/** Balance under which a wallet gets its second drip, wei. */
const SECOND_BELOW = 100_000_000_000_000n
/** Wallets of one account that get drips. */
const WALLETS_MAX = 2
/** What a drip may cost in gas at least, wei. */
const GAS_MARGIN = 100_000_000_000_000n
/** Gas of a plain transfer. */
const TRANSFER_GAS = 21_000n

/** The limits of drips; amounts in wei. */
export interface DripLimits {
  readonly amount: bigint
  /** Balance under which a wallet gets a drip. */
  readonly minBalance: bigint
  readonly dailyMax: number
  readonly dailyAmountMax: bigint
  /** What the funder keeps. */
  readonly reserve: bigint
  /** Balance of the funder under which the operators are told. */
  readonly alertBelow: bigint
}

/** Drips of a UTC day: all of them, and those of accounts with a draft alone. */
export interface DayUse {
  readonly count: number
  readonly amount: bigint
  readonly draftCount: number
  readonly draftAmount: bigint
}

/** What a drip depends on; amounts in wei. */
export interface DripFacts {
  readonly standing: Standing
  /** Balance of the wallet. */
  readonly balance: bigint
  /** Drips of the wallet, oldest first. */
  readonly grants: readonly { readonly n: number; readonly grantedAt: Date }[]
  /** Number of other wallets of the account that got drips. */
  readonly otherWallets: number
  readonly today: DayUse
  readonly funder: {
    readonly balance: bigint
    /** Drips that may not have left the balance yet. */
    readonly pending: bigint
    /** Highest price per unit of gas. */
    readonly feeMax: bigint
  }
}

/** What a call for a drip gets, and whether the operators are told that funds are low. */
export interface DripDecision {
  readonly status: 'grant' | 'not_eligible' | 'not_needed' | 'already' | 'capped'
  /** Which drip of the wallet it is, or would be. */
  readonly n: 1 | 2
  readonly reason: 'daily_cap' | 'funding_low' | 'no_mandate_yet' | null
  readonly nextEligibleAt: Date | null
  readonly alert: boolean
}

/** Decides on a call for a drip. */
export function decideDrip(facts: DripFacts, limits: DripLimits, now: Date): DripDecision {
  const { standing, balance, grants, otherWallets, today } = facts
  const n = grants.length === 0 ? 1 : 2
  const answer = (status: DripDecision['status'], more: Partial<DripDecision> = {}): DripDecision => ({
    status,
    n,
    reason: null,
    nextEligibleAt: null,
    alert: spendable(facts) < limits.alertBelow,
    ...more,
  })
  if (standing === 'none') return answer('not_eligible', { reason: 'no_mandate_yet' })
  if (balance >= limits.minBalance) return answer('not_needed')
  const first = grants[0]
  if (grants.length >= 2 || (first === undefined && otherWallets >= WALLETS_MAX)) return answer('already')
  if (first !== undefined) {
    const secondAt = new Date(first.grantedAt.getTime() + SECOND_AFTER_MS)
    if (now < secondAt) return answer('already', { nextEligibleAt: secondAt })
    if (balance >= SECOND_BELOW) return answer('not_needed')
  }
  if (exceedsDay(today, standing, limits))
    return answer('capped', { reason: 'daily_cap', nextEligibleAt: nextDay(now) })
  const left = spendable(facts) - limits.amount - gasMargin(facts.funder.feeMax)
  if (left < limits.reserve) return answer('capped', { reason: 'funding_low', alert: true })
  return answer('grant', {
    nextEligibleAt: n === 1 ? new Date(now.getTime() + SECOND_AFTER_MS) : null,
    alert: spendable(facts) - limits.amount < limits.alertBelow,
  })
}

const spendable = ({ funder }: DripFacts): bigint => funder.balance - funder.pending

/** Returns what a drip may cost in gas, at least a ten thousandth of an ether. */
function gasMargin(feeMax: bigint): bigint {
  const gas = TRANSFER_GAS * feeMax
  return gas > GAS_MARGIN ? gas : GAS_MARGIN
}

/** Returns whether another drip is beyond the bounds of its day. An account with a draft alone shares half of each bound. */
function exceedsDay(today: DayUse, standing: Standing, { amount, dailyMax, dailyAmountMax }: DripLimits): boolean {
  if (today.count + 1 > dailyMax || today.amount + amount > dailyAmountMax) return true
  if (standing === 'signed') return false
  return today.draftCount + 1 > Math.floor(dailyMax / 2) || today.draftAmount + amount > dailyAmountMax / 2n
}

/** Returns the beginning of the next UTC day. */
function nextDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS)
}
