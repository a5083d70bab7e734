import type { ReportItem } from '@svc/contracts/research-reports/reports'
import type { ReportRow } from './store/reports.ts'

/** Returns a stored report for its account. */
export function reportItem({ seq: _seq, attempts: _attempts, ...item }: ReportRow): ReportItem {
  return item
}
