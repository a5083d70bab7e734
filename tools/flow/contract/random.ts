/** A seeded source of choices; equal seeds give equal choices. */
export interface Random {
  /** Returns 0 ≤ n < 1 (mulberry32). */
  next(): number
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  /** Returns `count` different items in the order of the list, or the whole list if it is not longer. */
  draw<T>(list: readonly T[], count: number): readonly T[]
}

export function randomOf(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    // An item's chance is the number of places left divided by the number of items left.
    draw: <T>(list: readonly T[], count: number) => {
      let places = Math.min(count, list.length)
      return list.filter((_, at) => {
        const isTaken = next() * (list.length - at) < places
        places -= isTaken ? 1 : 0
        return isTaken
      })
    },
  }
}
