import { useId, type ReactNode } from 'react'
import { shownAmount, typedUnits, UNIT } from '../../lib/money.ts'
import { Field } from '../../parts/field/field.tsx'
import { Slider } from '../../parts/slider/slider.tsx'
import { changeAmount, type Origin } from './draft.ts'
import { slideEnd, slideStep, type AmountName, type Form, type FormFault } from './form.ts'
import { useWords } from './use-words.ts'
import styles from './limit-row.module.css'

interface LimitRowProps {
  readonly name: AmountName
  readonly form: Form
  readonly fault: FormFault | undefined
  /** The words of the note that set it. */
  readonly origin: Origin | undefined
  /** Switches the limit off. */
  readonly off?: {
    readonly label: string
    readonly hint: string
    readonly is: boolean
    readonly set: (off: boolean) => void
  }
}

/** Limits that are no cap. */
const KINDS: Partial<Record<AmountName, 'floor' | 'asks'>> = { stop_line_usdc: 'floor', approval_above_usdc: 'asks' }

/** One limit: its name with the words that set it, a typed figure, a slider, and what it means. */
export function LimitRow({ name, form, fault, origin, off }: LimitRowProps) {
  const words = useWords()
  const id = useId()
  const { name: title, hint } = words.limits.named[name]
  const end = slideEnd(name, form)
  const units = typedUnits(form.amounts[name])
  const isOff = off?.is === true
  const bound = fault?.bound === null || fault === undefined ? '' : shownAmount(fault.bound)
  return (
    <div className={styles['row']}>
      <div className={styles['line']}>
        <p className={styles['name']} id={id}>
          {title}
          {origin?.source === 'note' && origin.words !== null && (
            <span className={styles['origin']}>
              {' '}
              {words.limits.from} <bdi className={styles['words']}>{words.limits.quote(origin.words)}</bdi>
            </span>
          )}
        </p>
        {!isOff && (
          <div className={styles['typed']}>
            <Field
              label={title}
              labelTold
              unit="USDC"
              inputMode="decimal"
              autoComplete="off"
              value={form.amounts[name]}
              onChange={(text) => changeAmount(name, text)}
              fault={fault === undefined ? null : words.fault[fault.rule](bound)}
            />
          </div>
        )}
      </div>
      {!isOff && (
        <Slider
          label={words.limits.slider(title)}
          min={0}
          max={end}
          step={slideStep(end)}
          value={Number((units ?? 0n) / UNIT)}
          onChange={(value) => changeAmount(name, String(value))}
          told={`${shownAmount(units)} USDC`}
          refused={fault !== undefined}
          kind={KINDS[name] ?? 'cap'}
        />
      )}
      <div className={styles['foot']}>
        <p className={styles['hint']}>{isOff ? off.hint : hint}</p>
        {off !== undefined && <Switch label={off.label} on={off.is} set={off.set} />}
      </div>
    </div>
  )
}

interface SwitchProps {
  readonly label: ReactNode
  readonly on: boolean
  readonly set: (on: boolean) => void
}

/** A box that switches something on. */
export function Switch({ label, on, set }: SwitchProps) {
  return (
    <label className={styles['switch']}>
      <input type="checkbox" checked={on} onChange={(event) => set(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}
