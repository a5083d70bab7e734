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
import { purchaseOutcome, type PurchaseOutcome } from './purchase.ts'

const QUOTE = 'GET /subscriptions/cherries/upgrade-preview'
const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1))

interface BuyTierProps {
  readonly agent: Agent
  /** The tier that runs now. */
  readonly tier: number
  readonly words: Words
  readonly onClose: () => void
  /** Something may have been bought. */
  readonly onBought: () => void
}

/** Buys a tier with the Cherry of an agent, at the price that is shown: a quote pays for one purchase. */
export function BuyTier({ agent: { agent_id, name }, tier: running, words, onClose, onBought }: BuyTierProps) {
  const text = words.dialog
  const [tier, setTier] = useState<'1' | '2'>(running === 2 ? '2' : '1')
  const [months, setMonths] = useState('1')
  const asked = { agent_id, tier: tier === '1' ? 1 : 2, months: Number(months) } as const
  const { press, pressed, outcome, busy, error, forget } = usePurchase(onBought)
  const done = outcome === 'paid'
  // A pressed quote stays: another one could buy a second time.
  const quote = useRead(QUOTE, asked, { when: pressed === null && error === null })
  // A quote that was used or has expired is never shown to the next dialog.
  useEffect(() => () => queries.removeQueries({ queryKey: [QUOTE] }), [])
  const offered = quote.data !== undefined && quote.error === null && error === null ? quote.data : null
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
          <Button onClick={onClose}>{pressed === null ? text.back : text.close}</Button>
          {pressed !== null ? (
            <Button kind="act" busy={busy} onClick={() => press(pressed)}>
              {outcome === 'unknown' ? text.resend : text.buy(cherryText(pressed.quote.charge))}
            </Button>
          ) : (
            offered !== null && (
              <Button kind="act" disabled={!offered.affordable} onClick={() => press({ ...asked, quote: offered })}>
                {text.buy(cherryText(offered.charge))}
              </Button>
            )
          )}
        </>
      }
    >
      <div className={styles['pair']}>
        <div className={styles['pair']} inert={pressed !== null}>
          <Chosen {...{ tier, setTier, months, setMonths, words }} />
        </div>
        {pressed === null ? (
          <Read of={quote} bones={<Bones lines={[1, 1, 1]} rem={1.5} />}>
            {(shown) => <Quoted quote={shown} words={words} />}
          </Read>
        ) : (
          <Quoted quote={pressed.quote} words={words} />
        )}
        {error !== null && <Failed error={error} />}
        {outcome === 'unknown' && !busy && (
          <Note kind="held" title={text.unknown}>
            {text.repeat}
          </Note>
        )}
        {outcome === 'refused' && (
          <p>
            <Button size="s" onClick={() => void quote.refetch().then(forget)}>
              {text.again}
            </Button>
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface ChosenProps {
  readonly tier: '1' | '2'
  readonly setTier: (tier: '1' | '2') => void
  readonly months: string
  readonly setMonths: (months: string) => void
  readonly words: Words
}

/** The tier, and for how long. */
function Chosen({ tier, setTier, months, setMonths, words: { dialog, tiers } }: ChosenProps) {
  return (
    <>
      <Seg
        label={dialog.tier}
        value={tier}
        onChange={setTier}
        options={[
          { value: '1', label: tiers[1] ?? '1' },
          { value: '2', label: tiers[2] ?? '2' },
        ]}
      />
      <Choice
        label={dialog.months}
        value={months}
        options={MONTHS.map((value) => ({ value, label: value }))}
        onChoose={setMonths}
      />
    </>
  )
}

interface Purchase {
  readonly agent_id: number
  readonly tier: 1 | 2
  readonly months: number
  readonly quote: Quote
}

/**
 * Buys what a quote is of. The pressed purchase stays until it is paid or definitely refused, and repetitions have one key, so
 * that one purchase answers them.
 */
function usePurchase(onBought: () => void) {
  const [pressed, setPressed] = useState<Purchase | null>(null)
  const [outcome, setOutcome] = useState<PurchaseOutcome | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const press = (purchase: Purchase) => {
    const { quote, ...sent } = purchase
    setPressed(purchase)
    setBusy(true)
    setError(null)
    const { quote_id } = quote
    void api('POST /subscriptions/cherries/subscribe', { ...sent, quote_id }, { idempotencyKey: quote_id })
      .then(
        () => setOutcome('paid'),
        (failure: unknown) => {
          const said = purchaseOutcome(failure, outcome === 'unknown')
          setOutcome(said)
          setError(failure)
          if (said === 'refused') setPressed(null)
        },
      )
      .finally(() => {
        setBusy(false)
        onBought()
      })
  }
  const forget = () => {
    setError(null)
    setOutcome(null)
  }
  return { press, pressed, outcome, busy, error, forget }
}

type Quote = Answer<typeof QUOTE>

/** What the purchase costs and leaves. */
function Quoted({ quote, words }: { readonly quote: Quote; readonly words: Words }) {
  const text = words.dialog
  const { action, charge, credit, balance, ends_at, affordable } = quote
  return (
    <>
      <dl className={styles['cherry']}>
        <Figure name={text.action} value={text.actions[action]} />
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
