import { useState } from 'react'
import { served } from '../../lib/clock.ts'
import { every } from '../../lib/polling.ts'
import { queries, useRead } from '../../lib/reads.ts'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Bones } from '../../parts/bones/bones.tsx'
import { Failed } from '../../parts/failed/failed.tsx'
import { Read, Stale } from '../../parts/read/read.tsx'
import type { Positions, Products, Trader, TradeMode } from './answers.ts'
import { BooksCard } from './books-card.tsx'
import { fixedOf, fixedText } from './fixed.ts'
import { LimitsCard } from './limits-card.tsx'
import { ModeFrame } from './mode-frame.tsx'
import { PendingCard } from './pending-card.tsx'
import { PositionsCard } from './positions-card.tsx'
import { provenanceOf } from './ticket.ts'
import { TicketPanel } from './ticket-panel.tsx'
import styles from './trade.module.css'
import type { Words } from './words.ts'

interface ManualProps {
  readonly words: Words
  readonly market: string | null
  readonly onChoose: (market: string) => void
}

/** Routes whose answers an order changes. */
const CHANGED = ['GET /ui/trade/me', 'GET /ui/trade/positions', 'GET /hub/own/paper/books', 'GET /hub/order/pending']
const refresh = () =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [route] }) => CHANGED.includes(String(route)) })

/** Ticket, positions and limits of the owner, in the mode that stands. */
export default function Manual({ words, market, onChoose }: ManualProps) {
  const me = useRead('GET /ui/trade/me', {}, { every: every.live })
  const products = useRead('GET /ui/trade/products', {}, { every: every.products })
  const positions = useRead('GET /ui/trade/positions', {}, { every: every.live })
  const books = useRead('GET /hub/own/paper/books', {}, { every: every.open })
  const { shown, changed, accept } = useShownMode(me.data)
  // A live order is signed for this network, so that the ticket reads it as well.
  const station = useRead('GET /hub/info/station-status', {}, { when: shown?.mode === 'live' })
  const [book, setBook] = useState<string | null>(null)
  if (shown === null)
    return me.error === null ? (
      <Bones lines={[1, 0.6, 0.8]} rem={4} />
    ) : (
      <Failed error={me.error} again={() => void me.refetch()} />
    )
  const chosenBook = books.data?.items.find((one) => one.book === book) ?? books.data?.items.at(-1) ?? null
  const list = products.data?.items ?? []
  return (
    <ModeFrame
      mode={shown.mode}
      network={station.data?.network ?? null}
      prices={pricesOf(products.data, station.data)}
      words={words}
    >
      {me.error !== null && <Stale time={new Date(served(me.dataUpdatedAt)).toISOString()} />}
      {changed !== null && <ModeNews words={words} was={shown} now={changed} onAccept={accept} />}
      <div className={styles['desk']}>
        <PendingCard words={words} trader={shown} onDone={refresh} />
        <div className={styles['column']}>
          {/* Without prices the ticket has no market: why, stands above it. */}
          <Read of={products} bones={null}>
            {() => null}
          </Read>
          <TicketPanel
            words={words}
            trader={shown}
            products={products.data ?? null}
            market={market}
            book={shown.mode === 'paper' ? (chosenBook?.book ?? null) : null}
            held={heldOf(positions.data)}
            hasBook={books.data === undefined || books.data.items.length > 0}
            onChoose={onChoose}
            onDone={refresh}
            onModeChanged={() => void me.refetch()}
          />
        </div>
        <div className={styles['column']}>
          <PositionsCard words={words} positions={positions} products={list} trader={shown} onDone={refresh} />
          <LimitsCard words={words} trader={shown} onDone={refresh} />
          <BooksCard words={words} books={books} chosen={chosenBook} onChoose={setBook} onDone={refresh} />
        </div>
      </div>
    </ModeFrame>
  )
}

/** Returns what is known of the prices; what the station says of its venue counts before any price was read. */
const pricesOf = (products: Products | undefined, station: Answer<'GET /hub/info/station-status'> | undefined) =>
  station?.made_up === true ? 'made_up' : products === undefined ? null : provenanceOf(products)

/** Returns what the live positions come to; null while the venue does not tell. */
const heldOf = (positions: Positions | undefined): string | null =>
  positions?.live == null
    ? null
    : fixedText(
        positions.live.reduce((sum, { notional_usdc }) => sum + fixedOf(notional_usdc), 0n),
        6,
      )

/** What of a trader decides how orders are placed. */
const placedBy = ({ mode, live_switch, linked }: Trader) => `${mode} ${live_switch} ${linked}`

/**
 * The trader as the screen shows it. A change of the mode does not slip under the hand: the former mode stays on the screen,
 * with what changed, until the person shows the new one.
 */
function useShownMode(me: Trader | undefined) {
  const [standing, setStanding] = useState<Trader | null>(null)
  if (standing === null && me !== undefined) setStanding(me)
  const shown = standing ?? me ?? null
  if (me === undefined || shown === null) return { shown, changed: null, accept: () => undefined }
  if (placedBy(shown) !== placedBy(me)) return { shown, changed: me, accept: () => setStanding(me) }
  return { shown: me, changed: null, accept: () => undefined }
}

function ModeNews({
  words,
  was,
  now,
  onAccept,
}: {
  readonly words: Words
  readonly was: Trader
  readonly now: Trader
  readonly onAccept: () => void
}) {
  const text = words.outcome
  const name = (mode: TradeMode) => words.mode[mode]
  const flag = (on: boolean) => (on ? text.on : text.off)
  const link = (on: boolean) => (on ? text.linked : text.unlinked)
  return (
    <div className={styles['news']} role="alert">
      <p className={styles['newsTitle']}>{text.modeTitle(name(now.mode))}</p>
      <p>{text.modeSaid}</p>
      <ul>
        {was.mode !== now.mode && <li>{text.modeWas(name(was.mode), name(now.mode))}</li>}
        {was.live_switch !== now.live_switch && <li>{text.switchWas(flag(was.live_switch), flag(now.live_switch))}</li>}
        {was.linked !== now.linked && <li>{text.linkWas(link(was.linked), link(now.linked))}</li>}
      </ul>
      <button type="button" className={styles['newsButton']} onClick={onAccept}>
        {text.modeSeen}
      </button>
    </div>
  )
}
