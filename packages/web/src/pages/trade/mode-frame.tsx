import type { ReactNode } from 'react'
import type { TradeMode } from './answers.ts'
import styles from './trade.module.css'
import type { Words } from './words.ts'

/** The frame of the desk: dashed for paper, black for live. The words say the same. */
export function ModeFrame({
  mode,
  network,
  words,
  children,
}: {
  readonly mode: TradeMode
  /** Network of the venue; null while it is not known. */
  readonly network: 'testnet' | 'mainnet' | null
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
      <div className={styles['inside']}>{children}</div>
    </section>
  )
}
