import type { OwnStatement, Statement } from '@svc/contracts/mandates/statements'

/** A line of a statement. Amounts and counts are aligned right, texts follow their label; a null value is unknown. */
export interface Row {
  readonly label: string
  readonly value: string | null
  readonly kind: 'usdc' | 'count' | 'text'
  /** True for the sum of the lines above. */
  readonly sum?: boolean
}

/** Lines of a statement under one heading. */
export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

/** An executed call: when, what it meant (null if that cannot be read), and the USDC that it brought, negative for a cost. */
export interface StatedCall {
  readonly at: string
  readonly text: string | null
  readonly moved_usdc: string
}

/** Most executed calls that a statement lists. They fill one page. */
export const CALLS_MAX = 34

/** Returns the section that lists executed calls; `trades` is how many there were. */
export function callsSection(calls: readonly StatedCall[], trades: number): Section {
  const rows = calls.map(({ at, text: said, moved_usdc }) => {
    const time = `${at.slice(5, 10)} ${at.slice(11, 16)}`
    return amount(`${time}  ${said ?? 'Asset and price unknown: no calldata of a listed call is recorded'}`, moved_usdc)
  })
  const more = trades - calls.length
  const [section = { title: '', rows }] = withEqualDecimals([{ title: 'Executed calls, in USDC, times in UTC', rows }])
  return more <= 0
    ? section
    : { ...section, rows: [...section.rows, text('Further', `${more} more are in the record`)] }
}

/** Kinds of refusals in words. Other kinds are shown by their code. */
const REFUSALS: Readonly<Record<string, string>> = {
  TargetNotAllowed: 'Call that the terms do not list',
  OverPerTxCap: 'Above the cap of one transaction',
  OverDailyCap: 'Above the daily cap',
  MandateStopped: 'While paused or stopped',
  MandateEnded: 'After the end date',
  server_guard: 'Refused by the guard of the service',
  owner_declined: 'Declined by the owner',
}

const amount = (label: string, value: string | null): Row => ({ label, value, kind: 'usdc' })
const count = (label: string, value: number): Row => ({ label, value: String(value), kind: 'count' })
const text = (label: string, value: string): Row => ({ label, value, kind: 'text' })
const negative = (value: string) => (/^[0.]+$/.test(value) ? value : `-${value}`)

/** A fee is charged on realised profit at a withdrawal or the settlement; until then profit is before fees. */
const PROFIT = 'Profit, less fees taken'

const CENTS = 2
const USDC_DECIMALS = 6

/** Returns an amount with separated thousands: 1,234.50, -0.36. */
function readable(value: string, decimals: number): string {
  const [whole = '0', fraction = ''] = value.split('.')
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}.${fraction.padEnd(decimals, '0')}`
}

/** Formats all amounts of a statement with two decimals if all are whole cents, else with six. No digit is lost. */
function withEqualDecimals(sections: readonly Section[]): readonly Section[] {
  const isFine = ({ kind, value }: Row) => kind === 'usdc' && (value?.split('.')[1]?.length ?? 0) > CENTS
  const decimals = sections.some(({ rows }) => rows.some(isFine)) ? USDC_DECIMALS : CENTS
  const written = (row: Row): Row =>
    row.kind === 'usdc' && row.value !== null ? { ...row, value: readable(row.value, decimals) } : row
  return sections.map(({ title, rows }) => ({ title, rows: rows.map(written) }))
}

/** Returns the sections of a statement. Totals have no proof, because each mandate has a separate record. */
export function sectionsOf(figures: OwnStatement['totals'], item: Statement | null): readonly Section[] {
  const { refusals, approvals } = figures
  return withEqualDecimals([
    {
      title: 'Account, in USDC',
      rows: [
        amount('Worth at the beginning', figures.opening_worth_usdc),
        amount('Deposits', figures.deposits_usdc),
        amount('Withdrawals', negative(figures.withdrawals_usdc)),
        ...(figures.unbooked_usdc === null || figures.unbooked_usdc === '0'
          ? []
          : [amount('Sent to the address of the vault, not in its books', figures.unbooked_usdc)]),
        amount(PROFIT, figures.profit_usdc),
        { ...amount('Worth at the end', figures.closing_worth_usdc), sum: true },
      ],
    },
    {
      title: 'Trading, in USDC',
      rows: [
        count('Executed calls', figures.trades),
        amount('Spent', figures.spent_usdc),
        amount('Received', figures.received_usdc),
        amount('Fees of the agent', figures.fees_usdc),
      ],
    },
    ...legSection(figures),
    {
      title: 'Limits',
      rows: [
        count('Violations', figures.violations),
        ...(item === null ? [] : [daysOf(item)]),
        count('Refused attempts', refusals.total),
        ...Object.entries(refusals.by_kind).map(([kind, times]) => count(`    ${REFUSALS[kind] ?? kind}`, times)),
        count('Approvals asked for', approvals.requested),
        count('    Approved', approvals.approved),
        count('    Declined', approvals.declined),
        count('    Used', approvals.used),
        count('    Expired', approvals.expired),
      ],
    },
    ...(item === null ? [] : [proofOf(item)]),
  ])
}

/** Returns the section of the leg; none if no money moved there, none is known to be there, and nothing was traded. */
function legSection(figures: OwnStatement['totals']): Section[] {
  const { leg_orders, leg_funded_usdc, leg_returned_usdc, closing_leg_usdc } = figures
  const amounts = [leg_funded_usdc, leg_returned_usdc, closing_leg_usdc ?? '0', figures.leg_owed_usdc ?? '0']
  if (leg_orders === 0 && amounts.every((value) => value === '0')) return []
  return [
    {
      title: 'Leg, in USDC',
      rows: [
        count('Filled orders', leg_orders),
        amount('Bought and sold', figures.leg_filled_usdc),
        amount('Fees of the venue', figures.leg_fees_usdc),
        amount('From the vault to the leg', leg_funded_usdc),
        amount('Back from the leg to the vault', leg_returned_usdc),
        ...endRows(figures),
        amount('Worth at the leg at the end', closing_leg_usdc),
      ],
    },
  ]
}

/** Returns what stayed owed of a leg that the house ended in place of its owner; nothing for other weeks. */
function endRows({ leg_owed_usdc, leg_kept_by_owner_usdc, leg_fee_owed_usdc }: OwnStatement['totals']): Row[] {
  const rows = [
    ['Owed beyond that when the house ended the leg', leg_owed_usdc],
    ['    Moved away and kept by the owner', leg_kept_by_owner_usdc],
    ['    Fee owed on it', leg_fee_owed_usdc],
  ] as const
  return rows.flatMap(([label, value]) => (value === undefined || value === '0' ? [] : [amount(label, value)]))
}

const daysOf = ({ days }: Statement): Row => ({
  label: 'Days inside the limits',
  value: `${days.inside_limits} of ${days.counted}`,
  kind: 'count',
})

const proofOf = ({ public_id, state, record_head: { seq, hash, jws } }: Statement): Section => ({
  title: 'Proof',
  rows: [
    text('Mandate', public_id),
    text('State', state),
    ...(seq === 0
      ? [text('Record', 'no entry in or before this week')]
      : [
          text('Record', `entry ${seq}${jws === null ? '' : ', signed'}; the export of the record verifies it`),
          text('SHA-256', hash),
        ]),
  ],
})
