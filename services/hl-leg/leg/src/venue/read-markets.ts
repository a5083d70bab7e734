import type { Context } from '#context.ts'
import { marketsOf } from '@svc/venue/markets-of'
import type { WeightClass } from '@svc/venue/rules/weights'
import { readDexes, storeDexes, storeMarkets, type VenueDex, type VenueMarket } from './store/markets.ts'

/** Maximum age of the stored list of dexes. */
const DEXES_MAX_AGE_MS = 10 * 60_000

/** Asks the venue for its dexes and stores the list. */
export async function refreshDexes(
  { venue, pool, clock }: Pick<Context, 'venue' | 'pool' | 'clock'>,
  by: WeightClass,
): Promise<readonly VenueDex[]> {
  const listed = await venue.ask(by, 'perpDexs')
  const readAt = clock.now()
  const names = listed.map((dex) => dex?.name ?? '')
  await pool.transaction((tx) => storeDexes(tx, venue.network, names, readAt))
  const dexes = names.map((name, place) => ({ name, place, readAt }))
  known.set(pool, dexes)
  return dexes
}

/** Lists of this process by its database, so that a reading does not begin with a statement. */
const known = new WeakMap<Context['pool'], readonly VenueDex[]>()

/** Returns the dexes of the venue from a list that is at most ten minutes old. */
export async function freshDexes(
  context: Pick<Context, 'venue' | 'pool' | 'clock'>,
  by: WeightClass,
): Promise<readonly VenueDex[]> {
  const { venue, pool, clock } = context
  const isFresh = ([first]: readonly VenueDex[]) =>
    first !== undefined && clock.now().getTime() - first.readAt.getTime() <= DEXES_MAX_AGE_MS
  const own = known.get(pool) ?? []
  if (isFresh(own)) return own
  const stored = await readDexes(pool, venue.network)
  const dexes = isFresh(stored) ? stored : await refreshDexes(context, by)
  known.set(pool, dexes)
  return dexes
}

/** Asks the venue for the markets of a dex with their marks and stores them. */
export async function refreshMarkets(
  { venue, pool, clock }: Pick<Context, 'venue' | 'pool' | 'clock'>,
  by: WeightClass,
  dex: VenueDex,
): Promise<readonly VenueMarket[]> {
  const fields = dex.name === '' ? {} : { dex: dex.name }
  const markets = marketsOf(dex, await venue.ask(by, 'metaAndAssetCtxs', fields), clock.now())
  await pool.transaction((tx) => storeMarkets(tx, venue.network, dex.name, markets))
  return markets
}
