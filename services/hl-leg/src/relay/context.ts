import type { SettingsOf } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { hlRelaySettings } from '@svc/contracts/hl-relay/settings'
import type { Clock, Kit, Log } from '@svc/service'
import { askWeights } from '#venue/asked-weights.ts'
import { keepAnswers, type VenueAnswers } from './cache/venue-answers.ts'
import { openVenueClient, type VenueClient } from '#venue/venue-client.ts'

/** Values of the settings that the contract declares. */
export type Settings = SettingsOf<typeof hlRelaySettings>

/** The dependencies of the operations of the relay. */
export interface Context {
  readonly clock: Clock
  readonly log: Log
  readonly settings: Settings
  readonly venue: VenueClient
  /** Answers of the venue, kept. */
  readonly answers: VenueAnswers
}

/** Builds the context at the start of the process. */
export function createContext({ clock, log, settings, bus }: Kit<typeof hlRelay>): Context {
  const venue = openVenueClient(askWeights({ bus, clock }, 'hl-relay', settings.venueEgress), settings)
  return { clock, log, settings, venue, answers: keepAnswers({ venue, clock }) }
}
