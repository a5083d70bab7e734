import type { ReportedEvent } from './event-verdict.ts'

/** The side of a trade that a report claims; null for what claims none. */
export function reportedSide({ kind, side }: Pick<ReportedEvent, 'kind' | 'side'>): 'buy' | 'sell' | null {
  if (kind === 'buy' || kind === 'sell') return kind
  return kind === 'move' ? side : null
}
