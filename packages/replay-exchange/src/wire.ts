import type { FastifyInstance } from 'fastify'
import type { Market } from './feed.ts'
import type { VenueView } from './view.ts'

/** How many requests a venue takes, in its own weights. */
export interface RateLimit {
  readonly windowMs: number
  readonly budget: number
  /** Weight of a route that names none. */
  readonly defaultWeight: number
  /** Refusals in one window after which the venue bans with 418; null for one that never does. */
  readonly bansAfter: number | null
}

/** Where a window of the limit stands. */
export interface LimitState {
  readonly used: number
  readonly budget: number
  /** Until the window ends, in simulated milliseconds. */
  readonly resetMs: number
}

/** One venue's wire: everything in which its REST interface differs from the others'. */
export interface VenueWire {
  /** Exchange id (ccxt's) and first step of the path. */
  readonly id: string
  readonly limit: RateLimit
  readonly wireSymbol: (market: Market) => string
  /** Headers of the limit on every answer. */
  readonly limitHeaders: (state: LimitState, now: number) => Record<string, string>
  /** Body of a 429 or 418. */
  readonly limited: (status: 429 | 418) => object
  /** Body of a 5xx; null for an HTML page of the proxy in front. */
  readonly unavailable: (status: number) => object | null
  readonly routes: (app: FastifyInstance, view: VenueView) => void
}

/** A refusal in the venue's own words. */
export class WireError extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(`refused with ${status}`)
    this.status = status
    this.body = body
  }
}

/** Query of a request: the last value of each name. */
export type Query = Readonly<Record<string, string | undefined>>

/** A whole number of the query within bounds; the fallback when absent, the nearest bound when outside. */
export function wholeNumber(query: Query, name: string, fallback: number, max: number): number {
  const value = Number(query[name] ?? fallback)
  return Number.isInteger(value) && value > 0 ? Math.min(value, max) : fallback
}

/** A time of the query in milliseconds; undefined when absent or not a number. */
export function timeOf(query: Query, name: string, unitMs = 1): number | undefined {
  const value = Number(query[name] ?? Number.NaN)
  return Number.isFinite(value) ? value * unitMs : undefined
}

/** A decimal number as venues write it: no exponent, and digits that mean nothing are left out when `trim`. */
export function decimal(value: number, decimals: number, trim = false): string {
  const text = value.toFixed(decimals)
  return trim && text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Weight of the route in the venue's limit. */
    readonly weight?: number | ((query: Query) => number)
  }
}
