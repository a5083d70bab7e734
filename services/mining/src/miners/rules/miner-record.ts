const PAUSE_MS = 86_400_000
const PENDING_MAX = 50
const PENDING_OF_NEWCOMERS = 10
const PENDING_PER_APPROVAL = 2
const REJECTIONS_IN_A_ROW = 3

/** A miner's record of decisions; a lapse is not a decision. */
export interface MinerRecord {
  readonly approved: number
  readonly rejected: number
  readonly rejections_in_a_row: number
  readonly paused_until: string | null
}

/** Returns the record after a final decision: the third rejection in a row pauses submissions for a day. */
export function recordAfter(record: MinerRecord, status: 'approved' | 'rejected', now: Date): MinerRecord {
  if (status === 'approved') return { ...record, approved: record.approved + 1, rejections_in_a_row: 0 }
  const inARow = record.rejections_in_a_row + 1
  return {
    ...record,
    rejected: record.rejected + 1,
    rejections_in_a_row: inARow % REJECTIONS_IN_A_ROW,
    paused_until:
      inARow >= REJECTIONS_IN_A_ROW ? new Date(now.getTime() + PAUSE_MS).toISOString() : record.paused_until,
  }
}

/**
 * Returns how many entries of a miner may await review. A pending entry blocks its field for everybody else, and accounts
 * are free, so a miner may have two more for each approval (docs/adr/0019).
 */
export function pendingMax({ approved }: Pick<MinerRecord, 'approved'>): number {
  return Math.min(PENDING_MAX, PENDING_OF_NEWCOMERS + PENDING_PER_APPROVAL * approved)
}
