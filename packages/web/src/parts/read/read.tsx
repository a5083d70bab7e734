import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useShared } from '../../i18n/index.tsx'
import { served } from '../../lib/clock.ts'
import type { Problem } from '../../lib/problem.ts'
import { Bones } from '../bones/bones.tsx'
import { Failed } from '../failed/failed.tsx'
import { distanceText, useNow } from '../time/time.tsx'
import styles from './read.module.css'

interface ReadProps<T> {
  readonly of: UseQueryResult<T, Problem>
  /** What stands here while the first answer is read. */
  readonly bones?: ReactNode
  readonly children: (data: T) => ReactNode
}

/** What was read: bones first, then the content; a failure without content, and the age of content that got old. */
export function Read<T>({ of, bones, children }: ReadProps<T>) {
  if (of.data === undefined)
    return of.error === null ? <>{bones ?? <Bones />}</> : <Failed error={of.error} again={() => void of.refetch()} />
  return (
    <>
      {of.error !== null && <Stale time={new Date(served(of.dataUpdatedAt)).toISOString()} />}
      {children(of.data)}
    </>
  )
}

/** Says how old the figures below are. */
export function Stale({ time }: { readonly time: string }) {
  const words = useShared()
  const now = useNow()
  return (
    <p className={styles['stale']} role="status">
      {words.stale(distanceText(time, now, words))}
    </p>
  )
}

/** Says when what is not computed yet will be. */
export function Pending({ at }: { readonly at: string | null }) {
  const words = useShared()
  return (
    <p className={styles['pending']}>{at === null ? words.pendingSoon : words.pending(`${at.slice(11, 16)} UTC`)}</p>
  )
}
