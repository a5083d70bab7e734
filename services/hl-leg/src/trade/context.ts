import type { SettingsOf } from '@svc/contract'
import type { hlTrade } from '@svc/contracts/hl-trade'
import type { hlTradeSettings } from '@svc/contracts/hl-trade/settings'
import { parseSeed } from '@svc/hyperliquid'
import type { Pool } from '@svc/postgres'
import type { Clock, Kit, Log } from '@svc/service'
import { askWeights } from '#venue/asked-weights.ts'
import { openVenueClient, type VenueClient } from '#venue/venue-client.ts'

/** Values of the settings that the contract declares, without the seed. */
export type Settings = Omit<SettingsOf<typeof hlTradeSettings>, 'tradeSeed'>

/** The dependencies of the operations and jobs of the trading side. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly venue: VenueClient
  /** Seed of the order keys of linked accounts; null without SVC_TRADE_AGENT_SEED. */
  readonly seed: Uint8Array | null
}

/** Builds the context at the start of the process. */
export function createContext({ pool, clock, log, settings: given, bus }: Kit<typeof hlTrade>): Context {
  const { tradeSeed } = given
  // Property descriptors are copied, so that live settings stay live; the text of the seed is left behind.
  const { tradeSeed: _, ...descriptors } = Object.getOwnPropertyDescriptors(given)
  const settings = Object.defineProperties({}, descriptors) as Settings
  const venue = openVenueClient(askWeights({ bus, clock }, 'hl-trade', settings.venueEgress), settings)
  return { pool, clock, log, settings, venue, seed: tradeSeed === null ? null : parseSeed(tradeSeed) }
}
