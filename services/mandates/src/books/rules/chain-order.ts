/** A block with its time by the clock of the chain. */
export interface ChainPoint {
  readonly number: number
  readonly hash: string
  readonly time: string
}

/** A decision made outside the chain. */
export interface Decision {
  /** By the clock of the service. */
  readonly at: Date
  /** The newest block known at that time; null if the chain could not be read. */
  readonly head: Pick<ChainPoint, 'number'> | null
}

/** The position of an execution in the chain. */
export interface Place {
  readonly block: number
  /** Block in which the execution was first seen, before reorganisations moved it. */
  readonly firstBlock: number
  /** Time of its block. */
  readonly time: Date
}

/** Largest tolerated difference between the clocks of the service and the chain. */
export const CLOCK_SKEW_MAX_MS = 120_000

/** Largest depth of a reorganisation that may move an approved call to a block number below the known head. */
const REPLACED_BLOCKS_MAX = 12

/**
 * Returns whether an execution comes after an approval: it was ever in a block after the known head. If a reorganisation
 * replaced the head, block numbers just below it prove nothing and count as after, since the approval is bound to this exact
 * call. Clocks decide only if no head was known.
 */
export function isAfterApproval(place: Place, approval: Decision & { readonly replaced: boolean }): boolean {
  if (approval.head === null) return place.time.getTime() >= approval.at.getTime() - CLOCK_SKEW_MAX_MS
  const slack = approval.replaced ? REPLACED_BLOCKS_MAX : 0
  return Math.max(place.block, place.firstBlock) > approval.head.number - slack
}

/**
 * Returns whether an execution comes after the stop in the record: it was first seen in a block after the known head. Clocks
 * decide only if no head was known, and then without tolerance.
 */
export function isAfterStop(place: Place, stop: Decision): boolean {
  return stop.head === null ? place.time > stop.at : place.firstBlock > stop.head.number
}

/** Returns whether a block comes before the expiry of an approval, which is a time; either clock may be ahead. */
export function isBeforeEnd(place: Pick<Place, 'time'>, end: Date): boolean {
  return place.time.getTime() <= end.getTime() + CLOCK_SKEW_MAX_MS
}
