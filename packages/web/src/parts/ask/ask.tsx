import type { VerdictLine } from '@svc/limits'
import { useState } from 'react'
import { defineWords, useLang, useShared } from '../../i18n/index.tsx'
import type { Answer } from '../../lib/routes-of-api.ts'
import { Problem } from '../../lib/problem.ts'
import { shareOf, shownAmount, unitsOf, unitsOrNull } from '../../lib/money.ts'
import { Button } from '../button/button.tsx'
import { Countdown } from '../countdown/countdown.tsx'
import { Failed } from '../failed/failed.tsx'
import { Hash } from '../hash/hash.tsx'
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
  /** Name of the function and market of a call; null if no market lists it. */
  readonly nameOf: (item: HeldItem) => { readonly call: string; readonly market: string } | null
}

interface AskProps {
  readonly item: HeldItem
  readonly scene: AskScene
  /** Sends the decision; throws the `Problem` of the service. */
  readonly onDecide: (decision: Decision) => Promise<void>
}

/** A call that waits for the owner: what it would spend, against which limits, how long it waits, and the two answers. */
export function Ask({ item, scene, onDecide }: AskProps) {
  const words = useWords()
  const language = useLang()
  const now = useNow()
  const [sending, setSending] = useState<Decision | null>(null)
  const [error, setError] = useState<unknown>(null)
  const amount = unitsOf(item.amount_usdc)
  const show = (units: bigint | null) => shownAmount(units, { language })
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
        <h2>{titleOf(item, show(amount), words)}</h2>
        <p className={styles['why']}>{whyOf(item, scene, show(scene.approvalAbove), words)}</p>
        <Against item={item} words={words} />
        <Exactly item={item} words={words} />
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

const titleOf = ({ order, kind }: HeldItem, amount: string, words: AskWords): string =>
  kind === 'leg_order' && order !== null
    ? words.order(words.sides[order.side], order.market, amount)
    : words.spend(amount)

function whyOf(item: HeldItem, scene: AskScene, above: string, words: AskWords): string {
  if (item.kind === 'leg_order') return words.whyOrder(above)
  const name = scene.nameOf(item)
  return words.why(name === null ? words.unknownMarket : words.call(name.call, name.market), above)
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
  const language = useLang()
  const show = (units: bigint | null) => shownAmount(units, { language })
  const would = used === null ? null : used + amount
  const over = would !== null && would > limit
  return (
    <RailRow
      name={name}
      figure={shared.of(show(would), show(limit))}
      use={used === null ? 0 : shareOf(used, limit)}
      {...(over ? { attempt: 1, over } : { hold: shareOf(amount, limit) })}
      told={shared.rail.told(name, show(would), show(limit))}
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
function Exactly({ item, words }: { readonly item: HeldItem; readonly words: AskWords }) {
  const { order } = item
  return (
    <details className={styles['exact']}>
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
  onDismiss,
}: {
  readonly item: HeldItem
  /** The decision that was made here; null if it was made elsewhere. */
  readonly mine: Decision | null
  readonly onDismiss: () => void
}) {
  const words = useWords()
  const language = useLang()
  const amount = shownAmount(unitsOf(item.amount_usdc), { language })
  const said =
    mine === 'approve'
      ? words.approved(amount)
      : mine === 'decline'
        ? words.declined(amount)
        : `${words.spend(amount)}. ${words.elsewhere[item.status] ?? item.status}`
  return (
    <div className={styles['ended']} role="status">
      <p>{said}</p>
      <Button kind="text" onClick={onDismiss}>
        {words.dismiss}
      </Button>
    </div>
  )
}
