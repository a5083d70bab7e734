import type { BandDepth, BandDepths, BookMeasure } from './book.ts'

/** What is known about the deeper books of a pair whose usual book ends inside 2 % of the mid. Times in milliseconds. */
export interface DeeperBooks {
  /** Levels that the band needs, with a margin. */
  readonly levels: number
  /** The last deeper call; 0 before the first. */
  readonly askedAt: number
  /** The last deeper book; null before the first. */
  readonly newest: {
    readonly at: number
    readonly bands: BandDepths
  } | null
}

/** A deeper book is requested with this margin, because the next book has other levels. */
const MARGIN = 1.25
/** A pair needs no deeper books any more if its band has this share of the usual levels. */
const LEAVE_SHARE = 0.8
/** For this time after a deeper book a usual book that ends inside the band says nothing new about depth. */
const FRESH_MS = 600_000

/**
 * Returns the state after a book was measured; null if the usual book of the pair is enough. A pair begins to need deeper
 * books when a book ends inside the band.
 */
export function afterBook(
  before: DeeperBooks | null,
  { truncated, levels }: Pick<BookMeasure, 'truncated' | 'levels'>,
  usualLevels: number,
): DeeperBooks | null {
  if (!truncated && (before === null || levels <= usualLevels * LEAVE_SHARE)) return null
  const known = before ?? { askedAt: 0, newest: null }
  return { ...known, levels: Math.ceil(levels * MARGIN) }
}

/** Returns the least size that has the levels, else the largest; null if there is none. */
export const sizeFor = (sizes: readonly number[], levels: number): number | null =>
  sizes.find((size) => size >= levels) ?? sizes.at(-1) ?? null

/** Returns whether a deeper book is recent enough that a usual book of this time adds nothing about depth. */
export const isDeeperFresh = ({ newest }: DeeperBooks, now: number): boolean =>
  newest !== null && now - newest.at < FRESH_MS

/**
 * Returns what a band of a usual book says about depth: nothing if the book ended inside the band while a deeper book is
 * fresh, so that no series mixes lower bounds with exact values.
 */
export const newDepth = (band: BandDepth, deeper: DeeperBooks | null, now: number): BandDepth | null =>
  band.isLowerBound && deeper !== null && isDeeperFresh(deeper, now) ? null : band

/** Returns the pairs whose deeper book is due: targets before others, and those that have waited longest first. */
export function deeperDue(
  pairs: ReadonlyMap<number, DeeperBooks>,
  isTarget: (instanceId: number) => boolean,
  { now, everyMs, max }: { readonly now: number; readonly everyMs: number; readonly max: number },
): readonly (readonly [instanceId: number, DeeperBooks])[] {
  const due = [...pairs].filter(([, { askedAt }]) => askedAt + everyMs <= now)
  return due
    .toSorted(([one, a], [other, b]) => Number(isTarget(other)) - Number(isTarget(one)) || a.askedAt - b.askedAt)
    .slice(0, max)
}
