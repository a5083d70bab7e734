import type { ReactNode } from 'react'
import styles from './rail.module.css'

interface RailProps {
  /** What is used, as a share of the limit. */
  readonly use: number
  /** What is held for an answer, beside what is used. */
  readonly hold?: number
  /** What an attempt would add. */
  readonly attempt?: number
  /** The attempt is refused: it runs past the post. */
  readonly over?: boolean
  /** The attempt waits for the owner: ochre, not vermilion. */
  readonly asks?: boolean
  /** The whole rail in words, for readers of the screen. */
  readonly told: string
  /** Thin, inside a row. */
  readonly thin?: boolean
}

/** Where the post stands, as a share of the track; beyond it lies what is refused. */
const POST = 94

const cut = (share: number) => Math.min(Math.max(share, 0), 1)

/** A rail: green is used, ochre is held, then the attempt; the post is the limit, and hatching lies outside. */
export function Rail({ use, hold = 0, attempt = 0, over = false, asks = false, told, thin = false }: RailProps) {
  const used = cut(use)
  const held = cut(Math.min(hold, 1 - used))
  // A refused attempt runs past the post, but never off the track.
  const room = over ? 1.045 - used - held : 1 - used - held
  const tried = over ? Math.max(room, 0) : cut(Math.min(attempt, room))
  const width = (share: number) => ({ width: `${share * POST}%` })
  const attempted = [styles['try'], over ? styles['over'] : '', asks ? styles['asks'] : ''].join(' ')
  return (
    <div className={thin ? `${styles['rail']} ${styles['thin']}` : styles['rail']} role="img" aria-label={told}>
      <span className={styles['track']}>
        <span className={styles['use']} style={width(used)} />
        <span className={styles['hold']} style={width(held)} />
        <span className={attempted} style={width(tried)} />
      </span>
      <span className={styles['out']} style={{ left: `${POST}%` }} />
      <span className={styles['post']} style={{ left: `${POST}%` }} />
    </div>
  )
}

interface RailRowProps extends RailProps {
  readonly name: ReactNode
  readonly figure: ReactNode
  readonly hint?: ReactNode
}

/** A rail with its name, its figure and what else there is to say. */
export function RailRow({ name, figure, hint, ...rail }: RailRowProps) {
  return (
    <div className={styles['row']}>
      <div className={styles['line']}>
        <span className={styles['name']}>{name}</span>
        <span className={rail.over === true ? styles['figureOver'] : ''}>{figure}</span>
      </div>
      <Rail {...rail} />
      {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
    </div>
  )
}
