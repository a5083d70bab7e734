import { exact } from '@svc/hyperliquid/rounding'
import { ClaimTaken, type Adapter, type Answer, type Ending, type Found } from '@svc/outbound'
import { endFrom, endingOf, isCertain, type Ending as OrderEnd } from '@svc/venue/find-out'
import { lookUp } from '@svc/venue/read-outcome'
import { badFillOf } from '@svc/venue/rules/fills'
import { afterSending, copiesOf, endOfLook, lookOf } from '@svc/venue/rules/resolve-order'
import type { WeightClass } from '@svc/venue/rules/weights'
import type { Context } from '#context.ts'
import { askSurvey } from '#legs/store/legs.ts'
import { hasExpired, type OrderRequest } from './order-request.ts'
import { positionAfter } from './read-scene.ts'
import { signOrder, type Passed } from './sign-order.ts'
import { wantMove } from './store/collateral-moves.ts'
import {
  abandonOrder,
  countForLastRelease,
  JUDGING_MS,
  storeOrderEnd,
  storeSigned,
  type LegEffect,
} from './store/orders.ts'
import { isTold, tellMandates } from './tell-mandates.ts'

/** What the call that judged an order sends it by. */
export interface Sending extends Passed {
  readonly request: Pick<OrderRequest, 'notAfter'>
  /** Opens of the leg are barred: the order ends unsigned. */
  readonly isBarred: boolean
}

/**
 * Connects orders of legs with the venue. Points in time are Unix milliseconds of the venue. `sending` is what the call that judged an
 * order has; null for the job and a repetition of the key, which sign nothing, and end an order that was judged for too long.
 */
export function orderAdapter(context: Context, sending: Sending | null): Adapter<LegEffect, Sending> {
  const { clock } = context
  return {
    plan: (row) => {
      // The last release has signed or ended it, or another call judges it.
      if (row.state !== 'judging') return Promise.resolve({ act: 'wait' })
      if (sending !== null && row.claimedAt.getTime() !== sending.order.claimedAt.getTime())
        return Promise.resolve({ act: 'wait' })
      const now = clock.now()
      const isOver =
        sending === null
          ? row.claimedAt.getTime() + JUDGING_MS <= now.getTime()
          : sending.isBarred || hasExpired(sending.request, now)
      if (isOver) return Promise.resolve({ act: 'give_up', ending: unsent(context, row) })
      return Promise.resolve(sending === null ? { act: 'wait' } : { act: 'sign', plan: sending })
    },
    sign: async (_, plan) => {
      const signed = await signOrder(context, plan)
      const now = clock.now()
      const nextAt = new Date(now.getTime() + CLAIM_MS)
      return { store: (tx) => storeSigned(tx, plan.order, signed, now, nextAt) }
    },
    send: (row) => send(context, row),
    find: (row) => find(context, row),
    now: () => clock.now().getTime(),
    validUntil: (row) => bytesOf(row).expiresAfter,
    describe: ({ publicId, market, cloid }) => ({ public_id: publicId, market, cloid }),
    report: async (row) => isTold(await tellMandates(context, row)),
  }
}

/** Longer than a step takes: a look-up and a copy. The job of the last release leaves an order to the call that signed it for as long. */
export const CLAIM_MS = 12_000

/** The venue's clock may go back so far between two of its answers. */
const CLOCK_STEP_MS = 250

/**
 * Returns the venue's time when it was read for the plan of an order, which nothing of the order precedes: its rows since then
 * are few, and rows cost weight. A later look begins earlier. Undefined for an order that was planned without a reading.
 */
const plannedAt = ({ readings }: LegEffect): number | undefined =>
  readings.length === 0 ? undefined : Math.min(...readings.map(({ time }) => time)) - CLOCK_STEP_MS

/** Closes and what belongs to them come first. */
const classOf = ({ opening }: LegEffect): WeightClass => (opening ? 'orders' : 'closes')
/** What became of a close of the stop line can wait; the closes of its next run, which are paid by closes, cannot. */
const readingClassOf = (order: LegEffect): WeightClass => (order.by === 'stop_line' ? 'worth' : classOf(order))

