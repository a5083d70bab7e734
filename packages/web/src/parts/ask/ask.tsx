import type { VerdictLine } from '@svc/limits'
import { readCall, type CallMarket, type CallMeaning, type UnreadCall } from '@svc/limits/call-meaning'
import { useState } from 'react'
import { defineWords, useLang, useShared } from '../../i18n/index.tsx'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Problem } from '../../lib/problem.ts'
import {
  shareOf,
  shownAmount,
  shownPrice,
  shownUnits,
  unitsOf,
  unitsOrNull,
  type NumberLanguage,
} from '../../lib/money.ts'
import { outlookOf, type Quote } from '../../lib/outlook.ts'
import { Button } from '../button/button.tsx'
import { Countdown } from '../countdown/countdown.tsx'
import { Failed } from '../failed/failed.tsx'
import { Hash } from '../hash/hash.tsx'
import { Note } from '../note/note.tsx'
import { RailRow } from '../rail/rail.tsx'
import { Ago, useNow } from '../time/time.tsx'
import { Verdicts } from '../verdicts/verdicts.tsx'
import { en, type AskWords } from './words.ts'
import styles from './ask.module.css'

const useWords = defineWords(en, () => import('./words.ko.ts'))

/** A held call or order, as the API answers it. */
export type HeldItem = Answer<'GET /hub/mandates/{public_id}/approvals'>['items'][number]
export type Decision = 'approve' | 'decline'

/** The limits and the use of today that a request is shown against. */
export interface AskScene {
  /** Base units. */
  readonly dailyCap: bigint
  readonly perTxCap: bigint
  readonly approvalAbove: bigint | null
  /** Used today without held items; null if unknown. */
  readonly used: bigint | null
  /** Worth now; null if unknown. */
  readonly worth: bigint | null
  /** The catalogue of markets; undefined while it was not read. */
  readonly markets: readonly CallMarket[] | undefined
}

interface AskProps {
  readonly item: HeldItem
  readonly scene: AskScene
  /** What the venue would give the call now; null if unknown. */
  readonly quote: Quote | null
  /** Sends the decision; throws the `Problem` of the service. */
  readonly onDecide: (decision: Decision) => Promise<void>
}

/** A call that waits for the owner: what it would spend, against which limits, how long it waits, and the two answers. */
export function Ask({ item, scene, quote, onDecide }: AskProps) {
  const words = useWords()
  const language = useLang()
  const now = useNow()
  const [sending, setSending] = useState<Decision | null>(null)
  const [error, setError] = useState<unknown>(null)
  const amount = unitsOf(item.amount_usdc)
  const reading = readingOf(item, scene)
  const lapsed = Date.parse(item.expires_at) <= now
  const decide = (decision: Decision) => {
    setSending(decision)
    setError(null)
    onDecide(decision).then(
      () => setSending(null),
      (failure: unknown) => {
        setSending(null)
        setError(failure)
      },
    )
  }
  return (
    <section className={styles['ask']} aria-label={words.waits}>
      <div>
        <p className={styles['waits']}>
          <span className={styles['mark']}>{words.waits}</span>
          {!lapsed && (
            <span>
              <Countdown until={item.expires_at} over={words.lapsed} /> {words.left}
            </span>
          )}
        </p>
        <h2>{titleOf(item, reading, language, words)}</h2>
        <p className={styles['why']}>{whyOf(item, reading, shownAmount(scene.approvalAbove), words)}</p>
        {typeof reading === 'string' && <Note kind="held">{words.unread[reading]}</Note>}
        {reading !== null && typeof reading !== 'string' && (
          <Means item={item} meaning={reading} quote={quote} worth={scene.worth} words={words} />
        )}
        <Against item={item} words={words} />
        <Exactly item={item} open={typeof reading === 'string'} words={words} />
      </div>
      <div className={styles['rails']}>
        <AskRail name={words.today} limit={scene.dailyCap} used={scene.used} amount={amount} />
        <AskRail name={words.trade} limit={scene.perTxCap} used={0n} amount={amount} />
      </div>
      <div className={styles['answers']}>
        {lapsed ? (
          <p className={styles['why']}>{words.expired}</p>
        ) : (
          <>
            <Button kind="act" wide busy={sending !== null} onClick={() => decide('approve')}>
              {sending === 'approve' ? words.deciding : words.approve}
            </Button>
            <Button wide busy={sending !== null} onClick={() => decide('decline')}>
              {sending === 'decline' ? words.deciding : words.decline}
            </Button>
          </>
        )}
      </div>
      {error !== null && (
        <div className={styles['failed']}>
          <Failed error={error} />
          {elsewhereOf(error, words) !== null && <p>{elsewhereOf(error, words)}</p>}
        </div>
      )}
    </section>
  )
}

