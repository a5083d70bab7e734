import type { SettingsOf } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import type { hlLegSettings } from '@svc/contracts/hl-leg/settings'
import type { Pool } from '@svc/postgres'
import type { Clock, Kit, Log } from '@svc/service'
import { openVenue, type Venue } from './venue/open-venue.ts'

/** Values of the settings that the contract declares. */
export type Settings = SettingsOf<typeof hlLegSettings>

/** The dependencies of the operations and jobs of hl-leg. */
export interface Context {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly venue: Venue
}

/** Builds the context at the start of the service. */
export function createContext({ pool, clock, log, settings }: Kit<typeof hlLeg>): Context {
  return { pool, clock, log, settings, venue: openVenue(settings) }
}
