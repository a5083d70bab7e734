import { UNKNOWN } from '../../lib/money.ts'
import type { Product } from './answers.ts'
import { figureText } from './price-text.ts'
import { sizeOf } from './ticket.ts'
import styles from './trade.module.css'
import type { Tried } from './use-trial.ts'
import type { Words } from './words.ts'

interface EstimateProps {
  readonly words: Words
  readonly product: Product | null
  readonly side: 'buy' | 'sell'
  readonly amount: string | null
  readonly tried: Tried
}

/** Price, size and fee of the order: by the service once it has tried it, before that by the prices on the screen. */
export function Estimate({ words, product, side, amount, tried }: EstimateProps) {
  const text = words.ticket
  const sizing = product === null || amount === null ? null : sizeOf(amount, side, product)
  const { order } = tried
  const figure = (value: string | null | undefined) => figureText(value ?? null)
  const rows = [
    [text.atPrice, figure(product?.mark_price)],
    [text.worst, figure(order?.worst_price ?? sizing?.worst)],
    [text.reference, figure(order?.reference_price ?? sizing?.reference)],
    [text.size, figure(order?.size ?? sizing?.size)],
    [text.fee, order === null ? UNKNOWN : figureText(order.fee_usdc, { digits: 4 })],
  ] as const
  const source = order !== null ? text.tried : sizing !== null ? text.estimated : null
  return (
    <div className={styles['estimate']}>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {source !== null && <p className={styles['quiet']}>{source}</p>}
    </div>
  )
}
