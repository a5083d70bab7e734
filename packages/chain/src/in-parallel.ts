const PARALLEL_MAX = 16

/** Processes items, at most 16 at a time, and returns the results in their order. The first failure rejects, and no further item starts. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  let failed = false
  const worker = async (): Promise<void> => {
    while (!failed && next < items.length) {
      const index = next++
      try {
        results[index] = await work(items[index] as T)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL_MAX, items.length) }, worker))
  return results
}
