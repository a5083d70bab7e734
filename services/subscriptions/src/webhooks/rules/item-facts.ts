import { z } from 'zod'

const pair = z.object({ exchange: z.string(), symbol: z.string() })
const legs = z.object({ buy: pair, sell: pair }).transform(({ buy, sell }) => [buy, sell])
const listed = z.object({ legs: z.array(pair) }).transform((entry) => entry.legs)
const entries = z.object({ items: z.array(z.union([legs, listed, pair.transform((one) => [one])])) })
const severe = z.object({ severity: z.number() })

/** A pair as filters compare it. */
export const pairKey = ({ exchange, symbol }: z.output<typeof pair>): string => `${exchange} ${symbol}`

/** Returns the pair that a filter compares. */
export function pairOf(key: string): z.output<typeof pair> {
  const [exchange = '', symbol = ''] = key.split(' ')
  return { exchange, symbol }
}

/** Returns what filters compare of an item of a feed: the pairs that it names, and its severity, null if it has none. */
export function itemFacts(data: Readonly<Record<string, unknown>>): {
  readonly pairs: readonly string[]
  readonly severity: number | null
} {
  const own = pair.safeParse(data)
  const listedPairs = entries.safeParse(data)
  const pairs = own.success ? [own.data] : listedPairs.success ? listedPairs.data.items.flat() : []
  const severity = severe.safeParse(data)
  return { pairs: [...new Set(pairs.map(pairKey))], severity: severity.success ? severity.data.severity : null }
}
