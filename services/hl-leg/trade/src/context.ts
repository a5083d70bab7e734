import type { SettingsOf } from '@svc/contract'
import { hlLeg } from '@svc/contracts/hl-leg'
import { hlRelay } from '@svc/contracts/hl-relay'
import type { hlTrade } from '@svc/contracts/hl-trade'
import type { hlTradeSettings } from '@svc/contracts/hl-trade/settings'
import { identity } from '@svc/contracts/identity'
import { mandates } from '@svc/contracts/mandates'
import { parseSeed } from '@svc/hyperliquid/signing'
import type { Pool, Tx } from '@svc/postgres'
import { clientOf, type Bus, type Clock, type Kit, type Log } from '@svc/service'
import { countOpenTrades } from './orders/store/trade-orders.ts'
import { askWeights } from '@svc/venue/asked-weights'
import { openVenueClient, type VenueClient } from '@svc/venue/venue-client'

/** Values of the settings that the contract declares, without the seed. */
export type Settings = Omit<SettingsOf<typeof hlTradeSettings>, 'tradeSeed'>

/** The services that the trading side asks. */
export type Neighbours = ReturnType<typeof neighboursOf>

const neighboursOf = (bus: Bus) => ({
  identity: clientOf(bus, 'hl-trade', identity),
  mandates: clientOf(bus, 'hl-trade', mandates),
  leg: clientOf(bus, 'hl-trade', hlLeg),
  relay: clientOf(bus, 'hl-trade', hlRelay),
})

/** The dependencies of the operations and jobs of the trading side. */
export interface Context extends Neighbours {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly venue: VenueClient
  /** Counts the live orders of an owner in an account, lower case, that are not resolved; none is judged meanwhile. */
  openOrders(tx: Tx, ownerId: number, account: string): Promise<number>
  /** Seed of the order keys of linked accounts; null without SVC_TRADE_AGENT_SEED. */
  readonly seed: Uint8Array | null
}

/** Builds the context at the start of the process. */
export function createContext({ pool, clock, log, settings: given, bus, watch }: Kit<typeof hlTrade>): Context {
  const { tradeSeed } = given
  // Property descriptors are copied, so that live settings stay live; the text of the seed is left behind.
  const { tradeSeed: _, ...descriptors } = Object.getOwnPropertyDescriptors(given)
  const settings = Object.defineProperties({}, descriptors) as Settings
  const { network, infoUrl, exchangeUrl, venueEgress } = settings
  const venue = openVenueClient(askWeights({ bus, clock }, 'hl-trade', venueEgress), {
    network,
    infoUrl,
    exchangeUrl,
    watch,
  })
  const seed = tradeSeed === null ? null : parseSeed(tradeSeed)
  return { pool, clock, log, settings, venue, seed, openOrders: countOpenTrades, ...neighboursOf(bus) }
}
