import { useSyncExternalStore } from 'react'
import { openStore } from './store.ts'

/** Pairs that one browser watches at most: as many as one query of the board names. */
export const WATCHED_MAX = 100
/** Greatest length of a list of ids, joined by commas, in one query of the board. */
const QUERY_LENGTH_MAX = 4_000
const KEY = 'watched'

/** Returns whether the board can be asked for a pair of this id. */
export const isPairId = (id: string): boolean => id.length >= 5 && id.length <= 100 && !id.includes(',')

/** Returns as many of the first ids as one query of the board takes. */
function fitting(ids: readonly string[]): readonly string[] {
  let length = -1
  const end = ids.findIndex((id) => (length += id.length + 1) > QUERY_LENGTH_MAX)
  return ids.slice(0, Math.min(WATCHED_MAX, end < 0 ? ids.length : end))
}

/** Returns the ids of a stored list; what is no such list is an empty one. */
export function watchedOf(stored: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    if (!Array.isArray(list)) return []
    const ids = list.filter((id): id is string => typeof id === 'string' && isPairId(id))
    return fitting([...new Set(ids)])
  } catch {
    return []
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

const watched = openStore<readonly string[]>(watchedOf(stored()))

function subscribe(listener: () => void): () => void {
  // Another tab of this browser may change the list.
  const reread = ({ key }: StorageEvent) => {
    if (key === KEY) watched.set(watchedOf(stored()))
  }
  addEventListener('storage', reread)
  const end = watched.subscribe(listener)
  return () => {
    removeEventListener('storage', reread)
    end()
  }
}

/** Returns the ids of the pairs that this browser watches, the newest first. */
export const useWatched = (): readonly string[] => useSyncExternalStore(subscribe, watched.get)

/** Adds a pair to the watched ones, or takes it away. Beyond what one query of the board takes, the oldest ones go. */
export function toggleWatched(id: string): void {
  const ids = watched.get()
  const next = ids.includes(id) ? ids.filter((other) => other !== id) : fitting([id, ...ids])
  watched.set(next)
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // A browser that stores nothing still shows the choice until the page is left.
  }
}
