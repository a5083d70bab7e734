import type { CallMarket } from '@svc/limits/call-meaning'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { exactAmount, grouped, unitsOf } from '../../lib/money.ts'
import type { RecordStep } from '../../lib/record.ts'
import type { SummedFigure } from '../../lib/statement-sums.ts'
import { recordedCall, type HeldCalls } from '../../lib/timeline.ts'
import { CallLine } from '../../parts/call/call.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Unknown } from '../../parts/unknown/unknown.tsx'
import { addressOf } from '../../routes.ts'
import type { Statement } from './answers.ts'
import type { Words } from './words.ts'
import styles from './statement.module.css'

/** The entries that each figure sums, and the calls that waited for the owner; null until the record is read. */
type Behind = {
  readonly steps: Readonly<Record<SummedFigure, readonly RecordStep[]>>
  readonly held: HeldCalls
} | null
type Markets = readonly CallMarket[] | undefined

interface FiguresProps {
  readonly statement: Statement
  /** The entries behind each figure; null until the record is read. */
  readonly behind: Behind
  /** The catalogue, by which calls of entries are read; undefined while it was not read. */
  readonly markets: Markets
  readonly words: Words
}

/** A line of the statement. */
interface Line {
  readonly name: string
  readonly value: ReactNode
  readonly sums?: SummedFigure
  /** The sum of the lines above. */
  readonly total?: boolean
  /** Belongs to the line above. */
  readonly part?: boolean
}

