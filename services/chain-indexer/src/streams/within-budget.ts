import { isOutage } from '@svc/service'

/**
 * Runs work that stores what it has done as it goes, and ends it cleanly when its seconds are spent or the process
 * ends: the next run resumes behind what is stored.
 */
export async function withinBudget(
  parent: AbortSignal,
  seconds: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const budget = AbortSignal.any([parent, AbortSignal.timeout(seconds * 1000)])
  try {
    await work(budget)
  } catch (error) {
    if (!budget.aborted || (isOutage(error) && !isCausedBy(error, budget.reason))) throw error
  }
}

/** The end of a budget is a lateness of our own, which looks like that of a dependency. */
function isCausedBy(error: unknown, reason: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause === reason) return true
  return error === reason
}
