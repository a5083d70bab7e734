import { useShared } from '../../i18n/index.tsx'
import { utcText } from '../../lib/time.ts'
import { distanceText, useNow } from '../time/time.tsx'

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
