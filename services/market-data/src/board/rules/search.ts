interface Searchable {
  readonly symbol: string
  readonly base: string
  readonly name: string | null
}

/** Returns a function that tests whether a pair's symbol or name contains the text, in any case. */
export function matcher(text: string): (pair: Searchable) => boolean {
  const wanted = text.trim().toLowerCase()
  return ({ symbol, name }) => symbol.toLowerCase().includes(wanted) || (name?.toLowerCase().includes(wanted) ?? false)
}

/** Returns the matching pairs: exact symbols and bases first, then beginnings, then other matches; each group keeps its order. */
export function search<T extends Searchable>(pairs: readonly T[], text: string): T[] {
  const wanted = text.trim().toLowerCase()
  const fits = matcher(text)
  const groups: [T[], T[], T[]] = [[], [], []]
  for (const pair of pairs) {
    const symbol = pair.symbol.toLowerCase()
    if (symbol === wanted || pair.base.toLowerCase() === wanted) groups[0].push(pair)
    else if (symbol.startsWith(wanted)) groups[1].push(pair)
    else if (fits(pair)) groups[2].push(pair)
  }
  return groups.flat()
}
