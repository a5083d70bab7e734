import type { ReactNode } from 'react'
import { unitsOrNull } from '../../lib/money.ts'
import { useRead } from '../../lib/reads.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Read } from '../../parts/read/read.tsx'
import { Unknown } from '../../parts/unknown/unknown.tsx'
import styles from './mandates.module.css'
import type { Words } from './words.ts'

/** Statements are sums over a week; every five minutes is often enough. */
const WEEK_MS = 300_000

/** The totals of this week over all mandates that are no drafts. */
export function Week({ words }: { readonly words: Words }) {
  const week = useRead('GET /hub/me/statement', {}, { every: WEEK_MS })
  const text = words.week
  return (
    <section className={styles['week']} aria-labelledby="week">
      <h2 id="week" className={styles['weekTitle']}>
        {text.title}
      </h2>
      <Read of={week} bones={<Bones lines={[0.9]} rem={2} />}>
        {(answer) => {
          if (!('totals' in answer)) return null
          const { totals, week: name, complete, omitted } = answer
          const money = (amount: string | null, change = false) =>
            amount === null ? <Unknown reason={text.unknown} /> : <Amount units={unitsOrNull(amount)} change={change} />
          return (
            <>
              <p className={styles['weekName']}>
                {name}
                {!complete && `, ${text.soFar}`}
              </p>
              <dl className={styles['totals']}>
                <Total name={text.worth} unit="USDC">
                  {money(totals.closing_worth_usdc)}
                </Total>
                <Total name={text.profit}>{money(totals.profit_usdc, true)}</Total>
                <Total name={text.trades}>{totals.trades + totals.leg_orders}</Total>
                <Total name={text.refused}>{totals.refusals.total}</Total>
                <Total name={text.fees}>{money(totals.fees_usdc)}</Total>
              </dl>
              {omitted > 0 && <p className={styles['hint']}>{text.omitted(omitted)}</p>}
            </>
          )
        }}
      </Read>
    </section>
  )
}

function Total({
  name,
  unit,
  children,
}: {
  readonly name: string
  readonly unit?: string
  readonly children: ReactNode
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {unit !== undefined && <span className={styles['unit']}> {unit}</span>}
      </dd>
    </div>
  )
}
