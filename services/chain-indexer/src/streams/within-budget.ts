import { timeLimit } from '@svc/chain'
import { isOutage } from '@svc/service'

/**
 * Runs work that stores its progress as it goes, and ends it without an error when `seconds` have passed or the process
 * ends: the next run resumes after the stored progress.
 */
export async function withinBudget(
  parent: AbortSignal,
  seconds: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  using limit = timeLimit(seconds * 1000, parent)
  const budget = limit.signal
  try {
    await work(budget)
  } catch (error) {
    if (!budget.aborted || (isOutage(error) && !isCausedBy(error, budget.reason))) throw error
  }
}

/** A budget that ends is a timeout of our own, and must be told apart from that of a dependency. */
function isCausedBy(error: unknown, reason: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause === reason) return true
  return error === reason
}
