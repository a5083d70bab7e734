import { useEffect, useState } from 'react'
import { defineWords } from '../../i18n/index.tsx'
import { useRead } from '../../lib/reads.ts'
import { Button } from '../../parts/button/button.tsx'
import { Choice } from '../../parts/choice/choice.tsx'
import { Field } from '../../parts/field/field.tsx'
import { CLEARED, FIRST_LETTERS, firstOrder, isFiltered, LIFECYCLES, SORTS, type BoardProps } from './board-query.ts'
import { en } from './board-words.ts'
import styles from './board.module.css'

const useWords = defineWords(en, () => import('./board-words.ko.ts'))

/** Pause after the last key before the board is asked. */
const TYPED_MS = 350

const ALERTS = ['any', 'open', 'none', 'unknown'] as const
const FLAGS = ['all', 'any', 'none'] as const

const toggled = <T extends string>(all: readonly T[], one: T) =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one]

/** Filters of the board; each stands in the address of the page. */
export function BoardFilters({ view, onChoose }: BoardProps) {
  const words = useWords()
  return (
    <div className={styles['filters']}>
      <Typed label={words.search} value={view.q} onTyped={(q) => onChoose({ q })} wide />
      <Exchanges view={view} onChoose={onChoose} />
      <Typed
        label={words.quote}
        placeholder={words.quoteHint}
        value={view.quote}
        onTyped={(quote) => onChoose({ quote: quote.toUpperCase() })}
      />
      <Choice
        label={words.sort}
        value={view.sort}
        options={SORTS.map((value) => ({ value, label: words.sorts[value] }))}
        onChoose={(sort) => onChoose({ sort, order: firstOrder(sort) })}
      />
      <Button size="s" onClick={() => onChoose({ order: view.order === 'asc' ? 'desc' : 'asc' })}>
        {words.reverse[view.order]}
      </Button>
      <Marks
        label={words.grade}
        options={FIRST_LETTERS.map((one) => ({ value: one, label: one }))}
        chosen={view.grades}
        onToggle={(one) => onChoose({ grades: toggled(view.grades, one) })}
      />
      <Marks
        label={words.lifecycle}
        options={LIFECYCLES.map((one) => ({ value: one, label: words.lifecycles[one] }))}
        chosen={view.lifecycles}
        onToggle={(one) => onChoose({ lifecycles: toggled(view.lifecycles, one) })}
      />
      <Choice
        label={words.alerts}
        value={view.alerts ?? 'any'}
        options={ALERTS.map((value) => ({ value, label: words.alertChoices[value] }))}
        onChoose={(alerts) => onChoose({ alerts: alerts === 'any' ? null : alerts })}
      />
      <Choice
        label={words.flags}
        value={view.flags ?? 'all'}
        options={FLAGS.map((value) => ({ value, label: words.flagChoices[value] }))}
        onChoose={(flags) => onChoose({ flags: flags === 'all' ? null : flags })}
      />
      <Marks
        label={words.watched}
        options={[{ value: 'watched', label: words.watchedOnly }]}
        chosen={view.watched ? ['watched'] : []}
        onToggle={() => onChoose({ watched: !view.watched })}
      />
      {isFiltered(view) && (
        <Button kind="text" size="s" onClick={() => onChoose(CLEARED)}>
          {words.clear}
        </Button>
      )}
    </div>
  )
}

/** The exchanges that the board covers, as it says itself. */
function Exchanges({ view, onChoose }: BoardProps) {
  const words = useWords()
  const coverage = useRead('GET /coverage', {})
  const covered = coverage.data?.exchanges.map(({ exchange }) => exchange) ?? []
  // What the address asks for stays chosen, also before the list is there.
  const names = view.exchange === '' || covered.includes(view.exchange) ? covered : [view.exchange, ...covered]
  return (
    <Choice
      label={words.exchange}
      value={view.exchange}
      options={[{ value: '', label: words.anyExchange }, ...names.map((value) => ({ value, label: value }))]}
      onChoose={(exchange) => onChoose({ exchange })}
    />
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
