/** Items of one statement at most: enough that the database never waits for the next, few enough to make that up meanwhile. */
const BATCH_MAX = 1_500

/**
 * Runs a statement for every 1,500 items, in their order. `send` is called for the next items while the database works on
 * the ones before; a connection runs its statements one after the other. Rejects with the first failure.
 */
export async function inBatches<T>(
  items: readonly T[],
  send: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  for (let at = 0; at < items.length; at += BATCH_MAX) {
    const sent = send(items.slice(at, at + BATCH_MAX))
    // Met where it is awaited; the one before may fail first.
    sent.catch(() => {})
    await before
    before = sent
  }
  await before
}
