/** A deliberate fault in one source, which the tests of `tests` must detect. */
export interface SourceMutant {
  /** Unique. */
  readonly name: string
  /** Path from the root. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** What the fault would permit. */
  readonly why: string
  /** Test file that detects it, by its path from the root. */
  readonly tests: string
}

/** Each puts one place back on the worst price, which bounds a sell from below: the order could exceed its caps. */
export const worstPriceMutants: readonly SourceMutant[] = [
  {
    name: 'reference price of a sell is its worst price',
    file: 'packages/limits/src/reference-price.ts',
    find: 'return [mark, ...middle, ...first].reduce(',
    replace: "return (side === 'sell' ? [] : [mark, ...middle, ...first]).reduce(",
    why: 'Every short would be larger than what was asked for and judged.',
    tests: 'packages/limits/src/reference-price.test.ts',
  },
  {
    name: 'order sized at its worst price',
    file: 'packages/venue/src/rules/plan-order.ts',
    find: 'const wanted = sizeOf(asked, counted, scene.sizeDecimals)',
    replace: 'const wanted = sizeOf(asked, worstPrice, scene.sizeDecimals)',
    why: 'A short of an amount would open more than the amount, at the leg, in an own account and on paper.',
    tests: 'services/hl-leg/trade/src/books/rules/plan-fill.test.ts',
  },
  {
    name: 'order of the leg judged at its worst price',
    file: 'packages/venue/src/rules/plan-order.ts',
    find: 'notionalUsdc: notionalAt(size, counted)',
    replace: 'notionalUsdc: notionalAt(size, worstPrice)',
    why: 'A short of a size would pass caps that its fill exceeds.',
    tests: 'services/hl-leg/leg/src/orders/rules/plan-order.test.ts',
  },
  {
    name: 'own order and paper order counted at their worst price',
    file: 'services/hl-leg/trade/src/orders/rules/counted-now.ts',
    find: 'const price = referencePrice(side, worstPrice, prices)',
    replace: 'const price = worstPrice',
    why: 'An own order whose price rose before its execution would pass caps that its fill exceeds.',
    tests: 'services/hl-leg/trade/src/orders/rules/counted-now.test.ts',
  },
  {
    name: 'replayed order sized at its worst price',
    file: 'services/gallery/src/follows/rules/order-quantity.ts',
    find: 'return referencePrice(side, worst.toFixed(), { mark, bid: null, ask: null })',
    replace: 'return worst.toFixed()',
    why: 'A replay would show shorts larger than the caps that they are replayed under.',
    tests: 'services/gallery/src/follows/rules/replay-signals.test.ts',
  },
  {
    name: 'order on the page sized at its worst price',
    file: 'packages/web/src/pages/trade/ticket.ts',
    find: 'size: sizeWithin(amount, reference, SIZE_DIGITS)',
    replace: 'size: sizeWithin(amount, worst, SIZE_DIGITS)',
    why: 'The page would announce a larger short than the service places.',
    tests: 'packages/web/src/pages/trade/ticket.test.ts',
  },
]

/** Returns a source with a fault. Throws if the source is not the one for which the fault was made. */
export function mutated({ name, file, find, replace }: SourceMutant, source: string): string {
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`Mutant "${name}": its find occurs ${parts.length - 1} times in ${file}.`)
  return parts.join(replace)
}
