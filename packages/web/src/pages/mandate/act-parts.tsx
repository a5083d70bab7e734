import { Button } from '../../parts/button/button.tsx'
import { Note } from '../../parts/note/note.tsx'
import type { ActWords } from './act-words.ts'
import type { ActPlace } from './acts.ts'
import type { Scene } from './scene.ts'
import styles from './mandate.module.css'

/** What every dialog of an act is given. */
export interface ActProps {
  readonly scene: Scene
  readonly place: ActPlace
  readonly words: ActWords
  readonly onClose: () => void
  readonly onDone: () => void
}

/** What is left to say once an act is done. */
export function Over({
  text,
  words,
  onClose,
}: {
  readonly text: string
  readonly words: ActWords
  readonly onClose: () => void
}) {
  return (
    <div className={styles['dialog']}>
      <Note kind="inside">{text}</Note>
      <p>
        <Button onClick={onClose}>{words.leave}</Button>
      </p>
    </div>
  )
}
