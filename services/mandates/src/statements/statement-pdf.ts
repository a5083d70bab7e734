import { A4, bytesOf, openDocument } from '@svc/report-drawing/document'
import { drawable, missingGlyphs } from '@svc/report-drawing/glyphs'
import { callsSection, sectionsOf, type Row, type Section, type StatedCall } from './statement-rows.ts'
import type { OwnStatement, Statement } from '@svc/contracts/mandates/statements'

/** Content of a PDF: the statement of a mandate, or of all mandates of an owner with totals. */
export interface StatementInputs {
  readonly period: Pick<Statement, 'week' | 'from' | 'to' | 'complete'>
  readonly items: readonly Statement[]
  readonly own: Pick<OwnStatement, 'totals' | 'omitted'> | null
  /** Executed calls of the one mandate, on a page of their own; absent for all mandates. */
  readonly calls?: readonly StatedCall[]
}

const PAGE = { ...A4, margin: 56 } as const
const INNER = PAGE.width - 2 * PAGE.margin
const RIGHT = PAGE.width - PAGE.margin
const ROW = 18
const SUM_GAP = 5
/** Distance of decimal points from the right edge, which aligns amounts. */
const POINT_X = RIGHT - 44
const LONG_X = PAGE.margin + 120
const INK = { title: '#1b2430', text: '#1b2430', quiet: '#5d6675', accent: '#1f6f5c', line: '#d7dce3' } as const

/** Draws statements, one page each, the totals first and the calls of a mandate last. The same inputs give the same bytes. */
export function statementPdf({ period, items, own, calls = [] }: StatementInputs): Promise<Uint8Array<ArrayBuffer>> {
  // The end of the present week is in the future.
  const doc = openDocument(new Date(period.complete ? period.to : period.from), {
    lang: 'en-US',
    info: { Title: `Weekly statement ${period.week}` },
  })
  const about = periodText(period)
  const pages = [
    ...(own === null ? [] : [totalsPage(own, items.length, about)]),
    ...items.map((item) => ({ title: titleOf(item), about, sections: sectionsOf(item, item) })),
    ...items.flatMap((item) =>
      calls.length === 0 ? [] : [{ title: titleOf(item), about, sections: [callsSection(calls, item.trades)] }],
    ),
  ]
  for (const [at, page] of pages.entries()) draw(doc, page, `Page ${at + 1} of ${pages.length}`)
  return bytesOf(doc)
}

/** Returns the name of the mandate, or its id if the fonts lack a letter of the name. */
function titleOf({ name, public_id }: Statement): string {
  const lost = missingGlyphs(name, 'regular')
  return lost.some((sign) => /\p{L}/u.test(sign)) ? public_id : name
}

function totalsPage({ totals, omitted }: Pick<OwnStatement, 'totals' | 'omitted'>, shown: number, about: string): Page {
  const sections = sectionsOf(totals, null)
  if (omitted > 0)
    return { title: `The ${shown} newest mandates`, about: `${about}; ${omitted} older ones are in no total`, sections }
  return { title: 'All mandates', about: shown === 0 ? `${about}; there is none` : about, sections }
}

interface Page {
  readonly title: string
  readonly about: string
  readonly sections: readonly Section[]
}

function draw(doc: PDFKit.PDFDocument, { title, about, sections }: Page, numbered: string): void {
  doc.addPage()
  const { margin } = PAGE
  // A long text is cut to its first line. Both weights have the same glyphs.
  const write = (text: string, x: number, y: number, width: number) =>
    doc.text(drawable(text, 'regular'), x, y, { width, height: doc.currentLineHeight(), ellipsis: true })
  const rule = (y: number, color: string, thickness: number) =>
    doc.moveTo(margin, y).lineTo(RIGHT, y).lineWidth(thickness).strokeColor(color).stroke()

  doc.font('bold').fontSize(9).fillColor(INK.accent)
  write('Weekly statement', margin, margin, INNER)
  doc.font('bold').fontSize(20).fillColor(INK.title)
  write(title, margin, margin + 14, INNER)
  doc.font('regular').fontSize(10).fillColor(INK.quiet)
  write(about, margin, margin + 44, INNER)
  rule(margin + 64, INK.accent, 1.5)

  let y: number = margin + 84
  for (const { title: heading, rows } of sections) {
    doc.font('bold').fontSize(11).fillColor(INK.title)
    write(heading, margin, y, INNER)
    y += ROW + 2
    for (const row of rows) {
      if (row.sum === true) {
        y += SUM_GAP
        rule(y - SUM_GAP, INK.line, 0.75)
      }
      drawRow(doc, row, y, write)
      y += ROW
    }
    y += 14
  }
  doc.font('regular').fontSize(8).fillColor(INK.quiet)
  const foot = PAGE.height - margin
  write(
    'From facts of the chain and the record. Unmarked worth is unknown. Open gain has paid no fee yet.',
    margin,
    foot,
    INNER - 80,
  )
  write(numbered, RIGHT - doc.widthOfString(numbered), foot, 80)
}

function drawRow(
  doc: PDFKit.PDFDocument,
  { label, value, kind, sum }: Row,
  y: number,
  write: (text: string, x: number, y: number, width: number) => void,
): void {
  const font = sum === true ? 'bold' : 'regular'
  doc
    .font(font)
    .fontSize(10)
    .fillColor(sum === true ? INK.text : INK.quiet)
  write(label, PAGE.margin, y, kind === 'text' ? LONG_X - PAGE.margin - 8 : INNER - 96)
  doc.fillColor(value === null ? INK.quiet : INK.text)
  const text = value ?? 'unknown'
  if (kind === 'text') {
    // A hash of the widest digits fits at this size.
    doc.fontSize(9)
    return write(text, LONG_X, y + 1, RIGHT - LONG_X)
  }
  const whole = kind === 'usdc' && value !== null ? text.slice(0, text.indexOf('.')) : text
  const x = (value === null ? RIGHT : POINT_X) - doc.widthOfString(whole)
  write(text, x, y, RIGHT - x + 1)
}

const periodText = ({ week, from, to, complete }: StatementInputs['period']) =>
  `Week ${week}, ${from.slice(0, 10)} to ${to.slice(0, 10)} (UTC, end excluded)${complete ? '' : ', not over yet'}`
