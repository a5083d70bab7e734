import type { Adapter, Ending, Found } from '@svc/outbound'
import type { Tx } from '@svc/postgres'
import { endFrom, endingOf, type Ending as OrderEnd } from '@svc/venue/find-out'
import { lookUp } from '@svc/venue/read-outcome'
import { afterSending, copiesOf, endOfLook, lookOf, type LookedUp } from '@svc/venue/rules/resolve-order'
import type { WeightClass } from '@svc/venue/rules/weights'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { positionAfter } from './read-scene.ts'
import { countForLastRelease, storeTradeEnd, type TradeEffect, type TradeEnd } from './store/trade-orders.ts'

/** What differs by who drives an order. */
export interface Driving {
  /** Signs a prepared order; returns false if it is not prepared any more. Absent: prepared orders wait, or end when their time is over. */
  readonly sign?: (tx: Tx, order: TradeEffect) => Promise<boolean>
  /** Looks for an order at the venue. Absent: by our id for it. */
  readonly find?: (order: TradeEffect) => Promise<Found>
}

/**
 * Connects orders of own accounts with the venue. Points in time are Unix milliseconds of the venue. A close is sent in the class of
 * closes; whatever is read for an order belongs to the class of orders.
 */
export function tradeAdapter(context: Context, { sign, find }: Driving): Adapter<TradeEffect, null> {
  const now = () => context.clock.now().getTime()
  return {
    plan: ({ id, state, expiresAt }) => {
      if (sign !== undefined) return Promise.resolve({ act: 'sign', plan: null })
      const isOver = state === 'prepared' && expiresAt.getTime() <= now()
      return Promise.resolve(isOver ? { act: 'give_up', ending: endAs(context, id, NOT_CONFIRMED) } : { act: 'wait' })
    },
    sign: (row) => Promise.resolve({ store: (tx) => sign?.(tx, row) ?? Promise.resolve(false) }),
    send: async (row) => {
      const { id, signer, body, expiresAfter, opening, effect_copies: copies } = row
      if (signer === null || body === null || expiresAfter === null) throw new Error(`order ${id} has no bytes`)
      if (copies > 1) await countForLastRelease(context.pool, id)
      const sent = await context.venue.send(opening ? 'orders' : 'closes', { signer, body })
      if (sent.kind === 'ours') context.log.error({ order: id, reason: sent.reason }, 'the venue cannot read an order')
      const known = afterSending(sent, copiesOf(1, expiresAfter))
      const end = await endingOf(context, venueOrderOf(row), 'orders', { known, fills: null })
      if (end === null) return { says: 'unclear' }
      // The result of an order that the venue admitted is final; a refusal before that is one of this copy.
      if (end.copies === null) return { says: 'done', ending: await endWith(context, row, end, 'orders') }
      return { says: 'refused', ending: await endWith(context, row, { ...end, copies }, 'orders') }
    },
    find: find ?? (async (row) => foundBy(context, row, await lookUp(context, 'orders', venueOrderOf(row)))),
    now,
    // What a browser signed is not sent from here.
    validUntil: ({ expiresAfter }) => expiresAfter ?? 0,
    describe: ({ orderId, market, cloid }) => ({ order_id: orderId, market, cloid }),
  }
}

/** Returns what the venue knows an order by. */
export function venueOrderOf({ id, account, coin, cloid, size, signedAt, preparedAt }: TradeEffect) {
  if (account === null) throw new Error(`order ${id} has no account`)
  return { account: account as Address, coin, cloid, size, signedAt: signedAt ?? preparedAt }
}

/** Returns a look-up of an order by our id for it, with the end that it proves. */
export const foundBy = (context: Context, row: TradeEffect, looked: LookedUp): Found => ({
  ...lookOf(looked),
  endingOf: (evidence) => endWith(context, row, endFrom(row.size, endOfLook(looked, evidence), looked.fills), 'orders'),
})

const NOT_CONFIRMED = {
  state: 'expired',
  oid: null,
  filledSize: '0',
  averagePrice: null,
  filledNotionalUsdc: '0',
  feeUsdc: '0',
  reason: 'the order was not confirmed',
  position: null,
  copies: null,
} as const

/** Returns the end of an order that may be at the venue, with the position after it. Rejects with an outage. */
export async function endWith(
  context: Context,
  { id, account, coin }: TradeEffect,
  end: Omit<OrderEnd, 'fills'>,
  by: WeightClass,
): Promise<Ending> {
  const { size: filledSize, notionalUsdc: filledNotionalUsdc, ...rest } = end
  const position = account === null ? null : await positionAfter(context, by, account as Address, coin)
  return endAs(context, id, { ...rest, filledSize, filledNotionalUsdc, position })
}

const OUTCOMES = {
  filled: 'done',
  partial: 'partial',
  missed: 'expired',
  rejected: 'refused',
  expired: 'abandoned',
} as const

/** Returns an end with the columns of its kind. */
function endAs({ clock }: Context, id: number, end: TradeEnd): Ending {
  const { state, oid, filledSize: filled_size, reason } = end
  return {
    outcome: OUTCOMES[state],
    evidence: { state, oid, filled_size, reason },
    store: (tx) => storeTradeEnd(tx, id, end, clock.now()),
  }
}
