import { SettingError } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import type { Venue } from '@svc/contracts/market-data/board'
import type { Kit } from '@svc/service'
import type { Redis } from 'ioredis'
import type { VenueAdapter } from './rules/venue.ts'
import { BUDGET_WAIT_MS } from './ccxt-calls.ts'
import { ccxtVenue } from './ccxt-venue.ts'
import { requestBudget, type RequestBudget } from './request-budget.ts'
import { venueLimits, type VenueLimits } from './venue-limits.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A venue that is read, with its request budget. */
export interface OpenVenue {
  readonly adapter: VenueAdapter
  readonly budget: RequestBudget
  /** Scans under way at most: so many that the last one still gets its allowance while it waits. */
  readonly scansMax: number
}

/** A slow venue waits for itself, not the others for it. */
const SCANS_MAX = 48
/** The rest of the wait is for what else the allowance goes to, candles of the same scans above all. */
const SCAN_SHARE = 0.5

/** Book calls that the allowance of a venue pays for within half the time that one of them waits for it. */
export function scansMaxOf({ units, windowMs, cost }: Pick<VenueLimits, 'units' | 'windowMs' | 'cost'>): number {
  const paid = ((units / windowMs) * BUDGET_WAIT_MS.priority * SCAN_SHARE) / cost.book
  return Math.max(1, Math.min(SCANS_MAX, Math.floor(paid)))
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
    const limits = { ...published, units }
    const budget = requestBudget(redis, exchange, settings.outgoingAddress, limits)
    return {
      budget,
      scansMax: scansMaxOf(limits),
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
