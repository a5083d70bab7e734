import type { ReportItem } from '@svc/contracts/research-reports/reports'
import type { ReportRow } from './store/reports.ts'

/** A stored report as its owner sees it. */
export function reportItem({ seq: _seq, attempts: _attempts, ...item }: ReportRow): ReportItem {
  return item
}
