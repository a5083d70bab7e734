import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { queries, useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Choice } from '../../parts/choice/choice.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Note } from '../../parts/note/note.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Seg } from '../../parts/seg/seg.tsx'
import { Clock } from '../../parts/time/time.tsx'
import type { Agent } from './agents.ts'
import styles from './agent.module.css'
import { cherryText } from './cherry-card.tsx'
import type { Words } from './cherry-words.ts'

const QUOTE = 'GET /subscriptions/cherries/upgrade-preview'
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1))

interface BuyTierProps {
  readonly agent: Agent
  /** The tier that runs now. */
  readonly tier: number
  readonly words: Words
  readonly onClose: () => void
  readonly onBought: () => void
}

/** Buys a tier with the Cherry of an agent, at the price that is shown: a quote pays for one purchase. */
export function BuyTier({ agent: { agent_id, name }, tier: running, words, onClose, onBought }: BuyTierProps) {
  const text = words.dialog
  const [tier, setTier] = useState<'1' | '2'>(running === 2 ? '2' : '1')
  const [months, setMonths] = useState('1')
  const asked = { agent_id, tier: tier === '1' ? 1 : 2, months: Number(months) } as const
  const { buy, busy, done, error, forget } = usePurchase(asked, onBought)
  const quote = useRead(QUOTE, asked, { when: !done })
  // A quote that was used or has expired is never shown to the next dialog.
  useEffect(() => () => queries.removeQueries({ queryKey: [QUOTE] }), [])
  const quoted = quote.data
  const title = text.title(name)
  if (done)
    return (
      <Dialog title={title} onClose={onClose} actions={<Button onClick={onClose}>{text.close}</Button>}>
        <Note kind="inside">{text.done}</Note>
      </Dialog>
    )
  return (
    <Dialog
      title={title}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button onClick={onClose}>{text.back}</Button>
          {quoted !== undefined && quote.error === null && (
            <Button kind="act" busy={busy} disabled={!quoted.affordable} onClick={() => buy(quoted.quote_id)}>
              {text.buy(cherryText(quoted.charge))}
            </Button>
          )}
        </>
      }
    >
      <div className={styles['pair']}>
        <Seg
          label={text.tier}
          value={tier}
          onChange={setTier}
          options={[
            { value: '1', label: words.tiers[1] ?? '1' },
            { value: '2', label: words.tiers[2] ?? '2' },
          ]}
        />
        <Choice
          label={text.months}
          value={months}
          options={MONTHS.map((value) => ({ value, label: value }))}
          onChoose={setMonths}
        />
        <Read of={quote} bones={<Bones lines={[1, 1, 1]} rem={1.5} />}>
          {(shown) => <Quoted quote={shown} words={words} />}
        </Read>
        {error !== null && (
          <>
            <Failed error={error} />
            <p>
              <Button size="s" onClick={() => void quote.refetch().then(forget)}>
                {text.again}
              </Button>
            </p>
          </>
        )}
      </div>
    </Dialog>
  )
}

interface Purchase {
  readonly agent_id: number
  readonly tier: 1 | 2
  readonly months: number
}

/** Buys what a quote is of. Repeated presses have one key, so that one purchase answers them. */
function usePurchase(sent: Purchase, onBought: () => void) {
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const buy = (quote_id: string) => {
    setBusy(true)
    setError(null)
    void api('POST /subscriptions/cherries/subscribe', { ...sent, quote_id }, { idempotencyKey: quote_id })
      .then(() => {
        setDone(true)
        onBought()
      }, setError)
      .finally(() => setBusy(false))
  }
  return { buy, busy, done, error, forget: () => setError(null) }
}

type Quote = Answer<typeof QUOTE>

/** What the purchase costs and leaves. */
function Quoted({ quote, words }: { readonly quote: Quote; readonly words: Words }) {
  const text = words.dialog
  const { charge, credit, balance, ends_at, affordable } = quote
  return (
    <>
      <dl className={styles['cherry']}>
        {credit > 0 && <Figure name={text.credit} value={text.cherry(cherryText(credit))} />}
        <Figure name={text.charge} value={text.cherry(cherryText(charge))} />
        <Figure name={text.before} value={text.cherry(cherryText(balance))} />
        {affordable && <Figure name={text.after} value={text.cherry(cherryText(balance - charge))} />}
        <div>
          <dt>{text.until}</dt>
          <dd>
            <Clock time={ends_at} />
          </dd>
        </div>
      </dl>
      {!affordable && <Note kind="held">{text.short}</Note>}
      <p className={styles['quiet']}>{text.lost}</p>
    </>
  )
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
