import type { SettingsOf } from '@svc/contract'
import type { hlRelay } from '@svc/contracts/hl-relay'
import type { hlRelaySettings } from '@svc/contracts/hl-relay/settings'
import type { Clock, Kit, Log } from '@svc/service'
import { askWeights } from '@svc/venue/asked-weights'
import { keepAnswers, type VenueAnswers } from './cache/venue-answers.ts'
import { openVenueClient, type VenueClient } from '@svc/venue/venue-client'

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

/** Greatest answer of the venue that is relayed; one of 2,000 orders has a quarter of it. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024

/** Builds the context at the start of the process. */
export function createContext({ clock, log, settings, bus, watch }: Kit<typeof hlRelay>): Context {
  const { network, infoUrl, exchangeUrl, venueEgress } = settings
  const weights = askWeights({ bus, clock }, 'hl-relay', venueEgress)
  const venue = openVenueClient(weights, { network, infoUrl, exchangeUrl, answerMaxBytes: ANSWER_MAX_BYTES, watch })
  return { clock, log, settings, venue, answers: keepAnswers({ venue, clock }) }
}
