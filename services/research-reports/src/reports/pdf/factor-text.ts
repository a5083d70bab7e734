import { bps, percent, points, UNKNOWN, usd } from './number-text.ts'

/** How the value of a factor of the risk score is written. */
export const factorUnits = {
  volume_24h_usd: usd,
  depth_2pct_usd: usd,
  spread_bps: bps,
  zero_trade_share: (value: number | null) => percent(value),
  amihud: (value: number | null) => (value === null ? UNKNOWN : `${bps(value)}/$1k`),
  quote_markets: (value: number | null) => points(value, 0),
  regulated_venues: (value: number | null) => points(value, 0),
} as const

const flagKeys = [
  'caution',
  'warning',
  'margin_delisting',
  'delisted_elsewhere',
  'delisting_announced',
  'crisis_1',
  'crisis_2',
  'crisis_3',
  'crisis_recent',
] as const

/** Whether a factor is a measure of liquidity that this drawing knows. */
export const isMeasure = (key: string): key is keyof typeof factorUnits => Object.hasOwn(factorUnits, key)
/** Whether a factor is a floor of the score: a warning of the venue, or a crisis. */
export const isFlag = (key: string): key is (typeof flagKeys)[number] => (flagKeys as readonly string[]).includes(key)
