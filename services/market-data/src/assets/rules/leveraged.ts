const SUFFIX = /^(.+?)(UP|DOWN|BULL|BEAR|[2-9][LS])$/

/**
 * Bases that are a venue's own leveraged products and not assets: another base of the venue with a suffix. Their falls
 * are arithmetic and no crisis of a token.
 */
export function leveragedBases(bases: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const base of bases) {
    const stem = SUFFIX.exec(base)?.[1]
    if (stem !== undefined && bases.has(stem)) found.add(base)
  }
  return found
}
