/**
 * Maximum number of items in a statement: enough that the database does not wait for the next batch, few enough to
 * build that batch meanwhile.
 */
const BATCH_MAX = 1_500

/**
 * Runs a statement for every 1,500 items, in order. `send` is called for the next items while the database processes
 * the earlier ones; a connection runs its statements one after the other. Rejects with the first failure.
 */
export async function inBatches<T>(
  items: readonly T[],
  send: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  let before: Promise<unknown> = Promise.resolve()
  for (let at = 0; at < items.length; at += BATCH_MAX) {
    const sent = send(items.slice(at, at + BATCH_MAX))
    // Handled where it is awaited; an earlier batch may fail first.
    sent.catch(() => {})
    await before
    before = sent
  }
  await before
}