/** What an item means, or why that is not known; null for an order of the leg, which is no call. */
type Reading = CallMeaning | UnreadCall | 'catalogue' | null

function readingOf(item: HeldItem, { markets }: AskScene): Reading {
  if (item.kind !== 'call') return null
  return markets === undefined ? 'catalogue' : readCall(item, markets)
}

function titleOf({ order, amount_usdc }: HeldItem, reading: Reading, language: NumberLanguage, words: AskWords) {
  const amount = shownAmount(unitsOf(amount_usdc))
  if (reading === null && order !== null) return words.order(words.sides[order.side], order.market, amount)
  if (reading === null || typeof reading === 'string') return words.spend(amount)
  const { action, instrument, pays, units } = reading
  if (action === 'buy') return words.wants.buy(instrument, shownAmount(pays))
  return action === 'sell' ? words.wants.sell(instrument, shownUnits(units)) : words.wants.redeem(instrument)
}

function whyOf({ kind }: HeldItem, reading: Reading, above: string, words: AskWords): string {
  if (kind === 'leg_order') return words.whyOrder(above)
  const isRead = reading !== null && typeof reading !== 'string'
  return words.why(isRead ? words.at(reading.title) : words.unknownMarket, above)
}

interface MeansProps {
  readonly item: HeldItem
  readonly meaning: CallMeaning
  readonly quote: Quote | null
  readonly worth: bigint | null
  readonly words: AskWords
}

/** What a call does in figures: asset, side, size, worst price, the price now, and the worth before and after. */
function Means({ item, meaning, quote, worth, words }: MeansProps) {
  const { action, instrument, pays, units, least, acceptsAnyPrice } = meaning
  const usdc = (amount: bigint | null) => (amount === null ? null : words.usdc(shownAmount(amount)))
  const size = (amount: bigint) => `${shownUnits(amount)} ${instrument}`
  const price = (amount: bigint | null) =>
    amount === null ? null : words.perUnit(shownPrice(amount, action === 'buy'), instrument)
  const { price: priceNow, after, worst, fails, isUnprotected } = outlookOf(meaning, quote, worth)
  const most = unitsOf(item.amount_usdc)
  const rows: readonly (readonly [string, string | null])[] = [
    [words.asset, instrument],
    [words.side, words.sideOf[action]],
    ...(pays === null ? [] : ([[words.pays, usdc(pays)]] as const)),
    ...(most === (pays ?? 0n) ? [] : ([[words.takes, usdc(most)]] as const)),
    ...(action === 'buy' ? [] : ([[words.gives, units === null ? words.allOf : size(units)]] as const)),
    ...(least === null ? [] : ([[words.gets, action === 'buy' ? size(least) : usdc(least)]] as const)),
    [words.worst, least === null ? words.finalPrice : acceptsAnyPrice ? words.noWorst : price(meaning.worstPrice)],
    [words.priceNow, price(priceNow)],
    [words.worthNow, usdc(worth)],
    [words.worthAfter, usdc(after)],
    [words.worthWorst, usdc(worst)],
  ]
  return (
    <>
      <dl className={styles['means']}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? <Missing /> : <bdi>{value}</bdi>}</dd>
          </div>
        ))}
      </dl>
      {isUnprotected && (
        <Note kind="out">
          {!acceptsAnyPrice ? words.weak : pays === null ? words.anySell : words.anyBuy(shownAmount(pays))}
        </Note>
      )}
      {fails && <Note kind="held">{words.fails}</Note>}
    </>
  )
}

