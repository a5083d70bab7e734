import type { VenueFlag } from '@svc/contracts/market-data/board'
import type { GivenNames } from './asset-names.ts'
import type { BoardInputs, Carried, TokenInput } from './board-inputs.ts'

/** Columns of equal length, by instance. */
interface Window {
  readonly instance_ids: readonly number[]
  readonly spread_bps: readonly (number | null)[]
  readonly spread_n: readonly number[]
  readonly depth: readonly (number | null)[]
  readonly depth_p5: readonly (number | null)[]
  readonly depth_n: readonly number[]
  readonly depth_truncated: readonly boolean[]
}
interface Latest {
  readonly minute: string
  readonly instance_ids: readonly number[]
  readonly price: readonly (number | null)[]
  readonly volume_24h_usd: readonly (number | null)[]
  readonly change_24h_pct: readonly (number | null)[]
}
interface Flag {
  readonly instance_id: number
  readonly flag: string
  readonly meaning: VenueFlag['meaning']
  readonly effective_at: string | null
  readonly at: string
  readonly source: string | null
  readonly published_at: string | null
}
/** Stored facts of an instance. */
export type Known = Pick<
  TokenInput,
  Exclude<
    keyof TokenInput,
    | 'flags'
    | 'alerts'
    | 'recent_alerts'
    | 'not_judged'
    | 'price'
    | 'change_24h_pct'
    | 'volume_24h_usd'
    | 'observed_at'
    | 'spread_bps'
    | 'spread_n'
    | 'depth_usd'
    | 'depth_p5_usd'
    | 'depth_n'
    | 'depth_is_lower_bound'
    | 'regulated_venues'
    | 'before'
  >
>

/** Shared by the pairs without a flag, which are almost all pairs. */
const NO_FLAGS: VenueFlag[] = []

/** Joins the stored facts of all instances into the inputs of a board. */
export function gatherInputs(parts: {
  readonly now: number
  readonly formulaVersion: string
  readonly tokens: readonly Known[]
  /** Names of the asset; undefined for a token that keeps those of its venue. */
  readonly names: (token: Known) => GivenNames | undefined
  readonly window: Window
  readonly latest: readonly Latest[]
  readonly flags: readonly Flag[]
  /** Episodes of an instance. */
  readonly alerts: (exchange: string, instanceId: number) => Pick<TokenInput, 'alerts' | 'recent_alerts' | 'not_judged'>
  /** Number of regulated venues at which an asset trades, by its ticker. */
  readonly breadth: (base: string) => number | null
  readonly before: ReadonlyMap<number, Carried>
}): BoardInputs {
  const { window } = parts
  const inWindow = new Map(window.instance_ids.map((id, place) => [id, place]))
  const newest = new Map<number, readonly [Latest, number]>()
  for (const latest of parts.latest)
    for (const [place, id] of latest.instance_ids.entries()) newest.set(id, [latest, place])
  const flags = Map.groupBy(parts.flags, (flag) => flag.instance_id)
  const tokens = parts.tokens.map((token): TokenInput => {
    const place = inWindow.get(token.instance_id) ?? -1
    const [latest, at] = newest.get(token.instance_id) ?? [null, -1]
    // Objects that are written out have one shape; spread ones are slow to make and to read.
    const names = parts.names(token) ?? token
    const { alerts, recent_alerts, not_judged } = parts.alerts(token.exchange, token.instance_id)
    return {
      instance_id: token.instance_id,
      token_id: token.token_id,
      exchange: token.exchange,
      symbol: token.symbol,
      base: token.base,
      quote: token.quote,
      name: names.name,
      name_from: names.name_from,
      name_ko: names.name_ko,
      name_ko_from: names.name_ko_from,
      predecessor_id: token.predecessor_id,
      trading: token.trading,
      trading_since: token.trading_since,
      delist_cause: token.delist_cause,
      listed_at: token.listed_at,
      zero_trade_share: token.zero_trade_share,
      amihud: token.amihud,
      candle_minutes: token.candle_minutes,
      flags: flags.get(token.instance_id)?.map(flagOf) ?? NO_FLAGS,
      alerts,
      recent_alerts,
      not_judged,
      price: latest?.price[at] ?? null,
      change_24h_pct: latest?.change_24h_pct[at] ?? null,
      volume_24h_usd: latest?.volume_24h_usd[at] ?? null,
      observed_at: latest === null ? null : Date.parse(latest.minute),
      spread_bps: window.spread_bps[place] ?? null,
      spread_n: window.spread_n[place] ?? 0,
      depth_usd: window.depth[place] ?? null,
      depth_p5_usd: window.depth_p5[place] ?? null,
      depth_n: window.depth_n[place] ?? 0,
      depth_is_lower_bound: window.depth_truncated[place] ?? false,
      // Another asset had the symbol before: the ticker does not say which one a list means.
      regulated_venues: token.predecessor_id === null ? parts.breadth(token.base) : null,
      before: parts.before.get(token.instance_id) ?? null,
    }
  })
  return { computed_at: parts.now, formula_version: parts.formulaVersion, tokens }
}

const flagOf = ({ flag, meaning, effective_at, at, source, published_at }: Flag): VenueFlag => ({
  flag,
  meaning,
  since: at,
  effective_at,
  source,
  published_at,
  lateness_seconds:
    published_at === null ? null : Math.max(0, Math.round((Date.parse(at) - Date.parse(published_at)) / 1000)),
})
