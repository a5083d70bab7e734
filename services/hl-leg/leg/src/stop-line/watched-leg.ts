import type { LegMandate } from '@svc/contracts/mandates/leg'
import type { Leg } from '#legs/store/legs.ts'
import type { Reading } from '@svc/venue/rules/reading'
import type { LineReading } from './rules/crossing.ts'

/** An account at the venue over all dexes, and what its mandate is worth with it. */
export interface LegState {
  readonly account: Reading
  readonly reading: LineReading
  /** What it would be worth if its owner had moved nothing out of the account, in base units; null while that is unknown. */
  readonly tradedWorth: bigint | null
}

/** A live leg with its mandate. */
export interface WatchedLeg {
  readonly leg: Leg
  readonly mandate: LegMandate
  /** Stop line in base units; 0 is off. */
  readonly line: bigint
}

/** A leg as a run read it; `state` is null if the venue could not be read. */
export interface ReadLeg extends WatchedLeg {
  readonly state: LegState | null
}

/** A leg that was read. */
export type KnownLeg = ReadLeg & { readonly state: LegState }
