/**
 * Reads the next item while the consumer works on the present one, one item ahead at most. When the consumer stops or
 * fails, the reading under way is ended by its signal before this one settles.
 */
export async function* readAhead<T>(
  parent: AbortSignal,
  read: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const ending = new AbortController()
  const items = read(AbortSignal.any([parent, ending.signal]))
  let next = items.next()
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next()
      // Its failure is met where it is awaited, which the consumer may never come to.
      next.catch(() => {})
      yield item.value
    }
  } finally {
    ending.abort()
    await next.catch(() => {})
  }
}
