import { isLegMarket } from '@svc/limits'
import { DELEGATION_FRAMEWORK } from './mandate-exports.ts'
import type { Coverage, ExportStandard } from '@svc/contracts/mandates/terms'

type Row = readonly [Coverage['coverage'], string]

const none = (detail: string): Row => ['not_enforced', detail]
const lossy = (detail: string): Row => ['lossy', detail]
const enforced = (detail: string): Row => ['enforced', detail]

const NO_APPROVAL = none('The standard has no approval of single calls; above the amount nothing waits for the owner.')
const NO_STOP_LINE = none('The standard knows no worth; a loss stops nothing.')
const NO_FEE = none('The standard knows no share of the profit; a fee must be agreed elsewhere.')
const ANY_TARGET = none(
  'The money may be sent anywhere: the standard bounds a token, not the contracts that are called with it.',
)
const NO_PER_TX = none('The standard has no bound of one transfer; one may take all that the day leaves.')
const PERIOD = lossy(
  'Of each UTC day what is sent counts, whether or not a trade takes it; what the vault spends on that day does not.',
)
const END = enforced('Nothing is allowed from the end date on.')

/** For each standard, what its document enforces of clauses 1 to 8, in order. */
const TABLE: Readonly<Record<ExportStandard, readonly Row[]>> = {
  erc7715: [
    none('The request bounds each day, not the sum of all days.'),
    NO_PER_TX,
    PERIOD,
    ANY_TARGET,
    END,
    NO_APPROVAL,
    NO_STOP_LINE,
    NO_FEE,
  ],
  erc7710: [
    none('The caveats bound each day, not the sum of all days.'),
    NO_PER_TX,
    PERIOD,
    none(
      'The money may be sent anywhere. A caveat on token transfers judges the transfer itself: a list of targets beside it would make every call revert, so none is written.',
    ),
    END,
    NO_APPROVAL,
    NO_STOP_LINE,
    NO_FEE,
  ],
  'spend-permission': [
    none('The permission bounds each period, not the sum of all periods.'),
    NO_PER_TX,
    PERIOD,
    ANY_TARGET,
    END,
    NO_APPROVAL,
    NO_STOP_LINE,
    NO_FEE,
  ],
  'zodiac-role': [
    none('The allowance refills each day; the sum of all days has no bound.'),
    enforced('Each approval of USDC is at most the cap.'),
    lossy(
      'The allowance counts what is approved, not what is taken, and refills at the start of the UTC day of the export and every 24 hours.',
    ),
    enforced('Only the listed functions of the listed contracts may be called; their arguments are free.'),
    none('A role does not end by itself: the owner must take it away.'),
    NO_APPROVAL,
    NO_STOP_LINE,
    NO_FEE,
  ],
  ap2: [
    lossy(
      "payment.budget.max bounds all payments together, in dollars with cents: the unit is the standard's own. Rounded down to whole cents, at most 9999999999999.99, and checked by payment services, not by a contract.",
    ),
    lossy(
      "payment.amount_range.max is an integer of cents: the unit is the standard's own, and not that of payment.budget.max. Rounded down to whole cents, at most 999999999999999, and checked by payment services.",
    ),
    none('A mandate of payments has no bound of a day.'),
    lossy('The contracts are named as payees; their functions cannot be named.'),
    lossy('The end is in exp and execution_date, checked by payment services.'),
    NO_APPROVAL,
    NO_STOP_LINE,
    NO_FEE,
  ],
}

/** What a document of each standard needs before a wallet or account accepts it. */
const NOTES: Readonly<Record<ExportStandard, string>> = {
  erc7715:
    'A wallet that grants the request makes its own permission of it; wallets differ in the types that they grant.',
  erc7710: `The enforcers are those of the Delegation Framework ${DELEGATION_FRAMEWORK}: the account must be one that its DelegationManager redeems delegations of, and its signature takes the place of signature.`,
  'spend-permission':
    'Only a Coinbase Smart Wallet that has the SpendPermissionManager among its owners can be the account.',
  'zodiac-role':
    'The account must be a Safe with the Roles Modifier, version 2; types, operators, clearances and options are the numbers of its enumerations.',
  ap2: 'There is no open Checkout Mandate: payment.reference carries the hash of these terms in its place, which no checkout matches, so that payment services that check the reference refuse every payment until the digest of one is put in.',
}

/** Returns what the document is and what it needs before a wallet or account accepts it. */
export const noteOf = (standard: ExportStandard): string =>
  `The document gives the agent power over the owner's own account, beside the vault and not through it. Unsigned: the owner's wallet decides on it. ${NOTES[standard]}`

/** Returns why a standard has no document on this chain, and what to do. */
export const absenceOf = (chainId: number): string =>
  `There is no document: the Delegation Framework ${DELEGATION_FRAMEWORK} has no known deployment on chain ${chainId}, so its caveats have no enforcers there. Export another standard, or a mandate whose terms are of a chain that has one, such as Base (8453).`

/** Why a mandate whose agent may call no contract has no document: it would allow what the mandate does not. */
export const NO_CALLS =
  'There is no document: the terms allow the agent no call of a contract, and the standards know no orders at the venue of the leg.'

/** Clauses that also bind orders at the leg. */
const LEG_CLAUSES: readonly number[] = [2, 3, 4, 5, 6, 7]

/** A market of signed terms, with the calls of contracts that it allows. */
interface SignedMarket {
  readonly id: string
  readonly calls: readonly unknown[]
}

/** Returns what a standard enforces of each clause. Documents say nothing of orders at a leg. */
export function coverageOf(standard: ExportStandard, markets: readonly SignedMarket[]): Coverage[] {
  const hasLeg = markets.some(({ id }) => isLegMarket(id))
  const hasCalls = markets.some(({ calls }) => calls.length > 0)
  return TABLE[standard].map(([coverage, detail], at) => {
    const clause = at + 1
    if (!hasCalls) return { clause, coverage: 'not_enforced', detail: NO_CALLS }
    if (!hasLeg || !LEG_CLAUSES.includes(clause)) return { clause, coverage, detail }
    return {
      clause,
      coverage: coverage === 'enforced' ? 'lossy' : coverage,
      detail: `${detail} Orders at the leg are outside of the document.`,
    }
  })
}
