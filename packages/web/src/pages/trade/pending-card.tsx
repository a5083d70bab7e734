import { api } from '../../lib/api.ts'
import { shownAmount, unitsOf } from '../../lib/money.ts'
import { useShared } from '../../i18n/index.tsx'
import { useRead } from '../../lib/reads.ts'
import { Button } from '../../parts/button/button.tsx'
import { Card } from '../../parts/card/card.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { useNow } from '../../parts/time/time.tsx'
import type { PendingOrder, Trader } from './answers.ts'
import { OutcomeNote } from './outcome-note.tsx'
import { figureText } from './price-text.ts'
import styles from './trade.module.css'
import { useKeptRows } from './use-kept-rows.ts'
import { usePlacing } from './use-placing.ts'
import type { Words } from './words.ts'

/** A prepared order waits a minute, so that the page looks often. */
const LOOK_MS = 5_000

interface PendingProps {
  readonly words: Words
  readonly trader: Trader
  readonly onDone: () => void
}

/** Live orders that an agent prepared and that wait for their owner. */
export function PendingCard({ words, trader, onDone }: PendingProps) {
  const pending = useRead('GET /hub/order/pending', {}, { every: LOOK_MS, when: trader.mode === 'live' })
  const waiting = (pending.data?.items ?? []).filter(
    ({ sign_mode, confirm_id }) => sign_mode === 'server' && confirm_id !== null,
  )
  // An order leaves the list as it is executed, and what became of it is read afterwards.
  const { rows, keep } = useKeptRows(waiting, ({ order_id }) => order_id)
  if (pending.data === undefined && pending.error !== null)
    return <Failed error={pending.error} again={() => void pending.refetch()} />
  if (rows.length === 0) return null
  return (
    <Card kind="held" title={words.pending.title}>
      <ul className={styles['positions']}>
        {rows.map(({ row, isListed, key }) => (
          <Waiting
            key={key}
            order={row}
            isWaiting={isListed}
            words={words}
            trader={trader}
            onStart={keep}
            onDone={onDone}
          />
        ))}
      </ul>
    </Card>
  )
}

interface WaitingProps extends PendingProps {
  readonly order: PendingOrder
  /** False once the order no longer waits: what became of it stays. */
  readonly isWaiting: boolean
  readonly onStart: (order: PendingOrder) => void
}

function Waiting({ order, isWaiting, words, trader, onStart, onDone }: WaitingProps) {
  const text = words.pending
  const shared = useShared()
  const figure = (value: string) => figureText(value)
  const now = useNow()
  const left = Math.max(0, Math.ceil((Date.parse(order.expires_at) - now) / 1000))
  const amount = shownAmount(unitsOf(order.estimate.notional_usdc))
  const placing = usePlacing({
    trader,
    product: null,
    side: order.side,
    amount: null,
    reduceOnly: order.reduce_only,
    onDone,
    onModeChanged: onDone,
  })
  const { confirm_id } = order
  const execute = () => {
    if (confirm_id === null) return
    onStart(order)
    placing.start((key) =>
      api('POST /hub/order/execute', { confirm_id, mode_seen: trader.mode }, { idempotencyKey: key }),
    )
  }
  return (
    <li className={styles['waiting']}>
      <p>
        <b>{text.agent(order.agent_id)}</b>{' '}
        {text.said(order.side === 'buy' ? text.buy : text.sell, amount, order.market.replace(/^hl:/, ''))}
      </p>
      <p className={styles['quiet']}>
        {text.exactly(figure(order.estimate.size), figure(order.estimate.worst_price), figure(order.estimate.fee_usdc))}
      </p>
      {isWaiting && (
        <>
          <p className={styles['quiet']}>{left === 0 ? text.over : text.left(shared.time.seconds(left))}</p>
          <Button kind="act" busy={placing.busy} disabled={left === 0} onClick={execute}>
            {text.execute(amount)}
          </Button>
        </>
      )}
      {placing.outcome !== null && (
        <OutcomeNote words={words} outcome={placing.outcome} mode={trader.mode} again={placing.again} />
      )}
    </li>
  )
}
