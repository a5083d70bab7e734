import type { ReactNode } from 'react'
import type { TradeMode } from './answers.ts'
import { PricesNote } from './prices-note.tsx'
import type { Provenance } from './ticket.ts'
import styles from './trade.module.css'
import type { Words } from './words.ts'

/** The frame of the desk: dashed for paper, black for live. The words say the same. */
export function ModeFrame({
  mode,
  network,
  prices,
  words,
  children,
}: {
  readonly mode: TradeMode
  /** Network of the venue; null while it is not known. */
  readonly network: 'testnet' | 'mainnet' | null
  /** What is known of the prices that orders are placed at; null before they were read. */
  readonly prices: Provenance | null
  readonly words: Words
  readonly children: ReactNode
}) {
  const text = words.frame
  const isLive = mode === 'live'
  return (
    <section
      className={`${styles['frame']} ${isLive ? styles['live'] : styles['paper']}`}
      aria-label={isLive ? text.live : text.paper}
      data-mode={mode}
    >
      <p className={styles['modeLine']}>
        <strong>{isLive ? text.live : text.paper}</strong>
        <span>{isLive ? text.liveSaid : text.paperSaid}</span>
        {network === 'testnet' && <span>{text.network.testnet}</span>}
      </p>
      <PricesNote of={prices} words={words} />
      <div className={styles['inside']}>{children}</div>
    </section>
  )
}
