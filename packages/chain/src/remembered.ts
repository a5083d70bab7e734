/** Remembers what `make` gave for a key, as the same few come again and again; above `max` of them it begins anew. */
export function remembered<K, V>(max: number, make: (key: K) => V): (key: K) => V {
  const kept = new Map<K, V>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make(key)
    if (kept.size >= max) kept.clear()
    kept.set(key, made)
    return made
  }
}
