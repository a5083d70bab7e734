/** Legs that become unexplained within this time have one cause. */
const WITHIN_MS = 600_000
/** More legs than this, or than this share of all, are no coincidence. */
const LEGS = 2
const SHARE = 0.05
/** Among fewer legs, one is more than that share. */
const SHARE_FROM = 20

/** Returns true if so many legs became unexplained within ten minutes that the venue changed, and not their owners. */
export function hasVenueChanged(since: readonly Date[], legs: number): boolean {
  const times = since.map((at) => at.getTime())
  const most = Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at - from <= WITHIN_MS).length))
  return most > LEGS || (legs >= SHARE_FROM && most > legs * SHARE)
}
