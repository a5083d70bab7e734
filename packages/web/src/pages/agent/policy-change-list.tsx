import { shownAmount, unitsOf } from '../../lib/money.ts'
import { Button } from '../../parts/button/button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import styles from './agent.module.css'
import type { Change, Direction } from './policy.ts'
import type { Words } from './words.ts'

/** Which way a change goes: an arrow and a word, never a colour alone. */
export function DirectionMark({ direction, words }: { readonly direction: Direction; readonly words: Words }) {
  const arrow = { tighten: '↓', widen: '↑', mixed: '↕' }[direction]
  return (
    <span className={`${styles['direction']} ${styles[direction]}`}>
      <span aria-hidden="true">{arrow}</span> {words.policy[direction]}
    </span>
  )
}

function useValueText(words: Words) {
  return ({ item }: Pick<Change, 'item'>, value: Change['before']): string => {
    const text = words.policy
    if (typeof value === 'boolean') return value ? text.yes : text.no
    if (value === null) return item === 'allowed_markets' ? text.anyMarket : text.noLimit
    if (typeof value === 'number') return String(value)
    if (typeof value === 'string') return shownAmount(unitsOf(value))
    return value.length === 0 ? text.nothing : value.join(', ')
  }
}

/** Changes, each with its old and new value and its direction. */
export function ChangeList({
  title,
  changes,
  words,
}: {
  readonly title?: string
  readonly changes: readonly Change[]
  readonly words: Words
}) {
  const valueText = useValueText(words)
  return (
    <div>
      {title !== undefined && <p className={styles['listTitle']}>{title}</p>}
      <ul className={styles['changes']}>
        {changes.map((change) => (
          <li key={change.item}>
            <span>{words.policy.items[change.item]}</span>
            <span className={styles['values']}>
              <span className="told">{words.policy.from}</span> <s>{valueText(change, change.before)}</s>{' '}
              <span aria-hidden="true">→</span> <span className="told">{words.policy.to}</span>{' '}
              <b>{valueText(change, change.after)}</b>
            </span>
            <DirectionMark direction={change.direction} words={words} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface WidenProps {
  readonly changes: readonly Change[]
  readonly words: Words
  readonly busy: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Asks again before the agent may do more. */
export function WidenDialog({ changes, words, busy, onClose, onConfirm }: WidenProps) {
  const text = words.policy
  return (
    <Dialog
      title={text.confirmTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.confirmBack}</Button>
          <Button kind="act" busy={busy} onClick={onConfirm}>
            {text.confirm}
          </Button>
        </>
      }
    >
      <p>{text.confirmSaid}</p>
      <ChangeList changes={changes.filter(({ direction }) => direction !== 'tighten')} words={words} />
    </Dialog>
  )
}
