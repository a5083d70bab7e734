import { addDays } from './utc-day.ts'

/** An approved reward that has not been released yet. */
export interface QueuedPayout {
  readonly submission_id: string
  readonly cherry: number
}

/** What an account has been paid on the first day of the plan. */
export interface PaidToday {
  readonly cherry: number
  readonly count: number
}

export interface PlannedPayout extends QueuedPayout {
  readonly pay_on: string
}

/**
 * Plans the UTC day on which each queued payout of one account is released, oldest first and undivided. A day includes
 * the next payout while the sum stays within `limit`; a payout larger than the limit has a day of its own. No payout
 * overtakes another, so none starves; a planned day changes only if the limit changes or a day was missed.
 */
export function planPayouts(
  limit: number,
  today: string,
  paid: PaidToday,
  queue: readonly QueuedPayout[],
): PlannedPayout[] {
  let day = today
  let sum = paid.cherry
  let count = paid.count
  return queue.map((payout) => {
    if (count > 0 && sum + payout.cherry > limit) {
      day = addDays(day, 1)
      sum = 0
      count = 0
    }
    sum += payout.cherry
    count += 1
    return { submission_id: payout.submission_id, cherry: payout.cherry, pay_on: day }
  })
}
