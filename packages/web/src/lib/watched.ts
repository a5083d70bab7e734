import { useSyncExternalStore } from 'react'
import { openStore } from './store.ts'

/** Pairs that one browser watches at most: as many as one query of the board names. */
export const WATCHED_MAX = 100
const KEY = 'watched'

/** Returns the ids of a stored list; what is no such list is an empty one. */
export function watchedOf(stored: string | null): readonly string[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    if (!Array.isArray(list)) return []
    const ids = list.filter((id): id is string => typeof id === 'string' && id.length >= 5 && id.length <= 100)
    return [...new Set(ids)].slice(0, WATCHED_MAX)
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

/** Adds a pair to the watched ones, or takes it away. Beyond the maximum, the oldest one goes. */
export function toggleWatched(id: string): void {
  const ids = watched.get()
  const next = ids.includes(id) ? ids.filter((other) => other !== id) : [id, ...ids].slice(0, WATCHED_MAX)
  watched.set(next)
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // A browser that stores nothing still shows the choice until the page is left.
  }
}
