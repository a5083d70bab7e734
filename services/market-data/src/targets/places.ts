import type { Tx } from '@svc/postgres'
import type { LocalContext } from '#context.ts'
import { scannedPairs } from '#listings/store/venues.ts'
import { isWatched, lockPlaces } from './store/scan-places.ts'
import { openTurn } from './store/scan-turns.ts'
import { setStatus } from './store/targets.ts'

/** A venue that carries no further scan. */
export interface Full {
  readonly capacity: number
  readonly scanned: number
}

/**
 * Returns why a pair can have no place among the scans of its venue; null if it can, or has one because somebody watches it.
 * Nobody else takes a place of the venue until the transaction ends.
 */
export async function fullFor(
  { venues }: Pick<LocalContext, 'venues'>,
  tx: Tx,
  exchange: string,
  tokenId: string,
): Promise<Full | null> {
  await lockPlaces(tx, exchange)
  const [places] = await scannedPairs(tx, [exchange])
  const capacity = venues.get(exchange)?.scanCapacity(places?.listed ?? 0)
  if (places === undefined || capacity === undefined) return null
  const { scanned } = places
  return scanned < capacity || (await isWatched(tx, tokenId)) ? null : { capacity, scanned }
}

/** A paused target that the tier of its account allows. */
export interface Waiting {
  readonly account_id: number
  readonly token_id: string
  readonly exchange: string
}

/** Resumes targets, in their order, as far as their venues have places; the others wait, paused. Returns how many it resumed. */
export async function resumeTargets(kit: LocalContext, tx: Tx, waiting: readonly Waiting[]): Promise<number> {
  let resumed = 0
  // One order of the locks for all: two transactions with the same venues would else wait for each other.
  for (const { account_id, token_id, exchange } of waiting.toSorted((a, b) => (a.exchange < b.exchange ? -1 : 1))) {
    if ((await fullFor(kit, tx, exchange, token_id)) !== null) continue
    await setStatus(tx, account_id, [token_id], 'active')
    await openTurn(tx, token_id, kit.clock.now())
    resumed += 1
  }
  return resumed
}
