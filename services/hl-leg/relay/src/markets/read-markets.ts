import type { Context } from '#context.ts'
import { oldestOf, type ReadTime } from '#cache/envelope.ts'
import type { Reading, Terms } from '#cache/venue-answers.ts'
import { marketsOf, type RelayedMarket } from './rules/market-of.ts'

type Reader = Pick<Context, 'answers' | 'settings'>

/** Markets of several dexes; `at` is the oldest reading among them. */
export interface Markets extends ReadTime {
  readonly items: readonly RelayedMarket[]
}

/** The list of dexes changes rarely, and the number of a market depends on it. */
const DEXES: Terms = { by: 'relays', maxAgeMs: 10 * 60_000, staleMs: 60 * 60_000 }

/** Reads the names of the dexes that the venue lists, in the order of their numbers; the main one is empty. */
export async function readDexNames({ answers }: Pick<Reader, 'answers'>): Promise<Reading<readonly string[]>> {
  const { data, ...time } = await answers.ask(DEXES, 'perpDexs')
  return { ...time, data: data.map((dex) => dex?.name ?? '') }
}

/** Fields of a question about a dex; the venue knows the main one by the absence of a name. */
export const dexFields = (name: string) => (name === '' ? {} : { dex: name })

/** Reads the markets of one dex with their prices; null if the venue does not list the dex. */
export async function readDexMarkets(context: Reader, terms: Terms, name: string): Promise<Markets | null> {
  const place = (await readDexNames(context)).data.indexOf(name)
  if (place === -1) return null
  const { data, at, stale } = await context.answers.ask(terms, 'metaAndAssetCtxs', dexFields(name))
  return { items: marketsOf({ name, place }, data, at), at, stale }
}

/** Terms of what pages and lists show. */
export const LISTED: Terms = { by: 'relays', maxAgeMs: 60_000 }

/** Reads the markets of every dex that this deployment reads. Rejects if one dex cannot be read. */
export async function readAllMarkets(context: Reader, terms: Terms): Promise<Markets> {
  const dexes = await readDexNames(context)
  const read = await Promise.all(context.settings.dexes.map((name) => readDexMarkets(context, terms, name)))
  const known = read.filter((one) => one !== null)
  // A deployment may name dexes alone that its network does not have: then nothing is listed, and that is known as of the list.
  const [first = dexes, ...others] = known
  return { items: known.flatMap(({ items }) => items), ...oldestOf(first, ...others) }
}
