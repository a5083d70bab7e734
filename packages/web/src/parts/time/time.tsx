import { useSyncExternalStore } from 'react'
import { useShared } from '../../i18n/index.tsx'
import type { SharedWords } from '../../i18n/en.ts'
import { now } from '../../lib/clock.ts'
import { UNKNOWN } from '../../lib/money.ts'
import { distanceOf, utcDate, utcText, type Distance } from '../../lib/time.ts'

/** One clock for the whole page; it ticks while somebody watches. */
const watchers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined
let shown = now()

function watch(listener: () => void): () => void {
  watchers.add(listener)
  ticking ??= setInterval(() => {
    shown = now()
    for (const each of watchers) each()
  }, 1_000)
  return () => {
    watchers.delete(listener)
    if (watchers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** Returns the present time, milliseconds since 1970, a second exact, also on a device whose clock is off. */
export const useNow = (): number => useSyncExternalStore(watch, () => shown)

/** Returns a distance in words, without its direction. */
export const durationText = (distance: NonNullable<Distance>, words: SharedWords): string =>
  distance.unit === 'now' ? words.time.now : words.time[distance.unit](distance.n)

/** Returns how long ago a moment was, or how far ahead it is, in words; a day from a week on. */
export function distanceText(time: string, present: number, words: SharedWords): string {
  const at = Date.parse(time)
  const distance = distanceOf(at, present)
  if (distance === null) return utcDate(time)
  const text = durationText(distance, words)
  if (distance.unit === 'now') return text
  return at > present ? words.time.in(text) : words.time.ago(text)
}

/** A moment as its distance from now; its title is UTC. */
export function Ago({ time }: { readonly time: string | null }) {
  const words = useShared()
  const present = useNow()
  if (time === null) return <span>{UNKNOWN}</span>
  return (
    <time dateTime={time} title={utcText(time)}>
      {distanceText(time, present, words)}
    </time>
  )
}

/** A moment that a contract counts: it says UTC. */
export function Clock({ time }: { readonly time: string | null }) {
  if (time === null) return <span>{UNKNOWN}</span>
  return <time dateTime={time}>{utcText(time)}</time>
}

interface AsOfProps {
  readonly time: string
  /** Puts the age into words: languages differ in where it stands. */
  readonly said: (age: string) => string
}

/** When figures were computed, by their age; its title is UTC. */
export function AsOf({ time, said }: AsOfProps) {
  const words = useShared()
  const now = useNow()
  return (
    <time dateTime={time} title={utcText(time)}>
      {said(distanceText(time, now, words))}
    </time>
  )
}
