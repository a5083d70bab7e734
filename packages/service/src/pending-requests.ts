const RADIX = 36

interface Slot<T> {
  /** Counts the uses of this slot, so that a late answer to an earlier request does not reach the present one. */
  use: number
  value: T | null
}

/** Requests that wait for their answers, by a short id. */
export interface PendingRequests<T> {
  /** Stores a request and returns its id, made of `0-9a-z_`. */
  add(value: T): string
  /** Returns the request with an id; undefined if none waits. */
  peek(id: string): T | undefined
  /** Removes and returns the request with an id; undefined if none waits. */
  remove(id: string): T | undefined
  /** Removes and returns every request that the test selects. */
  removeWhere(test: (value: T) => boolean): T[]
  /** Returns how many requests wait. */
  size(): number
}

/**
 * Creates numbered slots instead of a Map: a Map whose entries come and go this fast is rehashed all the time, and the
 * tables that it leaves behind keep finished requests alive until the next full garbage collection.
 */
export function createPendingRequests<T>(): PendingRequests<T> {
  const slots: Slot<T>[] = []
  const free: number[] = []
  const clear = (index: number, slot: Slot<T>): T | undefined => {
    const value = slot.value ?? undefined
    slot.value = null
    slot.use += 1
    free.push(index)
    return value
  }
  const find = (id: string): { readonly index: number; readonly slot: Slot<T> } | undefined => {
    const end = id.indexOf('_')
    const index = Number.parseInt(id.slice(0, end), RADIX)
    const slot = slots[index]
    if (slot === undefined || slot.value === null || slot.use.toString(RADIX) !== id.slice(end + 1)) return undefined
    return { index, slot }
  }
  return {
    peek: (id) => find(id)?.slot.value ?? undefined,
    add: (value) => {
      const index = free.pop() ?? slots.push({ use: 0, value: null }) - 1
      const slot = slots[index]
      if (slot === undefined) throw new Error('a free slot does not exist')
      slot.value = value
      return `${index.toString(RADIX)}_${slot.use.toString(RADIX)}`
    },
    remove: (id) => {
      const found = find(id)
      return found === undefined ? undefined : clear(found.index, found.slot)
    },
    size: () => slots.length - free.length,
    removeWhere: (test) =>
      slots.flatMap((slot, index) => {
        if (slot.value === null || !test(slot.value)) return []
        return clear(index, slot) ?? []
      }),
  }
}
