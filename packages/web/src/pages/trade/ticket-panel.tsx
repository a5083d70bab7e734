import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../../lib/api.ts'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Field } from '../../parts/field/field.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import type { Products, Trader } from './answers.ts'
import { checklistOf, firstRefusal } from './checklist.ts'
import { Checklist } from './checklist-view.tsx'
import { Estimate } from './estimate.tsx'
import { OutcomeNote } from './outcome-note.tsx'
import { SessionDot } from './session-dot.tsx'
import { orderBody, readAmount, type Ticket } from './ticket.ts'
import styles from './trade.module.css'
import { usePlacing } from './use-placing.ts'
import { useTrial } from './use-trial.ts'
import type { Words } from './words.ts'

export interface TicketProps {
  readonly words: Words
  readonly trader: Trader
  readonly products: Products | null
  readonly market: string | null
  readonly book: string | null
  readonly hasBook: boolean
  /** What the live positions come to; null while the venue does not tell. */
  readonly held: string | null
  readonly onChoose: (market: string) => void
  readonly onDone: () => void
  readonly onModeChanged: () => void
}

/** The ticket with what would refuse it. On a phone it opens as a sheet from the bottom. */
export function TicketPanel(props: TicketProps) {
  const [opened, setOpened] = useState(false)
  const sheet = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLParagraphElement>(null)
  const { words } = props
  const open = () => {
    // The sheet must be there before something in it can have the focus.
    flushSync(() => setOpened(true))
    sheet.current?.querySelector('select')?.focus()
  }
  const shut = () => {
    flushSync(() => setOpened(false))
    opener.current?.querySelector('button')?.focus()
  }
  return (
    <>
      <div
        ref={sheet}
        className={opened ? `${styles['sheet']} ${styles['opened']}` : styles['sheet']}
        onKeyDown={(event) => event.key === 'Escape' && opened && shut()}
      >
        <button type="button" className={styles['sheetClose']} onClick={shut}>
          {words.ticket.shut}
        </button>
        <TicketForm {...props} />
      </div>
      <p ref={opener} className={styles['sheetOpen']}>
        <Button kind="act" wide onClick={open}>
          {words.ticket.open}
        </Button>
      </p>
    </>
  )
}

function TicketForm({ words, trader, products, market, book, hasBook, held, ...after }: TicketProps) {
  const text = words.ticket
  const whyId = useId()
  const [side, setSide] = useState<'buy' | 'sell'>('buy')
  const [typed, setTyped] = useState('')
  const [reduceOnly, setReduceOnly] = useState(false)
  const { mode } = trader
  const items = products?.items ?? []
  const product = items.find(({ market_id }) => market_id === market) ?? null
  const { amount, fault } = readAmount(typed, product?.min_order_usdc ?? null)
  const ticket: Ticket = { market: product?.market_id ?? null, side, amount: typed, reduceOnly, book }
  const body = amount === null || (mode === 'paper' && !hasBook) ? null : orderBody(ticket, amount, mode, true)
  const tried = useTrial(body)
  const placing = usePlacing({ trader, product, side, amount, reduceOnly, ...after })
  const lines = checklistOf({ mode, product, amount, reduceOnly, trader, held, trial: tried.trial, expired: null })
  const refusal = firstRefusal(lines)
  const isReady = amount !== null && product !== null && body !== null && refusal === null
  const submit = () => {
    const order = amount === null ? null : orderBody(ticket, amount, mode, false)
    if (!isReady || order === null) return
    placing.start((key) => api('POST /ui/trade/order', order, { idempotencyKey: key }))
  }
  return (
    <Card title={text.title} aside={product !== null && <SessionDot state={product.session} words={words} />}>
      <form
        className={styles['ticket']}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <MarketPick words={words} items={items} chosen={product?.market_id ?? ''} onChoose={after.onChoose} />
        <Seg
          label={text.side}
          value={side}
          onChange={setSide}
          options={[
            { value: 'buy', label: text.buy },
            { value: 'sell', label: text.sell },
          ]}
        />
        <Field
          label={text.amount}
          unit="USDC"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
          fault={faultText(fault, typed, product?.min_order_usdc ?? '', words)}
        />
        <ReduceOnly words={words} on={reduceOnly} onChange={setReduceOnly} />
        <Estimate words={words} product={product} side={side} amount={amount} tried={tried} />
        {mode === 'paper' && !hasBook && <Note kind="held">{text.noBook}</Note>}
        <Button
          type="submit"
          kind="act"
          size="l"
          wide
          busy={placing.busy}
          disabled={!isReady}
          aria-describedby={refusal === null ? undefined : whyId}
        >
          {buttonText({ words, mode, side, amount, coin: product?.coin ?? null })}
        </Button>
        {refusal !== null && amount !== null && (
          <p id={whyId} className={styles['why']}>
            {text.refusedFirst} {words.checklist.codes[refusal.code]}
            {refusal.fix !== null && <bdi className={styles['fix']}>{refusal.fix}</bdi>}
          </p>
        )}
      </form>
      {placing.outcome !== null && (
        <div className={styles['outcome']}>
          <OutcomeNote words={words} outcome={placing.outcome} mode={mode} again={placing.again} />
        </div>
      )}
      <Checklist words={words} lines={lines} tried={tried} hasAmount={amount !== null} />
    </Card>
  )
}

interface PickProps {
  readonly words: Words
  readonly items: Products['items']
  readonly chosen: string
  readonly onChoose: (market: string) => void
}

function MarketPick({ words: { ticket: text }, items, chosen, onChoose }: PickProps) {
  return (
    <label className={styles['pick']}>
      <span>{text.market}</span>
      <select value={chosen} onChange={(event) => onChoose(event.target.value)}>
        <option value="" disabled>
          {text.choose}
        </option>
        {items.map(({ market_id, coin, title }) => (
          <option key={market_id} value={market_id}>
            {coin === title ? coin : `${coin} · ${title}`}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ReduceProps {
  readonly words: Words
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

function ReduceOnly({ words: { ticket: text }, on, onChange }: ReduceProps) {
  return (
    <label className={styles['reduce']}>
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {text.reduceOnly} <span className={styles['quiet']}>{text.reduceOnlySaid}</span>
      </span>
    </label>
  )
}

const faultText = (fault: 'empty' | 'form' | 'minimum' | null, typed: string, least: string, { ticket }: Words) =>
  fault === null || typed === '' ? null : fault === 'minimum' ? ticket.faults.minimum(least) : ticket.faults[fault]

interface ButtonFacts {
  readonly words: Words
  readonly mode: Trader['mode']
  readonly side: 'buy' | 'sell'
  readonly amount: string | null
  readonly coin: string | null
}

/** The button says what happens: the live one carries the amount of real money. */
function buttonText({ words: { ticket: text }, mode, side, amount, coin }: ButtonFacts): string {
  if (amount === null || coin === null) return mode === 'live' ? text.liveIdle : text.paperIdle
  if (mode === 'live') return side === 'buy' ? text.liveBuy(amount, coin) : text.liveSell(amount, coin)
  return side === 'buy' ? text.paperBuy(amount, coin) : text.paperSell(amount, coin)
}
