import { createHash } from 'node:crypto'
import type { Research } from '@svc/contracts/research-reports/research'

/** Changes with every change of what a report looks like, so that a new look is a new report. */
export const LAYOUT_VERSION = 'report-layout-4'

export type Language = 'en' | 'ko'
export type ReportVersion = 'v1' | 'v2'

/** All that the bytes of a report follow from. */
export interface ReportInputs {
  readonly layout: string
  readonly lang: Language
  readonly version: ReportVersion
  readonly research: Research
}

/** Id of an account's report made from these inputs: the same report has the same id. */
export function reportIdOf(accountId: number, inputsJson: string): string {
  return `rpt_${createHash('sha256').update(`${accountId}\n${inputsJson}`).digest('hex').slice(0, 32)}`
}

/** Name of a report's file for whoever downloads it. */
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

/** Begin of the UTC month of a moment, and of the next. */
export function utcMonth(now: Date): { readonly start: Date; readonly end: Date } {
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  return { start, end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)) }
}
