import type { CSSProperties } from 'react'
import styles from './slider.module.css'

interface SliderProps {
  readonly label: string
  readonly min: number
  readonly max: number
  readonly step?: number
  readonly value: number
  readonly onChange: (value: number) => void
  /** The value in words, with its unit. */
  readonly told: string
  /** The value is refused: the used part turns vermilion. */
  readonly refused?: boolean
  readonly disabled?: boolean
  /** Nothing beyond the value is refused, so nothing is hatched. */
  readonly open?: boolean
  /** `cap`: above the value is refused; `floor`: below it; `asks`: above it the owner is asked. */
  readonly kind?: 'cap' | 'floor' | 'asks'
}

/** A slider of the browser: arrows, pages, Home and End work. What is refused is hatched. */
export function Slider({
  label,
  min,
  max,
  step = 1,
  value,
  onChange,
  told,
  refused = false,
  disabled = false,
  open = false,
  kind = 'cap',
}: SliderProps) {
  const share = max === min ? 0 : (Math.min(Math.max(value, min), max) - min) / (max - min)
  return (
    <input
      type="range"
      className={[styles['slider'], refused ? styles['refused'] : '', styles[open ? 'open' : kind]].join(' ')}
      style={{ '--share': share } as CSSProperties}
      aria-label={label}
      aria-valuetext={told}
      min={min}
      max={max}
      step={step}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.valueAsNumber)}
    />
  )
}
