import { notJudged, openAlerts, recentAlerts } from '@svc/contracts/market-data/crisis'
import { letter, lifecycle, venueFlag } from '@svc/contracts/market-data/board'
import { z } from 'zod'

const number = z.number()
const settledLetter = z.object({ shown: letter.nullable(), differing: z.number() }).nullable()

/** State of an instance that one snapshot carries to the next. Times in milliseconds. */
export const carried = z.object({
  grades: z.object({ spread: settledLetter, depth: settledLetter, volume: settledLetter, stability: settledLetter }),
  trend: z.object({ day: number, week: number, since: number, at: number }).nullable(),
  low_gpa_since: number.nullable(),
  worsening_since: number.nullable(),
  lifecycle: z.object({ shown: lifecycle.nullable(), differing: number }).nullable(),
})
export type Carried = z.output<typeof carried>

/** A flag as inputs of any age have it: before sources were stored they are unknown. */
const storedFlag = venueFlag.extend({
  source: z.string().nullable().default(null),
  published_at: z.string().nullable().default(null),
  lateness_seconds: z.number().nullable().default(null),
})

/** Inputs of one instance. Null is unknown. Times in milliseconds. */
export const tokenInput = z.object({
  instance_id: z.int(),
  token_id: z.string(),
  exchange: z.string(),
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  name: z.string().nullable(),
  // Inputs that were stored before these members existed do not have them.
  name_from: z.string().nullable().default(null),
  name_ko: z.string().nullable().default(null),
  name_ko_from: z.string().nullable().default(null),
  predecessor_id: z.int().nullable(),
  trading: z.enum(['trading', 'halted', 'delisted']),
  trading_since: number,
  delist_cause: z.string().nullable(),
  listed_at: number.nullable(),
  flags: z.array(storedFlag),
  alerts: openAlerts,
  /** Null in boards before `board-4`. */
  recent_alerts: recentAlerts.default(null),
  /** Null in boards that were stored before rules were reported. */
  not_judged: notJudged.default(null),
  price: number.nullable(),
  change_24h_pct: number.nullable(),
  volume_24h_usd: number.nullable(),
  observed_at: number.nullable(),
  spread_bps: number.nullable(),
  spread_n: z.int(),
  depth_usd: number.nullable(),
  depth_p5_usd: number.nullable(),
  depth_n: z.int(),
  depth_is_lower_bound: z.boolean(),
  zero_trade_share: number.nullable(),
  amihud: number.nullable(),
  candle_minutes: z.int(),
  /** Regulated venues at which the asset trades; boards before `board-3` have none. */
  regulated_venues: z.int().nullable().default(null),
  before: carried.nullable(),
})
export type TokenInput = z.output<typeof tokenInput>

/** All inputs of one board: the same inputs give the same board, byte for byte. */
export const boardInputs = z.object({
  computed_at: number,
  formula_version: z.string(),
  tokens: z.array(tokenInput),
})
export type BoardInputs = z.output<typeof boardInputs>
