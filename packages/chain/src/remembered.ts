import { LRUCache } from 'lru-cache'

/** Returns `make` with a cache of its results for the `max` most recently used keys. */
export function remembered<K extends {}, V extends {}>(max: number, make: (key: K) => V): (key: K) => V {
  const made = new LRUCache<K, V>({ max, memoMethod: make })
  return (key) => made.memo(key)
}
