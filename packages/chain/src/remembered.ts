import { LRUCache } from 'lru-cache'

/** Returns `make` with a memory of `max` keys, as the same few keys come again and again. */
export function remembered<K extends {}, V extends {}>(max: number, make: (key: K) => V): (key: K) => V {
  const made = new LRUCache<K, V>({ max, memoMethod: make })
  return (key) => made.memo(key)
}
