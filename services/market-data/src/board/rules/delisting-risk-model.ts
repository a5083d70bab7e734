import type { VenueFlag } from '@svc/contracts/market-data/board'
import { CRISIS_FLOORS, floorAfter } from '#crisis/rules/crisis-floors.ts'

/** Changes with every change of a formula, weight or floor, so that a stored score names its model. */
export const RISK_MODEL_VERSION = 'delisting-rank-4'

/** Least number of peers for a rank. */
export const RISK_PEERS_MIN = 20

/** Least number of known inputs for a rank, not counting the breadth over regulated venues. */
export const RISK_INPUTS_MIN = 3

/** Liquidity of one token instance. Null is unknown, never zero. */
export interface RiskInputs {
  readonly volume_24h_usd: number | null
  /** Share of minutes without a trade, 0–1, over the minutes of one candle call: at most 24 h. */
  readonly zero_trade_share: number | null
  /** Amihud illiquidity, bps per $1,000 traded. */
  readonly amihud: number | null
  /** Twice the weaker side within 2 % of mid. */
  readonly depth_2pct_usd: number | null
  /** From order books, never from candles. */
  readonly spread_bps: number | null
  /** Markets of the same base asset at the same venue. */
  readonly quote_markets: number | null
  /** Regulated venues at which the same asset trades. */
  readonly regulated_venues: number | null
}

export type RiskInputKey = keyof RiskInputs

/** Official flag; the caller drops `delisted_elsewhere` after 60 days. */
export type RiskFlag = VenueFlag['meaning']

/** An open crisis episode by its severity. */
type CrisisFloor = 'crisis_1' | 'crisis_2' | 'crisis_3'

/** What sets a minimum score: an official flag, an open crisis, or one that closed a while ago. */
export type FloorKey = RiskFlag | CrisisFloor | 'crisis_recent'

/** A minimum score and what sets it. */
export interface RiskFloor {
  readonly key: FloorKey
  /** 0–100 */
  readonly value: number
}

export interface RiskSubject {
  readonly id: string
  /** Subjects are ranked within a group: the same venue and class of quote. */
  readonly group: string
  readonly inputs: RiskInputs
  readonly floors: readonly RiskFloor[]
}

export interface RiskFactor {
  readonly key: RiskInputKey | FloorKey
  readonly value: number | null
  /** Share of the peers that are less risky by this input, in percent; null for a floor or an unknown input. */
  readonly percentile: number | null
  /** Part of the score, with one decimal. */
  readonly points: number
}

export interface RiskScore {
  readonly id: string
  /** 0–100, a rank among the peers and not a probability; null with a reason. */
  readonly score: number | null
  readonly reason: 'too_few_peers' | 'too_few_inputs' | null
  /** Their points sum to the score. */
  readonly factors: readonly RiskFactor[]
  readonly model_version: string
  readonly n_peers: number
}

/** 1 if a higher value is riskier, −1 if a lower value is. Weights are equal; docs/method/calibration.md compares learned ones. */
export const RISK_DIRECTIONS: Record<RiskInputKey, 1 | -1> = {
  volume_24h_usd: -1,
  zero_trade_share: 1,
  amihud: 1,
  depth_2pct_usd: -1,
  spread_bps: 1,
  quote_markets: -1,
  regulated_venues: -1,
}

/** Inputs of the score in the order in which factors are listed. */
export const RISK_INPUT_KEYS = Object.keys(RISK_DIRECTIONS) as readonly RiskInputKey[]

/** Minimum score of an official flag or an open crisis. */
export const RISK_FLOORS: Record<Exclude<FloorKey, 'crisis_recent'>, number> = {
  caution: 60,
  margin_delisting: 65,
  delisted_elsewhere: 65,
  warning: 75,
  delisting_announced: 100,
  crisis_1: CRISIS_FLOORS[1],
  crisis_2: CRISIS_FLOORS[2],
  crisis_3: CRISIS_FLOORS[3],
}

/** Returns the floor of an official flag. */
export const flagFloor = (key: RiskFlag): RiskFloor => ({ key, value: RISK_FLOORS[key] })

/** Returns the floor of an open episode of a severity, 1 to 3. */
export function crisisFloor(severity: number): RiskFloor {
  const key = severity >= 3 ? 'crisis_3' : severity === 2 ? 'crisis_2' : 'crisis_1'
  return { key, value: RISK_FLOORS[key] }
}

/** Returns the floor of an episode that is over. Times in milliseconds. */
export const recentFloor = (severity: number, closedAt: number, now: number): RiskFloor => ({
  key: 'crisis_recent',
  value: floorAfter(severity, closedAt, now),
})