function bytesOf({ id, signer, body, expiresAfter, signedAt }: LegEffect) {
  if (signer === null || body === null || expiresAfter === null || signedAt === null)
    throw new Error(`order ${id} has no bytes`)
  return { signer, body, expiresAfter, signedAt }
}

/** Sends a copy of the bytes. A key that the venue does not know is surveyed, so that the leg gets the state that explains it. */
async function send(context: Context, row: LegEffect): Promise<Answer> {
  const { id, publicId, effect_copies: copies } = row
  const { signer, body, expiresAfter } = bytesOf(row)
  if (copies > 1) await countForLastRelease(context.pool, id)
  const sent = await context.venue.send(classOf(row), { signer, body })
  if (sent.kind === 'ours') context.log.error({ order: id, reason: sent.reason }, 'the venue cannot read an order')
  if (sent.kind === 'refused' && sent.cause === 'agent_unknown') await askSurvey(context.pool, publicId)
  const known = afterSending(sent, copiesOf(1, expiresAfter))
  if (!isCertain(known)) return { says: 'unclear' }
  const from = copies === 1 ? plannedAt(row) : undefined
  const by = readingClassOf(row)
  const [end, position] = await Promise.all([
    endingOf(context, sentOrderOf(row), by, { known, fills: null }, from),
    positionAfter(context, by, row),
  ])
  if (end === null) return { says: 'unclear' }
  // The result of an order that the venue admitted is final; a refusal before that is one of this copy.
  if (end.copies === null) return { says: 'done', ending: endAs(context, row, end, position) }
  return { says: 'refused', ending: endAs(context, row, { ...end, copies }, position) }
}

/** Looks for an order by our id for it. */
async function find(context: Context, row: LegEffect): Promise<Found> {
  const by = readingClassOf(row)
  const looked = await lookUp(context, by, sentOrderOf(row))
  return {
    ...lookOf(looked),
    endingOf: async (evidence) => {
      const end = endFrom(row.size, endOfLook(looked, evidence), looked.fills)
      return endAs(context, row, end, await positionAfter(context, by, row))
    },
  }
}

/** Returns what the venue knows an order by. */
const sentOrderOf = (row: LegEffect) => ({
  account: row.account,
  coin: row.coin,
  cloid: row.cloid,
  size: row.size,
  signedAt: bytesOf(row).signedAt,
})

const OUTCOMES = { filled: 'done', partial: 'partial', missed: 'expired', rejected: 'refused' } as const

/**
 * Returns the end of an order with the columns of its kind, its event, and the move that brings the collateral home after a close, or
 * after an open that executed nothing.
 */
function endAs({ clock }: Context, row: LegEffect, found: OrderEnd, position: LegEffect['position']): Ending {
  const { size: filledSize, notionalUsdc: filledNotionalUsdc, fills, ...rest } = found
  const badFillUsdc = badFillOf(fills, row.side, row.markPrice)
  const end = { ...rest, filledSize, filledNotionalUsdc, fills: [...fills], badFillUsdc, position }
  const { publicId, dex, opening } = row
  const goesHome = dex !== '' && opening === exact(filledSize).isZero()
  return {
    outcome: OUTCOMES[end.state],
    evidence: { state: end.state, oid: end.oid, filled_size: filledSize, reason: end.reason },
    store: async (tx) => {
      const now = clock.now()
      await storeOrderEnd(tx, row, end, now)
      if (goesHome) await wantMove(tx, { publicId, from: dex, to: '' }, now)
    },
  }
}

/** Returns the end of an order for which nothing was signed. */
const unsent = ({ clock }: Context, row: LegEffect): Ending => ({
  outcome: 'abandoned',
  evidence: { reason: 'the order was not sent' },
  store: async (tx) => {
    if (!(await abandonOrder(tx, row, clock.now()))) throw new ClaimTaken()
  },
})
