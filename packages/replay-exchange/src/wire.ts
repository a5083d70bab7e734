import type { FastifyInstance } from 'fastify'
import type { Market } from './feed.ts'
import type { VenueView } from './view.ts'

/** Request limit of a venue, in its weights. */
export interface RateLimit {
  readonly windowMs: number
  readonly budget: number
  /** Weight of a route without a declared weight. */
  readonly defaultWeight: number
  /** Rejections in one window after which the venue bans with 418; null if it never bans. */
  readonly bansAfter: number | null
}

/** State of a window of the limit. */
export interface LimitState {
  readonly used: number
  readonly budget: number
  /** Until the window ends, in simulated milliseconds. */
  readonly resetMs: number
}

/** The REST interface of one venue. */
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

/** A rejection in the venue's format. */
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

/** Returns an integer of the query; the fallback if absent, the nearest bound if out of range. */
export function wholeNumber(query: Query, name: string, fallback: number, max: number): number {
  const value = Number(query[name] ?? fallback)
  return Number.isInteger(value) && value > 0 ? Math.min(value, max) : fallback
}

/** Returns a time of the query in milliseconds; undefined if absent or not a number. */
export function timeOf(query: Query, name: string, unitMs = 1): number | undefined {
  const value = Number(query[name] ?? Number.NaN)
  return Number.isFinite(value) ? value * unitMs : undefined
}

/** Formats a decimal number without an exponent; `trim` removes trailing zeros. */
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
