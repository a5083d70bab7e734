import { useEffect, useState, type ReactNode } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useRead } from '../../lib/reads.ts'
import { Button } from '../../parts/button/button.tsx'
import { Field } from '../../parts/field/field.tsx'
import type { BoardProps } from './board.tsx'
import { FIRST_LETTERS, firstOrder, isFiltered, LIFECYCLES, SORTS } from './board-query.ts'
import { en } from './board-words.ts'
import styles from './board.module.css'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))

/** Pause after the last key before the board is asked. */
const TYPED_MS = 350

/** Filters of the board; each stands in the address of the page. */
export function BoardFilters({ view, onChoose }: BoardProps) {
  const words = useWords()
  const coverage = useRead('GET /coverage', {})
  const toggle = <T extends string>(all: readonly T[], one: T) =>
    all.includes(one) ? all.filter((other) => other !== one) : [...all, one]
  return (
    <div className={styles['filters']}>
      <Typed label={words.search} value={view.q} onTyped={(q) => onChoose({ q })} wide />
      <Choice label={words.exchange}>
        <select value={view.exchange} onChange={({ target }) => onChoose({ exchange: target.value })}>
          <option value="">{words.anyExchange}</option>
          {coverage.data?.exchanges.map(({ exchange }) => (
            <option key={exchange} value={exchange}>
              {exchange}
            </option>
          ))}
        </select>
      </Choice>
      <Typed
        label={words.quote}
        placeholder={words.quoteHint}
        value={view.quote}
        onTyped={(quote) => onChoose({ quote: quote.toUpperCase() })}
      />
      <Choice label={words.sort}>
        <select
          value={view.sort}
          onChange={({ target }) => {
            const sort = SORTS.find((one) => one === target.value) ?? 'volume'
            onChoose({ sort, order: firstOrder(sort) })
          }}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {words.sorts[sort]}
            </option>
          ))}
        </select>
      </Choice>
      <Button size="s" onClick={() => onChoose({ order: view.order === 'asc' ? 'desc' : 'asc' })}>
        {words.reverse[view.order]}
      </Button>
      <Marks
        label={words.grade}
        options={FIRST_LETTERS.map((one) => ({ value: one, label: one }))}
        chosen={view.grades}
        onToggle={(one) => onChoose({ grades: toggle(view.grades, one) })}
      />
      <Marks
        label={words.lifecycle}
        options={LIFECYCLES.map((one) => ({ value: one, label: words.lifecycles[one] }))}
        chosen={view.lifecycles}
        onToggle={(one) => onChoose({ lifecycles: toggle(view.lifecycles, one) })}
      />
      <Choice label={words.alerts}>
        <select
          value={view.alerts ?? 'any'}
          onChange={({ target: { value } }) =>
            onChoose({ alerts: value === 'open' || value === 'none' || value === 'unknown' ? value : null })
          }
        >
          {(['any', 'open', 'none', 'unknown'] as const).map((one) => (
            <option key={one} value={one}>
              {words.alertChoices[one]}
            </option>
          ))}
        </select>
      </Choice>
      <Choice label={words.flags}>
        <select
          value={view.flags ?? 'all'}
          onChange={({ target: { value } }) => onChoose({ flags: value === 'any' || value === 'none' ? value : null })}
        >
          {(['all', 'any', 'none'] as const).map((one) => (
            <option key={one} value={one}>
              {words.flagChoices[one]}
            </option>
          ))}
        </select>
      </Choice>
      {isFiltered(view) && (
        <Button
          kind="text"
          size="s"
          onClick={() =>
            onChoose({ q: '', exchange: '', quote: '', grades: [], lifecycles: [], alerts: null, flags: null })
          }
        >
          {words.clear}
        </Button>
      )}
    </div>
  )
}

function Choice({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label className={styles['choice']}>
      <span>{label}</span>
      {children}
    </label>
  )
}

interface TypedProps {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onTyped: (value: string) => void
  readonly wide?: boolean
}

/** A field that asks once its reader stops typing. */
function Typed({ label, placeholder, value, onTyped, wide = false }: TypedProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return undefined
    const wait = setTimeout(() => onTyped(typed), TYPED_MS)
    return () => clearTimeout(wait)
    // The choice changes with each answer; only what was typed starts the wait.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [typed, value])
  return (
    <div className={wide ? styles['search'] : styles['short']}>
      <Field
        label={label}
        type="search"
        value={typed}
        maxLength={64}
        onChange={setTyped}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
    </div>
  )
}

interface MarksProps<T extends string> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly onToggle: (value: T) => void
}

function Marks<T extends string>({ label, options, chosen, onToggle }: MarksProps<T>) {
  return (
    <fieldset className={styles['marks']}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            className="told"
            checked={chosen.includes(option.value)}
            onChange={() => onToggle(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
