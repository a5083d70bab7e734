import { useShared } from '../../i18n/index.tsx'
import type { SharedWords } from '../../i18n/en.ts'
import styles from './state-pill.module.css'

export type State = keyof SharedWords['state']

const look: Readonly<Record<State, 'inside' | 'held' | 'out' | 'still'>> = {
  draft: 'still',
  offered: 'held',
  signed: 'held',
  funded: 'held',
  unaccepted: 'held',
  working: 'inside',
  paused: 'held',
  stopped: 'out',
  ended: 'still',
  closed: 'still',
  settled: 'still',
}

/** Returns what the pill shows of a mandate: one that its agent has not accepted works only once it does. */
export const shownState = (state: string, agent: { readonly accepted_at: string | null } | null): string =>
  state === 'working' && agent !== null && agent.accepted_at === null ? 'unaccepted' : state

/** The state of a mandate in one word. A state that these pages do not know is shown as it came. */
export function StatePill({ state }: { readonly state: string }) {
  const words = useShared()
  const known = state in look ? (state as State) : null
  return (
    <span className={`${styles['pill']} ${styles[known === null ? 'still' : look[known]]}`}>
      {known === null ? <bdi>{state}</bdi> : words.state[known]}
    </span>
  )
}
