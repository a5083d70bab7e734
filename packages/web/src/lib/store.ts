/** A value that pages can watch. */
export interface Store<T> {
  get(): T
  set(value: T): void
  /** Calls a listener after each change until the returned function is called. */
  subscribe(listener: () => void): () => void
}

/** Opens a store with its first value. */
export function openStore<T>(first: T): Store<T> {
  let current = first
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set: (value) => {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
