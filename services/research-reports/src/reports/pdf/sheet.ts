import type { Research } from '@svc/contracts/research-reports/research'
import type { Language } from '../rules/report.ts'
import { color, INNER, PAGE, type Pen } from './pen.ts'
import type { Say } from './texts.ts'

/** What every page needs to be drawn. */
export interface Sheet {
  readonly pen: Pen
  readonly say: Say
  readonly lang: Language
  readonly research: Research
  readonly inputsSha256: string
}

/** Where the foot of a page begins. */
export const FOOT_TOP = PAGE.height - 52

/** Draws the heading of a section; returns the `y` below it. */
export function heading(
  { pen }: Sheet,
  title: string,
  y: number,
  width: number = INNER,
  x: number = PAGE.margin,
): number {
  pen.text(title, x, y, width, { size: 10, weight: 'bold', tag: 'H2' })
  return y + 16
}

/** Draws the foot of a page. */
export function foot({ pen, say, research, inputsSha256 }: Sheet, page: number, pages: number): void {
  const top = FOOT_TOP
  pen.line(PAGE.margin, top, PAGE.width - PAGE.margin, top)
  const small = { size: 7, color: color.muted }
  let y = pen.paragraph(say('disclaimer'), PAGE.margin, top + 6, INNER, { ...small, linesMax: 2 })
  y = pen.paragraph(say('method', { sha: inputsSha256.slice(0, 16) }), PAGE.margin, y, INNER - 70, {
    ...small,
    linesMax: 1,
  })
  pen.text(say('page', { n: page, of: pages }), PAGE.width - PAGE.margin - 70, y - 10.5, 70, {
    ...small,
    align: 'right',
  })
  pen.text(`${research.meta.exchange} ${research.meta.symbol}`, PAGE.margin, y + 1, INNER, small)
}
