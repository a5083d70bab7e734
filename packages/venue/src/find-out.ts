import { readFills, type SentOrder } from './read-outcome.ts'
import { allRead, endOf, type Certain, type Known } from './rules/resolve-order.ts'
import { sumFills, type Executed, type Fill } from './rules/fills.ts'
import type { WeightClass } from './rules/weights.ts'
import type { VenueClient } from './venue-client.ts'

interface Seeker {
  readonly venue: VenueClient
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
  context: Seeker,
  order: SentOrder & { readonly size: string },
  by: WeightClass,
  { known, fills }: { readonly known: Known; readonly fills: readonly Fill[] | null },
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
