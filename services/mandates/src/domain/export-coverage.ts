import type { Coverage, ExportStandard } from '@svc/contracts/mandates-exports'

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
  'Days are counted from the start of the day in which the export was made, in UTC, and net transfers count instead of gross spending.',
)
const END = enforced('Nothing is allowed from the end date on.')

/** Clauses 1 to 8 of each standard, in order: what its document enforces, and what not. */
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
      'A caveat on token transfers judges the transfer itself: a list of targets beside it would make every call revert, so none is written.',
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
    enforced('Each approval of USDC is below the cap.'),
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
    lossy('The budget bounds all payments together, but it is checked by payment services, not by a contract.'),
    lossy('Rounded down to whole cents, and checked by payment services.'),
    none('A mandate of payments has no bound of a day.'),
    lossy('The contracts are named as payees; their functions cannot be named.'),
    lossy('The end is in exp and execution_date, checked by payment services.'),
    NO_APPROVAL,
    NO_STOP_LINE,
    NO_FEE,
  ],
}

/** The honest table of a standard. */
export function coverageOf(standard: ExportStandard): Coverage[] {
  return TABLE[standard].map(([coverage, detail], at) => ({ clause: at + 1, coverage, detail }))
}
