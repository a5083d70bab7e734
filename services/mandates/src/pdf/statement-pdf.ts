import type { OwnStatement, Statement } from '@svc/contracts/mandates-worth'
import { reportFonts } from '@svc/report-fonts'
import PDFDocument from 'pdfkit'

/** What a statement shows: one mandate, or all of an owner with their totals. */
export interface StatementInputs {
  readonly items: readonly Statement[]
  readonly totals: OwnStatement['totals'] | null
}

const PAGE = { width: 595.28, height: 841.89, margin: 48 } as const
const INNER = PAGE.width - 2 * PAGE.margin
const ROW = 17
const VALUE_X = PAGE.margin + 210

/** What the fonts do not have is drawn as a question mark. */
const drawable = (text: string) => text.replaceAll(/[^\p{Script=Latin}\p{Script=Hangul}\p{N}\p{P}\s+<=>$€]/gu, '?')
const money = (text: string | null) => (text === null ? 'unknown' : `${text} USDC`)

/** Draws statements, one page each, the totals first. The same inputs give the same bytes. */
export async function statementPdf({ items, totals }: StatementInputs): Promise<Uint8Array<ArrayBuffer>> {
  const [first] = items
  const date = new Date(first?.to ?? 0)
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    lang: 'en-US',
    displayTitle: true,
    autoFirstPage: false,
    info: { Title: `Weekly statement ${first?.week ?? ''}`.trim(), CreationDate: date, ModDate: date },
  })
  const chunks: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', resolve)
    doc.on('error', reject)
  })
  doc.registerFont('regular', reportFonts.regular)
  doc.registerFont('bold', reportFonts.bold)
  if (totals !== null) page(doc, 'All mandates', first, figuresOf(totals))
  for (const item of items) page(doc, item.name, item, [...figuresOf(item), ...limitsOf(item)])
  doc.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

type Row = readonly [label: string, value: string]

function page(doc: PDFKit.PDFDocument, title: string, item: Statement | undefined, rows: readonly Row[]): void {
  doc.addPage()
  const { margin } = PAGE
  const line = (text: string, x: number, y: number, width: number) =>
    doc.text(drawable(text), x, y, { width, lineBreak: false, ellipsis: true })
  doc.font('bold').fontSize(18).fillColor('#1b2430')
  line(title, margin, margin, INNER)
  doc.font('regular').fontSize(10).fillColor('#5d6675')
  const period = item === undefined ? 'No mandate in this week' : periodOf(item)
  line(period, margin, margin + 26, INNER)
  doc.fontSize(10)
  for (const [at, [label, value]] of rows.entries()) {
    const y = margin + 56 + at * ROW
    if (at % 2 === 0) doc.rect(margin - 6, y - 4, INNER + 12, ROW).fill('#f4f6f9')
    doc.fillColor('#5d6675')
    line(label, margin, y, VALUE_X - margin - 8)
    doc.fillColor('#1b2430')
    line(value, VALUE_X, y, PAGE.width - margin - VALUE_X)
  }
}

const periodOf = ({ week, from, to, complete }: Statement) =>
  `Week ${week}, ${from.slice(0, 10)} to ${to.slice(0, 10)} (UTC, end excluded)${complete ? '' : ', not over yet'}`

function figuresOf(figures: OwnStatement['totals']): readonly Row[] {
  const { refusals, approvals } = figures
  return [
    ['Opening worth', money(figures.opening_worth_usdc)],
    ['Closing worth', money(figures.closing_worth_usdc)],
    ['Deposits', money(figures.deposits_usdc)],
    ['Withdrawals', money(figures.withdrawals_usdc)],
    ['Profit after fees', money(figures.profit_usdc)],
    ['Fees', money(figures.fees_usdc)],
    ['Executed calls', String(figures.trades)],
    ['Spent', money(figures.spent_usdc)],
    ['Received', money(figures.received_usdc)],
    ['Violations', String(figures.violations)],
    ['Refused attempts', String(refusals.total)],
    ...Object.entries(refusals.by_kind).map(([kind, count]): Row => [`  ${kind}`, String(count)]),
    [
      'Approvals',
      `${approvals.requested} asked, ${approvals.approved} approved, ${approvals.declined} declined, ${approvals.used} used, ${approvals.expired} expired`,
    ],
  ]
}

const limitsOf = (item: Statement): readonly Row[] => [
  ['Days inside limits', `${item.days.inside_limits} of ${item.days.counted}`],
  ['State', item.state],
  ['Mandate', item.public_id],
  ['Record head', `entry ${item.record_head.seq}`],
  ['  first half of its SHA-256', item.record_head.hash.slice(0, 32)],
  ['  second half', item.record_head.hash.slice(32)],
]
