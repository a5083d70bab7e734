import { markMaxAge, mayMark } from '@svc/limits'

/** A vault's worth and what decides on its mark. USDC base units, Unix seconds. */
export interface Valued {
  readonly open: boolean
  readonly stopLine: bigint
  readonly principal: bigint
  readonly lastWorth: bigint
  /** 0 before the first mark. */
  readonly markedAt: bigint
  /** Null while it is withheld. */
  readonly worth: bigint | null
  /** Time of the block that was read. */
  readonly asOf: bigint
}

/** When a mark is due: after a change in basis points, or after seconds. */
export interface MarkRules {
  readonly minDeltaBps: number
  readonly maxAgeSec: number
  /** Unix seconds of the clock. */
  readonly now: bigint
}

/** A mark needs this many seconds at most from its decision into a block. */
const WAY_SEC = 300n
/** Oldest block by which a vault may be stopped: a node that lags shows prices that are no more. */
const CROSSING_AGE_SEC = 120n

/** True when a mark of this worth would stop the vault. */
export const crosses = ({ open, stopLine, worth }: Valued): boolean =>
  open && stopLine > 0n && worth !== null && worth <= stopLine

/**
 * Vaults that get a mark, nearest to their stop line first. None gets one that is closed, was never funded above its
 * stop line, cannot be valued, or was marked in that very block. A worth at or below the line needs no minimum change, but
 * a block of the last two minutes.
 */
export function planMarks<T extends Valued>(valued: readonly T[], rules: MarkRules): readonly T[] {
  return valued.filter((one) => isDue(one, rules)).toSorted(byDistance)
}

function isDue(one: Valued, { minDeltaBps, maxAgeSec, now }: MarkRules): boolean {
  const { worth, open, lastWorth, markedAt, asOf } = one
  if (worth === null || !open || !mayMark(one, one) || asOf <= markedAt) return false
  // The contract takes no mark older than an hour; the node is far behind, or its chain stands still.
  if (asOf + markMaxAge - WAY_SEC < now) return false
  if (crosses(one)) return now - asOf <= CROSSING_AGE_SEC
  if (markedAt === 0n || asOf - markedAt >= BigInt(maxAgeSec)) return true
  const change = worth > lastWorth ? worth - lastWorth : lastWorth - worth
  return change > 0n && change * 10_000n >= lastWorth * BigInt(minDeltaBps)
}

/** By (worth - stop line) / worth, cross-multiplied; a worth of nothing is the nearest of all where there is a line. */
function byDistance(a: Valued, b: Valued): number {
  const [worthA, worthB] = [a.worth ?? 0n, b.worth ?? 0n]
  if (worthA === 0n || worthB === 0n) return rank(a) - rank(b)
  const difference = (worthA - a.stopLine) * worthB - (worthB - b.stopLine) * worthA
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const rank = ({ worth, stopLine }: Valued): number => (worth !== 0n ? 1 : stopLine > 0n ? 0 : 2)
