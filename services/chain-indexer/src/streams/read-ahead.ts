/** Enough that reading goes on while the consumer waits for what it sent last. */
const AHEAD = 2

/**
 * Reads further items while the consumer works on the present one, two ahead at most. When the consumer stops or fails,
 * the reading under way is ended by its signal before this one settles.
 */
export async function* readAhead<T>(
  parent: AbortSignal,
  read: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const ending = new AbortController()
  const items = read(AbortSignal.any([parent, ending.signal]))
  const ahead: Promise<IteratorResult<T, void>>[] = []
  const readOn = () => {
    const next = items.next()
    // Its failure is met where it is awaited, which the consumer may never come to.
    next.catch(() => {})
    ahead.push(next)
  }
  try {
    for (let n = 0; n < AHEAD; n++) readOn()
    for (let item = await ahead.shift(); item !== undefined && item.done !== true; item = await ahead.shift()) {
      readOn()
      yield item.value
    }
  } finally {
    ending.abort()
    await Promise.allSettled(ahead)
  }
}
