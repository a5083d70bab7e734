import type { UseQueryResult } from '@tanstack/react-query'
import { useLang } from '../../i18n/index.tsx'
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

function Side({ title, mode, held, words, ...rest }: SideProps) {
  const text = words.positions
  const unread = rest.trader.linked ? text.silent : text.unlinked
  return (
    <section className={styles['side']}>
      <h3>{title}</h3>
      {held === null && <p className={styles['quiet']}>{unread}</p>}
      {held?.length === 0 && <p className={styles['quiet']}>{text.none}</p>}
      {held !== null && held.length > 0 && (
        <ul className={styles['positions']}>
          {held.map((position) => (
            <PositionRow
              key={`${position.market} ${position.book ?? ''}`}
              position={position}
              mode={mode}
              words={words}
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
  readonly mode: TradeMode
}

function PositionRow({ position, mode, words, products, trader, onDone }: RowProps) {
  const text = words.positions
  const language = useLang()
  const { market, size, entry_price, mark_price, notional_usdc, unrealized_pnl_usdc, liquidation_price, book } =
    position
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
  const close = () =>
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
  const figure = (value: string | null) => figureText(value, { language })
  const name = product?.coin ?? market
  const figures = [
    [text.entry, figure(entry_price)],
    [text.mark, figure(mark_price)],
    [text.liquidation, figure(liquidation_price)],
  ] as const
  return (
    <li className={styles['position']}>
      <span>
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        <span className={side === 'sell' ? styles['gain'] : styles['loss']}>
          {side === 'sell' ? text.long : text.short} {figure(whole)}
        </span>
      </span>
      <span className={styles['positionMoney']}>
        <Amount units={unitsOf(notional_usdc)} /> <Amount change units={unitsOf(unrealized_pnl_usdc)} />
      </span>
      <Button size="s" kind="out" busy={placing.busy} onClick={close} aria-label={`${text.close} ${name}`}>
        {placing.busy ? text.closing : text.close}
      </Button>
      <dl className={styles['positionFigures']}>
        {figures.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {placing.outcome !== null && (
        <div className={styles['positionNote']}>
          <OutcomeNote words={words} outcome={placing.outcome} mode={trader.mode} again={placing.again} />
        </div>
      )}
    </li>
  )
}
