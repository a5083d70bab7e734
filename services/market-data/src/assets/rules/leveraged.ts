const SUFFIX = /^(.+?)(UP|DOWN|BULL|BEAR|[2-9][LS])$/

/**
 * Returns the bases that are leveraged products of a venue: another base of the venue with a suffix. Their prices fall by
 * construction, which is not a crisis of a token.
 */
export function leveragedBases(bases: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const base of bases) {
    const stem = SUFFIX.exec(base)?.[1]
    if (stem !== undefined && bases.has(stem)) found.add(base)
  }
  return found
}
