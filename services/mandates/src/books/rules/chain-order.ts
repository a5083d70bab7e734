/** A block of the chain, with its time by the chain's clock. */
export interface ChainPoint {
  readonly number: number
  readonly hash: string
  readonly time: string
}

/** Something decided outside the chain. */
export interface Decision {
  /** By the clock of the service. */
  readonly at: Date
  /** The newest block known then; null when the chain could not be read. */
  readonly head: Pick<ChainPoint, 'number'> | null
}

/** The place of an execution in the chain. */
export interface Place {
  readonly block: number
  /** Block in which it was seen first, before reorganisations moved it. */
  readonly firstBlock: number
  /** Time of its block. */
  readonly time: Date
}

/** Greatest difference tolerated between the clock of the service and the chain's. */
export const CLOCK_SKEW_MAX_MS = 120_000

/** Depth of a reorganisation that may put a call in a block whose number had passed when the call was approved. */
const REPLACED_BLOCKS_MAX = 12

/**
 * Whether an execution comes after an approval. Blocks after the known head do; a reorganisation does not undo that. When
 * the head itself was replaced, numbers just below it prove nothing and count as after: the approval is bound to this very
 * call. Clocks decide only where no head was known.
 */
export function isAfterApproval(place: Place, approval: Decision & { readonly replaced: boolean }): boolean {
  if (approval.head === null) return place.time.getTime() >= approval.at.getTime() - CLOCK_SKEW_MAX_MS
  const slack = approval.replaced ? REPLACED_BLOCKS_MAX : 0
  return Math.max(place.block, place.firstBlock) > approval.head.number - slack
}

/**
 * Whether an execution comes after the record's stop: it was first seen in a block after the known head. Clocks decide
 * only where no head was known, and then without tolerance.
 */
export function isAfterStop(place: Place, stop: Decision): boolean {
  return stop.head === null ? place.time > stop.at : place.firstBlock > stop.head.number
}

/** Whether a block comes before the end of an approval, which is a time: either clock may be ahead. */
export function isBeforeEnd(place: Pick<Place, 'time'>, end: Date): boolean {
  return place.time.getTime() <= end.getTime() + CLOCK_SKEW_MAX_MS
}