/** All figures of a statement in tables; each that sums entries opens to them. */
export function Figures({ statement, behind, markets, words }: FiguresProps) {
  const of = { id: statement.public_id, behind, markets, words }
  const sections = [
    { title: words.money, lines: moneyLines(statement, words) },
    { title: words.trading, lines: tradingLines(statement, words) },
    ...(hasLeg(statement) ? [{ title: words.leg, lines: legLines(statement, words) }] : []),
    { title: words.limits, lines: limitLines(statement, words) },
  ]
  return sections.map(({ title, lines }) => (
    <Card key={title} title={title}>
      <table className={styles['table']}>
        <tbody>
          {lines.map((line) => (
            <tr
              key={line.name}
              className={line.total === true ? styles['total'] : line.part === true ? styles['part'] : ''}
            >
              <th scope="row">
                {line.name}
                {line.sums !== undefined && <Behind figure={line.sums} {...of} />}
              </th>
              <td>{line.value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  ))
}

const amount = (text: string | null, why: string, change = false): ReactNode =>
  text === null ? <Unknown reason={why} /> : <Exact units={unitsOf(text)} change={change} />
/** Where counts stand beside amounts, an amount names its unit. */
const usdc = (text: string | null, why = ''): ReactNode => (
  <>
    {amount(text, why)}
    {text !== null && ' USDC'}
  </>
)
/** What left is written with its sign. */
const negative = (text: string): string => (/^0(\.0+)?$/.test(text) ? text : `-${text}`)

function moneyLines(s: Statement, words: Words): readonly Line[] {
  const { worth, follows } = words.unknown
  const isUnbooked = s.unbooked_usdc === null || !/^-?0(\.0+)?$/.test(s.unbooked_usdc)
  return [
    { name: words.opening, value: amount(s.opening_worth_usdc, worth) },
    { name: words.deposits, value: amount(s.deposits_usdc, worth), sums: 'deposits' },
    { name: words.withdrawals, value: amount(negative(s.withdrawals_usdc), worth), sums: 'withdrawals' },
    ...(isUnbooked ? [{ name: words.unbooked, value: amount(s.unbooked_usdc, follows) }] : []),
    { name: words.profit, value: amount(s.profit_usdc, follows, true) },
    { name: words.closing, value: amount(s.closing_worth_usdc, worth), total: true },
  ]
}

const tradingLines = (s: Statement, words: Words): readonly Line[] => [
  { name: words.trades, value: s.trades, sums: 'trades' },
  { name: words.spent, value: usdc(s.spent_usdc), sums: 'spent' },
  { name: words.received, value: usdc(s.received_usdc), sums: 'received' },
  { name: words.fees, value: usdc(s.fees_usdc), sums: 'fees' },
]

const isSome = (text: string): boolean => !/^0(\.0+)?$/.test(text)

/** What stayed owed of a leg that the house ended; nothing for other weeks. */
function endLines(s: Statement, words: Words): readonly Line[] {
  const lines = [
    { name: words.legOwed, text: s.leg_owed_usdc, sums: 'legOwed' },
    { name: words.legKept, text: s.leg_kept_by_owner_usdc, part: true },
    { name: words.legFeeOwed, text: s.leg_fee_owed_usdc, part: true },
  ] as const
  return lines.flatMap(({ text = '0', ...line }) => (isSome(text) ? [{ ...line, value: usdc(text) }] : []))
}

const hasLeg = (s: Statement): boolean =>
  s.leg_orders > 0 ||
  [s.leg_funded_usdc, s.leg_returned_usdc, s.leg_owed_usdc ?? '0', s.closing_leg_usdc ?? '0'].some(isSome)

const legLines = (s: Statement, words: Words): readonly Line[] => [
  { name: words.legOrders, value: s.leg_orders, sums: 'legOrders' },
  { name: words.legFilled, value: usdc(s.leg_filled_usdc), sums: 'legFilled' },
  { name: words.legFees, value: usdc(s.leg_fees_usdc), sums: 'legFees' },
  { name: words.legFunded, value: usdc(s.leg_funded_usdc), sums: 'legFunded' },
  { name: words.legReturned, value: usdc(s.leg_returned_usdc), sums: 'legReturned' },
  ...endLines(s, words),
  { name: words.closingLeg, value: usdc(s.closing_leg_usdc, words.unknown.worth) },
]

function limitLines({ violations, days, refusals, approvals }: Statement, words: Words): readonly Line[] {
  const kinds = Object.entries(refusals.by_kind)
  return [
    { name: words.violations, value: violations, sums: 'violations' },
    { name: words.days, value: words.daysOf(days.inside_limits, days.counted) },
    { name: words.refusals, value: refusals.total, sums: 'refusals' },
    ...kinds.map(([kind, count]) => ({ name: words.kinds[kind] ?? kind, value: count, part: true })),
    { name: words.approvals, value: approvals.requested, sums: 'approvals' },
    { name: words.approved, value: approvals.approved, sums: 'approved', part: true },
    { name: words.declined, value: approvals.declined, sums: 'declined', part: true },
    { name: words.used, value: approvals.used, sums: 'used', part: true },
    { name: words.expired, value: approvals.expired, sums: 'expired', part: true },
  ]
}

/** An amount with all its decimals: the lines of a column add up to their sum. */
function Exact({ units, change }: { readonly units: bigint; readonly change: boolean }) {
  const isLoss = units < 0n
  const [whole = '', fraction] = exactAmount(isLoss ? -units : units).split('.')
  const sign = isLoss ? '−' : change && units > 0n ? '+' : ''
  const tone = !change || units === 0n ? '' : styles[isLoss ? 'loss' : 'gain']
  const decimals = fraction === undefined ? '' : `.${fraction}`
  return <span className={tone}>{`${sign}${grouped(whole)}${decimals}`}</span>
}

interface BehindProps {
  readonly id: string
  readonly figure: SummedFigure
  readonly behind: Behind
  readonly markets: Markets
  readonly words: Words
}

/** The entries that a figure sums, as links into the record, with what the call of each means. */
function Behind({ id, figure, behind, markets, words }: BehindProps) {
  const steps = behind?.steps[figure]
  if (behind === null || steps === undefined || steps.length === 0) return null
  return (
    <details className={styles['behind']}>
      <summary>{words.sums(steps.length)}</summary>
      <ul aria-label={words.entries}>
        {steps.map((step) => {
          const call = recordedCall(step, behind.held)
          return (
            <li key={step.seq}>
              <Link href={`${addressOf('mandate', { id })}#entry-${step.seq}`}>{words.entry(step.seq)}</Link>{' '}
              {call !== null && <CallLine call={call} markets={markets} />}
            </li>
          )
        })}
      </ul>
    </details>
  )
}