/** A figure that the service does not know now. */
function Missing() {
  const shared = useShared()
  return <span className={styles['missing']}>{shared.unknown}</span>
}

/** Returns what became of an item that was decided elsewhere; null for other failures. */
function elsewhereOf(error: unknown, words: AskWords): string | null {
  if (!(error instanceof Problem) || error.code !== 'hub_approval_over') return null
  return words.elsewhere[String(error.body['approval_status'])] ?? null
}

interface AskRailProps {
  readonly name: string
  readonly limit: bigint
  readonly used: bigint | null
  readonly amount: bigint
}

function AskRail({ name, limit, used, amount }: AskRailProps) {
  const shared = useShared()
  const would = used === null ? null : used + amount
  const over = would !== null && would > limit
  return (
    <RailRow
      name={name}
      figure={shared.of(shownAmount(would), shownAmount(limit))}
      use={used === null ? 0 : shareOf(used, limit)}
      {...(over ? { attempt: 1, over } : { hold: shareOf(amount, limit) })}
      told={shared.rail.told(name, shownAmount(would), shownAmount(limit))}
    />
  )
}

/** What speaks against the request beside clause 6, as it was judged when it was asked; usually nothing. */
function Against({ item: { judgement }, words }: { readonly item: HeldItem; readonly words: AskWords }) {
  const refused = judgement?.verdicts.filter(({ clause, verdict }) => verdict === 'refuse' && clause !== 6) ?? []
  if (refused.length === 0) return null
  return (
    <div className={styles['against']}>
      <p>{words.refuses}</p>
      <Verdicts lines={refused as readonly VerdictLine[]} />
    </div>
  )
}

/** What the decision is bound to, for who wants to compare it. */
function Exactly({
  item,
  open,
  words,
}: {
  readonly item: HeldItem
  /** Shown at once, where nothing else says what the item is. */
  readonly open: boolean
  readonly words: AskWords
}) {
  const { order } = item
  return (
    <details className={styles['exact']} open={open}>
      <summary>{words.exact}</summary>
      <dl>
        {order === null ? (
          <>
            <dt>{words.target}</dt>
            <dd>
              <Hash value={item.target} whole />
            </dd>
            <dt>{words.data}</dt>
            <dd>
              <Hash value={item.data} whole />
            </dd>
          </>
        ) : (
          <>
            <dt>{words.size}</dt>
            <dd>{order.size ?? shownAmount(unitsOrNull(order.amount_usdc))}</dd>
            {order.max_slippage !== null && (
              <>
                <dt>{words.slippage}</dt>
                <dd>{order.max_slippage}</dd>
              </>
            )}
            {order.reduce_only && <dd>{words.reduceOnly}</dd>}
          </>
        )}
        <dt>{words.digest}</dt>
        <dd>
          <Hash value={item.call_hash} whole />
        </dd>
        <dt>{words.asked}</dt>
        <dd>
          <Ago time={item.requested_at} />
        </dd>
      </dl>
    </details>
  )
}

/** An item that waited and no longer does, with what became of it. */
export function AskEnded({
  item,
  mine,
  used,
  onDismiss,
}: {
  readonly item: HeldItem
  /** The decision that was made here; null if it was made elsewhere. */
  readonly mine: Decision | null
  /** The record says that the agent has sent what was approved. */
  readonly used: boolean
  readonly onDismiss: () => void
}) {
  const words = useWords()
  const amount = shownAmount(unitsOf(item.amount_usdc))
  const said =
    mine === 'approve'
      ? used
        ? words.usedUp(amount)
        : words.approved(amount)
      : mine === 'decline'
        ? words.declined(amount)
        : `${words.spend(amount)}. ${words.elsewhere[used ? 'used' : item.status] ?? item.status}`
  return (
    <div className={styles['ended']} role="status">
      <p>{said}</p>
      <Button kind="text" onClick={onDismiss}>
        {words.dismiss}
      </Button>
    </div>
  )
}
