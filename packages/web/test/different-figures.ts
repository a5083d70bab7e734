/** An answer whose figures were changed, and the figures as pages show them. */
export interface Changed {
  readonly answer: unknown
  readonly figures: readonly string[]
}

/** Members that name no amount, though they look like one. */
const AMOUNT = /_usdc$/

/**
 * Returns an answer in which each amount is another one, unlike every other, so that its place on a page can be found.
 * Paths that match `unseen` keep their figures; the test says why they are not on the page.
 */
export function differentFigures(answer: unknown, unseen: RegExp): Changed {
  const figures: string[] = []
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((item, at) => walk(item, `${path}.${at}`))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, walk(member, path === '' ? name : `${path}.${name}`)]),
      )
    if (!AMOUNT.test(path) || typeof value !== 'string' || unseen.test(path)) return value
    next += 1
    // Two decimals, the last not zero: pages show such an amount whole.
    const figure = `${100 + next}.${String((next % 9) + 1).padStart(2, '0')}`
    figures.push(figure)
    return figure
  }
  return { answer: walk(answer, ''), figures }
}

let next = 0
