import { createHash } from 'node:crypto'
import type { Research } from '@svc/contracts/research-reports/research'

/** Version of the drawing. Change it with every change of the drawing, so that a new drawing is a new report. */
export const LAYOUT_VERSION = 'report-layout-15'

export type Language = 'en' | 'ko'
export type ReportVersion = 'v1' | 'v2'

/** All inputs of the file of a report. */
export interface ReportInputs {
  readonly layout: string
  readonly lang: Language
  readonly version: ReportVersion
  readonly research: Research
}

/** Returns the id of an account's report with these inputs; equal inputs have equal ids. */
export function reportIdOf(accountId: number, inputsJson: string): string {
  return `rpt_${createHash('sha256').update(`${accountId}\n${inputsJson}`).digest('hex').slice(0, 32)}`
}

/** Returns the file name of a report for downloads. */
export function filenameOf(report: {
  readonly exchange: string
  readonly symbol: string
  readonly lang: string
  readonly version: string
  readonly created_at: string
}): string {
  const pair = report.symbol.replace('/', '-').replaceAll(/[^A-Za-z0-9._-]/g, '')
  return `${report.exchange}-${pair}-${report.created_at.slice(0, 10)}-${report.version}-${report.lang}.pdf`
}

/** Returns the start of the UTC month of an instant, and of the next month. */
export function utcMonth(now: Date): { readonly start: Date; readonly end: Date } {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  return { start, end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)) }
}
