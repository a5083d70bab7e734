import { useShared } from '../../i18n/index.tsx'
import { Problem } from '../../lib/problem.ts'
import { utcText } from '../../lib/time.ts'
import { Button } from '../button/button.tsx'
import { Note } from '../note/note.tsx'
import styles from './failed.module.css'

interface FailedProps {
  readonly error: unknown
  readonly again?: () => void
}

/** A failure: what happened, what to do, when to come back, and for our own faults the id to name. */
export function Failed({ error, again }: FailedProps) {
  const words = useShared()
  const problem = error instanceof Problem ? error : null
  const offline = problem?.status === 0
  const title = offline ? words.failed.offline : problem?.title || words.failed.unreadable
  const fix = offline ? words.failed.offlineFix : problem?.fix
  return (
    <Note
      kind={offline || problem?.status === 429 ? 'held' : 'out'}
      title={title}
      {...(again === undefined
        ? {}
        : {
            action: (
              <Button size="s" onClick={again}>
                {words.failed.again}
              </Button>
            ),
          })}
    >
      {!offline && problem !== null && problem.message !== title && <p>{problem.message}</p>}
      {fix !== null && fix !== undefined && <p>{fix}</p>}
      {problem?.retryAt !== null && problem?.retryAt !== undefined && (
        <p>{words.failed.retryAt(utcText(problem.retryAt))}</p>
      )}
      {problem !== null && problem.status >= 500 && problem.requestId !== null && (
        <p className={styles['id']}>
          {words.failed.requestId} {problem.requestId}
        </p>
      )}
    </Note>
  )
}
