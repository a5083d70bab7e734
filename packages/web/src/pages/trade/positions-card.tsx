import type { UseQueryResult } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { unitsOf } from '../../lib/money.ts'
import type { Problem } from '../../lib/problem.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Amount } from '../../parts/amount/amount.tsx'
import { Bones } from '../../parts/bones/bones.tsx'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Read } from '../../parts/read/read.tsx'
import type { Position, Product, Trader, TradeMode } from './answers.ts'
import { OutcomeNote } from './outcome-note.tsx'
import { figureText } from './price-text.ts'
import { closeSide } from './ticket.ts'
import styles from './trade.module.css'
import { useKeptRows } from './use-kept-rows.ts'
import { usePlacing } from './use-placing.ts'
import type { Words } from './words.ts'

interface PositionsProps {
  readonly words: Words
  readonly positions: UseQueryResult<Answer<'GET /ui/trade/positions'>, Problem>
  readonly products: readonly Product[]
  readonly trader: Trader
  readonly onDone: () => void
}

/** Open positions, live and of paper books apart. Each can always be closed. */
export function PositionsCard({ words, positions, products, trader, onDone }: PositionsProps) {
  const text = words.positions
  return (
    <Card title={text.title}>
      <Read of={positions} bones={<Bones lines={[1, 1]} rem={2} />}>
        {({ live, paper }) => (
          <>
            <Side title={text.live} mode="live" held={live} {...{ words, products, trader, onDone }} />
            <Side title={text.paper} mode="paper" held={paper} {...{ words, products, trader, onDone }} />
            <p className={styles['quiet']}>{text.closeSaid}</p>
          </>
        )}
      </Read>
    </Card>
  )
}

interface SideProps extends Omit<PositionsProps, 'positions'> {
  readonly title: string
  readonly mode: TradeMode
  readonly held: readonly Position[] | null
}

/** Returns the name that identifies a position in its list. */
const nameOf = ({ market, book }: Position): string => `${market} ${book ?? ''}`

function Side({ title, mode, held, words, ...rest }: SideProps) {
  const text = words.positions
  const unread = rest.trader.linked ? text.silent : text.unlinked
  // A close is answered after its position may have left the list, and what became of it is read afterwards.
  const { rows, keep } = useKeptRows(held, nameOf)
  return (
    <section className={styles['side']}>
      <h3>{title}</h3>
      {held === null && <p className={styles['quiet']}>{unread}</p>}
      {held?.length === 0 && <p className={styles['quiet']}>{text.none}</p>}
      {rows.length > 0 && (
        <ul className={styles['positions']}>
          {rows.map(({ row, isListed, key }) => (
            <PositionRow
              key={key}
              position={row}
              isHeld={isListed}
              mode={mode}
              words={words}
              onStart={keep}
              {...rest}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

interface RowProps extends Omit<PositionsProps, 'positions'> {
  readonly position: Position
  /** False once the position is gone: what became of its close stays. */
  readonly isHeld: boolean
  readonly mode: TradeMode
  readonly onStart: (position: Position) => void
}

function PositionRow({ position, isHeld, mode, words, products, trader, onStart, onDone }: RowProps) {
  const text = words.positions
  const { market, size, notional_usdc, unrealized_pnl_usdc, book } = position
  const product = products.find(({ market_id }) => market_id === market) ?? null
  const whole = size.replace('-', '')
  const side = closeSide(size)
  const placing = usePlacing({
    trader,
    product,
    side,
    amount: null,
    size: whole,
    reduceOnly: mode === 'live',
    onDone,
    onModeChanged: onDone,
  })
  const close = () => {
    onStart(position)
    placing.start((key) =>
      api(
        'POST /ui/trade/close',
        {
          market,
          mode,
          mode_seen: trader.mode,
          dry_run: false,
          ...(mode === 'paper' && book !== null ? { book } : {}),
        },
        { idempotencyKey: key },
      ),
    )
  }
  const name = product?.coin ?? market
  return (
    <li className={styles['position']}>
      <span>
        <b>
          <bdi>{name}</bdi>
        </b>
        {isHeld && (
          <>
            {' '}
            <span className={side === 'sell' ? styles['gain'] : styles['loss']}>
              {side === 'sell' ? text.long : text.short} {figureText(whole)}
            </span>
          </>
        )}
      </span>
      {isHeld && (
        <>
          <span className={styles['positionMoney']}>
            <Amount units={unitsOf(notional_usdc)} /> <Amount change units={unitsOf(unrealized_pnl_usdc)} />
          </span>
          <Button size="s" kind="out" busy={placing.busy} onClick={close} aria-label={`${text.close} ${name}`}>
            {placing.busy ? text.closing : text.close}
          </Button>
          <PositionFigures position={position} words={words} />
        </>
      )}
      {!isHeld && placing.busy && <span>{text.closing}</span>}
      {placing.outcome !== null && (
        <div className={styles['positionNote']}>
          <OutcomeNote words={words} outcome={placing.outcome} mode={trader.mode} again={placing.again} />
        </div>
      )}
    </li>
  )
}

function PositionFigures({ position, words }: { readonly position: Position; readonly words: Words }) {
  const text = words.positions
  const figures = [
    [text.entry, position.entry_price],
    [text.mark, position.mark_price],
    [text.liquidation, position.liquidation_price],
  ] as const
  return (
    <dl className={styles['positionFigures']}>
      {figures.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{figureText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
