import type { ReportItem } from '@svc/contracts/research-reports/reports'
import type { ReportRow } from './store/reports.ts'

/** Returns a stored report for its account. A file that is made again is described once it is there. */
export function reportItem({ seq: _seq, attempts: _attempts, spared: _spared, ...item }: ReportRow): ReportItem {
  return item.status === 'ready' ? item : { ...item, pages: null, bytes: null, sha256: null }
}
