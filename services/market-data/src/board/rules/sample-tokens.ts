import type { TokenInput } from './board-inputs.ts'

/** Time of the boards that tests make up. */
export const NOW = Date.parse('2026-11-21T10:00:00.000Z')

/** Returns the inputs of a made-up token: the higher its id, the more liquid it is. */
export const token = (id: number, more: Partial<TokenInput> = {}): TokenInput => ({
  instance_id: id,
  token_id: `venue_t${id}_usdt`,
  exchange: 'venue',
  symbol: `T${id}/USDT`,
  base: `T${id}`,
  quote: 'USDT',
  name: null,
  name_from: null,
  name_ko: null,
  name_ko_from: null,
  predecessor_id: null,
  trading: 'trading',
  trading_since: 0,
  delist_cause: null,
  listed_at: null,
  flags: [],
  alerts: [],
  recent_alerts: [],
  not_judged: [],
  price: 1,
  change_24h_pct: 0,
  volume_24h_usd: 1_000 * id,
  observed_at: NOW,
  spread_bps: 1_000 / id,
  spread_n: 24,
  depth_usd: 500 * id,
  depth_p5_usd: 400 * id,
  depth_n: 24,
  depth_is_lower_bound: false,
  zero_trade_share: 1 / id,
  amihud: 1 / id,
  regulated_venues: null,
  candle_minutes: 1_000,
  before: null,
  ...more,
})
