import { unitsOf } from '../../lib/money.ts'
import { cut, showPrice, showSigned, type Leg } from './leg-figures.ts'
import type { LegWords } from './leg-words.ts'
import styles from './mandate.module.css'

/** The coin of a market at the venue; the venue itself is told above. */
const coinOf = (market: string): string => market.replace(/^hl:/, '')

/** Positions in the account at the venue; none shows nothing. */
export function LegPositions({ positions, words }: { readonly positions: Leg['positions']; readonly words: LegWords }) {
  const { positions: name } = words
  if (positions.length === 0) return null
  return (
    <ul className={styles['held']} aria-label={name.title}>
      {positions.map((row) => (
        <li key={row.market}>
          <p className={styles['heldLine']}>
            <span>
              <b>
                <bdi>{coinOf(row.market)}</bdi>
              </b>{' '}
              {name[row.side]} {row.size}
            </span>
            <span>
              {name.profit}{' '}
              <b className={isLoss(row.unrealized_pnl_usdc) ? styles['wrong'] : ''}>
                {showSigned(row.unrealized_pnl_usdc)}
              </b>
            </span>
          </p>
          <p className={`${styles['heldLine']} ${styles['fine']}`}>
            <span>
              {name.entry} {showPrice(row.entry_price)} → {name.mark} {showPrice(row.mark_price)}
            </span>
            <span>
              {name.notional} {showSigned(row.notional_usdc)}
            </span>
            <span>
              {name.liquidation} {showPrice(row.liquidation_price)}
            </span>
          </p>
        </li>
      ))}
    </ul>
  )
}

const isLoss = (text: string | null): boolean => text !== null && unitsOf(cut(text)) < 0n
