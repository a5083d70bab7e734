import type { ReactNode } from 'react'
import { useShared } from '../../i18n/index.tsx'
import styles from './tag.module.css'

export type TagKind = 'plain' | 'inside' | 'held' | 'out' | 'note' | 'locked' | 'waiting'

/** A word in a frame. `out` is hatched: it means refused. `waiting` is dashed: it is not in force yet. */
export function Tag({ kind = 'plain', children }: { readonly kind?: TagKind; readonly children: ReactNode }) {
  return <span className={`${styles['tag']} ${styles[kind]}`}>{children}</span>
}

export type Enforcer = 'contract' | 'venue' | 'guard' | 'server' | 'keeper'

/** Who enforces a clause. What a contract or a venue enforces holds without us. */
export function EnforcerTag({ by }: { readonly by: Enforcer }) {
  const words = useShared()
  return <Tag kind={by === 'contract' || by === 'venue' ? 'inside' : 'plain'}>{words.enforcedBy[by]}</Tag>
}

/** The verdict on an attempt. */
export function VerdictTag({ verdict }: { readonly verdict: 'pass' | 'refuse' | 'ask' | 'unknown' }) {
  const words = useShared()
  const kind = { pass: 'inside', refuse: 'out', ask: 'held', unknown: 'plain' } as const
  return (
    <span className={`${styles['tag']} ${styles['verdict']} ${styles[kind[verdict]]}`}>{words.verdict[verdict]}</span>
  )
}
