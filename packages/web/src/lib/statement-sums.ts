import { bodyNumber, bodyPart, bodyText, type RecordStep } from './record.ts'

/** Figures of a statement that sum entries of the record. */
export const summedFigures = [
  'deposits',
  'withdrawals',
  'trades',
  'spent',
  'received',
  'fees',
  'legOrders',
  'legFilled',
  'legFees',
  'legFunded',
  'legReturned',
  'legOwed',
  'violations',
  'refusals',
  'approvals',
  'approved',
  'declined',
  'used',
  'expired',
] as const
export type SummedFigure = (typeof summedFigures)[number]

const factIs =
  (...names: readonly string[]) =>
  (step: RecordStep): boolean =>
    step.kind === 'chain_fact' && names.includes(bodyText(step, 'name') ?? '')
const moves = (arg: string) => (step: RecordStep) =>
  factIs('Executed', 'Unwound')(step) && !['0', undefined].includes(bodyPart(step, 'args')[arg] as string | undefined)
const isFilled = (step: RecordStep) => step.kind === 'leg_order' && !/^[0.]*$/.test(bodyText(step, 'filled_size') ?? '')
const isDeclined = (step: RecordStep) => step.kind === 'refused' && bodyText(step, 'kind') === 'owner_declined'

const sums: Readonly<Record<SummedFigure, (step: RecordStep) => boolean>> = {
  deposits: factIs('Deposited', 'DirectDeposit'),
  withdrawals: factIs('Withdrawn'),
  trades: factIs('Executed'),
  spent: moves('spent'),
  received: moves('received'),
  fees: factIs('Settled', 'Withdrawn'),
  legOrders: isFilled,
  legFilled: isFilled,
  legFees: isFilled,
  legFunded: factIs('LegFunded'),
  legReturned: factIs('LegReturned'),
  legOwed: ({ kind }) => kind === 'leg_ended',
  violations: ({ kind }) => kind === 'violation',
  refusals: ({ kind }) => kind === 'refused',
  approvals: ({ kind }) => kind === 'approval_requested',
  approved: ({ kind }) => kind === 'approval_approved',
  declined: isDeclined,
  used: ({ kind }) => kind === 'approval_used',
  expired: ({ kind }) => kind === 'approval_expired',
}

/** Returns when a step happened: by the clock of the chain where the chain tells of it. */
const momentOf = (step: RecordStep): string =>
  bodyText(step, 'block_time') ?? bodyText(step, 'filled_at') ?? bodyText(step, 'occurred_at') ?? step.at

/** Returns the entries that each figure of a statement sums, in order. A fact that was taken back adds to nothing. */
export function entriesBehind(
  entries: readonly RecordStep[],
  from: string,
  to: string,
): Readonly<Record<SummedFigure, readonly RecordStep[]>> {
  const factOf = (step: RecordStep) => `${step.tx_hash ?? ''}:${bodyNumber(step, 'log_ordinal') ?? 0}`
  const gone = new Set(entries.filter(({ kind }) => kind === 'chain_fact_orphaned').map(factOf))
  const inWeek = entries.filter((step) => {
    const at = momentOf(step)
    return at >= from && at < to && !(step.kind === 'chain_fact' && gone.has(factOf(step)))
  })
  return Object.fromEntries(
    summedFigures.map((figure) => [figure, inWeek.filter(sums[figure])]),
  ) as unknown as Readonly<Record<SummedFigure, readonly RecordStep[]>>
}
