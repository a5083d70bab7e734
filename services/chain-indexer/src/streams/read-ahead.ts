/** Reading continues while the consumer processes its last item. */
const AHEAD = 2

/**
 * Reads up to two further items while the consumer works on the present one. If the consumer stops or fails, aborts the
 * reads in progress and waits for them before it settles.
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
    // A failure surfaces where the item is awaited; a consumer that stops earlier never awaits it.
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
