import styles from './steps.module.css'

interface Step {
  readonly name: string
  readonly hint: string
}

interface StepsProps {
  readonly label: string
  readonly steps: readonly Step[]
  /** Place of the step that is shown, from 0. */
  readonly at: number
  /** The first step that cannot be opened yet. */
  readonly open?: number
  readonly onChoose?: (at: number) => void
}

/** Where the reader is on a way of a few steps. Steps that are done can be opened again. */
export function Steps({ label, steps, at, open = 0, onChoose }: StepsProps) {
  return (
    <nav aria-label={label}>
      <ol className={styles['steps']}>
        {steps.map(({ name, hint }, index) => {
          const look = index === at ? styles['here'] : index < at ? styles['done'] : ''
          const body = (
            <>
              <span className={styles['number']} aria-hidden="true">
                {index < at ? '✓' : index + 1}
              </span>
              <span>
                <span className={styles['name']}>{name}</span>
                <span className={styles['hint']}>{hint}</span>
              </span>
            </>
          )
          return (
            <li key={name} className={`${styles['step']} ${look}`} aria-current={index === at ? 'step' : undefined}>
              {onChoose !== undefined && index !== at && index < open ? (
                <button type="button" className={styles['choose']} onClick={() => onChoose(index)}>
                  {body}
                </button>
              ) : (
                <span className={styles['choose']}>{body}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
