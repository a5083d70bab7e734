import { useState } from 'react'
import { usdcText } from '@svc/limits'
import { api } from '../../lib/api.ts'
import { shareOf, shownAmount, typedUnits, unitsOf } from '../../lib/money.ts'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Field } from '../../parts/field/field.tsx'
import { RailRow } from '../../parts/rail/rail.tsx'
import { Clock } from '../../parts/time/time.tsx'
import type { Trader } from './answers.ts'
import { lowerFault } from './ticket.ts'
import styles from './trade.module.css'
import type { Words } from './words.ts'

interface LimitsProps {
  readonly words: Words
  readonly trader: Trader
  readonly onDone: () => void
}

/** The caps of the owner's own orders, each with what it comes from; they only go down here. */
export function LimitsCard({ words, trader, onDone }: LimitsProps) {
  const text = words.limits
  const { per_order_usdc, daily_usdc, bound_by, used_today_usdc, paper_used_today_usdc, resets_at } = trader.limits
  const [used, daily, perOrder] = [unitsOf(used_today_usdc), unitsOf(daily_usdc), unitsOf(per_order_usdc)]
  return (
    <Card title={text.title}>
      <p className={styles['lead']}>{text.why}</p>
      <RailRow
        name={text.daily}
        figure={words.checklist.of(shownAmount(used), `${shownAmount(daily)} USDC`)}
        use={shareOf(used, daily)}
        told={text.told(text.daily, shownAmount(used), shownAmount(daily))}
        hint={
          <>
            {text.bound[bound_by.daily_usdc]} · {text.resets} <Clock time={resets_at} />
          </>
        }
      />
      <p className={styles['limitLine']}>
        <span>
          {text.perOrder} <small>{text.bound[bound_by.per_order_usdc]}</small>
        </span>{' '}
        <b>{shownAmount(perOrder)} USDC</b>
      </p>
      <p className={styles['limitLine']}>
        <span>{text.paperUsed}</span> <b>{shownAmount(unitsOf(paper_used_today_usdc))} USDC</b>
      </p>
      <details className={styles['lower']}>
        <summary>{text.freeing}</summary>
        <LowerForm key={`${per_order_usdc} ${daily_usdc}`} words={words} trader={trader} onDone={onDone} />
      </details>
    </Card>
  )
}

function LowerForm({ words, trader: { limits }, onDone }: LimitsProps) {
  const text = words.limits
  const [perOrder, setPerOrder] = useState(limits.per_order_usdc)
  const [daily, setDaily] = useState(limits.daily_usdc)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const faults = [lowerFault(perOrder, limits.per_order_usdc), lowerFault(daily, limits.daily_usdc)] as const
  const isSame = faults.every((fault) => fault === 'same')
  const isWrong = faults.some((fault) => fault === 'form' || fault === 'above')
  const say = (fault: (typeof faults)[number], now: string) =>
    fault === 'above' ? text.aboveNow(now) : fault === 'form' ? text.amount : null
  const save = async () => {
    setBusy(true)
    try {
      await api('PUT /ui/trade/limits', {
        ...(faults[0] === null ? { per_order_usdc: usdcText(typedUnits(perOrder) ?? 0n) } : {}),
        ...(faults[1] === null ? { daily_usdc: usdcText(typedUnits(daily) ?? 0n) } : {}),
      })
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
        if (!isSame && !isWrong && !busy) void save()
      }}
    >
      <Field
        label={`${text.perOrder}, ${text.lowerTo}`}
        unit="USDC"
        inputMode="decimal"
        value={perOrder}
        onChange={setPerOrder}
        fault={say(faults[0], limits.per_order_usdc)}
      />
      <Field
        label={`${text.daily}, ${text.lowerTo}`}
        unit="USDC"
        inputMode="decimal"
        value={daily}
        onChange={setDaily}
        fault={say(faults[1], limits.daily_usdc)}
      />
      <Button type="submit" busy={busy} disabled={isSame || isWrong}>
        {text.lower}
      </Button>
      {error !== null && <Failed error={error} />}
    </form>
  )
}
