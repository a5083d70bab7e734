import { markMaxAge, mayMark } from '@svc/limits'

/** A vault's worth and the figures that decide on its mark. USDC base units, Unix seconds. */
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

/** When a mark is due: after a change of `minDeltaBps`, or after `maxAgeSec`. */
export interface MarkRules {
  readonly minDeltaBps: number
  readonly maxAgeSec: number
  /** Unix seconds of the clock. */
  readonly now: bigint
}

/** Maximum number of seconds from the decision on a mark to its block. */
const INCLUSION_SEC = 300n
/** Maximum age of the block of a mark that stops a vault: a node that lags returns outdated prices. */
const CROSSING_AGE_SEC = 120n

/** Returns whether a mark of this worth would stop the vault. */
export const crosses = ({ open, stopLine, worth }: Valued): boolean =>
  open && stopLine > 0n && worth !== null && worth <= stopLine

/**
 * Returns the vaults for which a mark is due, nearest to their stop line first. Excludes vaults that are closed, were never
 * funded above their stop line, cannot be valued, or were marked in the block that was read. A worth at or below the line
 * needs no minimum change, but a block of the last two minutes.
 */
export function planMarks<T extends Valued>(valued: readonly T[], rules: MarkRules): readonly T[] {
  return valued.filter((one) => isDue(one, rules)).toSorted(byDistance)
}

function isDue(one: Valued, { minDeltaBps, maxAgeSec, now }: MarkRules): boolean {
  const { worth, open, lastWorth, markedAt, asOf } = one
  if (worth === null || !open || !mayMark(one, one) || asOf <= markedAt) return false
  // The contract rejects marks older than an hour; the node lags far behind, or its chain produces no blocks.
  if (asOf + markMaxAge - INCLUSION_SEC < now) return false
  if (crosses(one)) return now - asOf <= CROSSING_AGE_SEC
  if (markedAt === 0n || asOf - markedAt >= BigInt(maxAgeSec)) return true
  const change = worth > lastWorth ? worth - lastWorth : lastWorth - worth
  return change > 0n && change * 10_000n >= lastWorth * BigInt(minDeltaBps)
}

/** Orders by (worth - stop line) / worth, cross-multiplied; a worth of 0 comes first if there is a line. */
function byDistance(a: Valued, b: Valued): number {
  const [worthA, worthB] = [a.worth ?? 0n, b.worth ?? 0n]
  if (worthA === 0n || worthB === 0n) return rank(a) - rank(b)
  const difference = (worthA - a.stopLine) * worthB - (worthB - b.stopLine) * worthA
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const rank = ({ worth, stopLine }: Valued): number => (worth !== 0n ? 1 : stopLine > 0n ? 0 : 2)
