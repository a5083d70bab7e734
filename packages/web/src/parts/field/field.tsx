import { useId, type InputHTMLAttributes, type ReactNode } from 'react'
import styles from './field.module.css'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange' | 'value'> {
  readonly label: ReactNode
  /** Stands inside the frame, after the figure. */
  readonly unit?: string
  readonly hint?: ReactNode
  /** What is wrong and what would be right. */
  readonly fault?: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
  /** The label is for readers of the screen alone, because the place says it already. */
  readonly labelTold?: boolean
}

/** A typed field; its fault stands below it and is told with it. */
export function Field({ label, unit, hint, fault, value, onChange, labelTold = false, ...rest }: FieldProps) {
  const id = useId()
  const isFigure = unit !== undefined || rest.inputMode === 'decimal'
  const noFault = fault === undefined || fault === null
  const described = noFault ? (hint === undefined ? undefined : `${id}-hint`) : `${id}-fault`
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={labelTold ? 'told' : styles['label']}>
        {label}
      </label>
      <span className={noFault ? styles['frame'] : `${styles['frame']} ${styles['wrong']}`}>
        <input
          {...rest}
          id={id}
          className={isFigure ? `${styles['input']} ${styles['figure']}` : styles['input']}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-invalid={!noFault || undefined}
          aria-describedby={described}
        />
        {unit !== undefined && <span className={styles['unit']}>{unit}</span>}
      </span>
      {noFault ? (
        hint !== undefined && (
          <p id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </p>
        )
      ) : (
        <p id={`${id}-fault`} className={styles['fault']} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
