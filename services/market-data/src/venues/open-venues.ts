import { SettingError } from '@svc/contract'
import type { marketData } from '@svc/contracts/market-data'
import { partsOf, type VenueFile } from '@svc/contracts/market-data/venue-file'
import { venueFile } from '@svc/contracts/market-data/venues'
import type { Kit } from '@svc/service'
import type { Redis } from 'ioredis'
import type { VenueAdapter } from './rules/venue.ts'
import { BUDGET_WAIT_MS } from './ccxt-calls.ts'
import { ccxtVenue } from './ccxt-venue.ts'
import { scanCapacity } from './rules/scan-capacity.ts'
import { requestBudget, type RequestBudget } from './request-budget.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A configured venue with its request budget. */
export interface OpenVenue {
  readonly adapter: VenueAdapter
  readonly budget: RequestBudget
  /** Most concurrent scans, so that the last scan still gets its allowance while it waits. */
  readonly scansMax: number
  /** Returns how many of its pairs can be scanned each minute if it lists this number of pairs. */
  scanCapacity(pairs: number): number
}

/** Limit for every venue, so that a slow venue does not delay the others. */
const SCANS_MAX = 48
/** The rest of the wait is for other uses of the allowance, above all the candles of the same scans. */
const SCAN_SHARE = 0.5

/** Returns how many book calls the allowance of a venue covers in half the time for which a call waits. */
export function scansMaxOf({ pools, cost }: Pick<VenueFile, 'pools' | 'cost'>): number {
  const { pool, units } = partsOf(cost.book)
  const { units: allowed, windowMs } = pools[pool] ?? pools.main
  const paid = ((allowed / windowMs) * BUDGET_WAIT_MS.priority * SCAN_SHARE) / units
  return Math.max(1, Math.min(SCANS_MAX, Math.floor(paid)))
}

/** Told of answers of a venue, and of rows that were left out of one. */
export interface VenueListeners {
  readonly onAnswer?: (exchange: string) => void
  readonly onLeftOut?: (exchange: string, rows: number) => void
}

/** Returns pools whose units are multiplied by a factor. */
const widened = (pools: VenueFile['pools'], factor: number): VenueFile['pools'] => ({
  ...Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, { ...pool, units: pool.units * factor }])),
  main: { ...pools.main, units: pools.main.units * factor },
})

/**
 * Returns the configured venues by exchange id: those of the board, or those of which only the lists are read. A venue with a base address on this machine is a replay. Throws
 * `SettingError` for an address of another machine unless a setting allows it. The listeners are called for each answer of one.
 */
export function openVenues(
  kit: Kit<typeof marketData>,
  redis: Redis,
  which: 'venues' | 'breadthVenues' = 'venues',
  listeners: VenueListeners = {},
): ReadonlyMap<string, OpenVenue> {
  const { settings, clock } = kit
  const bySetting: Readonly<Record<string, unknown>> = settings
  const open = (exchange: string): OpenVenue => {
    const given = bySetting[`baseUrl_${exchange}`]
    const baseUrl = typeof given === 'string' ? given : null
    const local = baseUrl !== null && LOOPBACK.test(new URL(baseUrl).hostname)
    if (baseUrl !== null && !local && !settings.allowRemoteBaseUrl)
      throw new SettingError(
        `MARKET_VENUE_BASE_URL_${exchange.toUpperCase()} is an address of another machine: use a loopback address, or set MARKET_VENUE_BASE_URL_ALLOW_REMOTE=1.`,
      )
    const published = venueFile(exchange)
    const file = local ? { ...published, pools: widened(published.pools, settings.localBudgetFactor) } : published
    const budget = requestBudget(redis, exchange, settings.outgoingAddress, file.pools)
    return {
      budget,
      scansMax: scansMaxOf(file),
      scanCapacity: (pairs) => scanCapacity(file, pairs),
      adapter: ccxtVenue({
        exchange,
        file,
        baseUrl,
        source: local ? 'replay' : 'live',
        budget,
        clock,
        timeoutMs: settings.venueTimeoutMs,
        onAnswer: () => listeners.onAnswer?.(exchange),
        onLeftOut: (rows) => listeners.onLeftOut?.(exchange, rows),
      }),
    }
  }
  return new Map(settings[which].map((exchange) => [exchange, open(exchange)]))
}
