import styles from './choice.module.css'

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly onChoose: (value: T) => void
}

/** A choice of one of many, as the browser itself offers it. */
export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  const choose = (text: string) => {
    const found = options.find((option) => option.value === text)
    if (found !== undefined) onChoose(found.value)
  }
  return (
    <label className={styles['choice']}>
      <span>{label}</span>
      <select value={value} onChange={({ target }) => choose(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}
