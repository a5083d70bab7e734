import { useId } from 'react'
import styles from './seg.module.css'

interface SegProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChange: (value: T) => void
}

/** A choice of a few, seen at once. */
export function Seg<T extends string>({ label, value, options, onChange }: SegProps<T>) {
  const name = useId()
  return (
    <fieldset className={styles['seg']}>
      <legend className="told">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input
            type="radio"
            className="told"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
