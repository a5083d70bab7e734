import type { SettingsOf } from '@svc/contract'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import { hlLeg } from '@svc/contracts/hl-leg'
import type { hlLegSettings } from '@svc/contracts/hl-leg/settings'
import { parseSeed } from '@svc/hyperliquid/signing'
import type { Db, Pool } from '@svc/postgres'
import { beginAlarms, clientOf, type Bus, type Clock, type Kit, type Log } from '@svc/service'
import { openMandateClient, type MandateClient } from './mandate/mandate-client.ts'
import { openLegMoney } from './money/leg-money.ts'
import { openIdentityClient, type IdentityClient } from './orders/identity-client.ts'
import { ownCloids } from './orders/store/orders.ts'
import type { LegMoney } from './readings/leg-account.ts'
import { countWeights } from './venue/counted-weights.ts'
import { openVenueClient, type VenueClient } from '@svc/venue/venue-client'

/** Values of the settings that the contract declares, without the seed. */
export type Settings = Omit<SettingsOf<typeof hlLegSettings>, 'legSeed'>

/** The dependencies of the operations and jobs of hl-leg. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  /** When this process started. */
  readonly startedAt: Date
  readonly log: Log
  readonly settings: Settings
  readonly venue: VenueClient
  readonly mandates: MandateClient
  /** What hl-leg asks of chain-indexer: the leg of a vault as the chain has it now. */
  readonly chain: ReturnType<typeof openChainClient>
  /** What the rows of transfers know. */
  readonly money: LegMoney
  /** Returns the names of a leg's own orders at the venue since an instant. */
  ownCloids(db: Db, publicId: string, since: Date): Promise<ReadonlySet<string>>
  readonly identity: IdentityClient
  /** Seed of the keys of legs; null without HUB_HL_LEG_SEED. */
  readonly seed: Uint8Array | null
}

const openChainClient = (bus: Bus) => clientOf(bus, 'hl-leg', chainIndexer)

/** Alarms about legs that this service raises. */
const ALARMS = [
  'leg_money_out_while_off',
  'leg_unexplained',
  'leg_unsupported',
  'venue_changed',
  'venue_row_unknown',
] as const

/** Builds the context at the start of the service. */
export function createContext({ pool, clock, log, settings: given, bus, watch }: Kit<typeof hlLeg>): Context {
  for (const alarm of ALARMS) beginAlarms(alarm, [hlLeg.name])
  const { legSeed } = given
  // Property descriptors are copied, so that live settings stay live; the text of the seed is left behind.
  const { legSeed: _, ...descriptors } = Object.getOwnPropertyDescriptors(given)
  const settings = Object.defineProperties({}, descriptors) as Settings
  const { venueEgress: name, venueWeightMinute: minuteMax, network, infoUrl, exchangeUrl } = settings
  const venue = openVenueClient(countWeights({ pool, clock }, { name, minuteMax }), {
    network,
    infoUrl,
    exchangeUrl,
    watch,
  })
  const seed = legSeed === null ? null : parseSeed(legSeed)
  return {
    pool,
    clock,
    startedAt: clock.now(),
    log,
    settings,
    venue,
    mandates: openMandateClient(bus),
    chain: openChainClient(bus),
    identity: openIdentityClient(bus),
    money: openLegMoney(settings),
    ownCloids,
    seed,
  }
}
