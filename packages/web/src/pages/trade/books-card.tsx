import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { usdcText } from '@svc/limits'
import { api } from '../../lib/api.ts'
import { shownPercent, typedUnits, unitsOf } from '../../lib/money.ts'
import type { Problem } from '../../lib/problem.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Field } from '../../parts/field/field.tsx'
import { Read } from '../../parts/read/read.tsx'
import type { Book } from './answers.ts'
import styles from './trade.module.css'
import type { Words } from './words.ts'

interface BooksProps {
  readonly words: Words
  readonly books: UseQueryResult<Answer<'GET /hub/own/paper/books'>, Problem>
  readonly chosen: Book | null
  readonly onChoose: (book: string) => void
  readonly onDone: () => void
}

/** Paper books: the chosen one, and a form for another. */
export function BooksCard({ words, books, chosen, onChoose, onDone }: BooksProps) {
  const text = words.books
  return (
    <Card title={text.title}>
      <Read of={books} bones={<Bones lines={[1]} rem={3} />}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className={styles['quiet']}>{text.none}</p>}
            {items.length > 1 && chosen !== null && (
              <label className={styles['pick']}>
                <span>{text.choose}</span>
                <select value={chosen.book} onChange={(event) => onChoose(event.target.value)}>
                  {items.map(({ book, name }) => (
                    <option key={book} value={book}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {chosen !== null && <BookFigures book={chosen} words={words} />}
            <details className={styles['lower']} open={items.length === 0}>
              <summary>{items.length === 0 ? text.first : text.newBook}</summary>
              <NewBook words={words} onDone={onDone} />
            </details>
          </>
        )}
      </Read>
    </Card>
  )
}

function BookFigures({ book, words }: { readonly book: Book; readonly words: Words }) {
  const text = words.books
  return (
    <>
      <p className={styles['limitLine']}>
        <bdi>{book.name}</bdi>
        <b>
          <Amount units={unitsOf(book.equity_usdc)} unit="USDC" />
        </b>
      </p>
      <dl className={styles['positionFigures']}>
        <div>
          <dt>{text.fees}</dt>
          <dd>
            <Amount units={unitsOf(book.fees_paid_usdc)} />
          </dd>
        </div>
        <div>
          <dt>{text.funding}</dt>
          <dd>
            <Amount change units={unitsOf(book.funding_usdc)} />
          </dd>
        </div>
        <div>
          <dt>{text.drawdown}</dt>
          <dd>{shownPercent(book.max_drawdown_bps)}</dd>
        </div>
      </dl>
    </>
  )
}

function NewBook({ words, onDone }: { readonly words: Words; readonly onDone: () => void }) {
  const text = words.books
  const [name, setName] = useState('')
  const [start, setStart] = useState('10000')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const units = typedUnits(start)
  const make = async () => {
    if (units === null || name.trim() === '') return
    setBusy(true)
    try {
      await api(
        'POST /hub/own/paper/books',
        { name: name.trim(), start_usdc: usdcText(units) },
        { idempotencyKey: key },
      )
      setKey(crypto.randomUUID())
      setName('')
      setError(null)
      onDone()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={styles['lowerForm']}
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <Field label={text.name} value={name} onChange={setName} maxLength={60} required />
      <Field
        label={text.start}
        unit="USDC"
        inputMode="decimal"
        value={start}
        onChange={setStart}
        fault={units === null ? words.limits.amount : null}
      />
      <Button type="submit" busy={busy}>
        {text.make}
      </Button>
      {error !== null && <Failed error={error} />}
    </form>
  )
}
