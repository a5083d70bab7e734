import type { Outcome } from '@svc/hyperliquid'
import type { Clock } from '@svc/service'
import { lookUp, readFills, type SentOrder } from './read-outcome.ts'
import { allRead, afterLook, afterSending, copiesOf, endOf, type Certain, type Known } from './rules/resolve-order.ts'
import { sumFills, type Executed, type Fill } from './rules/fills.ts'
import type { WeightClass } from './rules/weights.ts'
import type { VenueClient } from './venue-client.ts'

/** An order whose signed bytes are stored. */
export interface StoredOrder extends SentOrder {
  readonly signer: string
  readonly body: string
  /** Unix milliseconds. */
  readonly expiresAfter: number
}

/** Classes of weight that pay for sending an order, and for asking what became of it. */
export interface Paying {
  readonly send: WeightClass
  readonly read: WeightClass
}

/** What is known of an order, with the executions that were read on the way and the answer to an attempt to send. */
export interface Found {
  readonly known: Known
  readonly fills: readonly Fill[] | null
  readonly sent: Outcome | null
}

interface Seeker {
  readonly venue: VenueClient
  readonly clock: Clock
}

/**
 * Sends the bytes of an order while they are good. `copies` is how many have been counted, with the one that this call sends: before
 * any but the first the venue is asked for the order, because the nonce stops a second execution only while the venue
 * remembers it. Rejects with an outage.
 */
export async function findOut(
  context: Seeker,
  order: StoredOrder,
  { copies, paying }: { readonly copies: number; readonly paying: Paying },
): Promise<Found> {
  const { venue, clock } = context
  const { signer, body, expiresAfter } = order
  if (copies > 1) {
    const looked = await lookUp(context, paying.read, order)
    const known = afterLook(looked, expiresAfter)
    if (known !== null || looked.listed !== null || clock.now().getTime() > expiresAfter)
      return { known: known ?? { kind: 'look' }, fills: looked.fills, sent: null }
  }
  const sent = await venue.send(paying.send, { signer, body })
  return { known: afterSending(sent, copiesOf(copies, expiresAfter)), fills: null, sent }
}

/** Returns true if it is known what became of an order. */
export const isCertain = (known: Known): known is Certain =>
  known.kind === 'executed' || known.kind === 'missed' || known.kind === 'rejected'

/** What became of an order for certain. */
export interface Ending extends Executed {
  readonly state: 'filled' | 'partial' | 'missed' | 'rejected'
  readonly oid: number | null
  readonly fills: readonly Fill[]
  /** The venue's words; null if something was executed. */
  readonly reason: string | null
  /** The end holds only while no more than so many copies of the bytes have been counted; null: whatever was sent. */
  readonly copies: number | null
}

/**
 * Returns what became of an order of `size`; null while that is not certain, or not all of its executions are listed since
 * `from`, a time of the venue's clock. Rejects with an outage.
 */
export async function endingOf(
  context: Pick<Seeker, 'venue'>,
  order: SentOrder & { readonly size: string },
  by: WeightClass,
  { known, fills }: Pick<Found, 'known' | 'fills'>,
  from?: number,
): Promise<Ending | null> {
  if (!isCertain(known)) return null
  if (known.kind !== 'executed') return endFrom(order.size, known, [])
  const all = fills ?? (await readFills(context, by, order, from))
  return allRead(sumFills(all), known.size) ? endFrom(order.size, known, all) : null
}

/** Returns what became of an order of `size`, with all of its executions. */
export function endFrom(size: string, known: Certain, fills: readonly Fill[]): Ending {
  if (known.kind !== 'executed') {
    const copies = known.kind === 'rejected' ? known.copies : null
    return { ...NOTHING, state: known.kind, reason: known.reason, copies }
  }
  const sum = sumFills(fills)
  return { ...sum, state: endOf(size, sum.size), oid: known.oid, fills, reason: null, copies: null }
}

const NOTHING: Omit<Ending, 'state' | 'reason' | 'copies'> = {
  oid: null,
  size: '0',
  averagePrice: null,
  notionalUsdc: '0',
  feeUsdc: '0',
  fills: [],
}
