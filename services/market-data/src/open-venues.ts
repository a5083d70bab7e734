import { SettingError } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { Venue } from '@svc/contracts/market-data-board'
import type { Kit } from '@svc/service'
import type { Redis } from 'ioredis'
import type { VenueAdapter } from './domain/venue.ts'
import { ccxtVenue } from './venues/ccxt-venue.ts'
import { requestBudget, type RequestBudget } from './venues/request-budget.ts'
import { venueLimits } from './venues/venue-limits.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A venue that is read, with its request budget. */
export interface OpenVenue {
  readonly adapter: VenueAdapter
  readonly budget: RequestBudget
}

/**
 * The configured venues by exchange id. A venue with a base address on this machine is a replay; an address elsewhere is
 * refused with `SettingError` unless it is explicitly allowed.
 */
export function openVenues(kit: Kit<typeof marketData>, redis: Redis): ReadonlyMap<string, OpenVenue> {
  const { settings, clock } = kit
  const open = (exchange: Venue): OpenVenue => {
    const baseUrl = settings[`baseUrl_${exchange}`]
    const local = baseUrl !== null && LOOPBACK.test(new URL(baseUrl).hostname)
    if (baseUrl !== null && !local && !settings.allowRemoteBaseUrl)
      throw new SettingError(
        `MARKET_VENUE_BASE_URL_${exchange.toUpperCase()} names another machine: use a loopback address, or set MARKET_VENUE_BASE_URL_ALLOW_REMOTE=1.`,
      )
    const published = venueLimits[exchange]
    const units = local ? published.units * settings.localBudgetFactor : published.units
    const budget = requestBudget(redis, exchange, settings.outgoingAddress, { ...published, units })
    return {
      budget,
      adapter: ccxtVenue({
        exchange,
        baseUrl,
        source: local ? 'replay' : 'live',
        budget,
        clock,
        timeoutMs: settings.venueTimeoutMs,
      }),
    }
  }
  return new Map(settings.venues.map((exchange) => [exchange, open(exchange)]))
}
