import { Decimal } from 'decimal.js'
import { sumOf } from './usdc-units.ts'

/** An account on one dex at the venue's time `at`. Decimal text of the venue. */
export interface DexReading {
  readonly dex: string
  /** Null for a dex that the venue does not list any more. */
  readonly at: Date | null
  readonly accountValue: string
  readonly withdrawable: string
  readonly notional: string
  readonly marginUsed: string
}

/** A position at the venue. `size` is negative for a short. Decimal text of the venue. */
export interface Position {
  readonly coin: string
  readonly dex: string
  readonly size: string
  readonly entryPrice: string
  /** Price at which the venue values the position. */
  readonly markPrice: string
  readonly notional: string
  readonly unrealizedPnl: string
  readonly liquidationPrice: string | null
  readonly leverage: number
}

/** An owner's account over all dexes that are read, taken in one go. */
export interface Reading {
  /** By our clock. */
  readonly beganAt: Date
  readonly endedAt: Date
  /** By the venue's clock, the oldest of the dexes; the end of the reading if no dex is listed. */
  readonly readAt: Date
  readonly accountValue: string
  readonly notional: string
  readonly dexes: readonly DexReading[]
  readonly positions: readonly Position[]
}

/** Adds up the dexes of a reading. */
export function readingOf(
  dexes: readonly DexReading[],
  positions: readonly Position[],
  span: { readonly beganAt: Date; readonly endedAt: Date },
): Reading {
  const times = dexes.flatMap(({ at }) => (at === null ? [] : at.getTime()))
  return {
    ...span,
    readAt: times.length === 0 ? span.endedAt : new Date(Math.min(...times)),
    accountValue: sumOf(dexes.map(({ accountValue }) => accountValue)),
    notional: sumOf(dexes.map(({ notional }) => notional)),
    dexes,
    positions,
  }
}

/** Price at which the venue values a position. */
export const markOf = (notional: string, size: string): string =>
  new Decimal(notional).div(new Decimal(size).abs()).toSignificantDigits(12).toFixed()

/** How far the venue's clock may run ahead of ours before its times mean nothing. */
const AHEAD_MS_MAX = 60_000

/** Returns true for an instant of the venue that is at most `maxAgeSec` old. */
export function isFresh(at: Date, now: Date, maxAgeSec: number): boolean {
  const ageMs = now.getTime() - at.getTime()
  return ageMs <= maxAgeSec * 1000 && ageMs >= -AHEAD_MS_MAX
}

/** Returns true if the account has a position, on any dex. */
export const hasPosition = ({ positions }: Pick<Reading, 'positions'>): boolean => positions.length > 0
