// Printed from the contracts by `npm run generate`.

/** Account id */
export type AccountId = number

/** EIP-55 address */
export type Address = string

/** Body for POST /hub/mandates */
export type AdoptedDraft = {
  readonly budget_usdc: Usdc
  readonly per_tx_cap_usdc: Usdc
  readonly daily_cap_usdc: Usdc
  readonly stop_line_usdc: Usdc
  /** Clause 6: a call or opening order that spends more waits for the owner; with null none waits, with "0" every one */
  readonly approval_above_usdc: Usdc | null
  /** Clause 4: market ids of GET /hub/markets */
  readonly markets: readonly MarketId[]
  readonly ends_at: Instant
  /** Clause 8: the agent's share of the profit in basis points, at most 3000 */
  readonly fee_bps: number
  /** Whether the agent also trades in the owner's own venue account; requires a market whose id begins with hl: */
  readonly hl_leg: boolean
  /** Part of the budget that may be out at the leg at one time, signed in clause 1; by default the whole budget if all markets begin with hl:, else required. Null without a leg, "0" while leg funding is off */
  readonly leg_budget_usdc: Usdc | null
  /** Minutes, 15 to 10080, without a request of the agent that names the mandate, after which its positions at the leg are closed; null never closes them. For a mandate with a leg only */
  readonly close_if_silent_minutes: number | null
  /** Whether the Hall names the vault, so that anybody can check the record of the agent against the chain. It shows your wallet and every amount, for good */
  readonly public_proof: boolean
  readonly name: string
  readonly agent_id: AccountId | null
}

export type Agent = {
  readonly agent_id: AccountId
  readonly name: string
  readonly wallet: WalletAddress
  readonly registered_at: Instant
  /** null while no owner has paired it */
  readonly owner: AgentOwner | null
  readonly paired_at: Instant | null
  readonly policy: AgentPolicy
  readonly policy_updated_at: Instant | null
  /** Stored at most once in 30 seconds; null while never seen */
  readonly last_seen_at: Instant | null
  readonly channel: "http" | "mcp" | null
  readonly agent_keys: {
    /** Active keys; null when unreadable */
    readonly count: number | null
  }
}

export type AgentOwner = {
  readonly owner_id: AccountId
  readonly wallet: WalletAddress
}

export type AgentPolicy = {
  /** Whether the agent accepts mandates at all */
  readonly accepts_mandates: boolean
  /** Most mandates open at once; null sets no limit */
  readonly max_open_mandates: number | null
  /** Largest budget of one mandate, USDC; null sets no limit, "0" allows nothing */
  readonly max_budget_usdc: Usdc | null
  /** Largest per-transaction cap of a mandate, USDC; null sets no limit, "0" allows nothing */
  readonly per_tx_cap_usdc: Usdc | null
  /** Largest daily cap of a mandate, USDC; null sets no limit, "0" allows nothing */
  readonly daily_cap_usdc: Usdc | null
  /** Markets a mandate may name; null allows any, [] none */
  readonly allowed_markets: readonly MarketId[] | null
  /** Largest approval amount of a mandate: the mandate must require approval of every spending above it; null requires no approval, "0" one for each spending */
  readonly approval_above_usdc: Usdc | null
  /** Cherry the agent may spend on paid reads in a UTC day; null sets no limit */
  readonly daily_cherry_budget: Cherry | null
}

export type ApiKey = {
  /** Key id */
  readonly key_id: string
  /** Name of the key, for its owner */
  readonly name: string
  readonly scopes: readonly ("read" | "write" | "tx")[]
  readonly created_at: Instant
  readonly expires_at: Instant | null
  /** Stored at most once a minute */
  readonly last_used_at: Instant | null
}

export type Approval = {
  /** Id of a held call */
  readonly approval_id: string
  readonly public_id: MandateId
  /** used: matched with its Executed event on the chain, or used by an order of the leg */
  readonly status: "pending" | "approved" | "declined" | "used" | "expired"
  readonly kind: "call" | "leg_order"
  readonly target: Address
  /** 0x for an order of the leg */
  readonly data: string
  /** The order of the leg; null for a call */
  readonly order: LegOrderRequest | null
  readonly amount_usdc: Usdc
  readonly call_hash: Hex32
  /** Verdict of each clause when the item was requested; null for items of before this was kept */
  readonly judgement: RefusalBlock | null
  /** owner_declined, executed or expired; null while open */
  readonly reason: string | null
  readonly requested_at: Instant
  readonly expires_at: Instant
  readonly decided_at: Instant | null
  readonly used_tx_hash: Hex32 | null
  /** At the present price, if the owner sent approval_id; null: unknown */
  readonly quote?: {
    readonly gets: Usdc
    readonly effect_usdc: SignedUsdc
  } | null | undefined
}

export type ArbitrageLeg = {
  readonly exchange: ExchangeId
  readonly symbol: Pair
  readonly side: "buy" | "sell"
  /** Exact decimal */
  readonly qty: string
  /** In the quote currency, before the fee */
  readonly notional: string
  readonly vwap: number
  /** Worst price of the leg */
  readonly limit_price: number
  /** Fraction of the notional */
  readonly taker_fee: number
  readonly book_age_ms: number
  readonly alerts: OpenAlerts
  readonly recent_alerts?: RecentAlerts | undefined
  readonly not_judged?: NotJudgedRules | undefined
}

export type ArbitrageMulti = {
  readonly asset: string
  readonly quote: string
  /** Best bid over best ask, before fees, without regard to size */
  readonly gross_bps: number
  /** Profit divided by cost of the whole quantity, after taker fees */
  readonly net_bps: number
  /** Exact decimal */
  readonly qty: string
  /** Paid in the quote currency, including fees */
  readonly cost: string
  /** Exact decimal */
  readonly proceeds: string
  /** Exact decimal */
  readonly profit: string
  readonly size_usd: number
  readonly profit_usd: number
  /** True if a leg takes all levels that were read of its order book, so that more may be executable */
  readonly depth_is_lower_bound: boolean
  readonly legs: readonly ArbitrageLeg[]
  readonly oldest_book_age_ms: number
  readonly skew_ms: number
  readonly persistence: {
    /** Number of consecutive passes that found it, including this one */
    readonly scans: number
    readonly since: Instant
  }
  /** Result of fixed sizes at the same exchanges; `net_bps` is null if the order books are too short */
  readonly sizes: readonly ({
    readonly size_usd: number
    readonly net_bps: number | null
  })[]
  /** Proof that both sides are one asset: equal contract addresses, or the curated list with its source */
  readonly identity: readonly string[]
  /** Who states what `identity` rests on: reviewed metadata, an endpoint of an exchange, or the curated list. `chain` and `address` are null for the coin of a chain. */
  readonly evidence: readonly ({
    readonly source: string
    readonly chain: string | null
    readonly address: string | null
  })[]
  /** Whether coins can be moved from the buying to the selling exchange, according to the wallet states that the exchanges publish; null if unknown, because many exchanges publish them to account holders only */
  readonly transferable: boolean | null
  /** All order books of the asset that were read; `rejected` names why a book was not used */
  readonly venues: readonly ({
    readonly exchange: ExchangeId
    readonly symbol: Pair
    readonly alerts: OpenAlerts
    readonly recent_alerts?: RecentAlerts | undefined
    readonly not_judged?: NotJudgedRules | undefined
    readonly bid: number | null
    readonly ask: number | null
    readonly taker_fee: number
    readonly book_age_ms: number
    readonly rejected: "stale" | "skew" | "crossed" | "one_sided" | null
  })[]
}

export type ArbitragePair = {
  readonly asset: string
  readonly quote: string
  /** Best bid over best ask, before fees, without regard to size */
  readonly gross_bps: number
  /** Profit divided by cost of the whole quantity, after taker fees */
  readonly net_bps: number
  /** Exact decimal */
  readonly qty: string
  /** Paid in the quote currency, including fees */
  readonly cost: string
  /** Exact decimal */
  readonly proceeds: string
  /** Exact decimal */
  readonly profit: string
  readonly size_usd: number
  readonly profit_usd: number
  /** True if a leg takes all levels that were read of its order book, so that more may be executable */
  readonly depth_is_lower_bound: boolean
  readonly legs: readonly ArbitrageLeg[]
  readonly oldest_book_age_ms: number
  readonly skew_ms: number
  readonly persistence: {
    /** Number of consecutive passes that found it, including this one */
    readonly scans: number
    readonly since: Instant
  }
  /** Result of fixed sizes at the same exchanges; `net_bps` is null if the order books are too short */
  readonly sizes: readonly ({
    readonly size_usd: number
    readonly net_bps: number | null
  })[]
  /** Proof that both sides are one asset: equal contract addresses, or the curated list with its source */
  readonly identity: readonly string[]
  /** Who states what `identity` rests on: reviewed metadata, an endpoint of an exchange, or the curated list. `chain` and `address` are null for the coin of a chain. */
  readonly evidence: readonly ({
    readonly source: string
    readonly chain: string | null
    readonly address: string | null
  })[]
  /** Whether coins can be moved from the buying to the selling exchange, according to the wallet states that the exchanges publish; null if unknown, because many exchanges publish them to account holders only */
  readonly transferable: boolean | null
  readonly buy: ExchangeId
  readonly sell: ExchangeId
}

export type AssetConflict = {
  readonly asset: string
  readonly quote: string
  /** `no_proof`: nothing proves it; `different_contract`: the contracts differ; `sources_contradict`: one source states another contract than the other; `name_differs`: the exchange names another asset; `price_differs`: the prices are too far apart; `quote_unproven`: the quote currency is not proven */
  readonly reason: "no_proof" | "different_contract" | "sources_contradict" | "name_differs" | "price_differs" | "quote_unproven"
  /** Pairs that were left out; of a single one, the other pairs with this ticker are matched without it */
  readonly members: readonly ({
    readonly exchange: ExchangeId
    readonly symbol: Pair
    readonly name: string | null
    readonly price_usd: number | null
    readonly alerts: OpenAlerts
    readonly recent_alerts?: RecentAlerts | undefined
    readonly not_judged?: NotJudgedRules | undefined
  })[]
}

export type AssetVenues = {
  /** Listings of this asset, this pair among them */
  readonly total: number
  readonly exchanges: number
  /** Sum over the listings whose volume is known */
  readonly volume_24h_usd: number | null
  /** Number of listings whose volume is known */
  readonly volume_known_of: number
  /** What proves that listings at several venues are one asset */
  readonly basis: readonly string[]
  /** Largest volume first; this pair is always among them */
  readonly pairs: readonly ({
    readonly token_id: TokenId
    readonly exchange: ExchangeId
    readonly symbol: Pair
    readonly is_this: boolean
    readonly grade: Letter | null
    readonly gpa_is_lower_bound?: boolean | undefined
    readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted" | null
    readonly alerts: OpenAlerts
    readonly recent_alerts?: RecentAlerts | undefined
    readonly not_judged?: NotJudgedRules | undefined
    /** In the quote currency of the listing */
    readonly price: number | null
    readonly spread_bps: number | null
    readonly depth_2pct_usd: number | null
    readonly depth_is_lower_bound: boolean
    readonly volume_24h_usd: number | null
    /** Share of `volume_24h_usd` of the asset */
    readonly volume_share: number | null
  })[]
  /** Exchanges with the same ticker that is not proven to be this asset; not counted */
  readonly unproven: readonly ExchangeId[]
}

export type BoardRow = {
  readonly token_id: TokenId
  readonly exchange: ExchangeId
  readonly symbol: Pair
  readonly base: string
  readonly quote: string
  readonly name: string | null
  /** Exchange that states `name`. Another than `exchange` if it states none and the asset is proven to be the same there */
  readonly name_from: ExchangeId | null
  /** Korean name */
  readonly name_ko: string | null
  /** Exchange that states `name_ko` */
  readonly name_ko_from: ExchangeId | null
  /** Letter of `gpa`; null if `gpa` is null */
  readonly grade: Letter | null
  /** Grade point average, 0 to 4.3; null while a component is unknown */
  readonly gpa: Gpa | null
  readonly grades: {
    readonly spread: Letter | null
    readonly depth: Letter | null
    readonly volume: Letter | null
    readonly stability: Letter | null
  }
  /** Median of the last two hours, basis points of the mid */
  readonly spread_bps: number | null
  /** Twice the weaker side within 2 % of the mid, median of the last two hours */
  readonly depth_2pct_usd: number | null
  /** True if more than a quarter of the order books ended before 2 % of the mid: the real depth may be larger */
  readonly depth_is_lower_bound: boolean
  /** True if the depth is a lower bound and its letter is below A+: a deeper book could only raise `grade` and `gpa` */
  readonly gpa_is_lower_bound: boolean
  readonly volume_24h_usd: number | null
  /** Last price in the quote currency */
  readonly price: number | null
  readonly change_24h_pct: number | null
  readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted"
  readonly outlook: "improving" | "stable" | "worsening" | null
  /** Delisting risk as a rank among the peers, 100 is the riskiest; null with too few of them */
  readonly risk_score: number | null
  readonly flags: readonly VenueFlag[]
  readonly alerts: OpenAlerts
  readonly recent_alerts?: RecentAlerts | undefined
  readonly not_judged?: NotJudgedRules | undefined
  /** Time of the newest observation in the row; null before the first */
  readonly updated_at: Instant | null
}

export type Booking = {
  /** Number in this reading, without gaps; may change when later facts arrive */
  readonly n: number
  readonly at: Instant
  /** leg_buy and leg_sell are fills of the leg; call is one that cannot be read from its calldata */
  readonly kind: "deposit" | "withdrawal" | "settlement" | "buy" | "sell" | "redeem" | "call" | "leg_funded" | "leg_returned" | "leg_buy" | "leg_sell"
  readonly market: MarketId | null
  readonly instrument: string | null
  /** Units of the instrument; null where the chain does not say it */
  readonly size: string | null
  /** Average price of a fill of the leg */
  readonly price_usdc: string | null
  /** What the USDC of the vault changed by; null for fills of the leg, which leave it alone */
  readonly amount_usdc: SignedUsdc | null
  /** What was bought or sold, before fees */
  readonly value_usdc: Usdc | null
  readonly fee_usdc: SignedUsdc
  /** n of the booking that opened what this one opens or closes */
  readonly lot: number | null
  /** Realised by this booking, before fees; of a redemption, by the whole position. Null if unknown */
  readonly result_usdc: SignedUsdc | null
  readonly tx_hash: Hex32 | null
  /** cloid of an order of the leg */
  readonly order: string | null
}

/** owner_limit: set with PUT /ui/trade/limits, binds POST /hub/order and the trade pages. terminal_cap: the cap of POST /hub/order, which POST /hub/order/cap/raise raises. default: that of the trade pages until a limit is set, binds them only */
export type BoundBy = "owner_limit" | "terminal_cap" | "default"

export type BuilderFeeStatus = {
  /** Whether this deployment has a builder */
  readonly configured: boolean
  /** Whether the linked wallet lets the builder charge its fee */
  readonly approved: boolean
  /** Tenths of a basis point that the wallet allows, by the venue: 100 is 0.1 %. null before it was read */
  readonly max_fee: number | null
  readonly read_at: Instant | null
}

/** Cap of the terminal before and after; equal if nothing changed */
export type CapStep = {
  readonly from: Usdc
  readonly to: Usdc
}

export type ChainState = {
  /** Chain id */
  readonly chain_id: number
  readonly vault: Address
  readonly factory: Address
  readonly version: 1 | 2
  /** phase() of the vault contract */
  readonly phase: "working" | "paused" | "stopped" | "ended" | "closed"
  /** Address that may act now; null if nobody may */
  readonly agent: Address | null
  readonly principal_usdc: Usdc
  readonly balance_usdc: Usdc
  readonly withdrawn_usdc: Usdc
  /** Money of the leg in the books of the vault; null if the vault funds no leg */
  readonly leg: {
    /** From the first funding until the last return */
    readonly open: boolean
    readonly out_usdc: Usdc
    readonly funded_usdc: Usdc
    readonly returned_usdc: Usdc
  } | null
  readonly stop_reason: "owner" | "stop_line" | null
  readonly stopped_at: Instant | null
  readonly settled: boolean
  /** Block of the newest chain fact; null before the first */
  readonly as_of_block: number | null
  /** True while the vault still accepts the agent although the mandate is stopped in the record */
  readonly open_until_stopped: boolean
}

/** Cherry, whole credits */
export type Cherry = number

/** A claim of the seller; the service does not confirm it */
export type CitedClaimView = {
  readonly url: string
  readonly source_name: string
  readonly as_of_date: UtcDay
  readonly claim_text: string
  /** Empty if the claim speaks of nothing that the service records */
  readonly cited_vs_recorded: readonly ({
    readonly figure: "days_live" | "adherence_pct" | "signals_30d" | "follow_gap_bps_median" | "followers" | "violations_30d" | "rank"
    /** The number in the claim; null if it names none */
    readonly cited: number | null
    /** The same figure as this service recorded it; null if unknown */
    readonly recorded: number | null
  })[]
  /** True if as_of_date is more than 90 days ago */
  readonly stale: boolean
}

export type Clause = {
  readonly n: number
  readonly title: string
  /** The words that the owner signs */
  readonly text: string
  /** The figure of the clause; null when it is off */
  readonly value: string | null
  readonly enforced_by: "contract" | "venue" | "guard" | "server"
  /** Whose reports the enforcer acts on; null if it needs none */
  readonly relies_on: "keeper" | null
  /** Who enforces the clause for orders at the leg; null if it says nothing of a leg */
  readonly leg_enforced_by: "guard" | null
  readonly state: "in_force" | "stored_pending"
  /** Why the clause is not in force yet */
  readonly state_reason: string | null
}

/** `recovered`: the rule no longer held. `ended`: the token was delisted. `unknown`: it could not be judged for 12 hours */
export type ClosedAs = "recovered" | "ended" | "unknown"

/** The venue's name of a market */
export type Coin = string

export type ConfirmId = string

export type CourseCell = {
  readonly start: Instant
  readonly high: number | null
  readonly low: number | null
  readonly close: number | null
  readonly volume_usd: number | null
  readonly spread_bps: number | null
  readonly depth_2pct_usd: number | null
  readonly depth_is_lower_bound: boolean
  /** `scans`: our scans of each minute. `hours`: candles of the venue, with the spread and depth of the board */
  readonly source: "scans" | "hours"
}

export type CrisisInputs = Readonly<Record<string, unknown>>

export type CrisisMonth = {
  /** UTC month */
  readonly month: string
  readonly rule: "crash" | "liquidity_withdrawal" | "spread_blowout" | "halt" | "depeg" | "official_notice" | "cross_venue_gap"
  /** Days of the month with a board */
  readonly days: number
  /** Pairs of a mean day */
  readonly pairs: number
  /** Episodes that began in the month */
  readonly episodes: number
  /** Pairs with one */
  readonly alerted: number
  /** Episodes per 100 pairs and week */
  readonly per_100_pairs_week: number | null
  /** How they had closed a week after the month; the rest was still open */
  readonly closed: {
    readonly recovered: number
    readonly ended: number
    readonly unknown: number
  }
  readonly computed_at: Instant
}

/** Cursor of the previous page (next_cursor) */
export type Cursor = string

export type DelistingRisk = {
  readonly score: number | null
  readonly reason: "too_few_peers" | "too_few_inputs" | null
  readonly model_version: string
  readonly n_peers: number
  readonly factors: readonly ({
    readonly key: string
    readonly value: number | null
    /** True if the value is a lower bound, because order books ended before 2 % of the mid */
    readonly is_lower_bound: boolean
    /** Minutes that the value covers. Trades are read from one candle call, which covers less than a day at most exchanges. Null for a value without a window */
    readonly window_minutes: number | null
    readonly percentile: number | null
    readonly points: number
  })[]
  readonly text: {
    readonly en: string
    readonly ko: string
  }
}

/** Base rates of two past snapshots of one exchange, without official flags; no forecast */
export type DelistingWorth = {
  readonly model_version: string
  /** Part of the score that is a rank, whose band is shown; null if all bands are */
  readonly rank: number | null
  readonly samples: readonly {
    readonly id: string
    readonly title: string
    readonly snapshot: string
    readonly n: number
    readonly delisted: number
  }[]
  readonly bands: readonly {
    readonly from_score: number
    readonly to_score: number
    readonly rates: readonly {
      readonly sample: string
      readonly days: number
      /** Pairs */
      readonly n: number
      /** Of them announced for delisting within `days` */
      readonly delisted: number
      /** 95 % interval of the share */
      readonly low: number
      readonly high: number
    }[]
  }[]
  /** The same of pairs that were `at_risk` by their score */
  readonly at_risk: readonly {
    readonly sample: string
    readonly days: number
    /** Pairs */
    readonly n: number
    /** Of them announced for delisting within `days` */
    readonly delisted: number
    /** 95 % interval of the share */
    readonly low: number
    readonly high: number
  }[]
}

/** Perpetual exchange of the venue; empty is the main one */
export type Dex = string

export type Door = {
  readonly door: number
  readonly key: "own_bot" | "house_strategy" | "copy_signals" | "operator_vault"
  readonly title: string
  readonly status: "live" | "paper" | "testnet" | "locked"
  /** Where money moves behind the door; null if none does */
  readonly network: "testnet" | "mainnet" | null
  readonly requirements: readonly string[]
  /** false: there is nothing to choose now */
  readonly offered?: boolean | undefined
  readonly next_step: string
  /** Routes that a bot uses, in their order */
  readonly routes: readonly string[]
  /** Why the status is what it is */
  readonly why: string
}

/** true: answer or refuse as the call would, and change nothing */
export type DryRun = boolean

export type Estimate = {
  /** Median; null when nothing is known */
  readonly value: number | null
  /** 95 % interval of the median; null while n is below 6 */
  readonly low: number | null
  readonly high: number | null
  /** Values behind the interval */
  readonly n: number
  /** `buckets`: medians of two-hour buckets. `scans`: scans of one bucket, which follow each other closely; the true interval is wider */
  readonly basis: "buckets" | "scans"
}

export type EvidenceFinding = {
  readonly reachable: boolean
  readonly status: number | null
  readonly value_found: boolean | null
  readonly checked_at: Instant
  readonly reason: string | null
}

/** Exchange id (ccxt's) */
export type ExchangeId = string

/** Feed, from GET /feeds/catalog */
export type FeedKey = "crisis_alerts" | "arbitrage_2cex" | "arbitrage_3cex" | "priority_pool"

export type Follow = {
  /** Follow: a mandate that follows the signals of an operator vault */
  readonly follow_id: string
  readonly mandate_id: MandateId
  readonly public_id: MandateId
  readonly listing_id: ListingId
  readonly vault_id: OperatorVaultId
  readonly network: "testnet"
  /** The account at the venue that the leg is bound to */
  readonly account: string
  /** Newest signal at the hire; it and earlier ones are never followed */
  readonly after_seq: number
  readonly hired_at: Instant
  readonly ended_at: Instant | null
  readonly end_reason: "released" | "listing_withdrawn" | "listing_suspended" | "operator_ended" | "mandate_stopped" | "agent_changed" | "leg_released" | null
}

export type GasDrip = {
  readonly ok: true
  /** sent: the drip is on its way; not_needed: the balance suffices; already: the wallet, or two wallets of the account, got theirs; capped: nothing is sent today or while funds are low; not_eligible: the account has no mandate yet; disabled: this deployment sends none */
  readonly status: "sent" | "not_needed" | "already" | "capped" | "not_eligible" | "disabled"
  /** In the answer of a dry run: nothing has changed */
  readonly dry_run?: true | undefined
  readonly tx_hash?: Hex32 | undefined
  /** Amount of the drip; with sent */
  readonly amount_eth?: string | undefined
  /** Balance of your wallet before this call; absent when disabled */
  readonly balance_eth?: string | undefined
  readonly next_eligible_at?: Instant | undefined
  /** With capped: daily_cap or funding_low; with not_eligible: no_mandate_yet */
  readonly reason?: "daily_cap" | "funding_low" | "no_mandate_yet" | undefined
  /** Chain of the drip; null while no chain is configured */
  readonly chain_id: number | null
}

/** Clause 5: the end, a whole second, 1 hour to 365 days ahead, with a leg at most 170 */
export type GivenInstant = string

export type Gpa = number

export type GradeComponent = {
  readonly key: "spread" | "depth" | "volume" | "stability"
  readonly value: number | null
  /** True if the value is a lower bound, because order books ended before 2 % of the mid */
  readonly is_lower_bound: boolean
  /** Minutes that the value covers. Trades are read from one candle call, which covers less than a day at most exchanges. Null for a value without a window */
  readonly window_minutes: number | null
  readonly unit: "bps" | "usd" | "share"
  readonly grade: Letter | null
  readonly points: number | null
  readonly weight: number
  /** `points` × `weight` */
  readonly contribution: number | null
  /** Mid-rank among the peers, percent; 100 is the most liquid */
  readonly percentile: number | null
  /** Number of observations behind the value */
  readonly n: number
}

export type HallMandate = {
  /** Place among the mandates of the agent, oldest first: m1, m2 */
  readonly mandate: string
  readonly state: MandateState
  readonly hl_leg: boolean
  readonly days_live: number
  /** False before a UTC day with 25 USDC has closed */
  readonly counts_for_worth: boolean
  readonly worth_change_bps: number | null
  readonly max_drawdown_bps: number | null
  readonly trades: number
  readonly clauses: {
    /** True if no violation is on its record */
    readonly kept: boolean
    readonly violations: number
    readonly days_outside: number
  }
  readonly refusals: {
    readonly total: number
    /** As agents and the chain report them */
    readonly by_kind: Readonly<Record<string, number>>
  }
  readonly foreign_days: number
  /** Head of its record */
  readonly record: {
    readonly seq: number
    readonly hash: string
  }
  readonly series: {
    readonly from: UtcDay
    /** Index at the end of each UTC day, 100 before the first; null on a day without a rating */
    readonly values: readonly (number | null)[]
  } | null
  /** Index at which the stop line stood on the last day with at least 25 USDC; null without a line or such a day */
  readonly stop_line: number | null
  /** Only of a mandate whose owner signed public_proof */
  readonly proof: {
    readonly public_id: MandateId
    /** Chain id */
    readonly chain_id: number
    readonly vault: Address
    /** Blocks whose state the figures were computed from, of the newest days */
    readonly points: readonly {
      readonly day: UtcDay
      readonly blocks: readonly number[]
    }[]
    /** Earlier days with points that this answer has no room for */
    readonly points_left: number
  } | null
}

export type HallRow = {
  readonly agent_id: AccountId
  readonly name: string
  /** Place among the ranked agents by the low end of their worth change in all days, those with an independent owner first */
  readonly rank: number | null
  readonly ranked: boolean
  /** Days that the agent still needs to be ranked */
  readonly days_needed: number
  readonly trades_needed: number
  /** UTC days with an open, funded mandate */
  readonly days_live: number
  readonly mandates: {
    readonly open: number
    readonly closed: number
    readonly stopped: number
    readonly kept_inside_limits: number
  }
  /** Days inside all limits of the days counted, in the window; null without a day */
  readonly adherence_pct: number | null
  /** Time-weighted, without deposits, withdrawals and foreign money; null if unknown */
  readonly worth_change_bps: number | null
  /** Low end of the 90 % interval, wider with each sibling agent; null below 14 days */
  readonly worth_change_low_bps: number | null
  readonly worth_change_high_bps: number | null
  readonly max_drawdown_bps: number | null
  readonly trades: number
  readonly refusals: {
    readonly total: number
    /** As agents and the chain report them */
    readonly by_kind: Readonly<Record<string, number>>
  }
  readonly violations: number
  /** Days with fills in the account that are not of the mandate: a gain of such a day is not counted */
  readonly foreign_days: number
  /** Owners with at least 25 USDC who are neither paired with the agent nor share its wallet */
  readonly independent_owners: "0" | "1" | "2-4" | "5+"
  /** Other agents of the same paired owner */
  readonly sibling_agents: number
  readonly accepting: boolean
  readonly operator: "signal" | "vault" | null
  readonly house: boolean
  /** True for the last good row, kept while no newer one can be built */
  readonly degraded: boolean
  /** True if no row can be built; the figures are then null or 0 */
  readonly record_error: boolean
  readonly row_computed_at: Instant
}

/** Transaction hash */
export type Hex32 = string

export type HistoryBucket = {
  readonly start: Instant
  /** Number of scans that have been due in the bucket */
  readonly expected: number
  /** Number of scans with a usable order book */
  readonly ok: number
  /** Median */
  readonly spread_bps: number | null
  readonly spread_low_bps: number | null
  readonly spread_high_bps: number | null
  readonly spread_p95_bps: number | null
  /** Median of twice the weaker side within 2 % of the mid */
  readonly depth_2pct_usd: number | null
  /** True if an order book of the bucket ended before 2 % of the mid: its depths are lower bounds */
  readonly depth_is_lower_bound: boolean
  readonly depth_low_usd: number | null
  readonly depth_high_usd: number | null
  readonly depth_p5_usd: number | null
  /** Median cost of a $1,000 market order on the more expensive side */
  readonly cost_1k_bps: number | null
  readonly cost_10k_bps: number | null
  /** Median share of the bids in the depth within 2 %, minus one half */
  readonly imbalance: number | null
  /** Null if the volume of fewer than nine tenths of the minutes is known */
  readonly volume_usd: number | null
  /** Number of minutes of the bucket whose volume is known */
  readonly volume_minutes: number
  /** `volume_minutes` as a share of the elapsed minutes of the bucket; null before the first */
  readonly volume_coverage: number | null
  readonly trades: number | null
  /** Share of minutes without a trade */
  readonly zero_trade_share: number | null
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number | null
  readonly vwap: number | null
  /** Square root of the sum of squared one-minute log returns; null if fewer than nine tenths of the due scans were good */
  readonly volatility_bps: number | null
  /** Mean absolute one-minute return, bps per $1,000 traded */
  readonly amihud: number | null
}

export type HistoryPoint = {
  readonly at: Instant
  readonly computed_at: Instant
  readonly instance_id: number
  /** Letter of `gpa`; null if `gpa` is null */
  readonly grade: Letter | null
  /** Grade point average, 0 to 4.3; null while a component is unknown */
  readonly gpa: Gpa | null
  /** True if the depth is a lower bound and its letter is below A+: a deeper book could only raise `grade` and `gpa` */
  readonly gpa_is_lower_bound: boolean
  readonly grades: {
    readonly spread: Letter | null
    readonly depth: Letter | null
    readonly volume: Letter | null
    readonly stability: Letter | null
  }
  /** Median of the last two hours, basis points of the mid */
  readonly spread_bps: number | null
  /** Twice the weaker side within 2 % of the mid, median of the last two hours */
  readonly depth_2pct_usd: number | null
  /** True if more than a quarter of the order books ended before 2 % of the mid: the real depth may be larger */
  readonly depth_is_lower_bound: boolean
  readonly volume_24h_usd: number | null
  /** Last price in the quote currency */
  readonly price: number | null
  readonly change_24h_pct: number | null
  readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted"
  readonly outlook: "improving" | "stable" | "worsening" | null
  /** Delisting risk as a rank among the peers, 100 is the riskiest; null with too few of them */
  readonly risk_score: number | null
  /** Classes of the flags that stood */
  readonly flags: readonly ("caution" | "warning" | "margin_delisting" | "delisting_announced" | "delisted_elsewhere")[]
  /** Crises that the row showed as open; null if they were unknown */
  readonly alerts: readonly ({
    readonly rule: "crash" | "liquidity_withdrawal" | "spread_blowout" | "halt" | "depeg" | "official_notice" | "cross_venue_gap"
    readonly severity: number
  })[] | null
  /** Crises that were open at any time of the step, also between two boards */
  readonly crises: number
}

/** RFC 3339 UTC, milliseconds */
export type Instant = string

/** Signature of typed_data by the key in the browser; without it the browser has posted the action itself */
export type KeySignature = {
  readonly r: string
  readonly s: string
  readonly v: 27 | 28
}

export type Leg = {
  readonly public_id: MandateId
  readonly state: LegState
  /** Network of the venue */
  readonly network: "testnet" | "mainnet"
  readonly owner_address: Address
  /** The leg's key at the venue; null before the first approval */
  readonly agent_address: Address | null
  readonly agent_name: "svc-leg"
  /** Number of the key; each approval after the first has the next */
  readonly epoch: number | null
  /** When the approval of the key ends */
  readonly valid_until: Instant | null
  /** Account value over all dexes, less the allowance for closing; null before the first reading */
  readonly worth_usdc: SignedUsdc | null
  /** Money in the account that is not of this mandate; null before the first bind */
  readonly foreign_usdc: SignedUsdc | null
  /** By the venue's clock */
  readonly worth_read_at: Instant | null
  readonly open_notional_usdc: SignedUsdc | null
  readonly open_notional_max_usdc: Usdc
  readonly positions: readonly ({
    readonly market: MarketId
    readonly side: "long" | "short"
    readonly size: string
    readonly entry_price: string
    readonly mark_price: string
    readonly notional_usdc: string
    readonly unrealized_pnl_usdc: string
    readonly liquidation_price: string | null
    readonly read_at: Instant
  })[]
  /** Other keys that may trade in the account; null if unknown */
  readonly foreign_agents: number | null
  /** Executions of the last 24 hours that are not of this leg; null if unknown */
  readonly foreign_fills_24h: number | null
  readonly checks: readonly LegCheck[]
}

export type LegCheck = {
  readonly id: "wallet_ecdsa" | "known_at_venue" | "account_mode" | "not_subaccount" | "agent_slot" | "approval_listed" | "approval_life" | "seed_match" | "foreign_agents" | "account_flat" | "clock"
  /** fail: the leg cannot be bound; pending: the approval decides it; unknown: not examined yet */
  readonly verdict: "pass" | "warn" | "fail" | "pending" | "unknown"
  readonly detail: string
  /** What the owner can do; null for pass */
  readonly fix: string | null
}

export type LegDebt = {
  readonly network: "testnet" | "mainnet"
  readonly owner_address: Address
  readonly leg_debt_usdc: Usdc
  /** Newest first */
  readonly changes: readonly ({
    /** fallback: paid back to the vault in place of the owner; unbacked: sent to the account, but the vault did not pay it */
    readonly cause: "fallback" | "unbacked" | "payment" | "written_off"
    readonly amount_usdc: SignedUsdc
    readonly fee_usdc?: Usdc | undefined
    /** Mandate that the debt came from */
    readonly public_id: MandateId | null
    readonly transfer_id: string | null
    /** Admin who wrote it off; null for other causes */
    readonly admin_id: AccountId | null
    /** Why it was written off; null for other causes */
    readonly reason: string | null
    readonly at: Instant
  })[]
}

export type LegEstimate = {
  readonly market: MarketId
  readonly side: "buy" | "sell"
  readonly opening: boolean
  readonly size: string
  readonly worst_price: string
  /** Highest of worst price, mark, middle of the book and, for a sell, best bid; null if unknown */
  readonly reference_price: string | null
  readonly notional_usdc: Usdc
  readonly loss_usdc: Usdc
  /** The order walked through the book as it is now */
  readonly fills: {
    readonly filled_size: string
    readonly average_price: string | null
    readonly notional_usdc: Usdc
    readonly fee_usdc: Usdc
    readonly slippage_bps: number | null
    readonly unfilled_size: string
  }
  /** Liquidation price of the position after the order, at unchanged prices of other markets; null without one */
  readonly liquidation_price: string | null
  /** What the account would lose if every position were closed at the book right after the order; null if the book is too thin */
  readonly stop_line_loss_usdc: SignedUsdc | null
  readonly mark_price: string
  readonly read_at: Instant
}

export type LegOfMandate = {
  readonly state: LegState
  readonly network: "testnet" | "mainnet"
  /** Address of the leg's key; null before its first approval */
  readonly agent_address: Address | null
  readonly epoch: number
  /** When the approval of the key ends */
  readonly valid_until: Instant | null
  readonly changed_at: Instant
}

export type LegOrder = {
  /** Null in a dry run */
  readonly cloid: string | null
  /** Null if the venue gave none */
  readonly oid: number | null
  /** missed: nothing was executed, and nothing will be */
  readonly status: "filled" | "partial" | "missed" | "dry_run"
  readonly size: string
  readonly filled_size: string
  readonly average_price: string | null
  readonly notional_usdc: Usdc
  readonly fee_usdc: SignedUsdc
  /** The order executes at this price or a better one */
  readonly worst_price: string
  /** The order counts at this price, and an amount becomes a size by it: the highest of its worst price, the mark, the middle of the book, and for a sell the best bid, all of one reading. Null for an order that nothing limits but the position, and for one of a release that counted at the worst price */
  readonly reference_price: string | null
  /** How much of its amount an order filled, by its reference price; null for an order by size */
  readonly by_amount: {
    readonly asked_usdc: Usdc
    readonly filled_usdc: Usdc
    readonly meaning: string
  } | null
}

export type LegOrderRequest = {
  readonly market: MarketId
  readonly side: "buy" | "sell"
  /** Null if size is given */
  readonly amount_usdc: Usdc | null
  /** Null if amount_usdc is given */
  readonly size: string | null
  readonly reduce_only: boolean
  readonly max_slippage: string | null
}

export type LegPositionAfter = {
  readonly market: MarketId
  /** Null without a position */
  readonly side?: "long" | "short" | null | undefined
  /** Negative for a short position, "0" without one */
  readonly size: string
  readonly entry_price: string | null
  readonly mark_price: string | null
  readonly notional_usdc: Usdc
  readonly unrealized_pnl_usdc: SignedUsdc
  readonly liquidation_price: string | null
  readonly read_at: Instant
}

/** Exactly one of amount_usdc and size */
export type LegSize = string

/** State of the leg */
export type LegState = "none" | "proposed" | "bound" | "revoked" | "expired" | "orphaned" | "unsupported" | "released"

export type Letter = "A+" | "A" | "A-" | "B+" | "B" | "B-" | "C+" | "C" | "C-" | "D+" | "D" | "D-" | "F"

export type Listing = {
  readonly listing_id: ListingId
  readonly type: "strategy_template" | "signal_subscription" | "vault_deposit"
  readonly status: "live" | "suspended" | "withdrawn"
  readonly status_reason: string
  readonly status_at: Instant
  readonly title: string
  readonly summary: string
  readonly price_model: "free" | "paid_read"
  /** Cherry for each signal; null if free */
  readonly price_cherry: Cherry | null
  readonly ref_vault_id: OperatorVaultId | null
  readonly seller: {
    readonly agent_id: AccountId
    /** The operator of ref_vault_id; null without a vault */
    readonly operator: {
      /** Operator */
      readonly operator_id: string
      readonly title: string
      readonly kind: "signal" | "vault"
      readonly house: boolean
    } | null
    /** Whether the Hall ranks the seller; null if unknown */
    readonly ranked: boolean | null
    readonly rank: number | null
  }
  readonly recorded: RecordedFigures
  /** Newest signal of the vault; a later read can prove that none before it was changed */
  readonly signals_head: {
    readonly seq: number
    readonly hash: string
  } | null
  readonly cited: readonly CitedClaimView[]
  /** SHA-256 of the RFC 8785 JSON of the claims as published */
  readonly cited_hash: string
  readonly editable_params: readonly ({
    readonly key: "per_tx_cap_usdc" | "daily_cap_usdc" | "stop_line_usdc" | "approval_above_usdc" | "days" | "fee_bps" | "close_if_silent_minutes"
    readonly title: string
    readonly unit: "usdc" | "days" | "bps" | "minutes"
    readonly min: Usdc
    readonly max: Usdc
    readonly step: Usdc
    readonly default: Usdc
  })[]
  readonly template: ListingTemplate | null
  readonly published_at: Instant
}

/** Listing */
export type ListingId = string

/** Limits for a mandate of 50 USDC */
export type ListingTemplate = {
  /** Market ids of GET /hub/markets */
  readonly markets: readonly MarketId[]
  readonly per_tx_cap_usdc: Usdc
  readonly daily_cap_usdc: Usdc
  readonly stop_line_usdc: Usdc
  readonly approval_above_usdc: Usdc | null
  /** Days from the adoption to the end */
  readonly days: number
  readonly fee_bps: number
  readonly close_if_silent_minutes: number | null
}

export type MachineCheck = {
  readonly id: string
  readonly verdict: "pass" | "fail" | "unknown"
  readonly detail: string
}

/** true: a rig made the figures up */
export type MadeUp = boolean

export type MandateDetail = {
  readonly public_id: MandateId
  readonly name: string
  readonly state: MandateState
  readonly owner_id: AccountId
  readonly owner_wallet: Address
  readonly created_at: Instant
  readonly changed_at: Instant
  /** When the draft expires; null once signed */
  readonly expires_at: Instant | null
  readonly agent: {
    readonly agent_id: AccountId
    readonly wallet: Address
    readonly accepted_at: Instant | null
    /** Name that the agent chose; shown to the owner only, null when unknown */
    readonly name: string | null
    /** Shown to the owner only; null when unknown */
    readonly last_seen_at: Instant | null
    /** Shown to the owner only; null when unknown */
    readonly channel: "http" | "mcp" | null
  } | null
  readonly limits: MandateLimits
  readonly progress: {
    readonly steps_done: number
    readonly steps_total: number
    /** Elapsed share of the time from signing to ends_at */
    readonly elapsed_bps: number | null
    readonly seconds_left: number | null
    readonly state_cause: "terms_signed" | "vault_funded" | "agent_removed" | "agent_restored" | "stopped_in_record" | "stopped_by_owner" | "stopped_by_stop_line" | "end_passed" | "settled_and_withdrawn" | "money_returned" | "reorganised" | null
    readonly state_since: Instant
  }
  readonly steps: readonly ({
    readonly key: "drafted" | "agent_designated" | "agent_accepted" | "terms_signed" | "vault_created" | "funded" | "closed"
    readonly title: string
    readonly done: boolean
    readonly at: Instant | null
  })[]
  /** Empty without a designated agent */
  readonly clauses: readonly Clause[]
  /** Null without a vault */
  readonly usage: MandateUsage | null
  /** Null while no key was proposed for a leg */
  readonly leg: LegOfMandate | null
  readonly refusals_7d: {
    readonly total: number
    readonly by_kind: Readonly<Record<string, number>>
  }
  /** Number of trades reported by the agent that the chain contradicts */
  readonly reports_contradicting_chain: number
  readonly fees: {
    readonly fee_bps: number
    readonly recipient: Address | null
    /** Null without a vault */
    readonly accrued_usdc: Usdc | null
    readonly owed_usdc: Usdc | null
    readonly claimed_usdc: Usdc | null
  }
  /** Newest entries of the record, newest first; at most 20 */
  readonly events: readonly RecordLine[]
  readonly lock: WithdrawLock | null
  /** Null without a vault */
  readonly chain_state: ChainState | null
  /** Hash of the signed terms; null before the signature */
  readonly terms_hash: Hex32 | null
  readonly stopped_in_record_at: Instant | null
  readonly record_head: RecordHead
}

/** Public id of the mandate */
export type MandateId = string

export type MandateLimits = {
  readonly budget_usdc: Usdc
  readonly per_tx_cap_usdc: Usdc
  readonly daily_cap_usdc: Usdc
  readonly stop_line_usdc: Usdc
  /** Clause 6: a call or opening order that spends more waits for the owner; with null none waits, with "0" every one */
  readonly approval_above_usdc: Usdc | null
  /** Clause 4: market ids of GET /hub/markets */
  readonly markets: readonly MarketId[]
  readonly ends_at: Instant
  /** Clause 8: the agent's share of the profit in basis points, at most 3000 */
  readonly fee_bps: number
  /** Whether the agent also trades in the owner's own venue account; requires a market whose id begins with hl: */
  readonly hl_leg: boolean
  /** Part of the budget that may be out at the leg at one time, signed in clause 1; by default the whole budget if all markets begin with hl:, else required. Null without a leg, "0" while leg funding is off */
  readonly leg_budget_usdc: Usdc | null
  /** Minutes, 15 to 10080, without a request of the agent that names the mandate, after which its positions at the leg are closed; null never closes them. For a mandate with a leg only */
  readonly close_if_silent_minutes: number | null
  /** Whether the Hall names the vault, so that anybody can check the record of the agent against the chain. It shows your wallet and every amount, for good */
  readonly public_proof: boolean
}

/** State of the mandate */
export type MandateState = "draft" | "signed" | "working" | "paused" | "stopped" | "ended" | "closed"

export type MandateStatement = {
  readonly public_id: MandateId
  readonly name: string
  readonly state: MandateState
  readonly week: string
  readonly from: Instant
  readonly to: Instant
  /** True if the week is over */
  readonly complete: boolean
  /** Newest mark before the week that was not withheld; "0" before the first event of the vault. Null if there is no such mark, or if a deposit or withdrawal followed it */
  readonly opening_worth_usdc: Usdc | null
  /** Newest mark before the end of the week, or before now, by the same rule; "0" if nothing was ever paid in */
  readonly closing_worth_usdc: Usdc | null
  readonly deposits_usdc: Usdc
  readonly withdrawals_usdc: Usdc
  /** Change over the week of the USDC that was sent to the address of the vault and is not in its books, including the part that was withdrawn. It is not profit. Null if a worth is unknown */
  readonly unbooked_usdc: SignedUsdc | null
  /** Executed calls */
  readonly trades: number
  readonly spent_usdc: Usdc
  readonly received_usdc: Usdc
  readonly fees_usdc: Usdc
  /** Orders of the leg that the venue filled, in whole or in part */
  readonly leg_orders: number
  readonly leg_filled_usdc: Usdc
  readonly leg_fees_usdc: SignedUsdc
  readonly leg_funded_usdc: Usdc
  readonly leg_returned_usdc: Usdc
  readonly leg_owed_usdc?: Usdc | undefined
  readonly leg_kept_by_owner_usdc?: Usdc | undefined
  readonly leg_fee_owed_usdc?: Usdc | undefined
  /** Part of closing_worth_usdc that is at the leg; "0" without a leg, null if closing_worth_usdc is null */
  readonly closing_leg_usdc: Usdc | null
  /** closing - opening - deposits + withdrawals - unbooked, after fees that were charged. Fees are charged on realised profit at a withdrawal or the settlement, so gains of open positions are before fees. Null if a worth is unknown. */
  readonly profit_usdc: SignedUsdc | null
  readonly refusals: {
    readonly total: number
    readonly by_kind: Readonly<Record<string, number>>
  }
  readonly approvals: {
    readonly requested: number
    readonly approved: number
    readonly declined: number
    readonly used: number
    readonly expired: number
  }
  readonly violations: number
  readonly days: {
    /** Days of the week with a vault */
    readonly counted: number
    /** Days without a violation among these */
    readonly inside_limits: number
  }
  readonly record_head: RecordHead
}

export type MandateSummary = {
  readonly public_id: MandateId
  readonly name: string
  readonly state: MandateState
  readonly owner_id: AccountId
  readonly owner_wallet: Address
  readonly created_at: Instant
  readonly changed_at: Instant
  /** When the draft expires; null once signed */
  readonly expires_at: Instant | null
  readonly agent: {
    readonly agent_id: AccountId
    readonly wallet: Address
    readonly accepted_at: Instant | null
  } | null
  readonly limits: MandateLimits
  readonly vault: Address | null
  readonly chain_id: number | null
}

/** Daily cap and its use */
export type MandateUsage = {
  /** UTC day */
  readonly day: string
  readonly used_usdc: Usdc
  readonly leg_used_usdc: Usdc
  readonly reserved_usdc: Usdc
  readonly held_usdc: Usdc
  readonly left_usdc: Usdc
  readonly resets_at: Instant
}

/** Market id */
export type MarketId = string

/** `replay`: recorded or synthetic markets, not the real exchanges */
export type MarketSource = "live" | "replay" | "mixed"

/** Metadata field */
export type MetadataFieldName = string

export type Microburst = {
  readonly start: Instant
  readonly duration_ms: number
  readonly orders: number
  readonly fills: number
  readonly notional_usd: number
  readonly signed_notional_usd: number
  readonly range_bps: number
  readonly impact_bps: number | null
  readonly replenishment_half_life_ms: number | null
  readonly reversion_10s: number | null
  readonly reversion_60s: number | null
}

export type NamedPair = {
  readonly exchange: ExchangeId
  readonly symbol: Pair
}

export type Notice = {
  readonly at: Instant
  readonly kind: "listed" | "flag_raised" | "flag_ended" | "lifecycle"
  /** The venue's name of the flag, or the new state */
  readonly detail: string
  readonly effective_at: Instant | null
  /** Where a flag was read; null if it is not stored */
  readonly source: string | null
  /** When the venue published it; null if it states no time */
  readonly published_at: Instant | null
  /** The venue's own words: the title of its announcement; null if the flag has another source */
  readonly title: string | null
  /** Where the venue published that announcement */
  readonly url: string | null
}

/** `too_few_minutes`: prices need two hours after a listing, silence six hours. `too_few_books`: medians need six hours. `book_made_up`: the venue is simulated. `list_too_old`: what the venue states is more than 30 minutes old */
export type NotJudged = {
  readonly rule: "crash" | "liquidity_withdrawal" | "spread_blowout" | "halt" | "depeg" | "official_notice" | "cross_venue_gap"
  readonly reason: "no_price" | "no_price_an_hour_ago" | "too_few_minutes" | "no_book" | "too_few_books" | "book_made_up" | "depth_is_lower_bound" | "list_too_old"
  readonly since: Instant
}

/** Rules of which `alerts` says nothing, for ten minutes or longer. Null if none was judged, or if this was not stored yet */
export type NotJudgedRules = readonly NotJudged[] | null

export type OpenAlert = {
  readonly episode_id: string
  readonly rule: "crash" | "liquidity_withdrawal" | "spread_blowout" | "halt" | "depeg" | "official_notice" | "cross_venue_gap"
  /** 1 from the threshold, 2 from 1.5 times it, 3 from twice it */
  readonly severity: number
  readonly opened_at: Instant
  readonly text: {
    readonly en: string
    readonly ko: string
  }
}

/** Open crisis episodes of the pair, the most severe first. Null if the last ten minutes have not been judged: then it is unknown whether there are any */
export type OpenAlerts = readonly OpenAlert[] | null

export type OperatorRow = {
  /** Operator */
  readonly operator_id: string
  readonly agent_id: AccountId
  readonly title: string
  readonly kind: "signal" | "vault"
  readonly house: boolean
  readonly vault_id: OperatorVaultId
  /** The live listing of the vault; null without one */
  readonly listing_id: ListingId | null
  readonly recorded: RecordedFigures
  /** Claims of that listing */
  readonly cited: readonly CitedClaimView[]
}

/** Vault of an operator */
export type OperatorVaultId = string

export type OrderCap = {
  readonly per_order_usdc: Usdc
  readonly daily_usdc: Usdc
  /** What each of the two figures comes from */
  readonly bound_by: {
    readonly per_order_usdc: BoundBy
    readonly daily_usdc: BoundBy
  }
  readonly used_today_usdc: Usdc
  readonly remaining_today_usdc: Usdc
  readonly paper_used_today_usdc: Usdc
  readonly resets_at: Instant
}

export type OrderId = string

export type OwnCheck = {
  readonly id: "linked" | "wallet_ok" | "key_approved" | "key_matches_seed" | "builder_fee_approved" | "not_leg_bound" | "live_trading"
  /** null: could not be read now */
  readonly ok: boolean | null
  /** The same as ok, in the words of other checks */
  readonly verdict: "pass" | "fail" | "unknown"
  readonly detail: string
  /** What to do; null if ok */
  readonly fix: string | null
}

export type OwnOrder = {
  readonly order_id: OrderId
  readonly mode: TradeMode
  readonly state: TradeState
  readonly market: MarketId
  readonly side: "buy" | "sell"
  readonly reduce_only: boolean
  /** What it executed; null while that is not certain */
  readonly order: LegOrder | null
  /** Words of the venue, if it rejected or missed the order */
  readonly reason: string | null
  /** More was executed than prepared */
  readonly violation: boolean
  readonly requested_by: "owner" | "agent"
  readonly agent_id: AccountId | null
  readonly prepared_at: Instant
  readonly resolved_at: Instant | null
}

/** Why an account at the venue may not be traded here */
export type OwnRefusal = "unknown_at_venue" | "sub_account" | "vault" | "agent" | "unified_account" | "portfolio_margin" | "other_mode"

export type OwnStatement = {
  readonly owner_id: AccountId
  readonly week: string
  readonly from: Instant
  readonly to: Instant
  readonly complete: boolean
  readonly items: readonly MandateStatement[]
  /** Number of mandates beyond the 200 newest; the totals exclude them */
  readonly omitted: number
  /** A total is null if a figure of an item is unknown */
  readonly totals: {
    /** Newest mark before the week that was not withheld; "0" before the first event of the vault. Null if there is no such mark, or if a deposit or withdrawal followed it */
    readonly opening_worth_usdc: Usdc | null
    /** Newest mark before the end of the week, or before now, by the same rule; "0" if nothing was ever paid in */
    readonly closing_worth_usdc: Usdc | null
    readonly deposits_usdc: Usdc
    readonly withdrawals_usdc: Usdc
    /** Change over the week of the USDC that was sent to the address of the vault and is not in its books, including the part that was withdrawn. It is not profit. Null if a worth is unknown */
    readonly unbooked_usdc: SignedUsdc | null
    /** Executed calls */
    readonly trades: number
    readonly spent_usdc: Usdc
    readonly received_usdc: Usdc
    readonly fees_usdc: Usdc
    /** Orders of the leg that the venue filled, in whole or in part */
    readonly leg_orders: number
    readonly leg_filled_usdc: Usdc
    readonly leg_fees_usdc: SignedUsdc
    readonly leg_funded_usdc: Usdc
    readonly leg_returned_usdc: Usdc
    readonly leg_owed_usdc?: Usdc | undefined
    readonly leg_kept_by_owner_usdc?: Usdc | undefined
    readonly leg_fee_owed_usdc?: Usdc | undefined
    /** Part of closing_worth_usdc that is at the leg; "0" without a leg, null if closing_worth_usdc is null */
    readonly closing_leg_usdc: Usdc | null
    /** closing - opening - deposits + withdrawals - unbooked, after fees that were charged. Fees are charged on realised profit at a withdrawal or the settlement, so gains of open positions are before fees. Null if a worth is unknown. */
    readonly profit_usdc: SignedUsdc | null
    readonly refusals: {
      readonly total: number
      readonly by_kind: Readonly<Record<string, number>>
    }
    readonly approvals: {
      readonly requested: number
      readonly approved: number
      readonly declined: number
      readonly used: number
      readonly expired: number
    }
    readonly violations: number
  }
}

export type OwnStatus = {
  /** Network of the venue */
  readonly network: "testnet" | "mainnet"
  /** null while no account is linked */
  readonly wallet: Address | null
  readonly linked_at: Instant | null
  readonly refused: OwnRefusal | null
  /** Every check is ok: orders may be signed with the order key */
  readonly can_trade: boolean
  readonly checks: readonly OwnCheck[]
  readonly order_key: {
    readonly state: "none" | "offered" | "enabled" | "revoked" | "expired" | "orphaned"
    readonly address: Address | null
    /** Number of the key; each approval after the first has the next */
    readonly epoch: number | null
    readonly valid_until: Instant | null
  }
  readonly builder_fee: BuilderFeeStatus
  /** What the wallet may sign: relay it with POST /hub/own/enable/relay, or post it to post_to */
  readonly approvals: {
    /** null if the key is enabled, or if it cannot be made now */
    readonly order_key: {
      readonly typed_data: VenueTypedData
      readonly action: VenueAction
      /** Unix milliseconds */
      readonly nonce: number
      readonly served_until: Instant
      readonly agent_address: string
      readonly agent_name: "svc-trade" | "svc-web"
      readonly valid_until: Instant
    } | null
    /** null if it is approved, or if no builder is configured */
    readonly builder_fee: {
      readonly typed_data: VenueTypedData
      readonly action: VenueAction
      /** Unix milliseconds */
      readonly nonce: number
      readonly served_until: Instant
    } | null
    /** For web_address; null without it */
    readonly web_key: {
      readonly typed_data: VenueTypedData
      readonly action: VenueAction
      /** Unix milliseconds */
      readonly nonce: number
      readonly served_until: Instant
      readonly agent_address: string
      readonly agent_name: "svc-trade" | "svc-web"
      readonly valid_until: Instant
    } | null
  }
  /** Where action, nonce and signature are posted */
  readonly post_to: string
}

/** Pair, BASE/QUOTE */
export type Pair = string

/** Pair, BASE_QUOTE */
export type PairInPath = string

export type PairName = {
  readonly exchange: ExchangeId
  readonly symbol: Pair
}

export type PaperBook = {
  readonly book: PaperBookId
  readonly name: string
  readonly start_usdc: Usdc
  readonly cash_usdc: SignedUsdc
  readonly equity_usdc: SignedUsdc
  readonly fees_paid_usdc: Usdc
  readonly funding_usdc: SignedUsdc
  /** Greatest fall of the equity from its peak before, at each fill and each minute with a position */
  readonly max_drawdown_bps: number
  readonly marked_at: Instant
  readonly created_at: Instant
}

/** Id of the paper book */
export type PaperBookId = string

export type PaperEquity = {
  /** Place among all entries of the book; fills, funding and equity_series share one count */
  readonly seq: number
  readonly at: Instant
  readonly cause: "start" | "fill" | "hour" | "liquidation"
  readonly equity_usdc: SignedUsdc
  /** Mark prices of the positions, by market_id */
  readonly marks: Readonly<Record<string, string>>
}

export type PaperFill = {
  /** Place among all entries of the book; fills, funding and equity_series share one count */
  readonly seq: number
  readonly kind: "order" | "liquidation"
  /** null: the book was liquidated */
  readonly order_id: string | null
  /** Agent that ordered; null for the owner */
  readonly agent_id: AccountId | null
  readonly market: MarketId
  readonly side: "buy" | "sell"
  readonly size: string
  readonly average_price: string
  readonly notional_usdc: Usdc
  readonly fee_usdc: Usdc
  readonly closed_pnl_usdc: SignedUsdc
  readonly covered_usdc: Usdc
  readonly filled_at: Instant
}

export type PaperFunding = {
  /** Place among all entries of the book; fills, funding and equity_series share one count */
  readonly seq: number
  readonly market: MarketId
  readonly hour: Instant
  /** Signed size that was held at the hour */
  readonly size: string
  readonly oracle_price: string
  /** The venue's published rate of the hour */
  readonly rate: string
  readonly usdc: SignedUsdc
  readonly paid_at: Instant
}

export type PaperPosition = {
  readonly market: MarketId
  readonly side: "long" | "short"
  readonly size: string
  readonly entry_price: string
  readonly mark_price: string
  readonly notional_usdc: Usdc
  readonly unrealized_pnl_usdc: SignedUsdc
  /** Mark price at which the book is liquidated if no other price moves; null without one */
  readonly liquidation_price: string | null
  readonly marked_at: Instant
}

export type PastAlert = {
  readonly episode_id: string
  readonly rule: "crash" | "liquidity_withdrawal" | "spread_blowout" | "halt" | "depeg" | "official_notice" | "cross_venue_gap"
  /** 1 from the threshold, 2 from 1.5 times it, 3 from twice it */
  readonly severity: number
  readonly opened_at: Instant
  readonly text: {
    readonly en: string
    readonly ko: string
  }
  readonly closed_at: Instant
  readonly closed_as?: ClosedAs | undefined
}

/** `queued` until the ledger has booked the transfer; `pay_on` is the UTC day on which it is released */
export type Payout = {
  readonly status: "paid" | "queued"
  readonly pay_on: UtcDay
  readonly paid_at: Instant | null
}

/** True until the first snapshot exists; an empty list then does not mean that there are no tokens */
export type Pending = boolean

export type PendingOrder = {
  readonly order_id: OrderId
  /** Null for anybody but the owner */
  readonly confirm_id: ConfirmId | null
  readonly sign_mode: SignMode
  readonly market: MarketId
  readonly side: "buy" | "sell"
  readonly reduce_only: boolean
  readonly estimate: TradeEstimate
  readonly judgement: RefusalBlock
  readonly requested_by: "owner" | "agent"
  readonly agent_id: AccountId | null
  /** Mandate that allows the order of an agent */
  readonly public_id: string | null
  readonly prepared_at: Instant
  readonly expires_at: Instant
}

export type PolicyChange = {
  readonly change_id: number
  readonly changed_at: Instant
  readonly changed_by: AgentOwner
  /** A pairing opened the policy, or the owner replaced it */
  readonly cause: "paired" | "replaced"
  /** Whether the change only took away, only allowed more, or both */
  readonly direction: "tighten" | "widen" | "mixed"
  readonly before: AgentPolicy
  readonly after: AgentPolicy
}

/** Call to sign and send; the service sends nothing */
export type PreparedCall = {
  readonly to: Address
  /** Calldata */
  readonly data: string
  readonly value: "0"
  /** Chain id */
  readonly chain_id: number
}

export type PriceChanges = {
  /** In the quote currency */
  readonly last: number
  readonly at: Instant
  /** Percent; null if the price of that time is unknown */
  readonly change_1h_pct: number | null
  readonly change_24h_pct: number | null
  readonly change_7d_pct: number | null
}

/** Crisis episodes that closed within 7 days, of each rule the one that weighs most. Null if this was not stored yet */
export type RecentAlerts = readonly PastAlert[] | null

export type RecordedFigures = {
  readonly days_live: number | null
  /** Days inside limits ÷ days counted */
  readonly adherence_pct: number | null
  /** Null without a vault */
  readonly signals_30d: number | null
  /** How much worse than the signal's price followers traded, in basis points; null before the first */
  readonly follow_gap_bps_median: number | null
  readonly follow_gap_bps_p90: number | null
  /** Mandates that follow now; null without a vault */
  readonly followers: number | null
}

/** Newest entry of the record within the week */
export type RecordHead = {
  readonly seq: number
  /** SHA-256 in hex; empty for an empty record */
  readonly hash: string
  /** Compact JWS over {mandate, seq, hash, chain, signed_at} by a key of /.well-known/jwks.json; null for an empty record, while the signer is unavailable, and for a head that is no longer the newest */
  readonly jws: string | null
}

export type RecordLine = {
  readonly seq: number
  readonly at: Instant
  readonly kind: string
  readonly source: string
  readonly tx_hash: Hex32 | null
  readonly body: Readonly<Record<string, unknown>>
}

export type RecordStrip = {
  readonly agent_id: AccountId
  /** Level by verified claims of both kinds: Newcomer 0, Scout 1, Builder 5, Veteran 20, Pioneer 50 */
  readonly ladder: {
    readonly level: "Newcomer" | "Scout" | "Builder" | "Veteran" | "Pioneer"
    readonly verified_claims: number
    /** Null at the top */
    readonly next_level: "Newcomer" | "Scout" | "Builder" | "Veteran" | "Pioneer" | null
    readonly claims_to_next: number | null
  } | null
  /** An agent is ranked after 14 days and 10 trades. Null if the Hall cannot be read. For an agent that it does not have yet, days run from the first vault of a mandate to now, or to the end of the last mandate; a trade is an execution on the chain or a filled order of the leg. */
  readonly hall: {
    readonly ranked: boolean
    /** Rank in the Hall; null while the Hall does not rank the agent */
    readonly rank: number | null
    readonly days_live: number
    readonly trades: number
    readonly days_needed: number
    readonly trades_needed: number
  } | null
  /** Mandates with a vault, and how many of them have no violation */
  readonly limits: {
    readonly refusals_taken: number
    readonly mandates: number
    readonly mandates_kept_inside_limits: number
    /** Reported trades that contradict the chain */
    readonly reports_contradicting_chain: number
  } | null
  readonly work: {
    /** Claims of a task market that an admin verified */
    readonly task_market_claims: number
    /** Submissions of token metadata that reviewers approved and the ledger has paid, and claims of the knowledge graph that an admin verified */
    readonly knowledge_claims: number
  } | null
  /** No paper record is stored per agent */
  readonly paper: null
}

export type ReelItem = {
  readonly asset: string
  readonly quote: string
  readonly buy: {
    readonly exchange: ExchangeId
    readonly symbol: Pair
    readonly ask: number
    readonly alerts: OpenAlerts
    readonly recent_alerts?: RecentAlerts | undefined
    readonly not_judged?: NotJudgedRules | undefined
  }
  readonly sell: {
    readonly exchange: ExchangeId
    readonly symbol: Pair
    readonly bid: number
    readonly alerts: OpenAlerts
    readonly recent_alerts?: RecentAlerts | undefined
    readonly not_judged?: NotJudgedRules | undefined
  }
  /** Between best prices, before fees, without regard to depth */
  readonly spread_bps: number
  /** After taker fees; null if a fee is unknown */
  readonly net_bps: number | null
  readonly venues: number
  /** Proof that both sides are one asset: equal contract addresses, or the curated list with its source */
  readonly identity: readonly string[]
  /** Who states what `identity` rests on: reviewed metadata, an endpoint of an exchange, or the curated list. `chain` and `address` are null for the coin of a chain. */
  readonly evidence: readonly ({
    readonly source: string
    readonly chain: string | null
    readonly address: string | null
  })[]
}

/** Standard refusal block */
export type RefusalBlock = {
  readonly kind: "TargetNotAllowed" | "OverPerTxCap" | "OverDailyCap" | "MandateStopped" | "MandateEnded" | "server_guard" | "owner_declined" | null
  /** Machine-readable cause; null if nothing refuses */
  readonly code: string | null
  /** The clause that refuses; null if no clause is the cause */
  readonly clause: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | null
  readonly source: "chain" | "venue" | "server" | "agent" | "owner"
  readonly limit: string | null
  readonly attempted: string | null
  readonly remaining: string | null
  readonly unit: "usdc" | "unix_seconds" | "bps" | "call" | "cherry" | null
  readonly fix: string | null
  /** Each clause judged alone; null means unknown or not applicable */
  readonly verdicts: readonly ({
    readonly clause: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
    readonly limit: string | null
    readonly used: string | null
    readonly would_be: string | null
    readonly headroom: string | null
    readonly unit: "usdc" | "unix_seconds" | "bps" | "call"
    readonly verdict: "pass" | "refuse" | "unknown"
    readonly enforced_by: "contract" | "venue" | "guard" | "server"
  })[]
  /** Largest amount that passes now; "0": only calls that spend nothing pass; null: none passes, or a limit of the leg refuses, whose fix says what passes */
  readonly max_passing_amount_usdc: Usdc | null
  /** Set only if a check was requested and the call did not succeed */
  readonly warning?: {
    readonly code: "would_revert" | "not_checked"
    /** Error of the vault */
    readonly error: string | null
    /** Error of the target */
    readonly target_error: string | null
    readonly detail: string
  } | undefined
  /** When the daily cap resets, if the daily cap refuses */
  readonly resets_at: Instant | null
}

export type Report = {
  /** Report id */
  readonly report_id: string
  readonly exchange: ExchangeId
  readonly symbol: Pair
  /** Language of the report */
  readonly lang: "en" | "ko"
  /** v1: summary on one page; v2: with factor breakdown, microbursts, peer percentiles and data health */
  readonly version: "v1" | "v2"
  readonly status: "generating" | "ready" | "failed"
  /** Null until the report is ready */
  readonly pages: number | null
  readonly bytes: number | null
  readonly created_at: Instant
  readonly sha256: string | null
}

export type Research = {
  readonly meta: {
    readonly research_version: "v1"
    readonly token_id: TokenId
    readonly exchange: ExchangeId
    readonly symbol: Pair
    /** `replay`: recorded or synthetic markets */
    readonly source: "live" | "replay"
    readonly days: number
    readonly from: Instant
    readonly to: Instant
    readonly target_since: Instant
    readonly target_status: "active" | "paused"
    readonly board_computed_at: Instant | null
    readonly formula_version: string | null
    /** What to keep in mind when reading the figures */
    readonly warnings: readonly ("crisis_open" | "alerts_unknown" | "depth_lower_bound" | "few_scans" | "poor_coverage" | "target_paused" | "no_board" | "stale_board" | "replayed_data")[]
    readonly grade: Letter | null
    readonly gpa: Gpa | null
    /** True if a deeper order book could only raise `grade` and `gpa` */
    readonly gpa_is_lower_bound: boolean
    readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted"
    readonly outlook: "improving" | "stable" | "worsening" | null
    /** Why the outlook is null */
    readonly outlook_reason: "no_board" | "under_a_day_of_data" | "poor_data" | null
    readonly flags: readonly VenueFlag[]
    readonly alerts: OpenAlerts
    readonly recent_alerts?: RecentAlerts | undefined
    readonly not_judged?: NotJudgedRules | undefined
    /** Components of the grade; empty before the first board */
    readonly components: readonly GradeComponent[]
    /** What the rank of this pair was worth in the past; null without a rank, or if this model was not measured */
    readonly worth: DelistingWorth | null
    /** Delisting risk: a rank among peers, not a probability */
    readonly risk: DelistingRisk | null
  }
  readonly market: {
    /** Null until the pair was observed */
    readonly price: PriceChanges | null
    readonly quote: string
    readonly now: {
      readonly spread_bps: number | null
      /** Twice the weaker side within 2 % of the mid, as it is graded: median of the last two hours */
      readonly depth_2pct_usd: number | null
      readonly depth_is_lower_bound: boolean
      /** Median cost of a $10,000 market order on the more expensive side */
      readonly cost_10k_bps: number | null
      /** Why the cost is null; `not_filled`: the levels that were read do not fill $10,000 */
      readonly cost_10k_reason: "no_scan" | "not_filled" | null
      /** Scans behind the cost */
      readonly cost_scans: number
    }
    /** When seven days of prices were read from the venue */
    readonly hours_read_at: Instant | null
    /** Two-hour cells, oldest first; cells without a price are absent */
    readonly series: readonly CourseCell[]
    readonly venues: AssetVenues
    /** Null before the first board */
    readonly peers: RiskPeers | null
  }
  readonly events: {
    /** Crisis episodes that closed within 90 days, newest first; open ones are `meta.alerts` */
    readonly past_alerts: readonly PastAlert[]
    readonly watched_since?: Instant | undefined
    /** False if the venue publishes neither official flags nor announcements without a key: then no flag means nothing */
    readonly publishes_flags: boolean
    /** What the venue said about the pair, and changes of its lifecycle, newest first */
    readonly notices: readonly Notice[]
  }
  readonly kpi_2h: {
    readonly bucket_minutes: 120
    readonly summary: {
      readonly spread_bps: Estimate
      readonly depth_2pct_usd: Estimate
      /** True if a book behind the figure ended before 2 % from the mid: the depth is at least this large */
      readonly depth_is_lower_bound: boolean
      readonly cost_1k_bps: Estimate
      readonly cost_10k_bps: Estimate
      readonly volume_usd: Estimate
      /** Share of the minutes of the complete buckets whose volume is known */
      readonly volume_coverage: number | null
      readonly volatility_bps: Estimate
    }
    /** Oldest first; the last may be open */
    readonly buckets: readonly HistoryBucket[]
  }
  readonly percentiles: {
    /** Empty before the first board */
    readonly peers: readonly ({
      readonly key: "spread" | "depth" | "volume" | "stability"
      readonly value: number | null
      /** True if the value is a lower bound, because order books ended before 2 % of the mid */
      readonly is_lower_bound: boolean
      /** Among pairs of the same venue and class of quote currency */
      readonly venue: {
        readonly percentile: number | null
        readonly n: number
      }
      /** Among all pairs of the board */
      readonly all: {
        readonly percentile: number | null
        readonly n: number
      }
    })[]
    /** Rank of the newest complete bucket among all complete buckets */
    readonly own_history: readonly ({
      readonly key: "spread" | "depth" | "volume"
      readonly value: number | null
      /** True if the value is a lower bound, because order books ended before 2 % of the mid */
      readonly is_lower_bound: boolean
      /** Mid-rank, 100 = most liquid; null while n is below 20 */
      readonly percentile: number | null
      readonly n: number
    })[]
  }
  readonly microburst: {
    /** Why no figure is known; null when one is */
    readonly reason: "no_captures" | null
    readonly captures: number
    readonly captured_seconds: number
    readonly last_capture_at: Instant | null
    readonly burst_count: number
    /** Bursts per captured hour; null under 10 captured minutes */
    readonly bursts_per_hour: number | null
    readonly bursts: readonly Microburst[]
  }
  readonly onchain: {
    /** Why figures are null: no contract address of this token was approved, the approved address is not a contract on the indexed chain, or the chain could not be read now. Null when the chain was read; a figure that is null then is one that the contract does not report */
    readonly reason: "no_approved_address" | "not_indexed" | "chain_unavailable" | null
    readonly value: {
      readonly blockchain: string
      readonly contract_address: string
      /** Base units */
      readonly total_supply: string | null
      readonly decimals: number | null
      readonly code_present: boolean | null
      readonly read_at: Instant | null
    } | null
  }
  readonly data_health: {
    readonly expected: number
    readonly ok: number
    /** Longest series of due minutes without a good scan */
    readonly longest_gap_minutes: number
    /** Median over the window of the 95th percentile of each two hours */
    readonly latency_p95_ms: number | null
    /** Median difference between the exchange's clock and ours */
    readonly clock_skew_ms: number | null
    readonly stale: number
    readonly crossed: number
    /** Order books that ended before 2 % of the mid, so that their depth is a lower bound */
    readonly truncated: number
    readonly one_sided: number
    readonly errors: readonly {
      readonly class: string
      readonly count: number
    }[]
    /** By coverage; null before the first scan was due */
    readonly grade: "A" | "B" | "C" | "D" | "F" | null
    readonly coverage: number | null
    readonly stale_share: number | null
    readonly crossed_share: number | null
    readonly truncated_share: number | null
    readonly one_sided_share: number | null
  }
}

export type RiskPeers = {
  /** Place by risk score, 1 = riskiest; null without a score */
  readonly rank: number | null
  /** Pairs with a risk score */
  readonly of: number
  /** Place by 24-hour volume, 1 = largest */
  readonly volume_rank: number | null
  /** Pairs of other assets with the nearest 24-hour volume, largest first */
  readonly near: readonly ({
    readonly token_id: TokenId
    readonly symbol: Pair
    readonly grade: Letter | null
    readonly gpa_is_lower_bound?: boolean | undefined
    readonly risk_score: number | null
    readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted"
    readonly alerts: OpenAlerts
    readonly recent_alerts?: RecentAlerts | undefined
    readonly not_judged?: NotJudgedRules | undefined
    readonly spread_bps: number | null
    readonly depth_2pct_usd: number | null
    readonly depth_is_lower_bound: boolean
    readonly volume_24h_usd: number | null
  })[]
}

export type RiskRow = {
  readonly token_id: TokenId
  readonly exchange: ExchangeId
  readonly symbol: Pair
  readonly base: string
  readonly quote: string
  readonly name: string | null
  /** Exchange that states `name`. Another than `exchange` if it states none and the asset is proven to be the same there */
  readonly name_from: ExchangeId | null
  /** Korean name */
  readonly name_ko: string | null
  /** Exchange that states `name_ko` */
  readonly name_ko_from: ExchangeId | null
  /** Letter of `gpa`; null if `gpa` is null */
  readonly grade: Letter | null
  /** Grade point average, 0 to 4.3; null while a component is unknown */
  readonly gpa: Gpa | null
  readonly grades: {
    readonly spread: Letter | null
    readonly depth: Letter | null
    readonly volume: Letter | null
    readonly stability: Letter | null
  }
  /** Median of the last two hours, basis points of the mid */
  readonly spread_bps: number | null
  /** Twice the weaker side within 2 % of the mid, median of the last two hours */
  readonly depth_2pct_usd: number | null
  /** True if more than a quarter of the order books ended before 2 % of the mid: the real depth may be larger */
  readonly depth_is_lower_bound: boolean
  /** True if the depth is a lower bound and its letter is below A+: a deeper book could only raise `grade` and `gpa` */
  readonly gpa_is_lower_bound: boolean
  readonly volume_24h_usd: number | null
  /** Last price in the quote currency */
  readonly price: number | null
  readonly change_24h_pct: number | null
  readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted"
  readonly outlook: "improving" | "stable" | "worsening" | null
  /** Delisting risk as a rank among the peers, 100 is the riskiest; null with too few of them */
  readonly risk_score: number | null
  readonly flags: readonly VenueFlag[]
  readonly alerts: OpenAlerts
  readonly recent_alerts?: RecentAlerts | undefined
  readonly not_judged?: NotJudgedRules | undefined
  /** Time of the newest observation in the row; null before the first */
  readonly updated_at: Instant | null
  readonly risk: DelistingRisk | null
}

export type ScoreMonth = {
  /** UTC month */
  readonly month: string
  /** UTC day whose last ranks were kept: the first of the month that has some */
  readonly snapshot: string
  /** Days after it within which a delisting counts: 30, 90 or 365 */
  readonly days: number
  /** Ranked pairs that nobody had announced for delisting */
  readonly pairs: number
  /** Of them announced for delisting, or delisted, within `days` */
  readonly delisted: number
  /** Chance that a delisted pair ranked above another one; 0.5 is a coin, null below five delisted pairs */
  readonly auc: number | null
  /** The tenth of the pairs with the highest ranks, equal ranks included */
  readonly top_tenth: {
    readonly pairs: number
    readonly delisted: number
  }
  readonly computed_at: Instant
}

export type ScreenedRow = {
  readonly token_id: TokenId
  readonly exchange: ExchangeId
  readonly symbol: Pair
  readonly base?: string | undefined
  readonly quote?: string | undefined
  readonly name?: string | null | undefined
  /** Exchange that states `name`. Another than `exchange` if it states none and the asset is proven to be the same there */
  readonly name_from?: ExchangeId | null | undefined
  /** Korean name */
  readonly name_ko?: string | null | undefined
  /** Exchange that states `name_ko` */
  readonly name_ko_from?: ExchangeId | null | undefined
  /** Letter of `gpa`; null if `gpa` is null */
  readonly grade?: Letter | null | undefined
  /** Grade point average, 0 to 4.3; null while a component is unknown */
  readonly gpa?: Gpa | null | undefined
  readonly grades?: {
    readonly spread: Letter | null
    readonly depth: Letter | null
    readonly volume: Letter | null
    readonly stability: Letter | null
  } | undefined
  /** Median of the last two hours, basis points of the mid */
  readonly spread_bps?: number | null | undefined
  /** Twice the weaker side within 2 % of the mid, median of the last two hours */
  readonly depth_2pct_usd?: number | null | undefined
  /** True if more than a quarter of the order books ended before 2 % of the mid: the real depth may be larger */
  readonly depth_is_lower_bound?: boolean | undefined
  /** True if the depth is a lower bound and its letter is below A+: a deeper book could only raise `grade` and `gpa` */
  readonly gpa_is_lower_bound?: boolean | undefined
  readonly volume_24h_usd?: number | null | undefined
  /** Last price in the quote currency */
  readonly price?: number | null | undefined
  readonly change_24h_pct?: number | null | undefined
  readonly lifecycle?: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted" | undefined
  readonly outlook?: "improving" | "stable" | "worsening" | null | undefined
  /** Delisting risk as a rank among the peers, 100 is the riskiest; null with too few of them */
  readonly risk_score?: number | null | undefined
  readonly flags?: readonly VenueFlag[] | undefined
  readonly alerts: OpenAlerts
  readonly recent_alerts: RecentAlerts
  readonly not_judged: NotJudgedRules
  /** Time of the newest observation in the row; null before the first */
  readonly updated_at?: Instant | null | undefined
}

/** projected: no published calendar covers this day */
export type SessionState = "open" | "closed" | "holiday" | "early_close" | "projected"

export type Signal = {
  readonly signal_id: string
  /** Rises by one from signal to signal of the vault */
  readonly seq: number
  readonly market: MarketId
  readonly side: "long" | "short" | "flat"
  /** Target position in basis points of a follower's leg equity; 0 for flat */
  readonly weight_bps: number
  readonly limit_price: VenueDecimal | null
  readonly valid_until: Instant | null
  readonly note: string | null
  readonly recorded_price: VenueDecimal
  readonly recorded_at: Instant
  /** Random; part of what is hashed */
  readonly salt: string
  /** Hash of the signal before; null for the first */
  readonly previous_hash: string | null
  /** SHA-256 of the RFC 8785 JSON of the other members and vault_id, previous_hash as an empty string if null */
  readonly hash: string
}

/** USDC, negative for a loss */
export type SignedUsdc = string

/** none: paper. server: confirm with execute. client: sign action in the browser, post it, then record it */
export type SignMode = "none" | "server" | "client"

/** Most that the price may be worse than the middle price, as a fraction */
export type Slippage = string

/** true: older than usual, because the venue or the budget of requests refused a newer reading */
export type StaleReading = boolean

export type Submission = {
  /** Submission id */
  readonly id: string
  readonly token_id: TokenId
  readonly field_name: MetadataFieldName
  readonly field_value: string
  readonly evidence_url: string
  readonly status: "pending" | "approved" | "rejected"
  readonly points: number
  readonly cherry: Cherry
  readonly submitted_at: Instant
  readonly reviewed_at: Instant | null
  readonly review_reason: string | null
  readonly payout: Payout | null
}

export type Target = {
  readonly exchange: ExchangeId
  readonly symbol: Pair
  readonly token_id: TokenId
  /** `paused`: the target exceeds the number that the tier allows, or waits for a place at an exchange whose scan_pairs equals its scan_capacity and then resumes by itself */
  readonly status: "active" | "paused"
  /** Captures of 60 seconds of trades and books per UTC day; a value above 0 needs Tier 2 */
  readonly microburst_hf_captures: number
  readonly added_at: Instant
  readonly scan: {
    /** `pending`: not scanned yet. `failing`: the newest scan had no usable order book. `late`: the newest scan is older than 3 minutes */
    readonly status: "pending" | "ok" | "failing" | "late" | "paused"
    /** Why there is nothing to scan now; null while the pair trades and its exchange answers */
    readonly reason?: "halted" | "delisted" | "exchange_silent" | null | undefined
    /** Minute of the newest scan; null before the first */
    readonly at: Instant | null
    /** Class of failure of the newest scan; null if it succeeded */
    readonly error: string | null
    readonly mid: number | null
    readonly spread_bps: number | null
    /** Newest within 10 minutes, twice the weaker side */
    readonly depth_2pct_usd: number | null
    /** True if the order book ended before 2 % of the mid, so that the real depth may be larger */
    readonly depth_is_lower_bound: boolean
    /** Minute of the scan with this depth */
    readonly depth_at?: Instant | null | undefined
    /** Depth of that scan within percents of the mid, by side */
    readonly depth_bands?: readonly {
      readonly band_pct: number
      readonly bid_usd: number
      readonly ask_usd: number
      readonly is_lower_bound: boolean
    }[] | undefined
    /** Number of good scans in the last 60 minutes */
    readonly ok_1h: number
  }
  readonly grade: Letter | null
  readonly gpa: Gpa | null
  /** True if a deeper order book could only raise `gpa` */
  readonly gpa_is_lower_bound: boolean
  /** Null before the first board */
  readonly grades: {
    readonly spread: Letter | null
    readonly depth: Letter | null
    readonly volume: Letter | null
    readonly stability: Letter | null
  } | null
  readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted" | null
  readonly outlook: "improving" | "stable" | "worsening" | null
  readonly alerts: OpenAlerts
  readonly recent_alerts?: RecentAlerts | undefined
  readonly not_judged?: NotJudgedRules | undefined
}

/** Token id */
export type TokenId = string

/** Why an order is refused, in the order in which it is judged */
export type TradeCode = "live_trading_off" | "agent_not_paired" | "no_mandate" | "mandate_not_working" | "market_not_allowed" | "over_order_cap" | "over_daily_cap" | "over_open_notional" | "session_closed" | "builder_fee_not_approved" | "account_not_linked" | "price_out_of_band" | "confirm_expired"

export type TradeEstimate = {
  /** Average price through the book as it is now; null if nothing fills */
  readonly price: string | null
  readonly size: string
  /** The order executes at this price or a better one */
  readonly worst_price: string
  /** Highest of worst price, mark, middle of the book and, for a sell, best bid; null for an order that was prepared by a release that counted at the worst price */
  readonly reference_price: string | null
  readonly notional_usdc: Usdc
  readonly fee_usdc: Usdc
  readonly slippage_bps: number | null
  /** Of the position after the order; null without one */
  readonly liquidation_price: string | null
}

export type TradeMode = "paper" | "live"

export type TradeResult = {
  readonly ok: true
  /** Null in a dry run */
  readonly order_id: OrderId | null
  readonly order: LegOrder
  /** After the order; null if it could not be read */
  readonly position: LegPositionAfter | null
  /** Null for paper */
  readonly usage: OrderCap | null
  readonly judgement: RefusalBlock
  /** Orders of the own account have no receipt */
  readonly receipt: null
  /** True if more was executed than was prepared */
  readonly violation: boolean
}

/** prepared: waits for confirmation. offered: the key in the browser may post it. signed: sent, and the venue has not said what became of it. The others are final; expired: it was never sent */
export type TradeState = "prepared" | "offered" | "signed" | "filled" | "partial" | "missed" | "rejected" | "expired"

/** USDC, at most 6 decimals */
export type Usdc = string

/** UTC day */
export type UtcDay = string

/** Action as it is posted to the venue: strings hash as they stand here */
export type VenueAction = Readonly<Record<string, string | number>>

/** Decimal text */
export type VenueDecimal = string

export type VenueFlag = {
  /** The venue's own name of the warning */
  readonly flag: string
  /** Class of the warning; each class sets a minimum risk score */
  readonly meaning: "caution" | "warning" | "margin_delisting" | "delisting_announced" | "delisted_elsewhere"
  readonly since: Instant
  /** When the warning takes effect; null if the venue states no time */
  readonly effective_at: Instant | null
  /** Where it was read; null for warnings of before this was stored */
  readonly source: string | null
  /** When the venue published it; null if the venue states no time */
  readonly published_at: Instant | null
  /** From `published_at` to `since`; null if `published_at` is null */
  readonly lateness_seconds: number | null
}

/** Parameter of eth_signTypedData_v4 */
export type VenueTypedData = {
  readonly domain: {
    readonly name: string
    readonly version: string
    /** Chain id */
    readonly chainId: number
    readonly verifyingContract: Address
  }
  readonly types: Readonly<Record<string, readonly {
    readonly name: string
    readonly type: string
  }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, string | number>>
}

/** Wallet address */
export type WalletAddress = string

/** Signature of the message of a nonce: personal_sign, or the form that a contract wallet accepts (ERC-1271, ERC-6492) */
export type WalletSignature = string

/** The prepared call as the parameter of eth_sendTransaction: hand it to the wallet as it is */
export type WalletTransaction = {
  readonly from: Address
  readonly to: Address
  /** Calldata */
  readonly data: string
  readonly value: string
  readonly chainId: string
}

export type Webhook = {
  readonly webhook_id: WebhookId
  readonly url: string
  readonly feed_keys: readonly FeedKey[]
  readonly pairs: readonly NamedPair[]
  readonly severity_min: number | null
  /** Items are sent while it is on */
  readonly state: "unverified" | "on" | "off"
  readonly created_at: Instant
  readonly last_delivered_at: Instant | null
  /** First failure since the last delivery */
  readonly failing_since: Instant | null
  readonly last_failure: string | null
  readonly off_at: Instant | null
  /** failing: nothing was accepted for a day; gone: the receiver answered 410; backlog: more than 5,000 items waited */
  readonly off_reason: "failing" | "gone" | "backlog" | null
  /** Until when the former secret signs along */
  readonly old_secret_ends_at: Instant | null
}

/** Webhook id */
export type WebhookId = string

export type WithdrawLock = {
  readonly locked: boolean
  readonly reason: "open" | "settle_grace" | null
  readonly until: Instant | null
  readonly detail: string | null
}

/** Input, answer and refusal codes of every route, by the name of its operation. */
export interface Operations {
  /** `POST /auth/wallet/nonce`: Get a message for your wallet to sign before you register, sign in or make a key. */
  readonly requestNonce: {
    readonly input: {
      readonly wallet_address: WalletAddress
      /** What the signature will be used for; it is valid for nothing else */
      readonly purpose?: "register" | "key" | "session" | undefined
    }
    readonly answer: {
      readonly nonce: string
      readonly message: string
      readonly expires_at: Instant
    }
    readonly code: "body_too_large" | "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /auth/wallet/session`: Sign in as an owner with your wallet. */
  readonly openSession: {
    readonly input: {
      readonly wallet_address: WalletAddress
      readonly signature: WalletSignature
      /** The signed message as POST /auth/wallet/nonce returned it; when absent, the newest open messages of the wallet are tried */
      readonly message?: string | undefined
    }
    readonly answer: {
      readonly ok: true
      /** JWT for Authorization: Bearer */
      readonly token: string
      readonly expires_at: Instant
      /** Refresh token, for one use */
      readonly refresh_token: string
      readonly user_id: AccountId
      readonly wallet_address: WalletAddress
    }
    readonly code: "body_too_large" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "message_expired" | "message_mismatch" | "nonce_unknown" | "origin_refused" | "rate_limited" | "secret_already_shown" | "signature_invalid" | "signature_malleable" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /auth/session/refresh`: Exchange your refresh token for a new access token and refresh token. */
  readonly refreshSession: {
    readonly input: {
      /** Refresh token, for one use */
      readonly refresh_token: string
    }
    readonly answer: {
      readonly ok: true
      /** JWT for Authorization: Bearer */
      readonly token: string
      readonly expires_at: Instant
      /** Refresh token, for one use */
      readonly refresh_token: string
      readonly user_id: AccountId
      readonly wallet_address: WalletAddress
    }
    readonly code: "body_too_large" | "internal" | "invalid_request" | "origin_refused" | "rate_limited" | "refresh_token_invalid" | "refresh_token_reused" | "session_over" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /auth/session/logout`: Sign out: end the owner session of this call. */
  readonly endSession: {
    readonly input: {}
    readonly answer: {
      readonly ok: true
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "origin_refused" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /.well-known/jwks.json`: List the public keys that verify our tokens (JWKS). */
  readonly listSigningKeys: {
    readonly input: {}
    readonly answer: {
      readonly keys: readonly {
        readonly kty: "OKP"
        readonly crv: "Ed25519"
        readonly x: string
        readonly kid: string
        readonly alg: "EdDSA"
        readonly use: "sig"
      }[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /auth/service/token`: Get an access token for the keeper of this deployment. */
  readonly mintServiceToken: {
    readonly input: {
      /** SVC_KEEPER_CLIENT_SECRET */
      readonly client_secret: string
    }
    readonly answer: {
      readonly ok: true
      /** JWT for Authorization: Bearer */
      readonly token: string
      readonly expires_at: Instant
    }
    readonly code: "body_too_large" | "client_secret_wrong" | "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /auth/agent/keys`: List the API keys of your agent account. */
  readonly listKeys: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly ApiKey[]
      readonly next_cursor: null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /auth/agent/keys`: Make another API key for your agent account. */
  readonly createKey: {
    readonly input: {
      readonly wallet_address?: WalletAddress | undefined
      readonly signature?: WalletSignature | undefined
      /** The signed message as POST /auth/wallet/nonce returned it; when absent, the newest open messages of the wallet are tried */
      readonly message?: string | undefined
      /** Name of the key, for its owner */
      readonly name?: string | undefined
      readonly scopes?: readonly ("read" | "write")[] | undefined
      readonly expires_at?: Instant | null | undefined
    }
    readonly answer: {
      /** Key id */
      readonly key_id: string
      /** Name of the key, for its owner */
      readonly name: string
      readonly scopes: readonly ("read" | "write" | "tx")[]
      readonly created_at: Instant
      readonly expires_at: Instant | null
      readonly ok: true
      /** API key, shown only here */
      readonly api_key: string
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "key_limit" | "key_outlives_grantor" | "message_expired" | "message_mismatch" | "missing_scope" | "nonce_unknown" | "not_registered" | "rate_limited" | "scope_not_grantable" | "secret_already_shown" | "signature_invalid" | "signature_malleable" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `DELETE /auth/agent/keys/{key_id}`: Revoke an API key of your agent account. */
  readonly revokeKey: {
    readonly input: {
      /** Key id */
      readonly key_id: string
    }
    readonly answer: {
      readonly ok: true
      /** Key id */
      readonly key_id: string
      readonly revoked_at: Instant
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_key" | "unsupported_media_type"
  }
  /** `POST /hub/agents/pair-code`: Make a code that pairs an agent with you, its owner. */
  readonly createPairCode: {
    readonly input: {}
    readonly answer: {
      readonly ok: true
      /** XXXX-XXXX */
      readonly code: string
      readonly expires_at: Instant
      readonly ttl_seconds: number
      /** What to tell the agent */
      readonly instruction: string
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "scope_denied" | "secret_already_shown" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/agents/pair`: Pair your agent with the owner who made the code. */
  readonly pairAgent: {
    readonly input: {
      /** Pair code of the owner */
      readonly code: string
      /** Let the owner spend your Cherry */
      readonly owner_may_spend?: boolean | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly owner: AgentOwner
      readonly agent_id: AccountId
      readonly agent_wallet: WalletAddress
      /** Whether the wallet can act under this owner's mandates */
      readonly wallet_ready: boolean
      readonly accepts_mandates: boolean
      readonly owner_may_spend: boolean
      /** What the agent does next */
      readonly next: string
      /** What makes the wallet ready, when it is not */
      readonly wallet_steps?: readonly string[] | undefined
    }
    readonly code: "agent_limit" | "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "not_found" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "wrong_status"
  }
  /** `DELETE /hub/agents/me/owner-spending`: Take back that your owner may spend your Cherry. */
  readonly revokeOwnerSpending: {
    readonly input: {}
    readonly answer: {
      readonly ok: true
      readonly owner_may_spend: false
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /auth/agent/register`: Register your agent and get its first API key. */
  readonly registerAgent: {
    readonly input: {
      readonly wallet_address: WalletAddress
      readonly signature: WalletSignature
      /** The signed message as POST /auth/wallet/nonce returned it; when absent, the newest open messages of the wallet are tried */
      readonly message?: string | undefined
      /** Name of the agent, chosen freely */
      readonly agent_name: string
    }
    readonly answer: {
      readonly ok: true
      readonly user_id: AccountId
      /** API key, shown only here */
      readonly api_key: string
      readonly welcome_cherry: 10
      readonly tier: "free"
    }
    readonly code: "already_registered" | "body_too_large" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "message_expired" | "message_mismatch" | "nonce_unknown" | "rate_limited" | "secret_already_shown" | "signature_invalid" | "signature_malleable" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /hub/agents`: List the agents paired with you. */
  readonly listAgents: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly Agent[]
      readonly next_cursor: null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/agents/me`: Read who you are: your account, agent or agents, and newest mandates. */
  readonly readOwnAgent: {
    readonly input: {}
    readonly answer: {
      readonly account_id: AccountId
      readonly kind: "agent" | "owner"
      readonly wallet: WalletAddress
      readonly agent: Agent | null
      readonly paired_agents: readonly Agent[]
      /** The newest mandates that name the agent, or that the owner owns; null when unreadable */
      readonly mandates: readonly {
        readonly public_id: MandateId
        readonly name: string
        readonly state: MandateState
        /** Whether the agent has confirmed the mandate */
        readonly accepted: boolean
        readonly changed_at: Instant
      }[] | null
      readonly agent_keys: {
        /** Active keys of the agent, or of all paired agents; null when unreadable */
        readonly count: number | null
      }
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/agents/{agent_id}`: Read one of your agents with its keys. */
  readonly readAgent: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
    }
    readonly answer: {
      readonly agent_id: AccountId
      readonly name: string
      readonly wallet: WalletAddress
      readonly registered_at: Instant
      /** null while no owner has paired it */
      readonly owner: AgentOwner | null
      readonly paired_at: Instant | null
      readonly policy: AgentPolicy
      readonly policy_updated_at: Instant | null
      /** Stored at most once in 30 seconds; null while never seen */
      readonly last_seen_at: Instant | null
      readonly channel: "http" | "mcp" | null
      readonly agent_keys: {
        /** Active keys; null when unreadable */
        readonly count: number | null
      }
      /** Live keys, oldest first, without their secrets */
      readonly keys: readonly ApiKey[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /hub/agents/{agent_id}/keys/{key_id}/scopes`: Set the scopes of a key of an agent that you own. */
  readonly setKeyScopes: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
      /** Key id */
      readonly key_id: string
      readonly scopes: readonly ("read" | "write" | "tx")[]
    }
    readonly answer: {
      readonly ok: true
      readonly agent_id: AccountId
      /** Key id */
      readonly key_id: string
      readonly scopes: readonly ("read" | "write" | "tx")[]
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent_key" | "unsupported_media_type"
  }
  /** `GET /hub/agents/{agent_id}/policy`: Read the policy of your agent and its last 10 changes. */
  readonly readPolicy: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
    }
    readonly answer: {
      readonly agent_id: AccountId
      readonly policy: AgentPolicy
      /** null while the policy was never opened */
      readonly updated_at: Instant | null
      /** The last 10 changes, newest first */
      readonly changes: readonly PolicyChange[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `PUT /hub/agents/{agent_id}/policy`: Replace the whole policy of an agent that you own. */
  readonly replacePolicy: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
      /** Whether the agent accepts mandates at all */
      readonly accepts_mandates: boolean
      /** Most mandates open at once; null sets no limit */
      readonly max_open_mandates: number | null
      /** Largest budget of one mandate, USDC; null sets no limit, "0" allows nothing */
      readonly max_budget_usdc: Usdc | null
      /** Largest per-transaction cap of a mandate, USDC; null sets no limit, "0" allows nothing */
      readonly per_tx_cap_usdc: Usdc | null
      /** Largest daily cap of a mandate, USDC; null sets no limit, "0" allows nothing */
      readonly daily_cap_usdc: Usdc | null
      /** Markets a mandate may name; null allows any, [] none */
      readonly allowed_markets: readonly MarketId[] | null
      /** Largest approval amount of a mandate: the mandate must require approval of every spending above it; null requires no approval, "0" one for each spending */
      readonly approval_above_usdc: Usdc | null
      /** Cherry the agent may spend on paid reads in a UTC day; null sets no limit */
      readonly daily_cherry_budget: Cherry | null
    }
    readonly answer: {
      readonly ok: true
      /** null when nothing changed */
      readonly direction: "tighten" | "widen" | "mixed" | null
      readonly agent_id: AccountId
      readonly policy: AgentPolicy
      /** null while the policy was never opened */
      readonly updated_at: Instant | null
      /** The last 10 changes, newest first */
      readonly changes: readonly PolicyChange[]
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /agent/mining/fields/{exchange}/{symbol}`: List the metadata fields of a pair, with what you would earn for each. */
  readonly listFields: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: PairInPath
    }
    readonly answer: {
      readonly token_id: TokenId
      readonly total_empty: number
      readonly total_points: number
      readonly total_cherry_on_approval: Cherry
      /** Alias of total_cherry_on_approval */
      readonly total_cherry: Cherry
      readonly groups: readonly ({
        readonly key: string
        readonly fields: readonly ({
          readonly field: MetadataFieldName
          readonly points: number
          readonly cherry_on_approval: Cherry
          /** Alias of cherry_on_approval */
          readonly cherry: Cherry
          readonly current_value: string | null
          readonly pending: boolean
        })[]
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_pair"
  }
  /** `POST /agent/mining/submit`: Submit metadata of a token with evidence, to be reviewed and paid in Cherry. */
  readonly submitMetadata: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** Fields with their values */
      readonly entries: readonly {
        /** A field of the pair */
        readonly field_name: string
        /** Its value */
        readonly field_value: string
        /** Public https URL */
        readonly evidence_url: string
      }[]
      /** Check only, store nothing */
      readonly dry_run?: boolean | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly dry_run: true
      readonly token_id: TokenId
      readonly entries: readonly {
        readonly field_name: MetadataFieldName
        readonly points: number
        readonly cherry_on_approval: Cherry
        readonly checks: readonly MachineCheck[]
      }[]
      readonly total_points: number
      readonly total_cherry_on_approval: Cherry
    } | {
      readonly ok: true
      readonly submission_ids: readonly string[]
      readonly total_points: number
      readonly total_cherry_on_approval: Cherry
    }
    readonly code: "body_too_large" | "field_pending" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_entries" | "invalid_request" | "missing_scope" | "pending_limit" | "rate_limited" | "submissions_paused" | "temporarily_unavailable" | "unauthenticated" | "unknown_pair" | "unsupported_media_type"
  }
  /** `GET /agent/mining/submissions`: List your submissions with their review status and payout. */
  readonly listSubmissions: {
    readonly input: {
      /** Entries of a page */
      readonly limit?: number | undefined
      /** Only submissions with this status */
      readonly status?: "pending" | "approved" | "rejected" | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly Submission[]
      readonly next_cursor: string | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /agent/mining/balance`: Read your Cherry balance and recent mining rewards. */
  readonly miningBalance: {
    readonly input: {}
    readonly answer: {
      /** Cherry on the ledger now */
      readonly balance: number
      /** Cherry of approved entries that the ledger has not booked yet */
      readonly queued: Cherry
      /** Cherry paid to you for mining per UTC day; a single larger reward is paid on a day of its own */
      readonly daily_limit: Cherry
      readonly recent_rewards: readonly {
        /** Submission id */
        readonly submission_id: string
        readonly token_id: TokenId
        readonly field_name: MetadataFieldName
        readonly points: number
        readonly cherry: Cherry
        readonly approved_at: Instant
        readonly payout: Payout
      }[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /admin/mining/queue`: List the submissions that await your review. */
  readonly reviewQueue: {
    readonly input: {
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly ({
        /** Submission id */
        readonly id: string
        readonly token_id: TokenId
        readonly field_name: MetadataFieldName
        readonly field_value: string
        readonly evidence_url: string
        readonly points: number
        readonly cherry: Cherry
        readonly submitted_at: Instant
        readonly exchange: ExchangeId
        readonly symbol: Pair
        readonly account_id: AccountId
        readonly current_value: string | null
        readonly miner: {
          readonly approved: number
          readonly rejected: number
          /** Wilson lower bound (95 %) of the share of approvals */
          readonly acceptance_lower_bound: number
        }
        readonly checks: readonly MachineCheck[]
        /** Null until the evidence has been fetched */
        readonly finding: EvidenceFinding | null
        readonly approvals: number
        readonly approvals_needed: number
        readonly lapses_at: Instant
      })[]
      readonly next_cursor: string | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /admin/mining/submissions/{id}/review`: Approve or reject a submission, as a reviewer. */
  readonly reviewSubmission: {
    readonly input: {
      /** Submission id */
      readonly id: string
      readonly decision: "approve" | "reject"
      /** Required for a rejection; the miner reads it */
      readonly reason?: string | undefined
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      readonly submission: Submission
      readonly approvals: number
      readonly approvals_needed: number
    }
    readonly code: "already_reviewed" | "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "self_review" | "temporarily_unavailable" | "unauthenticated" | "unknown_submission" | "unsupported_media_type"
  }
  /** `GET /prices`: Read the posted prices: what mining pays and what each tier costs. */
  readonly readPrices: {
    readonly input: {}
    readonly answer: {
      /** Cherry paid per approved point */
      readonly payout_point_price: number
      readonly tiers: readonly {
        readonly tier: number
        readonly name: string
        readonly cherry_per_month: Cherry
        readonly requests_per_day: number
      }[]
      readonly welcome_cherry: Cherry
      /** Listings by listing_id, with the price of a signal; null: not known at present */
      readonly paid_reads: readonly {
        readonly key: string
        readonly title: string
        readonly cherry: Cherry
      }[] | null
      readonly computed_at: Instant
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `PUT /admin/prices`: Post a new payout price per point, for all miners. */
  readonly setPrices: {
    readonly input: {
      /** Cherry paid per approved point */
      readonly payout_point_price: number
    }
    readonly answer: {
      readonly ok: true
      readonly version: number
      /** Cherry paid per approved point */
      readonly payout_point_price: number
      readonly posted_at: Instant
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /feeds/catalog`: List the feeds you may subscribe to, with the schema and a sample of their items. */
  readonly listFeeds: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly ({
        readonly feed_key: FeedKey
        readonly title: string
        readonly description: string
        readonly tier: number
        /** JSON Schema of an item's data */
        readonly schema: Readonly<Record<string, unknown>>
        /** Seconds between items; 0: an item whenever something happens */
        readonly interval_seconds: number
        /** A real item's data, with at most 3 entries of each list; see `sample_of` */
        readonly sample: Readonly<Record<string, unknown>>
        /** Names the item of the sample: the newest one; in a paid feed the newest that is at least a day old. Null before the first such item: the sample then comes from a replayed market */
        readonly sample_of: {
          readonly seq: number
          readonly at: Instant
        } | null
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /feeds/subscribe`: Subscribe your account to a feed. */
  readonly subscribeFeed: {
    readonly input: {
      /** Feed, from GET /feeds/catalog */
      readonly feed_key: string
    }
    readonly answer: {
      readonly ok: true
      readonly feed_key: FeedKey
      readonly subscribed_at: Instant
      /** Send it as since to read only items after this call */
      readonly newest_seq: number
      /** Path at which to read the feed */
      readonly data: string
      /** Path at which to follow the feed */
      readonly stream: string
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_feed" | "unsupported_media_type"
  }
  /** `POST /feeds/unsubscribe`: Unsubscribe your account from a feed. */
  readonly unsubscribeFeed: {
    readonly input: {
      /** Feed, from GET /feeds/catalog */
      readonly feed_key: string
    }
    readonly answer: {
      readonly ok: true
      readonly feed_key: FeedKey
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_feed" | "unsupported_media_type"
  }
  /** `GET /feeds/data/{feed_key}`: Read items of a feed that you are subscribed to, after a cursor. */
  readonly readFeed: {
    readonly input: {
      /** Feed, from GET /feeds/catalog */
      readonly feed_key: string
      /** Last seq you have seen; `now` for items that are still to come. Default 0: from the oldest item kept */
      readonly since?: "now" | number | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly feed_key: FeedKey
      readonly items: readonly ({
        readonly specversion: "1.0"
        /** Unique within `source` */
        readonly id: string
        /** The feed */
        readonly source: string
        /** Kind of the item; of crisis alerts with what happened to the episode */
        readonly type: string
        /** The pair, of feeds whose items are about one pair */
        readonly subject?: string | undefined
        /** Same as `at` */
        readonly time: Instant
        readonly datacontenttype: "application/json"
        /** Rises by one from item to item of a feed */
        readonly seq: number
        readonly at: Instant
        /** Has the schema that the catalogue names */
        readonly data: Readonly<Record<string, unknown>>
      })[]
      /** Send it as since in the next call */
      readonly next_since: number
      /** seq of the newest item; 0 before the first */
      readonly newest_seq: number
      /** Number of items after since that are no longer kept */
      readonly missed: number
    }
    readonly code: "cursor_ahead" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_subscribed" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_feed"
  }
  /** `GET /feeds/stream/{feed_key}`: Follow a feed that you are subscribed to, as Server-Sent Events. */
  readonly followFeed: {
    readonly input: {
      /** Feed, from GET /feeds/catalog */
      readonly feed_key: string
      /** Last seq you have seen; `now` for items that are still to come. Default 0: from the oldest item kept */
      readonly since?: "now" | number | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
    }
    readonly answer: ({
      readonly feed_key: FeedKey
      readonly items: readonly ({
        readonly specversion: "1.0"
        /** Unique within `source` */
        readonly id: string
        /** The feed */
        readonly source: string
        /** Kind of the item; of crisis alerts with what happened to the episode */
        readonly type: string
        /** The pair, of feeds whose items are about one pair */
        readonly subject?: string | undefined
        /** Same as `at` */
        readonly time: Instant
        readonly datacontenttype: "application/json"
        /** Rises by one from item to item of a feed */
        readonly seq: number
        readonly at: Instant
        /** Has the schema that the catalogue names */
        readonly data: Readonly<Record<string, unknown>>
      })[]
      /** Send it as since in the next call */
      readonly next_since: number
      /** seq of the newest item; 0 before the first */
      readonly newest_seq: number
      /** Number of items after since that are no longer kept */
      readonly missed: number
    })['items'][number]
    readonly code: "cursor_ahead" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_subscribed" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "too_many_streams" | "unauthenticated" | "unknown_feed"
  }
  /** `POST /feeds/webhooks`: Create a webhook, to which items of feeds are sent once you verified it. */
  readonly createWebhook: {
    readonly input: {
      /** https on port 443 of a public address */
      readonly url: string
      /** Feeds whose items are sent; your account is subscribed to each */
      readonly feed_keys: readonly FeedKey[]
      /** Only items that name one of these pairs are sent; empty: all */
      readonly pairs?: readonly PairName[] | undefined
      /** Only alerts of this severity or above are sent; items without a severity always are */
      readonly severity_min?: number | null | undefined
    }
    readonly answer: {
      readonly webhook_id: WebhookId
      readonly url: string
      readonly feed_keys: readonly FeedKey[]
      readonly pairs: readonly NamedPair[]
      readonly severity_min: number | null
      /** Items are sent while it is on */
      readonly state: "unverified" | "on" | "off"
      readonly created_at: Instant
      readonly last_delivered_at: Instant | null
      /** First failure since the last delivery */
      readonly failing_since: Instant | null
      readonly last_failure: string | null
      readonly off_at: Instant | null
      /** failing: nothing was accepted for a day; gone: the receiver answered 410; backlog: more than 5,000 items waited */
      readonly off_reason: "failing" | "gone" | "backlog" | null
      /** Until when the former secret signs along */
      readonly old_secret_ends_at: Instant | null
      readonly ok: true
      /** Secret that signs, shown only here: whsec_ and 32 bytes in base64 */
      readonly secret: string
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "not_subscribed" | "rate_limited" | "secret_already_shown" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unsupported_media_type" | "webhook_limit" | "webhooks_not_configured"
  }
  /** `GET /feeds/webhooks`: List the webhooks of your account, oldest first. */
  readonly listWebhooks: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly Webhook[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /feeds/webhooks/{webhook_id}/verify`: Send a challenge to a webhook, which turns it on once its receiver answers. */
  readonly verifyWebhook: {
    readonly input: {
      readonly webhook_id: WebhookId
    }
    readonly answer: {
      readonly webhook_id: WebhookId
      readonly url: string
      readonly feed_keys: readonly FeedKey[]
      readonly pairs: readonly NamedPair[]
      readonly severity_min: number | null
      /** Items are sent while it is on */
      readonly state: "unverified" | "on" | "off"
      readonly created_at: Instant
      readonly last_delivered_at: Instant | null
      /** First failure since the last delivery */
      readonly failing_since: Instant | null
      readonly last_failure: string | null
      readonly off_at: Instant | null
      /** failing: nothing was accepted for a day; gone: the receiver answered 410; backlog: more than 5,000 items waited */
      readonly off_reason: "failing" | "gone" | "backlog" | null
      /** Until when the former secret signs along */
      readonly old_secret_ends_at: Instant | null
      readonly ok: true
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_webhook" | "unsupported_media_type" | "webhook_challenge_failed" | "webhooks_not_configured"
  }
  /** `POST /feeds/webhooks/{webhook_id}/test`: Send a test event to a webhook that is on, and return what its receiver answered. */
  readonly testWebhook: {
    readonly input: {
      readonly webhook_id: WebhookId
    }
    readonly answer: {
      readonly ok: true
      readonly delivered: boolean
      /** Header webhook-id of the event */
      readonly message_id: string
      /** HTTP status; null if nothing answered */
      readonly answered_status: number | null
      readonly reason: string | null
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_webhook" | "unsupported_media_type" | "webhook_not_verified" | "webhooks_not_configured"
  }
  /** `POST /feeds/webhooks/{webhook_id}/rotate`: Give a webhook a new secret. */
  readonly rotateWebhookSecret: {
    readonly input: {
      readonly webhook_id: WebhookId
    }
    readonly answer: {
      readonly webhook_id: WebhookId
      readonly url: string
      readonly feed_keys: readonly FeedKey[]
      readonly pairs: readonly NamedPair[]
      readonly severity_min: number | null
      /** Items are sent while it is on */
      readonly state: "unverified" | "on" | "off"
      readonly created_at: Instant
      readonly last_delivered_at: Instant | null
      /** First failure since the last delivery */
      readonly failing_since: Instant | null
      readonly last_failure: string | null
      readonly off_at: Instant | null
      /** failing: nothing was accepted for a day; gone: the receiver answered 410; backlog: more than 5,000 items waited */
      readonly off_reason: "failing" | "gone" | "backlog" | null
      /** Until when the former secret signs along */
      readonly old_secret_ends_at: Instant | null
      readonly ok: true
      /** Secret that signs, shown only here: whsec_ and 32 bytes in base64 */
      readonly secret: string
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "secret_already_shown" | "temporarily_unavailable" | "unauthenticated" | "unknown_webhook" | "unsupported_media_type" | "webhooks_not_configured"
  }
  /** `DELETE /feeds/webhooks/{webhook_id}`: Delete a webhook; what waited for it is not sent. */
  readonly deleteWebhook: {
    readonly input: {
      readonly webhook_id: WebhookId
    }
    readonly answer: {
      readonly ok: true
      readonly webhook_id: WebhookId
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_webhook" | "unsupported_media_type"
  }
  /** `POST /subscriptions/cherries/subscribe`: Buy a tier for your account with Cherry, or extend it. */
  readonly subscribe: {
    readonly input: {
      /** Tier to buy */
      readonly tier: 1 | 2
      /** Months of 30 days */
      readonly months: number
      /** Quote of upgrade-preview */
      readonly quote_id?: string | undefined
      /** For owner sessions: a paired agent. Omit it for your own account */
      readonly agent_id?: number | undefined
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      /** Tier to buy */
      readonly tier: 1 | 2
      /** Months of 30 days */
      readonly months: number
      /** What the purchase does to the running subscription */
      readonly action: "start" | "extend" | "upgrade"
      /** Price of the tier for these months */
      readonly price: Cherry
      /** floor(paid × unused seconds ÷ bought seconds) of the running lower tier; 0 unless upgrading */
      readonly credit: Cherry
      /** Cherry debited: price - credit, at least 0 */
      readonly charge: Cherry
      /** Credit above the price; it becomes time of the new tier */
      readonly leftover: Cherry
      /** floor(leftover × 2 592 000 ÷ monthly price) */
      readonly leftover_seconds: number
      readonly started_at: Instant
      readonly ends_at: Instant
      readonly tier_name: "free" | "tier_1" | "tier_2"
      readonly balance: Cherry
      /** Null in a dry run, and when the credit covered the price */
      readonly transfer_id: number | null
    }
    readonly code: "body_too_large" | "downgrade_not_possible" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "insufficient_cherry" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "quote_stale" | "rate_limited" | "spending_not_allowed" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /subscriptions/cherries/upgrade-preview`: Read what a tier would cost your account now, with the arithmetic, and get a quote of it. */
  readonly previewUpgrade: {
    readonly input: {
      /** Tier to buy */
      readonly tier?: number | undefined
      /** Months of 30 days */
      readonly months?: number | undefined
      /** For owner sessions: a paired agent. Omit it for your own account */
      readonly agent_id?: number | undefined
    }
    readonly answer: {
      /** Quote of upgrade-preview */
      readonly quote_id: string
      /** The quote is honoured before this time */
      readonly expires_at: Instant
      /** Tier to buy */
      readonly tier: 1 | 2
      /** Months of 30 days */
      readonly months: number
      /** What the purchase does to the running subscription */
      readonly action: "start" | "extend" | "upgrade"
      /** Price of the tier for these months */
      readonly price: Cherry
      /** floor(paid × unused seconds ÷ bought seconds) of the running lower tier; 0 unless upgrading */
      readonly credit: Cherry
      /** Cherry debited: price - credit, at least 0 */
      readonly charge: Cherry
      /** Credit above the price; it becomes time of the new tier */
      readonly leftover: Cherry
      /** floor(leftover × 2 592 000 ÷ monthly price) */
      readonly leftover_seconds: number
      readonly started_at: Instant
      readonly ends_at: Instant
      /** Tier, 0 = Free */
      readonly current_tier: number
      readonly current_ends_at: Instant | null
      /** Terms of the credit; null unless upgrading */
      readonly credit_of: {
        readonly paid: Cherry
        readonly unused_seconds: number
        readonly bought_seconds: number
      } | null
      readonly balance: Cherry
      readonly affordable: boolean
      readonly computed_at: Instant
    }
    readonly code: "downgrade_not_possible" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "spending_not_allowed" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/agents/{agent_id}/cherry`: Read the Cherry balance and the tier of an agent, as the agent or its owner. */
  readonly readAgentCherry: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
    }
    readonly answer: {
      readonly agent_id: AccountId
      readonly balance: Cherry
      /** Tier, 0 = Free */
      readonly tier: number
      readonly tier_name: "free" | "tier_1" | "tier_2"
      readonly tier_ends_at: Instant | null
      /** Whether the agent lets its owner spend its Cherry */
      readonly owner_may_spend: boolean
      readonly computed_at: Instant
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /subscriptions/tiers`: List the tiers with their prices in Cherry and what they include. */
  readonly listTiers: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly ({
        /** Tier, 0 = Free */
        readonly tier: number
        readonly name: "free" | "tier_1" | "tier_2"
        /** Price of 30 days */
        readonly cherry_per_month: Cherry
        readonly requests_per_day: number
        readonly targets: number
        readonly pdfs_per_month: number
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /subscriptions/status`: Read your subscription, its limits and how much of them you have used. */
  readonly readStatus: {
    readonly input: {}
    readonly answer: {
      /** Tier, 0 = Free */
      readonly tier: number
      readonly tier_name: "free" | "tier_1" | "tier_2"
      readonly status: "free" | "active" | "lapsed"
      readonly started_at: Instant | null
      readonly ends_at: Instant | null
      readonly seconds_left: number
      readonly requests_per_day: number
      /** Requests of the UTC day; absent while unknown. Calls that another gateway has reserved count as used */
      readonly requests?: {
        readonly limit: number
        readonly used: number
        readonly remaining: number
        readonly resets_at: Instant
      } | undefined
      /** Priority targets; used is null while unknown */
      readonly targets: {
        readonly limit: number
        readonly used: number | null
      }
      /** PDF reports of the UTC month; used is null while unknown */
      readonly pdf_usage: {
        readonly limit: number
        readonly used: number | null
        readonly resets_at: Instant
      }
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /subscriptions/cherries/proof`: Read the proof that your Cherry balance is in the signed root of a day. */
  readonly readBalanceProof: {
    readonly input: {
      /** UTC day of the root; default: the newest that covers your account */
      readonly day?: string | undefined
    }
    readonly answer: {
      readonly account_id: AccountId
      /** Random bytes before the first entry; only you can read them */
      readonly genesis: string
      readonly leaf: {
        readonly entries: number
        readonly balance: Cherry
        readonly head: string
      }
      /** Place of the leaf in the tree, from 0 */
      readonly position: number
      /** Hashes beside the way from the leaf to the root */
      readonly path: readonly string[]
      /** UTC day of the root */
      readonly day: string
      /** Accounts that the root covers */
      readonly accounts: number
      /** Root of the Merkle tree over all accounts */
      readonly root: string
      readonly computed_at: Instant
      /** Compact JWS of typ "balance-root+json" over {day, accounts, root, computed_at, signed_at}; the key is in /.well-known/jwks.json */
      readonly jws: string
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "no_balance_proof" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /subscriptions/cherries/roots`: List the signed roots over all Cherry balances, newest first. */
  readonly listBalanceRoots: {
    readonly input: {
      /** Days of a page */
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly items: readonly {
        /** UTC day of the root */
        readonly day: string
        /** Accounts that the root covers */
        readonly accounts: number
        /** Root of the Merkle tree over all accounts */
        readonly root: string
        readonly computed_at: Instant
        /** Compact JWS of typ "balance-root+json" over {day, accounts, root, computed_at, signed_at}; the key is in /.well-known/jwks.json */
        readonly jws: string
      }[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /subscriptions/cherries/balance`: Read the Cherry balance of your account. */
  readonly readBalance: {
    readonly input: {}
    readonly answer: {
      readonly balance: Cherry
      readonly computed_at: Instant
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /subscriptions/cherries/history`: List your Cherry transfers, newest first. */
  readonly listHistory: {
    readonly input: {
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
      /** For owner sessions: a paired agent. Omit it for your own account */
      readonly agent_id?: number | undefined
    }
    readonly answer: {
      readonly items: readonly ({
        /** Ledger transfer */
        readonly transfer_id: number
        readonly kind: "welcome" | "mining_reward" | "subscription" | "paid_read" | "adjustment"
        /** Positive: received; negative: spent */
        readonly amount: number
        /** What the transfer is for: a submission, a purchase, an adjustment */
        readonly reference: string
        readonly created_at: Instant
        /** Number of the entry in the chain of your account, without gaps */
        readonly seq: number
        /** Hash of the entry, which covers all entries before it */
        readonly hash: string
        /** Account whose call bought a tier */
        readonly bought_by?: AccountId | undefined
      })[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /admin/cherry/adjustments`: Correct the Cherry balance of an account, as an admin. */
  readonly adjustCherry: {
    readonly input: {
      readonly user_id: AccountId
      /** Positive credits, negative debits; never 0 */
      readonly amount: number
      /** Why the balance is corrected */
      readonly reason: string
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      /** Adjustment; null in a dry run */
      readonly adjustment_id: number | null
      readonly user_id: AccountId
      readonly amount: number
      readonly balance: Cherry
      /** Null in a dry run */
      readonly transfer_id: number | null
    }
    readonly code: "body_too_large" | "cherry_out_of_range" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "insufficient_cherry" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_account" | "unsupported_media_type"
  }
  /** `GET /board`: Read or screen the board: grades, prices, risk scores, flags and open alerts of all trading pairs. */
  readonly readBoard: {
    readonly input: {
      /** Pairs by their ids, separated by commas; an unknown one has no row */
      readonly token_id?: string | undefined
      readonly exchange?: ExchangeId | undefined
      /** Part of a symbol or of a name, also of the Korean one, in any case */
      readonly q?: string | undefined
      /** Quote currencies, separated by commas */
      readonly quote?: string | undefined
      /** Letters of `grade`, separated by commas, for example A,A- */
      readonly grade?: string | undefined
      /** Least `gpa`; rows without a value are left out */
      readonly gpa_min?: number | undefined
      /** Greatest `gpa` */
      readonly gpa_max?: number | undefined
      /** Least `risk_score`; rows without a value are left out */
      readonly risk_score_min?: number | undefined
      /** Greatest `risk_score` */
      readonly risk_score_max?: number | undefined
      /** Least `volume_24h_usd`; rows without a value are left out */
      readonly volume_24h_usd_min?: number | undefined
      /** Greatest `volume_24h_usd` */
      readonly volume_24h_usd_max?: number | undefined
      /** States, separated by commas */
      readonly lifecycle?: string | undefined
      /** `open`: a crisis is open. `unknown`: not judged within ten minutes */
      readonly alerts?: "open" | "none" | "unknown" | undefined
      /** Rules of which one has an open crisis */
      readonly alert_rule?: string | undefined
      /** Least severity of an open crisis; rows without a value are left out */
      readonly alert_severity_min?: number | undefined
      /** With or without a flag of a venue */
      readonly flags?: "any" | "none" | undefined
      /** Classes of flags of which one stands */
      readonly flag_meaning?: string | undefined
      /** Order of the rows; rows without a value come last, equal rows by token_id */
      readonly sort?: "volume" | "gpa" | "risk_score" | "change" | "spread" | "depth" | "symbol" | undefined
      /** Default `asc` for spread and symbol, otherwise `desc` */
      readonly order?: "asc" | "desc" | undefined
      /** Members of each row, separated by commas; token_id, exchange, symbol, alerts, recent_alerts and not_judged are always in it. Default all */
      readonly fields?: string | undefined
      /** `snapshot` of the first page: 409 if a newer board has replaced it */
      readonly snapshot?: number | undefined
      /** Most rows in the answer; at most 100 without a key */
      readonly limit?: number | undefined
      /** Rows to skip */
      readonly offset?: number | undefined
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 15 minutes */
      readonly stale: boolean
      readonly pending: Pending
      readonly source: MarketSource
      /** Number of the snapshot; null before the first */
      readonly snapshot: number | null
      readonly formula_version: string | null
      /** Number of rows that match the filters */
      readonly total: number
      /** Most rows that this answer can have */
      readonly limit: number
      /** `without_key`: the answer is limited to 100 rows because the request has no key. Send a key, or read the next rows with `offset`. Null if the limit is the requested one */
      readonly limit_reason: "without_key" | null
      readonly offset: number
      readonly tokens: readonly ScreenedRow[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "snapshot_replaced" | "temporarily_unavailable" | "unauthenticated" | "unknown_exchange"
  }
  /** `GET /tokens/search`: Search trading pairs of all exchanges by symbol or name. */
  readonly searchTokens: {
    readonly input: {
      /** Part of a symbol or of a name, also of the Korean one, in any case */
      readonly q: string
      /** Entries of a page */
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 15 minutes */
      readonly stale: boolean
      readonly pending: Pending
      readonly source: MarketSource
      readonly total: number
      readonly items: readonly ({
        readonly token_id: TokenId
        readonly exchange: ExchangeId
        readonly symbol: Pair
        readonly base: string
        readonly quote: string
        readonly name: string | null
        /** Exchange that states `name`. Another than `exchange` if it states none and the asset is proven to be the same there */
        readonly name_from: ExchangeId | null
        /** Korean name */
        readonly name_ko: string | null
        /** Exchange that states `name_ko` */
        readonly name_ko_from: ExchangeId | null
        readonly grade: Letter | null
        readonly gpa: Gpa | null
        /** True if the depth is a lower bound and its letter is below A+: a deeper book could only raise `grade` and `gpa` */
        readonly gpa_is_lower_bound: boolean
        readonly lifecycle: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted"
        readonly outlook: "improving" | "stable" | "worsening" | null
        /** Delisting risk as a rank among the peers, 100 is the riskiest; null with too few of them */
        readonly risk_score: number | null
        readonly alerts: OpenAlerts
        readonly recent_alerts?: RecentAlerts | undefined
        readonly not_judged?: NotJudgedRules | undefined
        readonly volume_24h_usd: number | null
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /tokens/{token_id}`: Explain how the grades and the risk score of one pair were computed. */
  readonly explainToken: {
    readonly input: {
      readonly token_id: TokenId
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 15 minutes */
      readonly stale: boolean
      readonly pending: Pending
      readonly source: MarketSource
      readonly formula_version: string | null
      readonly inputs_sha256: string | null
      readonly row: BoardRow
      readonly instance_id: number
      /** Delisted token of another asset that had this symbol before, or null */
      readonly predecessor_instance_id: number | null
      readonly missing: readonly ("spread" | "depth" | "volume" | "stability")[]
      readonly n_peers: number
      readonly components: readonly GradeComponent[]
      readonly risk: DelistingRisk | null
      /** What the rank of this pair was worth in the past; null without a rank */
      readonly worth: DelistingWorth | null
      /** Means of the daily rank, no part of the score; null with fewer than half of the days */
      readonly rank_memory?: readonly ({
        readonly days: number
        readonly mean: number | null
        readonly known: number
      })[] | undefined
      readonly lifecycle_events: readonly ({
        /** Sequence number without gaps, per token */
        readonly seq: number
        readonly instance_id: number
        readonly from: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted" | null
        readonly to: "new" | "active" | "watch" | "at_risk" | "halted" | "delisted"
        readonly cause: string
        readonly evidence: Readonly<Record<string, unknown>>
        readonly at: Instant
      })[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_token"
  }
  /** `GET /coverage`: Read which exchanges are covered, how many pairs each has, and how current the data is. */
  readonly readCoverage: {
    readonly input: {}
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 15 minutes */
      readonly stale: boolean
      readonly pending: Pending
      readonly source: MarketSource
      readonly pairs: number
      readonly graded: number
      readonly exchanges: readonly ({
        readonly exchange: ExchangeId
        readonly source: "live" | "replay"
        /** Number of pairs that trade */
        readonly pairs: number
        readonly graded: number
        /** Number of pairs whose asset has a name */
        readonly named: number
        /** The same with a Korean name */
        readonly named_ko: number
        readonly halted: number
        readonly delisted: number
        /** When the last complete market list was read */
        readonly listed_at: Instant | null
        /** When prices were last accepted */
        readonly observed_at: Instant | null
        /** Share of the pairs with an order book from the last two hours */
        readonly depth_share: number | null
        /** The exchange refused for its request limit and is not called before this time; null if it is called */
        readonly budget_closed_until: Instant | null
        /** Pairs that the request limit of the exchange lets be scanned each minute; null if unknown */
        readonly scan_capacity: number | null
        /** Pairs that are scanned each minute, for all accounts */
        readonly scan_pairs: number
        readonly errors_1h: readonly {
          readonly class: string
          readonly count: number
        }[]
        /** Null if the exchange publishes none without a key, or none was read yet */
        readonly announcements: {
          readonly read_at: Instant
          /** When an announcement whose title we can read was first seen last */
          readonly known_at: Instant | null
          /** Whether the page still says what we can read: `nothing_read` after three days without an announcement on it, `no_known_title` after 120 days without a known title */
          readonly wording: "known" | "nothing_read" | "no_known_title"
        } | null
      })[]
      /** Lists of regulated exchanges behind the risk factor `regulated_venues` */
      readonly regulated_lists: readonly ({
        readonly venue: string
        /** When its market list was last read */
        readonly read_at: Instant | null
        readonly source: "live" | "replay" | null
        readonly assets: number | null
        /** False if the list is missing or older than 3 days */
        readonly counted: boolean
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /risk/bottom`: List the pairs with the lowest grades, each with its risk score. */
  readonly listRiskBottom: {
    readonly input: {
      /** Share of the graded tokens to list, percent */
      readonly percent?: number | undefined
      readonly exchange?: ExchangeId | undefined
      /** Most rows in the answer; at most 100 without a key */
      readonly limit?: number | undefined
      /** Rows to skip */
      readonly offset?: number | undefined
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 15 minutes */
      readonly stale: boolean
      readonly pending: Pending
      readonly source: MarketSource
      readonly formula_version: string | null
      readonly percent: number
      /** Number of graded tokens, of which `percent` is taken */
      readonly graded: number
      /** Number of tokens in the lowest `percent` */
      readonly total: number
      readonly limit: number
      readonly offset: number
      /** What each band of the score was worth in the past; null if this model was not measured */
      readonly worth: DelistingWorth | null
      readonly tokens: readonly RiskRow[]
      /** Pairs with an open crisis, whatever their grade; the most severe first */
      readonly in_crisis: readonly RiskRow[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_exchange"
  }
  /** `GET /risk/scoreboard`: Read how the delisting score and the crisis rules did, month by month. */
  readonly readScoreboard: {
    readonly input: {}
    readonly answer: {
      /** live: real exchanges; otherwise recorded or made-up markets */
      readonly source: "live" | "replay" | "mixed"
      /** First UTC day of which ranks are kept; null before the first */
      readonly since: string | null
      readonly scores: readonly ScoreMonth[]
      readonly rules: readonly CrisisMonth[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /tokens/{token_id}/history`: Read the past of one pair: grades, risk score, spread, depth, volume, lifecycle and crises over time. */
  readonly readTokenHistory: {
    readonly input: {
      readonly token_id: TokenId
      /** Time between points; an answer has at most 1,000 */
      readonly step?: "5m" | "1h" | "1d" | undefined
      /** Default a day, a week or 90 days before `to`, by the step */
      readonly from?: GivenInstant | undefined
      /** Default now */
      readonly to?: GivenInstant | undefined
      /** Instead of `from` and `to`: one point, of the finest step kept */
      readonly as_of?: GivenInstant | undefined
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 15 minutes */
      readonly stale: boolean
      readonly pending: Pending
      readonly source: MarketSource
      readonly token_id: TokenId
      readonly exchange: ExchangeId
      readonly symbol: Pair
      readonly alerts: OpenAlerts
      readonly recent_alerts?: RecentAlerts | undefined
      readonly not_judged?: NotJudgedRules | undefined
      readonly step: "5m" | "1h" | "1d"
      readonly from: Instant
      readonly to: Instant
      /** Older points of this step are no longer kept */
      readonly kept_from: Instant
      readonly points: readonly HistoryPoint[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_token"
  }
  /** `POST /agent/targets/add`: Add a pair to your priority targets, which are scanned every minute. */
  readonly addTarget: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** Captures of 60 seconds of trades and books per UTC day; a value above 0 needs Tier 2 */
      readonly microburst_hf_captures?: number | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** True if the pair is now scanned every minute */
      readonly priority_pool: boolean
      readonly message: string
      readonly next_steps: readonly string[]
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "target_limit" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_pair" | "unsupported_media_type" | "venue_full"
  }
  /** `GET /agent/targets`: List your priority targets with their newest scan, grades and outlook. */
  readonly listTargets: {
    readonly input: {}
    readonly answer: {
      /** Number of targets that your tier allows */
      readonly limit: number
      /** Number of active targets */
      readonly used: number
      readonly targets: readonly Target[]
      /** Exchanges of the targets, and how many scans each carries */
      readonly exchanges: readonly ({
        readonly exchange: ExchangeId
        /** Pairs that the request limit of the exchange lets be scanned each minute; null if unknown */
        readonly scan_capacity: number | null
        /** Pairs that are scanned each minute, for all accounts */
        readonly scan_pairs: number
      })[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated"
  }
  /** `POST /agent/targets/remove`: Remove a pair from your priority targets. */
  readonly removeTarget: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: Pair
    }
    readonly answer: {
      readonly ok: true
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** False if the pair was not a target */
      readonly removed: boolean
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_pair" | "unsupported_media_type"
  }
  /** `GET /alerts/crisis`: List crisis alerts: crashes, halts, vanished liquidity, depegs and official notices of pairs. */
  readonly listCrisisAlerts: {
    readonly input: {
      readonly exchange?: ExchangeId | undefined
      /** all: also ended ones */
      readonly state?: "open" | "all" | undefined
      /** Only episodes that opened at or after this time; with `state=all` also those that closed since then, at most 7 days back */
      readonly since?: GivenInstant | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
    }
    readonly answer: {
      /** Newest minute that was judged for any exchange; null before the first */
      readonly computed_at: Instant | null
      /** Newest minute that was judged for all requested exchanges; an episode that began later is not in the answer. Null before the first */
      readonly computed_to: Instant | null
      /** True if the last 5 minutes have not been judged: an empty list then does not mean that there is no crisis */
      readonly stale: boolean
      /** Newest judged minute of each exchange */
      readonly exchanges: readonly {
        readonly exchange: ExchangeId
        readonly computed_to: Instant
        readonly stale: boolean
      }[]
      readonly source: "live" | "replay" | "mixed"
      readonly total: number
      readonly items: readonly ({
        readonly episode_id: string
        readonly rule: "crash" | "liquidity_withdrawal" | "spread_blowout" | "halt" | "depeg" | "official_notice" | "cross_venue_gap"
        /** 1 from the threshold, 2 from 1.5 times it, 3 from twice it */
        readonly severity: number
        readonly token_id: TokenId
        readonly exchange: ExchangeId
        readonly symbol: Pair
        readonly opened_at: Instant
        readonly closed_at: Instant | null
        /** As `closed_as`, null if that is `unknown` */
        readonly close_reason: "recovered" | "ended" | null
        readonly closed_as?: ClosedAs | undefined
        /** Of the rule in its unit, when the episode opened */
        readonly value: number | null
        readonly threshold: number | null
        readonly worst_value?: number | null | undefined
        readonly value_now?: number | null | undefined
        readonly text: string
        readonly inputs: CrisisInputs
        readonly worst_inputs?: CrisisInputs | undefined
        readonly rules_version: string
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /arbitrage`: List arbitrage between two exchanges that is profitable after fees. */
  readonly listArbitrage: {
    readonly input: {
      /** Only this asset */
      readonly asset?: string | undefined
      /** Least `profit_usd` */
      readonly profit_usd_min?: number | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
      /** `true` adds equal tickers that are not paired, at most `limit` */
      readonly rejected?: "true" | "false" | undefined
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the pass is older than 3 minutes */
      readonly stale: boolean
      /** True until the first pass exists; an empty list then does not mean that there is no arbitrage */
      readonly pending: boolean
      readonly source: "live" | "replay" | "mixed"
      readonly total: number
      readonly items: readonly ArbitragePair[]
      /** Equal tickers that were not paired; empty unless `rejected` is `true` */
      readonly conflicts: readonly AssetConflict[]
      /** All of them, of `asset` if it is given */
      readonly conflicts_total: number
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /arbitrage/reel`: List assets by the price difference between exchanges. */
  readonly listArbitrageReel: {
    readonly input: {
      /** Only this asset */
      readonly asset?: string | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the pass is older than 3 minutes */
      readonly stale: boolean
      /** True until the first pass exists; an empty list then does not mean that there is no arbitrage */
      readonly pending: boolean
      readonly source: "live" | "replay" | "mixed"
      readonly total: number
      readonly items: readonly ReelItem[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /arbitrage/multi`: List arbitrage across three or more exchanges. */
  readonly listArbitrageMulti: {
    readonly input: {
      /** Only this asset */
      readonly asset?: string | undefined
      /** Least `profit_usd` */
      readonly profit_usd_min?: number | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly computed_at: Instant | null
      /** True if the pass is older than 3 minutes */
      readonly stale: boolean
      /** True until the first pass exists; an empty list then does not mean that there is no arbitrage */
      readonly pending: boolean
      readonly source: "live" | "replay" | "mixed"
      readonly total: number
      readonly items: readonly ArbitrageMulti[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated"
  }
  /** `GET /research/targets`: List the pairs that research can be read about: your targets, or those of your paired agent. */
  readonly listAgentTargets: {
    readonly input: {
      /** For owner sessions: the paired agent whose targets and reports are read, with its tier. Omit it for your own */
      readonly agent_id?: number | undefined
    }
    readonly answer: {
      /** Number of active targets */
      readonly used: number
      readonly targets: readonly Target[]
      /** Exchanges of the targets, and how many scans each carries */
      readonly exchanges: readonly ({
        readonly exchange: ExchangeId
        /** Pairs that the request limit of the exchange lets be scanned each minute; null if unknown */
        readonly scan_capacity: number | null
        /** Pairs that are scanned each minute, for all accounts */
        readonly scan_pairs: number
      })[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated"
  }
  /** `GET /research/pair`: Read the research data about one of your targets. */
  readonly readPairResearch: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** Days of data */
      readonly days?: number | undefined
      /** For owner sessions: the paired agent whose targets and reports are read, with its tier. Omit it for your own */
      readonly agent_id?: number | undefined
    }
    readonly answer: Research
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_a_target" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_pair"
  }
  /** `GET /agent/research/{exchange}/{symbol}`: Read the research data about one of your targets, with the pair in the path. */
  readonly readResearch: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: PairInPath
      /** Days of data */
      readonly days?: number | undefined
      /** For owner sessions: the paired agent whose targets and reports are read, with its tier. Omit it for your own */
      readonly agent_id?: number | undefined
    }
    readonly answer: Research
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_a_target" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_pair"
  }
  /** `POST /reports/pair_pdf`: Generate a PDF report about one of your targets. */
  readonly makeReport: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** Language of the report */
      readonly lang?: "en" | "ko" | undefined
      /** v1: summary on one page; v2: with factor breakdown, microbursts, peer percentiles and data health */
      readonly version?: "v1" | "v2" | undefined
    }
    readonly answer: {
      readonly ok: true
      /** Report id */
      readonly report_id: string
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** Language of the report */
      readonly lang: "en" | "ko"
      /** v1: summary on one page; v2: with factor breakdown, microbursts, peer percentiles and data health */
      readonly version: "v1" | "v2"
      readonly status: "generating" | "ready" | "failed"
      /** Null until the report is ready */
      readonly pages: number | null
      readonly bytes: number | null
      readonly created_at: Instant
      readonly sha256: string | null
      /** PDF reports of the UTC month; failed reports do not count */
      readonly allowance: {
        readonly limit: number
        readonly used: number
        readonly resets_at: Instant
      }
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "not_a_target" | "not_enough_data" | "pdf_limit" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_pair" | "unsupported_media_type"
  }
  /** `GET /reports`: List your reports about a pair, newest first. */
  readonly listReports: {
    readonly input: {
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
      /** For owner sessions: the paired agent whose targets and reports are read, with its tier. Omit it for your own */
      readonly agent_id?: number | undefined
    }
    readonly answer: {
      readonly items: readonly Report[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_pair"
  }
  /** `GET /reports/{report_id}/state`: Read the state of one of your reports. */
  readonly readReport: {
    readonly input: {
      /** Report id */
      readonly report_id: string
    }
    readonly answer: {
      readonly ok: true
      /** Report id */
      readonly report_id: string
      readonly exchange: ExchangeId
      readonly symbol: Pair
      /** Language of the report */
      readonly lang: "en" | "ko"
      /** v1: summary on one page; v2: with factor breakdown, microbursts, peer percentiles and data health */
      readonly version: "v1" | "v2"
      readonly status: "generating" | "ready" | "failed"
      /** Null until the report is ready */
      readonly pages: number | null
      readonly bytes: number | null
      readonly created_at: Instant
      readonly sha256: string | null
      /** PDF reports of the UTC month; failed reports do not count */
      readonly allowance: {
        readonly limit: number
        readonly used: number
        readonly resets_at: Instant
      }
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "report_failed" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_report"
  }
  /** `GET /reports/{report_id}`: Download one of your reports as PDF. */
  readonly downloadReport: {
    readonly input: {
      /** Report id */
      readonly report_id: string
      /** For owner sessions: the paired agent whose targets and reports are read, with its tier. Omit it for your own */
      readonly agent_id?: number | undefined
    }
    readonly answer: Report | Uint8Array
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "report_failed" | "temporarily_unavailable" | "tier_required" | "unauthenticated" | "unknown_report"
  }
  /** `POST /hub/mandates/draft`: Turn a note in plain words into a draft of a mandate. */
  readonly draftFromNote: {
    readonly input: {
      /** Purpose and limits of the mandate, in plain words */
      readonly note: string
      /** true: store the draft, unless it has problems */
      readonly save?: boolean | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly draft: {
        /** Clause 1: the most that may be paid in */
        readonly budget_usdc: Usdc
        /** Clause 2: the most that one call, or one opening order at the leg, may spend */
        readonly per_tx_cap_usdc: Usdc
        /** Clause 3: the most that all calls and opening orders of a UTC day may spend */
        readonly daily_cap_usdc: Usdc
        /** Clause 7: the worth at which the vault stops the agent; "0" switches the stop line off */
        readonly stop_line_usdc: Usdc
        /** Clause 6: a call or opening order that spends more waits for the owner; with null none waits, with "0" every one */
        readonly approval_above_usdc: Usdc | null
        /** Clause 4: market ids of GET /hub/markets */
        readonly markets: readonly MarketId[]
        /** Clause 5: the end, a whole second, 1 hour to 365 days ahead, with a leg at most 170 */
        readonly ends_at: Instant
        /** Clause 8: the agent's share of the profit in basis points, at most 3000 */
        readonly fee_bps: number
        /** Whether the agent also trades in the owner's own venue account; requires a market whose id begins with hl: */
        readonly hl_leg: boolean
        /** Part of the budget that may be out at the leg at one time, signed in clause 1; by default the whole budget if all markets begin with hl:, else required. Null without a leg, "0" while leg funding is off */
        readonly leg_budget_usdc: Usdc | null
        /** Minutes, 15 to 10080, without a request of the agent that names the mandate, after which its positions at the leg are closed; null never closes them. For a mandate with a leg only */
        readonly close_if_silent_minutes: number | null
        /** Whether the Hall names the vault, so that anybody can check the record of the agent against the chain. It shows your wallet and every amount, for good */
        readonly public_proof: boolean
        readonly name: string
      }
      readonly fields: readonly ({
        readonly field: "name" | "budget_usdc" | "per_tx_cap_usdc" | "daily_cap_usdc" | "stop_line_usdc" | "approval_above_usdc" | "markets" | "ends_at" | "fee_bps" | "leg_budget_usdc" | "close_if_silent_minutes" | "public_proof"
        readonly source: "note" | "preset"
        /** Words of the note; null if the preset set the field */
        readonly words: string | null
      })[]
      /** Words that cannot be read, and rules that the draft breaks; a draft with problems is not saved */
      readonly problems: readonly {
        readonly pointer: string
        readonly code: string
        readonly detail: string
      }[]
      /** Words of the note that no field uses: an amount, or a limit without an amount */
      readonly unread: readonly string[]
    } | {
      readonly ok: true
      readonly public_id: MandateId
      readonly draft: {
        /** Clause 1: the most that may be paid in */
        readonly budget_usdc: Usdc
        /** Clause 2: the most that one call, or one opening order at the leg, may spend */
        readonly per_tx_cap_usdc: Usdc
        /** Clause 3: the most that all calls and opening orders of a UTC day may spend */
        readonly daily_cap_usdc: Usdc
        /** Clause 7: the worth at which the vault stops the agent; "0" switches the stop line off */
        readonly stop_line_usdc: Usdc
        /** Clause 6: a call or opening order that spends more waits for the owner; with null none waits, with "0" every one */
        readonly approval_above_usdc: Usdc | null
        /** Clause 4: market ids of GET /hub/markets */
        readonly markets: readonly MarketId[]
        /** Clause 5: the end, a whole second, 1 hour to 365 days ahead, with a leg at most 170 */
        readonly ends_at: Instant
        /** Clause 8: the agent's share of the profit in basis points, at most 3000 */
        readonly fee_bps: number
        /** Whether the agent also trades in the owner's own venue account; requires a market whose id begins with hl: */
        readonly hl_leg: boolean
        /** Part of the budget that may be out at the leg at one time, signed in clause 1; by default the whole budget if all markets begin with hl:, else required. Null without a leg, "0" while leg funding is off */
        readonly leg_budget_usdc: Usdc | null
        /** Minutes, 15 to 10080, without a request of the agent that names the mandate, after which its positions at the leg are closed; null never closes them. For a mandate with a leg only */
        readonly close_if_silent_minutes: number | null
        /** Whether the Hall names the vault, so that anybody can check the record of the agent against the chain. It shows your wallet and every amount, for good */
        readonly public_proof: boolean
        readonly name: string
      }
      readonly fields: readonly ({
        readonly field: "name" | "budget_usdc" | "per_tx_cap_usdc" | "daily_cap_usdc" | "stop_line_usdc" | "approval_above_usdc" | "markets" | "ends_at" | "fee_bps" | "leg_budget_usdc" | "close_if_silent_minutes" | "public_proof"
        readonly source: "note" | "preset"
        /** Words of the note; null if the preset set the field */
        readonly words: string | null
      })[]
      /** Null if the draft belongs to an account */
      readonly claim_token: string | null
      readonly expires_at: Instant
    }
    readonly code: "body_too_large" | "draft_limit" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_mandate" | "invalid_request" | "rate_limited" | "secret_already_shown" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/mandates`: Create a draft of a mandate that you own. */
  readonly createMandate: {
    readonly input: {
      /** Name, for its owner */
      readonly name: string
      /** Clause 1: the most that may be paid in */
      readonly budget_usdc: Usdc
      /** Clause 2: the most that one call, or one opening order at the leg, may spend */
      readonly per_tx_cap_usdc: Usdc
      /** Clause 3: the most that all calls and opening orders of a UTC day may spend */
      readonly daily_cap_usdc: Usdc
      /** Clause 7: the worth at which the vault stops the agent; "0" switches the stop line off */
      readonly stop_line_usdc: Usdc
      /** Clause 6: a call or opening order that spends more waits for the owner; with null none waits, with "0" every one */
      readonly approval_above_usdc: Usdc | null
      /** Clause 4: market ids of GET /hub/markets */
      readonly markets: readonly MarketId[]
      readonly ends_at: GivenInstant
      /** Clause 8: the agent's share of the profit in basis points, at most 3000 */
      readonly fee_bps: number
      /** Whether the agent also trades in the owner's own venue account; requires a market whose id begins with hl: */
      readonly hl_leg?: boolean | undefined
      /** Part of the budget that may be out at the leg at one time, signed in clause 1; by default the whole budget if all markets begin with hl:, else required. Null without a leg, "0" while leg funding is off */
      readonly leg_budget_usdc?: Usdc | null | undefined
      /** Minutes, 15 to 10080, without a request of the agent that names the mandate, after which its positions at the leg are closed; null never closes them. For a mandate with a leg only */
      readonly close_if_silent_minutes?: number | null | undefined
      /** Whether the Hall names the vault, so that anybody can check the record of the agent against the chain. It shows your wallet and every amount, for good */
      readonly public_proof?: boolean | undefined
      /** Designated agent; null to designate it later */
      readonly agent_id?: AccountId | null | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly mandate: MandateSummary
      /** What others will be able to find out about the vault, for the owner to know before signing; null: nothing by the Hall */
      readonly exposure: string | null
    }
    readonly code: "agent_not_possible" | "body_too_large" | "draft_limit" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_mandate" | "invalid_request" | "missing_scope" | "policy_refuses" | "proof_exposes_others" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent" | "unsupported_media_type"
  }
  /** `PUT /hub/mandates/{public_id}`: Replace the fields of a draft that you own. */
  readonly correctMandate: {
    readonly input: {
      /** Name, for its owner */
      readonly name: string
      /** Clause 1: the most that may be paid in */
      readonly budget_usdc: Usdc
      /** Clause 2: the most that one call, or one opening order at the leg, may spend */
      readonly per_tx_cap_usdc: Usdc
      /** Clause 3: the most that all calls and opening orders of a UTC day may spend */
      readonly daily_cap_usdc: Usdc
      /** Clause 7: the worth at which the vault stops the agent; "0" switches the stop line off */
      readonly stop_line_usdc: Usdc
      /** Clause 6: a call or opening order that spends more waits for the owner; with null none waits, with "0" every one */
      readonly approval_above_usdc: Usdc | null
      /** Clause 4: market ids of GET /hub/markets */
      readonly markets: readonly MarketId[]
      readonly ends_at: GivenInstant
      /** Clause 8: the agent's share of the profit in basis points, at most 3000 */
      readonly fee_bps: number
      /** Whether the agent also trades in the owner's own venue account; requires a market whose id begins with hl: */
      readonly hl_leg?: boolean | undefined
      /** Part of the budget that may be out at the leg at one time, signed in clause 1; by default the whole budget if all markets begin with hl:, else required. Null without a leg, "0" while leg funding is off */
      readonly leg_budget_usdc?: Usdc | null | undefined
      /** Minutes, 15 to 10080, without a request of the agent that names the mandate, after which its positions at the leg are closed; null never closes them. For a mandate with a leg only */
      readonly close_if_silent_minutes?: number | null | undefined
      /** Whether the Hall names the vault, so that anybody can check the record of the agent against the chain. It shows your wallet and every amount, for good */
      readonly public_proof?: boolean | undefined
      /** Designated agent; null to designate it later */
      readonly agent_id?: AccountId | null | undefined
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly ok: true
      readonly mandate: MandateSummary
      /** What others will be able to find out about the vault, for the owner to know before signing; null: nothing by the Hall */
      readonly exposure: string | null
    }
    readonly code: "agent_not_possible" | "body_too_large" | "forbidden" | "hub_mandate_not_draft" | "internal" | "invalid_mandate" | "invalid_request" | "missing_scope" | "policy_refuses" | "proof_exposes_others" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/assign`: Designate the agent of a draft that you own. */
  readonly assignAgent: {
    readonly input: {
      readonly public_id: MandateId
      readonly agent_id: AccountId
    }
    readonly answer: {
      readonly ok: true
      readonly mandate: MandateSummary
      /** What others will be able to find out about the vault, for the owner to know before signing; null: nothing by the Hall */
      readonly exposure: string | null
    }
    readonly code: "agent_not_possible" | "body_too_large" | "forbidden" | "hub_mandate_not_draft" | "internal" | "invalid_request" | "missing_scope" | "policy_refuses" | "proof_exposes_others" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/claim`: Become the owner of a draft that was saved without a session. */
  readonly claimMandate: {
    readonly input: {
      readonly public_id: MandateId
      /** Claims an unowned draft; returned once */
      readonly claim_token: string
    }
    readonly answer: {
      readonly ok: true
      readonly mandate: MandateSummary
    }
    readonly code: "body_too_large" | "claim_invalid" | "draft_limit" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/accept`: Confirm a mandate that names you as its agent. */
  readonly acceptMandate: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly ok: true
      readonly public_id: MandateId
      readonly accepted_at: Instant
    }
    readonly code: "body_too_large" | "forbidden" | "hub_wrong_state" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `GET /hub/mandates`: List the mandates that you own or that name you as their agent. */
  readonly listMandates: {
    readonly input: {
      /** Only mandates in this state */
      readonly state?: MandateState | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly MandateSummary[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/mandates/{public_id}`: Read all details of one mandate, as its owner or agent. */
  readonly readMandate: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: MandateDetail
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/live`: Read the figures of a working mandate that change often, for polling. */
  readonly readLive: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly state: MandateState
      readonly usage: MandateUsage | null
      readonly leg: LegOfMandate | null
      readonly refusals_7d: {
        readonly total: number
        readonly by_kind: Readonly<Record<string, number>>
      }
      /** Newest stored mark; null before the first mark */
      readonly worth: {
        readonly at: Instant
        readonly worth_usdc: Usdc
        readonly block_number: number
      } | null
      readonly approvals_waiting: readonly Approval[]
      /** Activity of the agent; shown to the owner only, null if unknown */
      readonly agent: {
        readonly last_seen_at: Instant | null
        readonly channel: "http" | "mcp" | null
      } | null
      readonly record_seq: number
      readonly as_of: Instant
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/terms`: Read the terms that you sign or have signed as owner. */
  readonly readTerms: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly version: "2"
      /** EIP-712 digest of typed_data */
      readonly terms_hash: Hex32
      /** EIP-712 typed data, version 2, for eth_signTypedData_v4 */
      readonly typed_data: {
        readonly primaryType: "MandateTerms"
      } & Readonly<Record<string, unknown>>
      readonly clauses: readonly Clause[]
      /** Edition of the wording of the clauses; signed terms keep theirs. 1: an order at the leg counts at its worst price; 2: at its reference price */
      readonly clauses_edition: number
      /** False if no factory is configured; the terms must then be signed again once it is */
      readonly factory_configured: boolean
      /** True if the owner has signed exactly these terms */
      readonly signed: boolean
      readonly signed_at: Instant | null
      /** What others will be able to find out about the vault; null: nothing by the Hall */
      readonly exposure: string | null
    }
    readonly code: "agent_not_possible" | "forbidden" | "hub_no_agent" | "internal" | "invalid_mandate" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent" | "unknown_mandate"
  }
  /** `POST /hub/mandates/{public_id}/sign`: Sign the terms of a mandate that you own. */
  readonly signTerms: {
    readonly input: {
      readonly public_id: MandateId
      /** Signature by eth_signTypedData_v4, or one that a contract wallet accepts (ERC-1271, ERC-6492) */
      readonly signature: string
      readonly terms_hash: Hex32
    }
    readonly answer: {
      readonly ok: true
      readonly terms_hash: Hex32
      readonly signed_at: Instant
      readonly mandate: MandateSummary
    }
    readonly code: "agent_not_possible" | "body_too_large" | "forbidden" | "hub_no_agent" | "hub_signature_invalid" | "hub_signature_malleable" | "hub_terms_changed" | "hub_terms_over" | "hub_wrong_state" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_mandate" | "invalid_request" | "missing_scope" | "owner_wallet_unsupported" | "policy_refuses" | "proof_exposes_others" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `GET /hub/mandates/{public_id}/export/{standard}`: Export a signed mandate to the format of another standard. */
  readonly exportMandate: {
    readonly input: {
      readonly public_id: MandateId
      readonly standard: "erc7715" | "erc7710" | "spend-permission" | "zodiac-role" | "ap2"
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly standard: "erc7715" | "erc7710" | "spend-permission" | "zodiac-role" | "ap2"
      readonly terms_hash: Hex32
      /** Document that libraries of the standard read unchanged; null if the contracts of the standard have no known deployment on the chain of the terms, or if the terms allow no call of a contract */
      readonly document: Readonly<Record<string, unknown>> | null
      /** For each clause, what the document enforces */
      readonly coverage: readonly ({
        readonly clause: number
        /** lossy: the document enforces something similar; detail states the difference */
        readonly coverage: "enforced" | "lossy" | "not_enforced"
        readonly detail: string
      })[]
      readonly detail: string
    }
    readonly code: "forbidden" | "hub_sign_again" | "hub_wrong_state" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/clear-signing`: List the ERC-7730 descriptors that let your wallet show what you sign. */
  readonly listClearSigning: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly {
        /** File name */
        readonly name: string
        readonly descriptor: Readonly<Record<string, unknown>>
      }[]
      readonly next_cursor: null
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/mandates/{public_id}/create-call`: Get the call that an owner sends to create the vault of a mandate. */
  readonly prepareCreation: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      /** False while no factory is configured */
      readonly configured: boolean
      readonly call: PreparedCall | null
      readonly tx: WalletTransaction | null
      readonly factory: Address | null
      readonly terms_hash: Hex32
      readonly detail: string | null
    }
    readonly code: "forbidden" | "hub_sign_again" | "hub_terms_over" | "hub_vault_attached" | "hub_wrong_state" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `POST /hub/mandates/{public_id}/vault`: Attach the created vault to your mandate. */
  readonly attachVault: {
    readonly input: {
      readonly public_id: MandateId
      readonly tx_hash: Hex32
    }
    readonly answer: {
      readonly ok: true
      readonly vault: Address
      /** Chain id */
      readonly chain_id: number
      readonly factory: Address
      readonly state: MandateState
      readonly mandate: MandateSummary
    }
    readonly code: "body_too_large" | "forbidden" | "hub_chain_not_configured" | "hub_transaction_foreign" | "hub_transaction_reverted" | "hub_transaction_unconfirmed" | "hub_transaction_unknown" | "hub_vault_attached" | "hub_vault_mismatch" | "hub_wrong_state" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `GET /hub/mandates/{public_id}/stop-call`: Get the call that an owner sends to stop the vault and revoke the agent for good. */
  readonly prepareStop: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly call: PreparedCall | null
      readonly tx: WalletTransaction | null
      /** Why no call is possible; null with a call */
      readonly reason: string | null
      readonly detail: string | null
      /** When a call becomes possible; null when unknown or with a call */
      readonly until: Instant | null
    }
    readonly code: "forbidden" | "hub_vault_not_attached" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/pause-call`: Get the call that an owner sends to pause the vault by revoking the agent. */
  readonly preparePause: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly call: PreparedCall | null
      readonly tx: WalletTransaction | null
      /** Why no call is possible; null with a call */
      readonly reason: string | null
      readonly detail: string | null
      /** When a call becomes possible; null when unknown or with a call */
      readonly until: Instant | null
    }
    readonly code: "forbidden" | "hub_vault_not_attached" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/resume-call`: Get the call that an owner sends to end a pause. */
  readonly prepareResume: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly call: PreparedCall | null
      readonly tx: WalletTransaction | null
      /** Why no call is possible; null with a call */
      readonly reason: string | null
      readonly detail: string | null
      /** When a call becomes possible; null when unknown or with a call */
      readonly until: Instant | null
    }
    readonly code: "forbidden" | "hub_vault_not_attached" | "hub_wrong_state" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/withdraw-call`: Get the call that an owner sends to withdraw everything, or why and until when withdrawal is locked. */
  readonly prepareWithdrawal: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly call: PreparedCall | null
      readonly tx: WalletTransaction | null
      /** Why no call is possible; null with a call */
      readonly reason: string | null
      readonly detail: string | null
      /** When a call becomes possible; null when unknown or with a call */
      readonly until: Instant | null
      readonly lock: WithdrawLock
    }
    readonly code: "forbidden" | "hub_vault_not_attached" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/unwind-call`: Get the call that closes a position in the vault, for the agent or its owner. */
  readonly prepareUnwind: {
    readonly input: {
      readonly public_id: MandateId
      readonly target: Address
      /** Calldata */
      readonly data: string
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly call: PreparedCall
      readonly tx: WalletTransaction
    }
    readonly code: "forbidden" | "hub_agent_revoked" | "hub_call_not_listed" | "hub_mandate_not_closed" | "hub_vault_not_attached" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/close-all-plan`: Plan how an owner stops the vault, closes all positions and withdraws. */
  readonly planClosing: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly steps: readonly ({
        readonly n: number
        readonly action: "stop_record" | "close_leg" | "return_leg" | "stop" | "unwind" | "wait" | "withdraw" | "release_leg"
        readonly title: string
        /** Null for a step that waits or that a route takes */
        readonly call: PreparedCall | null
        readonly tx: WalletTransaction | null
        /** Route that takes the step; null for a step that waits or is sent to the chain */
        readonly route: string | null
        readonly until: Instant | null
        readonly market: string | null
        /** USDC that the venue pays now for the whole position; null when unknown */
        readonly exit_value_usdc: Usdc | null
        /** Fee and spread of that sale; null when unknown */
        readonly exit_cost_usdc: Usdc | null
        readonly detail: string | null
      })[]
      /** Null if a position has no price */
      readonly exit_value_usdc: Usdc | null
      readonly exit_cost_usdc: Usdc | null
      readonly idle_usdc: Usdc
      /** USDC of the vault that is at the leg */
      readonly leg_out_usdc: Usdc
      /** False if a venue with positions cannot be read */
      readonly complete: boolean
      readonly detail: string | null
      readonly computed_at: Instant
    }
    readonly code: "forbidden" | "hub_chain_not_configured" | "hub_vault_not_attached" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `POST /hub/mandates/{public_id}/vault-tx`: Record a transaction that the owner sent to the vault. */
  readonly recordVaultTransaction: {
    readonly input: {
      readonly public_id: MandateId
      readonly kind: "stop" | "pause" | "resume" | "withdraw" | "unwind" | "deposit"
      readonly tx_hash: Hex32
      /** Compared with the receipt; a different amount is rejected with amount_mismatch */
      readonly amount_usdc?: Usdc | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly state: MandateState
      readonly kind: "stop" | "pause" | "resume" | "withdraw" | "unwind" | "deposit"
      readonly tx_hash: Hex32
      /** Amount moved according to the receipt; null if it moved none */
      readonly amount_usdc: Usdc | null
    }
    readonly code: "amount_mismatch" | "body_too_large" | "forbidden" | "hub_chain_not_configured" | "hub_transaction_foreign" | "hub_transaction_reverted" | "hub_transaction_unconfirmed" | "hub_transaction_unknown" | "hub_vault_not_attached" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/settle`: Record the settlement of a vault for the keeper, from chain facts only. */
  readonly settleMandate: {
    readonly input: {
      readonly public_id: MandateId
      readonly tx_hash?: Hex32 | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly state: MandateState
      readonly settled_at: Instant
      readonly fee_usdc: Usdc
      readonly tx_hash: Hex32
      /** True if the settlement was recorded before */
      readonly already: boolean
    }
    readonly code: "body_too_large" | "forbidden" | "hub_chain_not_configured" | "hub_mandate_not_closed" | "hub_not_settled" | "hub_transaction_foreign" | "hub_transaction_reverted" | "hub_transaction_unconfirmed" | "hub_transaction_unknown" | "hub_vault_not_attached" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/stop`: Stop your mandate in the record; from then on the service rejects every call of its agent. */
  readonly stopMandate: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly ok: true
      readonly state: MandateState
      readonly stopped_in_record_at: Instant
      readonly chain_state: ChainState | null
      readonly lock: WithdrawLock | null
      readonly detail: string
    }
    readonly code: "body_too_large" | "forbidden" | "hub_wrong_state" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `GET /hub/mandates/{public_id}/execute-call`: Get the call that an agent sends to execute under a mandate, or the clause that refuses it. */
  readonly prepareExecution: {
    readonly input: {
      readonly public_id: MandateId
      /** Contract to call, with data */
      readonly target?: Address | undefined
      /** Calldata, with target */
      readonly data?: string | undefined
      /** In place of target and data: a market with calls, with action */
      readonly market?: MarketId | undefined
      /** A call of the market, with its parameters */
      readonly action?: "buy" | "sell" | "redeem" | undefined
      /** One of instruments */
      readonly instrument?: string | undefined
      readonly usdc_in?: Usdc | undefined
      /** Fewest units to accept */
      readonly min_units?: Usdc | undefined
      /** Units to sell */
      readonly units?: Usdc | undefined
      readonly min_usdc_out?: Usdc | undefined
      /** Most USDC that the target may take */
      readonly approve_amount_usdc: Usdc
      /** 1 also runs the call on the newest block without sending it; judgement.warning is set if it reverts */
      readonly check?: "0" | "1" | undefined
    }
    readonly answer: {
      readonly public_id: MandateId
      /** What the call does, with its worst price; absent if it cannot be read */
      readonly meaning?: string | undefined
      readonly call: PreparedCall
      readonly tx: WalletTransaction
      /** Approval that the call uses; null if it needs none */
      readonly approval_id: string | null
      /** When that approval expires; null without one */
      readonly expires_at: Instant | null
      readonly judgement: RefusalBlock
    } | {
      readonly ok: true
      readonly code: "pending_approval"
      readonly public_id: MandateId
      /** What the call does, with its worst price; absent if it cannot be read */
      readonly meaning?: string | undefined
      readonly approval: Approval
      readonly judgement: RefusalBlock
    }
    readonly code: "forbidden" | "hub_mandate_refuses" | "hub_vault_not_attached" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/approvals`: List the calls and orders of the leg of a mandate that wait for the owner or were decided. */
  readonly listApprovals: {
    readonly input: {
      readonly public_id: MandateId
      /** used: matched with its Executed event on the chain, or used by an order of the leg */
      readonly status?: "pending" | "approved" | "declined" | "used" | "expired" | undefined
      /** Id of a held call */
      readonly approval_id?: string | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly Approval[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `POST /hub/mandates/{public_id}/approvals/{approval_id}`: Approve or decline a held call or order of the leg as the owner of the mandate. */
  readonly decideApproval: {
    readonly input: {
      readonly public_id: MandateId
      /** Id of a held call */
      readonly approval_id: string
      readonly decision: "approve" | "decline"
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      readonly approval: Approval
    }
    readonly code: "body_too_large" | "forbidden" | "hub_approval_over" | "hub_unknown_approval" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/simulate`: Check for an agent or owner whether a call or an order of the leg would pass, without any effect. */
  readonly simulateExecution: {
    readonly input: {
      readonly public_id: MandateId
      readonly target?: Address | undefined
      /** Calldata */
      readonly data?: string | undefined
      readonly market?: MarketId | undefined
      /** Required for a market of the leg */
      readonly side?: "buy" | "sell" | undefined
      /** Required for a call; for a market of the leg this or size */
      readonly amount_usdc?: Usdc | undefined
      /** For a market of the leg alone, instead of amount_usdc */
      readonly size?: LegSize | undefined
      /** For a market of the leg alone */
      readonly max_slippage?: Slippage | undefined
    }
    readonly answer: {
      /** The call was judged; passes says how */
      readonly ok: true
      readonly public_id: MandateId
      /** True if neither the mandate nor the chain refuses the call, or if the order passes and was estimated */
      readonly passes: boolean
      readonly judgement: RefusalBlock
      /** Null without target and data */
      readonly chain: {
        readonly ok: boolean
        /** Custom error of the vault; null if the call succeeds */
        readonly error: string | null
        /** Custom error of the target; null if the target reports none */
        readonly target_error: string | null
      } | null
      /** Null for a call */
      readonly leg: {
        readonly estimate: LegEstimate | null
        /** Why there is no estimate; the order is then judged as an open of amount_usdc, or of nothing with a size */
        readonly missing: {
          readonly code: string
          readonly detail: string
        } | null
      } | null
    }
    readonly code: "body_too_large" | "forbidden" | "hub_chain_not_configured" | "hub_vault_not_attached" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/events`: Report an action of the agent under a mandate. */
  readonly reportEvent: {
    readonly input: {
      readonly public_id: MandateId
      /** What was done */
      readonly kind: "buy" | "sell" | "move" | "fee" | "resolve" | "note"
      readonly market?: MarketId | undefined
      /** Of a trade */
      readonly side?: "buy" | "sell" | undefined
      readonly amount_usdc?: Usdc | undefined
      /** Units traded */
      readonly quantity?: string | undefined
      /** Price of a unit */
      readonly price?: string | undefined
      readonly fee_usdc?: Usdc | undefined
      readonly tx_hash?: Hex32 | undefined
      /** When it happened: not in the future, and not before the mandate was created */
      readonly occurred_at: GivenInstant
      /** Text for the record */
      readonly note?: string | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly seq: number
      readonly violation: false
      readonly annotates: Hex32 | null
      /** True if the chain contradicts the report; null while the chain does not show the transaction */
      readonly contradicts_chain: boolean | null
    } | {
      readonly ok: true
      readonly seq: number
      readonly violation: true
      readonly annotates: Hex32 | null
      /** True if the chain contradicts the report; null while the chain does not show the transaction */
      readonly contradicts_chain: boolean | null
      readonly reason: string
      readonly clause: number | null
      readonly detail: string
    }
    readonly code: "body_too_large" | "forbidden" | "hub_vault_not_attached" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/refusals`: Report a refused attempt of the agent. */
  readonly reportRefusal: {
    readonly input: {
      readonly public_id: MandateId
      /** What refused it */
      readonly kind: "TargetNotAllowed" | "OverPerTxCap" | "OverDailyCap" | "MandateStopped" | "MandateEnded" | "server_guard"
      /** The refused call */
      readonly attempted: {
        readonly target?: Address | undefined
        readonly amount_usdc?: Usdc | undefined
        readonly market?: MarketId | undefined
      }
      readonly tx_hash?: Hex32 | undefined
      /** When it happened: not in the future, and not before the mandate was created */
      readonly occurred_at: GivenInstant
      /** Text for the record */
      readonly note?: string | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly refusal_id: number
      readonly kind: "TargetNotAllowed" | "OverPerTxCap" | "OverDailyCap" | "MandateStopped" | "MandateEnded" | "server_guard" | "owner_declined"
      readonly source: "chain" | "venue" | "server" | "agent" | "owner"
      /** The transaction was reported before, or chain-indexer found it first */
      readonly already: true
      readonly refusal: RefusalBlock
    } | {
      readonly ok: true
      readonly refusal_id: number
      readonly kind: "TargetNotAllowed" | "OverPerTxCap" | "OverDailyCap" | "MandateStopped" | "MandateEnded" | "server_guard" | "owner_declined"
      readonly source: "chain" | "venue" | "server" | "agent" | "owner"
      /** Result of reading the receipt */
      readonly proof: "proved" | "no_transaction" | "unknown_transaction" | "pending" | "succeeded" | "foreign" | "not_a_refusal"
      readonly refusal: RefusalBlock
    }
    readonly code: "body_too_large" | "forbidden" | "hub_vault_not_attached" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `GET /hub/mandates/{public_id}/record`: Read new steps of the record of a mandate, for its owner or agent. */
  readonly readRecord: {
    readonly input: {
      readonly public_id: MandateId
      /** next_since of the last page */
      readonly since?: string | undefined
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly steps: readonly ({
        /** Insert or replace the step with this id */
        readonly id: string
        /** Replace all steps of this group with those of the answer */
        readonly group: string
        readonly seq: number
        readonly at: Instant
        readonly kind: string
        readonly source: string
        readonly tx_hash: Hex32 | null
        readonly body: Readonly<Record<string, unknown>>
        readonly hash: string
      })[]
      readonly next_since: string
      readonly more: boolean
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/record/export`: Download the record of a mandate as a file that anybody can verify. */
  readonly exportRecord: {
    readonly input: {
      readonly public_id: MandateId
      readonly since?: string | undefined
    }
    readonly answer: Uint8Array
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/worth-series`: Read the worth over time of a mandate that you own or work on. */
  readonly readWorthSeries: {
    readonly input: {
      readonly public_id: MandateId
      /** How far back */
      readonly window?: "24h" | "7d" | "30d" | "all" | undefined
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly window: string
      readonly items: readonly ({
        readonly at: Instant
        /** Null if it was withheld */
        readonly worth_usdc: Usdc | null
        /** USDC of the vault */
        readonly vault_usdc: Usdc
        /** Part of vault_usdc that was sent to the address of the vault and is not in its books, because it is not recognised yet or exceeds the budget. Null if unknown */
        readonly unbooked_usdc: Usdc | null
        /** What the venues would pay for all positions; null if a position has no price */
        readonly positions_usdc: Usdc | null
        /** Null for a mandate without a leg */
        readonly leg_usdc: Usdc | null
        readonly source: "keeper" | "poller"
        readonly block_number: number
        readonly withheld_reason: string | null
        /** The largest positions of the vault; null while one has no price */
        readonly positions?: readonly {
          readonly asset: string
          /** Size, at most 6 decimals */
          readonly units: Usdc
          readonly worth_usdc: Usdc
        }[] | null | undefined
      })[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/statement`: Read the weekly statement of a mandate that you own. */
  readonly readStatement: {
    readonly input: {
      readonly public_id: MandateId
      /** ISO week, Monday to Sunday in UTC; the default is the present week */
      readonly week?: string | undefined
      /** pdf returns a file, like Accept: application/pdf */
      readonly format?: "json" | "pdf" | undefined
    }
    readonly answer: MandateStatement | Uint8Array
    readonly code: "forbidden" | "hub_wrong_state" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/me/statement`: Read one weekly statement of all mandates that you own, except drafts. */
  readonly readOwnStatement: {
    readonly input: {
      /** ISO week, Monday to Sunday in UTC; the default is the present week */
      readonly week?: string | undefined
      /** pdf returns a file, like Accept: application/pdf */
      readonly format?: "json" | "pdf" | undefined
    }
    readonly answer: OwnStatement | Uint8Array
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/mandates/{public_id}/bookings`: List deposits, trades with their lots, fees and withdrawals of a mandate that you own, oldest first. */
  readonly listBookings: {
    readonly input: {
      readonly public_id: MandateId
      /** n of the last booking of the page before; pages one reading */
      readonly after?: number | undefined
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly items: readonly Booking[]
      /** True if further bookings follow: repeat with after */
      readonly more: boolean
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/agents/{agent_id}/balances`: Read the balances of an agent that you are or own, in four states. */
  readonly readBalances: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
    }
    readonly answer: {
      readonly agent_id: AccountId
      readonly items: readonly ({
        /** Chain id */
        readonly chain_id: number
        /** Contract of the token, or its symbol */
        readonly asset: string
        /** Null if the wallet cannot be read */
        readonly idle: string | null
        readonly idle_in_wallet: string | null
        readonly idle_in_vaults: string
        readonly reserved: string
        readonly in_transit: string
        readonly delivered: string
      })[]
      readonly computed_at: Instant
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/agents/{agent_id}/offers`: List the mandates that wait for the confirmation of an agent that you are or own. */
  readonly listOffers: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly ({
        readonly public_id: MandateId
        readonly name: string
        readonly state: MandateState
        readonly owner_id: AccountId
        readonly owner_wallet: Address
        readonly created_at: Instant
        readonly changed_at: Instant
        /** When the draft expires; null once signed */
        readonly expires_at: Instant | null
        readonly agent: {
          readonly agent_id: AccountId
          readonly wallet: Address
          readonly accepted_at: Instant | null
        } | null
        readonly limits: MandateLimits
        readonly vault: Address | null
        readonly chain_id: number | null
        /** True if the owner has signed the terms; the owner can still change a draft */
        readonly signed: boolean
      })[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/agents/{agent_id}/activity`: List the activity of an agent that you are or own, newest first. */
  readonly listActivity: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly ({
        readonly at: Instant
        readonly kind: string
        readonly what: "event" | "balance" | "transfer" | "cherry"
        readonly public_id: MandateId | null
        /** Number of the entry in the record */
        readonly seq: number | null
        readonly transfer_id: number | null
        /** Transfer of GET /subscriptions/cherries/history */
        readonly cherry_transfer_id: number | null
        readonly tx_hash: Hex32 | null
        readonly body: Readonly<Record<string, unknown>>
      })[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/agents/records`: Read the public Record strips of up to 50 agents. */
  readonly readStrips: {
    readonly input: {
      /** Agent ids separated by commas, at most 50 */
      readonly ids: string
    }
    readonly answer: {
      readonly items: readonly RecordStrip[]
      readonly unknown_ids: readonly AccountId[]
      readonly computed_at: Instant
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/agents/{agent_id}/record`: Read the public Record strip of an agent. */
  readonly readStrip: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
    }
    readonly answer: {
      readonly agent_id: AccountId
      /** Level by verified claims of both kinds: Newcomer 0, Scout 1, Builder 5, Veteran 20, Pioneer 50 */
      readonly ladder: {
        readonly level: "Newcomer" | "Scout" | "Builder" | "Veteran" | "Pioneer"
        readonly verified_claims: number
        /** Null at the top */
        readonly next_level: "Newcomer" | "Scout" | "Builder" | "Veteran" | "Pioneer" | null
        readonly claims_to_next: number | null
      } | null
      /** An agent is ranked after 14 days and 10 trades. Null if the Hall cannot be read. For an agent that it does not have yet, days run from the first vault of a mandate to now, or to the end of the last mandate; a trade is an execution on the chain or a filled order of the leg. */
      readonly hall: {
        readonly ranked: boolean
        /** Rank in the Hall; null while the Hall does not rank the agent */
        readonly rank: number | null
        readonly days_live: number
        readonly trades: number
        readonly days_needed: number
        readonly trades_needed: number
      } | null
      /** Mandates with a vault, and how many of them have no violation */
      readonly limits: {
        readonly refusals_taken: number
        readonly mandates: number
        readonly mandates_kept_inside_limits: number
        /** Reported trades that contradict the chain */
        readonly reports_contradicting_chain: number
      } | null
      readonly work: {
        /** Claims of a task market that an admin verified */
        readonly task_market_claims: number
        /** Submissions of token metadata that reviewers approved and the ledger has paid, and claims of the knowledge graph that an admin verified */
        readonly knowledge_claims: number
      } | null
      /** No paper record is stored per agent */
      readonly paper: null
      /** Tier of the account, 0 = Free; null if it cannot be read */
      readonly posting_tier: number | null
      readonly computed_at: Instant
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent"
  }
  /** `POST /hub/transfers/report`: Report a transfer to or from your wallet or vaults as an agent. */
  readonly reportTransfer: {
    readonly input: {
      readonly agent_id: AccountId
      /** Chain of the transfer */
      readonly chain_id: number
      /** Contract of the token, or its symbol */
      readonly asset: string
      /** Amount of the asset */
      readonly amount: string
      readonly tx_hash: Hex32
      /** To or from the agent */
      readonly direction: "in" | "out"
      /** Seconds until it arrives */
      readonly eta_seconds?: number | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly transfer: {
        /** Number of the report; transfers of leg money have ids that begin with ltr_ */
        readonly transfer_id: number
        readonly agent_id: AccountId
        /** Chain id */
        readonly chain_id: number
        /** Contract of the token, or its symbol */
        readonly asset: string
        readonly amount: string
        readonly tx_hash: Hex32
        readonly direction: "in" | "out"
        readonly state: "in_transit" | "delivered"
        /** Why the transfer is still in transit; null once delivered */
        readonly reason: "waiting_for_chain" | "chain_not_read" | "asset_not_read" | "no_such_movement" | null
        readonly eta_at: Instant | null
        readonly reported_at: Instant
        readonly delivered_at: Instant | null
      }
    }
    readonly code: "body_too_large" | "forbidden" | "hub_transfer_reported" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /hub/deposit/routes`: List the routes by which owners can deposit money, best first. */
  readonly listDepositRoutes: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly ({
        readonly route_id: string
        readonly title: string
        readonly from: {
          readonly chain: string
          readonly asset: string
        }
        readonly to: {
          readonly chain: string
          readonly asset: string
        }
        readonly steps: readonly string[]
        /** Null if unknown; does not include network gas */
        readonly fee_usdc: Usdc | null
        readonly eta_seconds: number | null
        /** An estimate, not a quote */
        readonly quoted: false
      })[]
      readonly next_cursor: null
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/deposit/assets`: List the assets that owners can deposit. */
  readonly listDepositAssets: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly ({
        readonly chain: string
        readonly chain_id: number | null
        readonly asset: string
        readonly address: Address | null
        readonly decimals: number | null
        /** True if a vault accepts the asset without a conversion */
        readonly direct: boolean
      })[]
      readonly next_cursor: null
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/mandates/{public_id}/fund`: Get the calls that deposit USDC into the vault of a mandate that you own. */
  readonly planFunding: {
    readonly input: {
      readonly public_id: MandateId
      readonly amount_usdc?: Usdc | undefined
    }
    readonly answer: {
      readonly public_id: MandateId
      readonly vault: Address
      readonly chain_id: number
      readonly usdc: Address
      /** USDC that still fits into the budget */
      readonly room_usdc: Usdc
      readonly best_way_in: {
        readonly chain: string
        readonly asset: string
      }
      readonly amount_usdc: Usdc | null
      /** Send approve first, then deposit; null without amount_usdc */
      readonly calls: {
        readonly approve: PreparedCall
        readonly deposit: PreparedCall
      } | null
      readonly txs: {
        readonly approve: WalletTransaction
        readonly deposit: WalletTransaction
      } | null
      /** On a test chain: pays the sender 1,000 test USDC, once in 24 hours; null elsewhere */
      readonly faucet: PreparedCall | null
    }
    readonly code: "forbidden" | "hub_leg_min_deposit" | "hub_vault_not_attached" | "hub_wrong_state" | "internal" | "invalid_mandate" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `POST /hub/agents/{agent_id}/deposit-address`: Get the wallet address at which an agent that you are or own receives deposits. */
  readonly readDepositAddress: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
      readonly chain_id: number
    }
    readonly answer: {
      readonly ok: true
      readonly agent_id: AccountId
      /** Chain id */
      readonly chain_id: number
      readonly address: Address
      readonly custody: false
      /** True if arriving USDC is watched */
      readonly watched: boolean
      readonly detail: string
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_agent" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /hub/markets`: List the markets that a mandate can name, with their status and enforcer. */
  readonly listMarkets: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly ({
        readonly market_id: MarketId
        readonly title: string
        readonly venue: string
        /** A mandate cannot name a planned market yet */
        readonly status: "live" | "paper" | "planned"
        /** Who enforces the limits on this market */
        readonly enforced_by: "contract" | "venue" | "guard"
        /** Contract calls that clause 4 lists for the market; empty for a market of the leg */
        readonly calls: readonly ({
          readonly target: Address
          readonly selector: string
          /** Signature of the function */
          readonly function: string
          /** Send it with market to execute-call */
          readonly action?: string | undefined
          readonly parameters?: readonly ({
            readonly name: "instrument" | "usdc_in" | "min_units" | "units" | "min_usdc_out"
            readonly type: string
            /** In calldata a name is UTF-8 with zeros after it, an amount an integer of 0.000001 */
            readonly unit: "name" | "usdc" | "units"
            readonly meaning: string
          })[] | undefined
        })[]
        /** What the contract trades; empty: unknown */
        readonly instruments?: readonly string[] | undefined
        /** Adapter that prices positions on this market. Null means that the service does not mark their worth */
        readonly exit_adapter: string | null
        /** Null if the venue has no minimum */
        readonly min_order_usdc: Usdc | null
      })[]
      readonly next_cursor: null
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/me/alerts`: List the alerts about the mandates that you own, newest first. */
  readonly listAlerts: {
    readonly input: {
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
      /** 1 lists only alerts that are not resolved */
      readonly open?: "1" | undefined
    }
    readonly answer: {
      /** Verified chat for alerts; null if none is set */
      readonly telegram_chat_id: string | null
      /** Chat to which a code was sent, while the code is valid */
      readonly telegram_chat_id_to_verify: string | null
      /** Verified address for alerts; null if none is set */
      readonly email: string | null
      /** Address to which a code was sent, while the code is valid */
      readonly email_to_verify: string | null
      /** True for each channel by which this deployment sends alerts */
      readonly sending: {
        readonly telegram: boolean
        readonly email: boolean
      }
      /** When alerts are sent that are not critical */
      readonly times: {
        /** Time zone of the other members */
        readonly time_zone: string
        /** Hours in which only critical alerts are sent; they include midnight if from is later than to; null for no quiet hours */
        readonly quiet: {
          readonly from: string
          readonly to: string
        } | null
        /** When one message with the alerts of a day is sent, critical ones excepted; null sends each alert separately */
        readonly digest_at: string | null
      }
      readonly items: readonly ({
        readonly id: number
        readonly owner_id: AccountId
        readonly mandate_id: MandateId
        readonly kind: string
        readonly severity: "info" | "warning" | "critical"
        readonly text: string
        readonly link: string
        readonly created_at: Instant
        /** When the request of the alert ends without your action; null if it does not */
        readonly ends_at: Instant | null
        /** When nothing was left to do: a held call was decided or has lapsed, the mandate changed its state, the foreign agent may no longer act, or the agent's key was replaced or has expired. Null while the alert is open */
        readonly resolved_at: Instant | null
        /** When the alert was first sent, by any channel */
        readonly sent_at: Instant | null
        /** Tries by channel */
        readonly deliveries: readonly ({
          readonly channel: "telegram" | "email"
          readonly tries: number
          readonly sent_at: Instant | null
          /** Why the last try failed */
          readonly failure: string | null
        })[]
      })[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `PUT /hub/me/alert-times`: Set your quiet hours and the time of your daily digest. */
  readonly setAlertTimes: {
    readonly input: {
      /** Time zone of the other members */
      readonly time_zone: string
      /** Hours in which only critical alerts are sent; they include midnight if from is later than to; null for no quiet hours */
      readonly quiet: {
        readonly from: string
        readonly to: string
      } | null
      /** When one message with the alerts of a day is sent, critical ones excepted; null sends each alert separately */
      readonly digest_at: string | null
    }
    readonly answer: {
      readonly ok: true
      /** Time zone of the other members */
      readonly time_zone: string
      /** Hours in which only critical alerts are sent; they include midnight if from is later than to; null for no quiet hours */
      readonly quiet: {
        readonly from: string
        readonly to: string
      } | null
      /** When one message with the alerts of a day is sent, critical ones excepted; null sends each alert separately */
      readonly digest_at: string | null
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `PUT /hub/me/alert-channel`: Request a code that proves your Telegram chat, to receive alerts there. */
  readonly setAlertChannel: {
    readonly input: {
      readonly telegram_chat_id: string | null
    }
    readonly answer: {
      readonly ok: true
      readonly telegram_chat_id: null
      readonly sending: boolean
    } | {
      readonly ok: true
      /** Your chat with the bot of this deployment; start the bot first */
      readonly telegram_chat_id_to_verify: string
      readonly expires_at: Instant
      readonly sending: boolean
    }
    readonly code: "body_too_large" | "forbidden" | "hub_telegram_not_configured" | "hub_telegram_refused" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/me/alert-channel/verify`: Verify your Telegram chat by its code, so that alerts are sent there. */
  readonly verifyAlertChannel: {
    readonly input: {
      /** The code of the newest message */
      readonly code: string
    }
    readonly answer: {
      readonly ok: true
      /** Your chat with the bot of this deployment; start the bot first */
      readonly telegram_chat_id: string
      readonly sending: boolean
    }
    readonly code: "body_too_large" | "forbidden" | "hub_no_telegram_code" | "hub_telegram_code_wrong" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `PUT /hub/me/alert-email`: Request a code that proves your e-mail address, to receive alerts there. */
  readonly setAlertEmail: {
    readonly input: {
      /** One plain e-mail address */
      readonly email: string
    }
    readonly answer: {
      readonly ok: true
      /** One plain e-mail address */
      readonly email_to_verify: string
      readonly expires_at: Instant
      readonly sending: boolean
    }
    readonly code: "body_too_large" | "forbidden" | "hub_email_not_configured" | "hub_email_refused" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/me/alert-email/verify`: Verify your e-mail address by its code, so that alerts are sent there. */
  readonly verifyAlertEmail: {
    readonly input: {
      /** The code of the newest mail */
      readonly code: string
    }
    readonly answer: {
      readonly ok: true
      /** One plain e-mail address */
      readonly email: string
      readonly sending: boolean
    }
    readonly code: "body_too_large" | "forbidden" | "hub_email_code_wrong" | "hub_no_email_code" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `DELETE /hub/me/alert-email`: Stop alerts by e-mail and delete your address. */
  readonly removeAlertEmail: {
    readonly input: {}
    readonly answer: {
      readonly ok: true
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /admin/agents/{agent_id}/claims`: Verify work of an agent as an admin; it counts in the ladder and the work of its Record strip. */
  readonly verifyClaim: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
      /** Where the work was done: in a task market, or on the knowledge graph */
      readonly kind: "task_market" | "knowledge_graph"
      /** Names the work where it was done, once for each kind */
      readonly ref: string
      /** Where the work can be seen */
      readonly evidence_url: string
    }
    readonly answer: {
      readonly ok: true
      readonly claim: {
        readonly claim_id: number
        readonly agent_id: AccountId
        /** Where the work was done: in a task market, or on the knowledge graph */
        readonly kind: "task_market" | "knowledge_graph"
        readonly ref: string
        readonly evidence_url: string
        readonly verified_by: AccountId
        readonly verified_at: Instant
      }
    }
    readonly code: "body_too_large" | "claim_exists" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent" | "unsupported_media_type"
  }
  /** `POST /hub/gas/drip`: Get a little test ETH for gas, sent to your own wallet on the test chain. */
  readonly dripGas: {
    readonly input: {
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: GasDrip
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /hub/mandates/{public_id}/hl-leg`: Read the leg of a mandate: its state, key, worth and positions at the venue. */
  readonly readLeg: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: Leg
    readonly code: "forbidden" | "hub_feature_disabled" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/hl-leg/approve-call`: Get the approval that an owner's wallet signs to let the mandate's key trade in the owner's account. */
  readonly prepareApproval: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly typed_data: VenueTypedData
      readonly action: VenueAction
      /** Unix milliseconds */
      readonly nonce: number
      readonly agent_address: string
      readonly agent_name: "svc-leg"
      readonly valid_until: Instant
      /** Where action, nonce and signature are posted */
      readonly post_to: string
      readonly checks: readonly LegCheck[]
    }
    readonly code: "forbidden" | "hub_feature_disabled" | "hub_hl_leg_not_in_mandate" | "hub_hl_leg_not_ready" | "hub_hl_leg_owner_busy" | "hub_wrong_state" | "internal" | "invalid_request" | "missing_scope" | "not_configured" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "venue_budget"
  }
  /** `POST /hub/mandates/{public_id}/hl-leg/bind`: Bind the owner's account at the venue to the mandate, after the wallet has approved the key. */
  readonly bindLeg: {
    readonly input: {
      readonly public_id: MandateId
      /** Signature of typed_data: 0x and 65 bytes in hex, or {r, s, v} */
      readonly signature?: string | {
        readonly r: string
        readonly s: string
        readonly v: number | string
      } | undefined
      /** Unix milliseconds */
      readonly nonce?: number | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly leg: Leg
    }
    readonly code: "body_too_large" | "forbidden" | "hub_feature_disabled" | "hub_hl_leg_approval_rejected" | "hub_hl_leg_approval_stale" | "hub_hl_leg_none" | "hub_hl_leg_not_in_mandate" | "hub_hl_leg_not_ready" | "hub_hl_leg_owner_busy" | "hub_hl_leg_signature_invalid" | "hub_leg_debt" | "hub_wrong_state" | "internal" | "invalid_request" | "missing_scope" | "not_configured" | "owner_wallet_unsupported" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type" | "venue_budget" | "venue_capacity"
  }
  /** `POST /hub/mandates/{public_id}/hl-leg/unbind`: Release the owner's account from a stopped or ended mandate. */
  readonly unbindLeg: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly ok: true
      readonly leg: Leg
      readonly revoke: {
        readonly typed_data: VenueTypedData
        readonly action: VenueAction
        /** Unix milliseconds */
        readonly nonce: number
        readonly post_to: string
      }
    }
    readonly code: "body_too_large" | "forbidden" | "hub_feature_disabled" | "hub_hl_leg_money_out" | "hub_hl_leg_none" | "hub_mandate_not_closed" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `GET /hub/mandates/{public_id}/hl-leg/exit-kit`: Get everything that an owner needs to leave the leg with the wallet alone. */
  readonly readExitKit: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      /** Network of the venue */
      readonly network: "testnet" | "mainnet"
      readonly owner_address: Address
      readonly agent_address: Address | null
      readonly post_to: string
      /** The venue's own app */
      readonly app_url: string
      readonly written_at: Instant
      readonly steps: readonly ({
        readonly n: number
        readonly action: "stop" | "revoke" | "close" | "return" | "unwind" | "withdraw"
        readonly where: "chain" | "venue"
        readonly title: string
        readonly detail: string
        /** Transaction for the wallet; null for a step at the venue */
        readonly call: {
          readonly to: Address
          readonly data: string
          readonly value: "0"
          /** Chain id */
          readonly chain_id: number
        } | null
        /** Action for the wallet to sign and post. Replace each member that nonce_members names by the time in milliseconds, the same in typed_data and action */
        readonly sign: {
          readonly typed_data: VenueTypedData
          readonly action: VenueAction
          readonly nonce_members: readonly string[]
        } | null
        /** What to order in the app of the venue; null for other steps */
        readonly orders: readonly ({
          readonly market: MarketId
          readonly side: "buy" | "sell"
          readonly size: string
          readonly reduce_only: true
        })[] | null
      })[]
    }
    readonly code: "forbidden" | "hub_hl_leg_none" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/mandates/{public_id}/money`: Read where the money of the leg of your mandate is. */
  readonly readLegMoney: {
    readonly input: {
      readonly public_id: MandateId
    }
    readonly answer: {
      readonly public_id: MandateId
      /** USDC in the books of the vault */
      readonly vault_usdc: Usdc
      /** Leg money at the venue; null if unknown */
      readonly venue_estimate_usdc: Usdc | null
      /** Money in the account that is not of the leg */
      readonly foreign_usdc: SignedUsdc | null
      readonly venue_read_at: Instant | null
      readonly moving: readonly ({
        /** Id of the transfer */
        readonly transfer_id: string
        /** out: to the venue account; back: to the vault */
        readonly direction: "out" | "back"
        readonly amount_usdc: Usdc
        readonly state: "planned" | "on_chain" | "confirmed" | "sent" | "delivered" | "delivered_at_venue" | "cancelled" | "turned_back" | "unbacked" | "leg_debt" | "void" | "refused"
        readonly reason: string | null
        /** When it last moved */
        readonly since: Instant
        /** Null if it waits for somebody */
        readonly eta_seconds: number | null
        readonly tx_hash: string | null
      })[]
      /** Returned to the vault so far */
      readonly paid_out_usdc: Usdc
      /** Test money of the house in the account */
      readonly lent_usdc: Usdc
      readonly lent_note: string
      readonly leg_debt_usdc: Usdc
      /** What the leg owes its vault; after its end what it owed beyond what the vault got. Null if unknown */
      readonly owed_usdc: Usdc | null
      /** What the owner had moved out of the account when the leg ended; null before its end */
      readonly kept_by_owner_usdc: Usdc | null
      /** Fee on what the vault did not get at the end; in leg_debt_usdc until paid */
      readonly fee_owed_usdc?: Usdc | null | undefined
      /** left: account value; right: foreign + funded - returned + profit. Null if unknown */
      readonly equation: {
        readonly left: SignedUsdc
        readonly right: SignedUsdc
        readonly holds: boolean
      } | null
    }
    readonly code: "forbidden" | "hub_feature_disabled" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `POST /hub/mandates/{public_id}/hl-leg/return-call`: Close the positions of the leg and prepare the return of its money for the wallet of the owner. */
  readonly prepareLegReturn: {
    readonly input: {
      readonly public_id: MandateId
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      readonly typed_data: {
        readonly domain: {
          readonly name: string
          readonly version: string
          readonly chainId: number
          readonly verifyingContract: Address
        }
        readonly types: Readonly<Record<string, readonly {
          readonly name: string
          readonly type: string
        }[]>>
        readonly primaryType: string
        readonly message: Readonly<Record<string, string | number>>
      }
      readonly amount_usdc: Usdc
      /** Unix milliseconds */
      readonly nonce: number
      /** Whether this return ends the leg */
      readonly last: boolean
    }
    readonly code: "body_too_large" | "forbidden" | "hub_feature_disabled" | "hub_hl_leg_unsupported" | "hub_leg_debt" | "hub_leg_not_withdrawable" | "hub_leg_nothing_to_return" | "hub_leg_orders_unresolved" | "hub_leg_positions_open" | "hub_leg_return_moving" | "hub_mandate_not_closed" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/hl-leg/return`: Send the return that your wallet signed to the venue. */
  readonly returnLegMoney: {
    readonly input: {
      readonly public_id: MandateId
      readonly dry_run?: DryRun | undefined
      /** Unix milliseconds */
      readonly nonce: number
      /** Signature of the typed data by the owner's wallet */
      readonly signature: string | {
        /** Hex */
        readonly r: string
        /** Hex */
        readonly s: string
        /** Recovery id */
        readonly v: number | string
      }
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      /** Id of the transfer */
      readonly transfer_id: string
      readonly state: "planned" | "on_chain" | "confirmed" | "sent" | "delivered" | "delivered_at_venue" | "cancelled" | "turned_back" | "unbacked" | "leg_debt" | "void" | "refused"
      readonly amount_usdc: Usdc
      /** Null until the venue's ledger shows it */
      readonly venue_hash: string | null
    }
    readonly code: "body_too_large" | "forbidden" | "hub_feature_disabled" | "hub_leg_nothing_to_return" | "hub_leg_return_refused" | "hub_leg_return_void" | "hub_leg_signature_invalid" | "hub_mandate_not_closed" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `GET /admin/leg-debts`: List what owners owe the house for leg money, as an admin. */
  readonly listLegDebts: {
    readonly input: {
      /** Entries of a page */
      readonly limit?: number | undefined
      /** next_cursor of the page before */
      readonly cursor?: Address | undefined
    }
    readonly answer: {
      readonly items: readonly LegDebt[]
      readonly next_cursor: Address | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /admin/leg-debts/{owner_address}/write-off`: Write off what an owner owes the house for leg money, as an admin. */
  readonly writeOffLegDebt: {
    readonly input: {
      readonly owner_address: Address
      /** leg_debt_usdc as listed; another amount writes off nothing */
      readonly amount_usdc: Usdc
      /** Why the debt is written off */
      readonly reason: string
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      readonly network: "testnet" | "mainnet"
      readonly owner_address: Address
      readonly written_off_usdc: Usdc
      readonly at: Instant
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "leg_debt_changed" | "leg_debt_none" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/mandates/{public_id}/hl-order`: Trade in the owner's venue account: one order that fills at once or not at all. */
  readonly placeLegOrder: {
    readonly input: {
      readonly public_id: MandateId
      readonly market: MarketId
      /** Of the order */
      readonly side: "buy" | "sell"
      /** Exactly one of amount_usdc and size. It fills at most this amount at the reference price */
      readonly amount_usdc?: Usdc | undefined
      readonly size?: LegSize | undefined
      /** true: the order only reduces a position and is cut to its size. Orders of the owner always do */
      readonly reduce_only?: boolean | undefined
      readonly max_slippage?: Slippage | undefined
      /** Your own id of the order, unique per mandate */
      readonly client_id?: string | undefined
      /** The order is never placed after this time. A repetition with the same key then answers what became of it, or order_expired */
      readonly not_after?: GivenInstant | undefined
      /** true: judge the order and write nothing */
      readonly dry_run?: boolean | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly order: LegOrder
      /** After the order; null if it could not be read */
      readonly position: LegPositionAfter | null
      /** Null if mandates could not be told yet */
      readonly usage: MandateUsage | null
      /** Null if the order was never sent */
      readonly judgement: RefusalBlock | null
      /** JWS of typ leg-receipt+json over terms, judgement, readings and executions; null in a dry run and until it is signed */
      readonly receipt: string | null
    } | {
      readonly ok: true
      readonly code: "pending_approval"
      readonly public_id: MandateId
      readonly approval: Approval
      readonly judgement: RefusalBlock
    } | {
      readonly ok: true
      readonly code: "order_unresolved"
      readonly public_id: MandateId
      /** Our id of the order at the venue */
      readonly cloid: string
    }
    readonly code: "body_too_large" | "client_id_used" | "forbidden" | "hub_feature_disabled" | "hub_hl_leg_expired" | "hub_hl_leg_none" | "hub_hl_leg_orphaned" | "hub_hl_leg_proposed" | "hub_hl_leg_released" | "hub_hl_leg_revoked" | "hub_hl_leg_unsupported" | "hub_hl_margin_short" | "hub_leg_money_moving" | "hub_leg_nothing_to_close" | "hub_leg_open_in_flight" | "hub_mandate_refuses" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "leg_unexplained" | "missing_scope" | "not_configured" | "order_expired" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type" | "venue_allowance" | "venue_budget" | "venue_rejected" | "would_flip"
  }
  /** `GET /hub/info/meta`: Read the markets of a dex of the venue with their prices. */
  readonly readMeta: {
    readonly input: {
      readonly dex?: Dex | undefined
    }
    readonly answer: {
      readonly source: "hyperliquid"
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      /** When the venue was read */
      readonly computed_at: Instant
      readonly stale: StaleReading
      readonly data: readonly [{
        readonly universe: readonly ({
          readonly name: string
          readonly szDecimals: number
          readonly maxLeverage: number
          readonly isDelisted?: boolean | undefined
          readonly onlyIsolated?: boolean | undefined
          readonly marginMode?: string | undefined
          readonly growthMode?: string | undefined
          readonly marginTableId?: number | undefined
        })[]
        readonly marginTables?: readonly (readonly [number, {
          readonly description: string
          readonly marginTiers: readonly {
            readonly lowerBound: VenueDecimal
            readonly maxLeverage: number
          }[]
        }])[] | undefined
        readonly collateralToken?: number | undefined
      }, readonly ({
        readonly funding: VenueDecimal
        readonly openInterest: VenueDecimal
        readonly prevDayPx: VenueDecimal
        readonly dayNtlVlm: VenueDecimal
        readonly dayBaseVlm?: VenueDecimal | undefined
        readonly oraclePx: VenueDecimal
        readonly markPx: VenueDecimal
        readonly midPx: VenueDecimal | null
        readonly impactPxs?: readonly VenueDecimal[] | null | undefined
        readonly premium: VenueDecimal | null
      })[]]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_dex" | "venue_budget"
  }
  /** `GET /hub/info/spot-meta`: Read the tokens and spot pairs of the venue. */
  readonly readSpotMeta: {
    readonly input: {}
    readonly answer: {
      readonly source: "hyperliquid"
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      /** When the venue was read */
      readonly computed_at: Instant
      readonly stale: StaleReading
      readonly data: {
        readonly tokens: readonly ({
          readonly name: string
          readonly index: number
          readonly tokenId: string
          readonly szDecimals: number
          readonly weiDecimals?: number | undefined
          readonly isCanonical?: boolean | undefined
          readonly fullName?: string | null | undefined
        })[]
        readonly universe?: readonly ({
          readonly name: string
          readonly index: number
          readonly tokens: readonly [number, number]
          readonly isCanonical?: boolean | undefined
        })[] | undefined
      }
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "venue_budget"
  }
  /** `GET /hub/info/funding`: Read the hourly funding of a market over time. */
  readonly readFunding: {
    readonly input: {
      readonly coin: Coin
      /** RFC 3339 time with Z or an offset */
      readonly start_time?: GivenInstant | undefined
      /** RFC 3339 time with Z or an offset */
      readonly end_time?: GivenInstant | undefined
    }
    readonly answer: {
      readonly source: "hyperliquid"
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      /** When the venue was read */
      readonly computed_at: Instant
      readonly stale: StaleReading
      readonly data: readonly {
        readonly coin: string
        readonly fundingRate: VenueDecimal
        readonly premium: VenueDecimal
        readonly time: number
      }[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_coin" | "venue_budget"
  }
  /** `GET /hub/info/liquidity`: Read how liquid up to 60 markets are. */
  readonly readLiquidity: {
    readonly input: {
      /** Names of markets, separated by commas */
      readonly coins: string
    }
    readonly answer: {
      readonly source: "hyperliquid"
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      /** When the venue was read */
      readonly computed_at: Instant
      readonly stale: StaleReading
      readonly data: readonly ({
        readonly coin: Coin
        /** null: a side of the book is empty */
        readonly mid: VenueDecimal | null
        readonly mark: VenueDecimal
        /** null: not read (more than 5 coins), or a side is empty */
        readonly spread_bps: VenueDecimal | null
        /** What an order of the venue's sample size pays above the middle */
        readonly impact_buy_bps: VenueDecimal | null
        readonly impact_sell_bps: VenueDecimal | null
        readonly volume_24h_usd: VenueDecimal
        readonly open_interest_usd: VenueDecimal
        /** null: more than 5 coins */
        readonly depth: {
          readonly bids: readonly {
            readonly price: VenueDecimal
            readonly size: VenueDecimal
          }[]
          readonly asks: readonly {
            readonly price: VenueDecimal
            readonly size: VenueDecimal
          }[]
        } | null
      })[]
      /** Names that no dex here has; if every name is one, the answer is unknown_coin */
      readonly unknown_coins: readonly string[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_coin" | "venue_budget"
  }
  /** `GET /hub/info/order-history`: Read an account's orders at the venue, the newest first. */
  readonly readOrderHistory: {
    readonly input: {
      /** Address of the account at the venue; not of an agent */
      readonly user: WalletAddress
      /** Orders of the answer */
      readonly limit?: number | undefined
    }
    readonly answer: {
      readonly source: "hyperliquid"
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      /** When the venue was read */
      readonly computed_at: Instant
      readonly stale: StaleReading
      readonly data: readonly ({
        readonly order: {
          readonly coin: string
          readonly side: "A" | "B"
          readonly limitPx: VenueDecimal
          readonly sz: VenueDecimal
          readonly oid: number
          readonly timestamp: number
          readonly origSz: VenueDecimal
          readonly reduceOnly?: boolean | undefined
          readonly cloid?: string | null | undefined
          readonly orderType?: string | undefined
          readonly tif?: string | null | undefined
          readonly isTrigger?: boolean | undefined
          readonly triggerPx?: VenueDecimal | undefined
          readonly triggerCondition?: string | undefined
          readonly isPositionTpsl?: boolean | undefined
        }
        readonly status: string
        readonly statusTimestamp: number
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "venue_budget"
  }
  /** `GET /hub/info/fees`: Read the fees that an account pays at the venue. */
  readonly readFees: {
    readonly input: {
      /** Address of the account at the venue; not of an agent */
      readonly user: WalletAddress
    }
    readonly answer: {
      readonly source: "hyperliquid"
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      /** When the venue was read */
      readonly computed_at: Instant
      readonly stale: StaleReading
      readonly data: {
        readonly userCrossRate: VenueDecimal
        readonly userAddRate: VenueDecimal
        readonly userSpotCrossRate?: VenueDecimal | undefined
        readonly userSpotAddRate?: VenueDecimal | undefined
        readonly activeReferralDiscount?: VenueDecimal | undefined
        readonly feeSchedule?: {
          readonly cross: VenueDecimal
          readonly add: VenueDecimal
          readonly spotCross?: VenueDecimal | undefined
          readonly spotAdd?: VenueDecimal | undefined
          readonly referralDiscount?: VenueDecimal | undefined
          readonly tiers?: {
            readonly vip: readonly {
              readonly ntlCutoff: VenueDecimal
              readonly cross: VenueDecimal
              readonly add: VenueDecimal
            }[]
            readonly mm: readonly {
              readonly makerFractionCutoff: VenueDecimal
              readonly add: VenueDecimal
            }[]
          } | undefined
        } | undefined
        readonly dailyUserVlm?: readonly {
          readonly date: string
          readonly userCross: VenueDecimal
          readonly userAdd: VenueDecimal
          readonly exchange: VenueDecimal
        }[] | undefined
      }
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "venue_budget"
  }
  /** `GET /hub/info/portfolio`: Read value and profit of an account at the venue over time. */
  readonly readPortfolio: {
    readonly input: {
      /** Address of the account at the venue; not of an agent */
      readonly user: WalletAddress
    }
    readonly answer: {
      readonly source: "hyperliquid"
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      /** When the venue was read */
      readonly computed_at: Instant
      readonly stale: StaleReading
      readonly data: readonly (readonly [string, {
        readonly accountValueHistory: readonly (readonly [number, VenueDecimal])[]
        readonly pnlHistory: readonly (readonly [number, VenueDecimal])[]
        readonly vlm: VenueDecimal
      }])[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "venue_budget"
  }
  /** `GET /hub/indices`: List the perpetuals of the other dexes of the venue: indices, stocks and commodities. */
  readonly listIndices: {
    readonly input: {}
    readonly answer: {
      readonly computed_at: Instant
      /** true: the prices are older than usual */
      readonly stale: boolean
      readonly items: readonly ({
        readonly sym: string
        readonly market_id: MarketId
        readonly dex: Dex
        readonly title: string
        readonly mark_price: VenueDecimal
        readonly oracle_price: VenueDecimal
        /** Mark above the oracle; null without an oracle price */
        readonly premium_bps: VenueDecimal | null
        readonly funding_hourly: VenueDecimal
        readonly open_interest_usd: VenueDecimal
        readonly volume_24h_usd: VenueDecimal
        readonly max_leverage: number
        /** State of the exchange it follows; null: always open */
        readonly session: SessionState | null
        /** live: live orders are switched on */
        readonly status: "paper" | "live"
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "venue_budget"
  }
  /** `GET /hub/indices/{sym}`: Read one perpetual of the other dexes of the venue. */
  readonly readIndex: {
    readonly input: {
      /** sym of GET /hub/indices; with its dex before a colon where two have the same */
      readonly sym: string
    }
    readonly answer: {
      readonly computed_at: Instant
      /** true: the prices are older than usual */
      readonly stale: boolean
      readonly item: {
        readonly sym: string
        readonly market_id: MarketId
        readonly dex: Dex
        readonly title: string
        readonly mark_price: VenueDecimal
        readonly oracle_price: VenueDecimal
        /** Mark above the oracle; null without an oracle price */
        readonly premium_bps: VenueDecimal | null
        readonly funding_hourly: VenueDecimal
        readonly open_interest_usd: VenueDecimal
        readonly volume_24h_usd: VenueDecimal
        readonly max_leverage: number
        /** State of the exchange it follows; null: always open */
        readonly session: SessionState | null
        /** live: live orders are switched on */
        readonly status: "paper" | "live"
      }
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_coin" | "venue_budget"
  }
  /** `GET /ui/trade/products`: List what can be traded on the trade pages. */
  readonly listProducts: {
    readonly input: {}
    readonly answer: {
      readonly computed_at: Instant
      /** true: the prices are older than usual */
      readonly stale: boolean
      readonly sample: false
      readonly made_up?: MadeUp | undefined
      readonly items: readonly ({
        readonly market_id: MarketId
        readonly coin: Coin
        readonly title: string
        readonly kind: "crypto" | "index" | "stock" | "other"
        readonly mark_price: VenueDecimal
        /** Middle of the book; null: a side of it is empty */
        readonly mid_price: VenueDecimal | null
        /** null: no price of a day ago */
        readonly change_24h_pct: VenueDecimal | null
        readonly funding_hourly: VenueDecimal
        readonly volume_24h_usd: VenueDecimal
        readonly max_leverage: number
        readonly min_order_usdc: Usdc
        /** State of the exchange it follows; null: always open */
        readonly session: SessionState | null
        readonly modes: readonly ("paper" | "live")[]
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "venue_budget"
  }
  /** `GET /hub/info/sessions`: List the sessions of the exchanges that markets of the venue follow. */
  readonly listSessions: {
    readonly input: {}
    readonly answer: {
      readonly computed_at: Instant
      readonly items: readonly ({
        /** Market identifier code (ISO 10383) */
        readonly exchange: string
        readonly title: string
        readonly time_zone: string
        readonly state: SessionState
        /** Begin of the trading that goes on; null while closed */
        readonly opens_at: Instant | null
        readonly closes_at: Instant | null
        readonly next_opens_at: Instant
        /** Markets of the venue that follow this exchange */
        readonly markets: readonly Coin[]
      })[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/info/station-status`: Read what the station lets a visitor do today. */
  readonly readStation: {
    readonly input: {}
    readonly answer: {
      readonly computed_at: Instant
      readonly live_trading: boolean
      readonly paper_trading: boolean
      readonly hl_leg: boolean
      readonly leg_funding: boolean
      /** false: the venue did not answer the last reading of its markets */
      readonly relay_ok: boolean
      readonly gas_drip: boolean
      readonly signals: boolean
      readonly network: "testnet" | "mainnet"
      readonly made_up?: MadeUp | undefined
      readonly chain_id: number | null
      readonly labels: {
        readonly live_trading: string
        readonly paper_trading: string
        readonly hl_leg: string
        readonly leg_funding: string
        readonly relay: string
        readonly gas_drip: string
        readonly signals: string
        readonly house_runner: string
        readonly doors: string
      }
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/builder-fee/config`: Read which builder fee orders of this deployment carry. */
  readonly readBuilderFee: {
    readonly input: {}
    readonly answer: {
      readonly configured: boolean
      readonly builder: WalletAddress | null
      /** Text that the owner approves */
      readonly max_fee_rate: string
      /** Tenths of a basis point: 100 is 0.1 % */
      readonly max_fee: number
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/own/terms`: Read the terms for trading in your own account at the venue. */
  readonly readOwnTerms: {
    readonly input: {}
    readonly answer: {
      readonly version: number
      readonly text: string
      /** SHA-256 of text */
      readonly hash: Hex32
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /hub/own/link/challenge`: Get the message that your wallet signs to link its account at the venue. */
  readonly challengeLink: {
    readonly input: {
      readonly wallet_address: WalletAddress
    }
    readonly answer: {
      readonly nonce: string
      readonly message: string
      readonly expires_at: Instant
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/own/link`: Link the account of the wallet that signed the message. */
  readonly linkOwnAccount: {
    readonly input: {
      readonly signature: WalletSignature
      readonly terms_hash?: Hex32 | undefined
    }
    readonly answer: {
      /** Network of the venue */
      readonly network: "testnet" | "mainnet"
      /** null while no account is linked */
      readonly wallet: Address | null
      readonly linked_at: Instant | null
      readonly refused: OwnRefusal | null
      /** Every check is ok: orders may be signed with the order key */
      readonly can_trade: boolean
      readonly checks: readonly OwnCheck[]
      readonly order_key: {
        readonly state: "none" | "offered" | "enabled" | "revoked" | "expired" | "orphaned"
        readonly address: Address | null
        /** Number of the key; each approval after the first has the next */
        readonly epoch: number | null
        readonly valid_until: Instant | null
      }
      readonly builder_fee: BuilderFeeStatus
      /** What the wallet may sign: relay it with POST /hub/own/enable/relay, or post it to post_to */
      readonly approvals: {
        /** null if the key is enabled, or if it cannot be made now */
        readonly order_key: {
          readonly typed_data: VenueTypedData
          readonly action: VenueAction
          /** Unix milliseconds */
          readonly nonce: number
          /** Until when it may be relayed */
          readonly served_until: Instant
          readonly agent_address: string
          readonly agent_name: "svc-trade" | "svc-web"
          /** When the approval ends */
          readonly valid_until: Instant
        } | null
        /** null if it is approved, or if no builder is configured */
        readonly builder_fee: {
          readonly typed_data: VenueTypedData
          readonly action: VenueAction
          /** Unix milliseconds */
          readonly nonce: number
          /** Until when it may be relayed */
          readonly served_until: Instant
        } | null
        /** For web_address; null without it */
        readonly web_key: {
          readonly typed_data: VenueTypedData
          readonly action: VenueAction
          /** Unix milliseconds */
          readonly nonce: number
          /** Until when it may be relayed */
          readonly served_until: Instant
          readonly agent_address: string
          readonly agent_name: "svc-trade" | "svc-web"
          /** When the approval ends */
          readonly valid_until: Instant
        } | null
      }
      /** Where action, nonce and signature are posted */
      readonly post_to: string
      readonly ok: true
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "link_nonce_unknown" | "link_signature_invalid" | "missing_scope" | "own_orders_open" | "own_terms_changed" | "own_wallet_refused" | "own_wallet_taken" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "venue_budget"
  }
  /** `GET /hub/own/status`: Read your own account: what is linked and approved, what is missing, and what to sign for it. */
  readonly readOwnStatus: {
    readonly input: {
      /** Address of the browser's own key; the answer has its approval for a day */
      readonly web_address?: WalletAddress | undefined
    }
    readonly answer: OwnStatus
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /hub/own/enable/relay`: Relay to the venue what your wallet signed of approvals of GET /hub/own/status. */
  readonly relayApproval: {
    readonly input: {
      /** Signature of typed_data: 0x and 65 bytes in hex, or {r, s, v} */
      readonly signature: string | {
        readonly r: string
        readonly s: string
        readonly v: number | string
      }
      /** Unix milliseconds */
      readonly nonce: number
    }
    readonly answer: {
      readonly ok: true
      readonly kind: "order_key" | "builder_fee" | "web_key"
      /** What to call next */
      readonly next: string
    }
    readonly code: "account_not_linked" | "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "own_action_rejected" | "own_offer_stale" | "own_signature_invalid" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "venue_budget"
  }
  /** `POST /hub/own/enable/verify`: Read at the venue whether your wallet has approved the order key and the builder fee. */
  readonly verifyApprovals: {
    readonly input: {}
    readonly answer: {
      /** Network of the venue */
      readonly network: "testnet" | "mainnet"
      /** null while no account is linked */
      readonly wallet: Address | null
      readonly linked_at: Instant | null
      readonly refused: OwnRefusal | null
      /** Every check is ok: orders may be signed with the order key */
      readonly can_trade: boolean
      readonly checks: readonly OwnCheck[]
      readonly order_key: {
        readonly state: "none" | "offered" | "enabled" | "revoked" | "expired" | "orphaned"
        readonly address: Address | null
        /** Number of the key; each approval after the first has the next */
        readonly epoch: number | null
        readonly valid_until: Instant | null
      }
      readonly builder_fee: BuilderFeeStatus
      /** What the wallet may sign: relay it with POST /hub/own/enable/relay, or post it to post_to */
      readonly approvals: {
        /** null if the key is enabled, or if it cannot be made now */
        readonly order_key: {
          readonly typed_data: VenueTypedData
          readonly action: VenueAction
          /** Unix milliseconds */
          readonly nonce: number
          /** Until when it may be relayed */
          readonly served_until: Instant
          readonly agent_address: string
          readonly agent_name: "svc-trade" | "svc-web"
          /** When the approval ends */
          readonly valid_until: Instant
        } | null
        /** null if it is approved, or if no builder is configured */
        readonly builder_fee: {
          readonly typed_data: VenueTypedData
          readonly action: VenueAction
          /** Unix milliseconds */
          readonly nonce: number
          /** Until when it may be relayed */
          readonly served_until: Instant
        } | null
        /** For web_address; null without it */
        readonly web_key: {
          readonly typed_data: VenueTypedData
          readonly action: VenueAction
          /** Unix milliseconds */
          readonly nonce: number
          /** Until when it may be relayed */
          readonly served_until: Instant
          readonly agent_address: string
          readonly agent_name: "svc-trade" | "svc-web"
          /** When the approval ends */
          readonly valid_until: Instant
        } | null
      }
      /** Where action, nonce and signature are posted */
      readonly post_to: string
      readonly ok: true
    }
    readonly code: "account_not_linked" | "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "venue_budget"
  }
  /** `POST /hub/own/intent`: Record what you intend to trade; nothing is ordered. */
  readonly recordIntent: {
    readonly input: {
      readonly market: MarketId
      readonly side: "buy" | "sell"
      readonly amount_usdc: Usdc
      readonly note?: string | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly intent_id: string
      readonly recorded_at: Instant
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /hub/builder-fee/record`: Read at the venue what your linked wallet lets the builder charge. */
  readonly recordBuilderFee: {
    readonly input: {}
    readonly answer: {
      /** Whether this deployment has a builder */
      readonly configured: boolean
      /** Whether the linked wallet lets the builder charge its fee */
      readonly approved: boolean
      /** Tenths of a basis point that the wallet allows, by the venue: 100 is 0.1 %. null before it was read */
      readonly max_fee: number | null
      readonly read_at: Instant | null
      readonly ok: true
    }
    readonly code: "account_not_linked" | "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "venue_budget"
  }
  /** `GET /hub/builder-fee/status`: Read whether your linked wallet has approved the builder fee, as last read at the venue. */
  readonly readBuilderFeeStatus: {
    readonly input: {}
    readonly answer: BuilderFeeStatus
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/builder-fee/admin/count`: Count the linked accounts that have approved the builder fee. */
  readonly countBuilderFees: {
    readonly input: {}
    readonly answer: {
      readonly approved: number
      readonly computed_at: Instant
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /hub/own/paper/books`: Create a paper book, in which orders fill from the real book of the venue without money. */
  readonly createPaperBook: {
    readonly input: {
      /** Your name of the book */
      readonly name: string
      /** Paper money that the book begins with, 100 to 1000000 */
      readonly start_usdc: Usdc
    }
    readonly answer: {
      readonly ok: true
      readonly book: PaperBookId
      readonly name: string
      readonly start_usdc: Usdc
      /** start_usdc, less what was bought, plus what was sold, less fees, plus funding and covered_usdc */
      readonly cash_usdc: SignedUsdc
      /** cash_usdc plus size × mark price of each position */
      readonly equity_usdc: SignedUsdc
      readonly fees_paid_usdc: Usdc
      /** Received, less paid */
      readonly funding_usdc: SignedUsdc
      /** Greatest fall of the equity from its peak before, at each fill and each minute with a position */
      readonly max_drawdown_bps: number
      /** Time of the oldest mark price in equity_usdc */
      readonly marked_at: Instant
      readonly created_at: Instant
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "paper_books_full" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /hub/own/paper/books`: List your paper books, oldest first. */
  readonly listPaperBooks: {
    readonly input: {}
    readonly answer: {
      readonly items: readonly PaperBook[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/own/paper/books/{book}`: Read a paper book: its equity, positions, fills, funding and equity series. */
  readonly readPaperBook: {
    readonly input: {
      readonly book: PaperBookId
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly book: PaperBookId
      readonly name: string
      readonly start_usdc: Usdc
      /** start_usdc, less what was bought, plus what was sold, less fees, plus funding and covered_usdc */
      readonly cash_usdc: SignedUsdc
      /** cash_usdc plus size × mark price of each position */
      readonly equity_usdc: SignedUsdc
      readonly fees_paid_usdc: Usdc
      /** Received, less paid */
      readonly funding_usdc: SignedUsdc
      /** Greatest fall of the equity from its peak before, at each fill and each minute with a position */
      readonly max_drawdown_bps: number
      /** Time of the oldest mark price in equity_usdc */
      readonly marked_at: Instant
      readonly created_at: Instant
      readonly positions: readonly PaperPosition[]
      readonly fills: readonly PaperFill[]
      readonly funding: readonly PaperFunding[]
      readonly equity_series: readonly PaperEquity[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "paper_book_unknown" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /hub/order`: Prepare an order of your own account, or fill a paper order. */
  readonly prepareOrder: {
    readonly input: {
      readonly market: MarketId
      readonly side: "buy" | "sell"
      /** Exactly one of amount_usdc and size */
      readonly amount_usdc?: Usdc | undefined
      readonly size?: LegSize | undefined
      /** true: the order only reduces a position and is cut to its size */
      readonly reduce_only?: boolean | undefined
      /** Paper book; without it the oldest one */
      readonly book?: PaperBookId | undefined
      readonly max_slippage?: Slippage | undefined
      /** true: plan and judge, and write nothing */
      readonly dry_run?: boolean | undefined
      readonly mode: TradeMode
    }
    readonly answer: {
      /** Null in a dry run */
      readonly order_id: OrderId | null
      /** Null if there is nothing to confirm */
      readonly confirm_id: ConfirmId | null
      readonly sign_mode: SignMode
      /** Typed data of EIP-712 that the browser’s own key signs; null unless sign_mode is client */
      readonly typed_data: Readonly<Record<string, unknown>> | null
      /** The action that is posted with nonce, signature and expiresAfter */
      readonly action: Readonly<Record<string, unknown>> | null
      readonly nonce: number | null
      /** expiresAfter of the posted body, Unix milliseconds */
      readonly expires_after: number | null
      /** Endpoint of the venue; nothing is sent from here */
      readonly post_to: string | null
      readonly estimate: TradeEstimate
      readonly judgement: RefusalBlock
      readonly requested_by: "owner" | "agent"
      /** Until when it can be confirmed; null for paper */
      readonly expires_at: Instant | null
      /** What a paper order executed; null for any other */
      readonly fill: LegOrder | null
      readonly ok: true
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "nothing_to_close" | "order_refused" | "paper_book_unknown" | "paper_rejected" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "venue_budget" | "would_flip"
  }
  /** `POST /hub/order/execute`: Execute a prepared order of your own account with its order key. */
  readonly executeOrder: {
    readonly input: {
      readonly confirm_id: ConfirmId
      /** Mode that was shown at the click */
      readonly mode_seen?: TradeMode | undefined
      /** true: plan and judge, and write nothing */
      readonly dry_run?: boolean | undefined
    }
    readonly answer: TradeResult | {
      readonly ok: true
      readonly code: "order_unresolved"
      readonly order_id: OrderId
      /** Our id of the order at the venue */
      readonly cloid: string
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "mode_changed" | "nothing_to_close" | "order_refused" | "rate_limited" | "scope_denied" | "temporarily_unavailable" | "unauthenticated" | "unknown_order" | "unsupported_media_type" | "venue_budget" | "venue_rejected" | "wrong_sign_mode"
  }
  /** `POST /hub/order/record`: Record an order that a key in your browser signed, and post it if it did not. */
  readonly recordOrder: {
    readonly input: {
      readonly confirm_id: ConfirmId
      readonly signature?: KeySignature | undefined
    }
    readonly answer: TradeResult | {
      readonly ok: true
      readonly code: "order_unresolved"
      readonly order_id: OrderId
      /** Our id of the order at the venue */
      readonly cloid: string
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "order_differs" | "order_not_at_venue" | "rate_limited" | "scope_denied" | "temporarily_unavailable" | "unauthenticated" | "unknown_order" | "unsupported_media_type" | "venue_budget" | "venue_rejected" | "wrong_sign_mode"
  }
  /** `GET /hub/order/pending`: List the prepared orders that wait for confirmation, newest first. */
  readonly listPendingOrders: {
    readonly input: {
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly PendingOrder[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/order`: List the orders of your own account and of your paper book, newest first. */
  readonly listOrders: {
    readonly input: {
      readonly mode?: TradeMode | undefined
      readonly state?: TradeState | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly OwnOrder[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/order/{order_id}`: Read what became of one order of your own account. */
  readonly readOrder: {
    readonly input: {
      readonly order_id: OrderId
    }
    readonly answer: OwnOrder
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_order"
  }
  /** `GET /hub/order/cap`: Read the caps of your orders with POST /hub/order and their use today. */
  readonly readOrderCap: {
    readonly input: {}
    readonly answer: OrderCap
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "order_refused" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /hub/order/cap/raise`: Double the cap of one order, up to the maximum of the deployment. */
  readonly raiseOrderCap: {
    readonly input: {}
    readonly answer: {
      readonly per_order_usdc: Usdc
      readonly daily_usdc: Usdc
      /** What each of the two figures comes from */
      readonly bound_by: {
        readonly per_order_usdc: BoundBy
        readonly daily_usdc: BoundBy
      }
      /** Opening live orders of this UTC day: what they executed, and what is reserved for unresolved ones */
      readonly used_today_usdc: Usdc
      readonly remaining_today_usdc: Usdc
      /** What opening paper orders of this UTC day filled. Paper orders have the same caps, and spend nothing of used_today_usdc */
      readonly paper_used_today_usdc: Usdc
      readonly resets_at: Instant
      readonly ok: true
      readonly changed: {
        readonly per_order_usdc: CapStep
        readonly daily_usdc: CapStep
      }
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "scope_denied" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `GET /hub/agent/status`: Read whether the caller's agent may trade on the owner's own account, and why not. */
  readonly readAgentStatus: {
    readonly input: {
      /** For an owner: which agent; without it the status of the owner */
      readonly agent_id?: number | undefined
    }
    readonly answer: {
      readonly may_trade: boolean
      readonly mode: TradeMode
      readonly reasons: readonly TradeCode[]
      /** Of the first reason */
      readonly fix: string | null
      /** Of each reason */
      readonly fixes?: readonly {
        readonly reason: TradeCode
        readonly fix: string
      }[] | undefined
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /ui/trade/me`: Read your account of the trade pages: wallet, order key, mode, limits and checks. */
  readonly readTrader: {
    readonly input: {}
    readonly answer: {
      /** Linked wallet; null without one */
      readonly wallet: WalletAddress | null
      readonly linked: boolean
      readonly order_key: "none" | "offered" | "enabled" | "revoked" | "expired" | "orphaned"
      /** Whether this deployment allows live orders */
      readonly live_trading: boolean
      /** Alias of live_trading */
      readonly live_switch: boolean
      /** live while live trading is on and the account is linked */
      readonly mode: TradeMode
      readonly limits: OrderCap
      /** Most that the live positions of the account may come to with an order that opens */
      readonly open_notional_max_usdc: Usdc
      readonly checks: readonly ({
        readonly id: "live_switch" | "linked" | "order_key" | "builder_fee" | "leg"
        readonly verdict: "pass" | "fail" | "unknown"
        readonly detail: string
        readonly fix: string | null
      })[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /ui/trade/positions`: Read your open positions, live and of paper books apart. */
  readonly readPositions: {
    readonly input: {}
    readonly answer: {
      /** Null without a linked account, and while the venue does not answer */
      readonly live: readonly ({
        readonly market: MarketId
        /** Null without a position */
        readonly side?: "long" | "short" | null | undefined
        /** Negative for a short position, "0" without one */
        readonly size: string
        readonly entry_price: string | null
        readonly mark_price: string | null
        readonly notional_usdc: Usdc
        readonly unrealized_pnl_usdc: SignedUsdc
        readonly liquidation_price: string | null
        readonly read_at: Instant
        readonly book: string | null
      })[] | null
      readonly live_read_at: Instant | null
      readonly paper: readonly ({
        readonly market: MarketId
        /** Null without a position */
        readonly side?: "long" | "short" | null | undefined
        /** Negative for a short position, "0" without one */
        readonly size: string
        readonly entry_price: string | null
        readonly mark_price: string | null
        readonly notional_usdc: Usdc
        readonly unrealized_pnl_usdc: SignedUsdc
        readonly liquidation_price: string | null
        readonly read_at: Instant
        readonly book: string | null
      })[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `PUT /ui/trade/limits`: Lower the limits of your orders. */
  readonly lowerLimits: {
    readonly input: {
      readonly per_order_usdc?: Usdc | undefined
      readonly daily_usdc?: Usdc | undefined
    }
    readonly answer: {
      readonly per_order_usdc: Usdc
      readonly daily_usdc: Usdc
      /** What each of the two figures comes from */
      readonly bound_by: {
        readonly per_order_usdc: BoundBy
        readonly daily_usdc: BoundBy
      }
      /** Opening live orders of this UTC day: what they executed, and what is reserved for unresolved ones */
      readonly used_today_usdc: Usdc
      readonly remaining_today_usdc: Usdc
      /** What opening paper orders of this UTC day filled. Paper orders have the same caps, and spend nothing of used_today_usdc */
      readonly paper_used_today_usdc: Usdc
      readonly resets_at: Instant
      readonly ok: true
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "limits_only_lower" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type"
  }
  /** `POST /ui/trade/order`: Place an order in the mode that the page showed. */
  readonly placePageOrder: {
    readonly input: {
      readonly market: MarketId
      readonly side: "buy" | "sell"
      /** Exactly one of amount_usdc and size */
      readonly amount_usdc?: Usdc | undefined
      readonly size?: LegSize | undefined
      /** true: the order only reduces a position and is cut to its size */
      readonly reduce_only?: boolean | undefined
      /** Paper book; without it the oldest one */
      readonly book?: PaperBookId | undefined
      readonly max_slippage?: Slippage | undefined
      /** true: plan and judge, and write nothing */
      readonly dry_run?: boolean | undefined
      /** Mode of GET /ui/trade/me that the page showed */
      readonly mode_seen: TradeMode
    }
    readonly answer: TradeResult | {
      readonly ok: true
      readonly code: "order_unresolved"
      readonly order_id: OrderId
      /** Our id of the order at the venue */
      readonly cloid: string
    } | {
      /** Null in a dry run */
      readonly order_id: OrderId | null
      /** Null if there is nothing to confirm */
      readonly confirm_id: ConfirmId | null
      readonly sign_mode: SignMode
      /** Typed data of EIP-712 that the browser’s own key signs; null unless sign_mode is client */
      readonly typed_data: Readonly<Record<string, unknown>> | null
      /** The action that is posted with nonce, signature and expiresAfter */
      readonly action: Readonly<Record<string, unknown>> | null
      readonly nonce: number | null
      /** expiresAfter of the posted body, Unix milliseconds */
      readonly expires_after: number | null
      /** Endpoint of the venue; nothing is sent from here */
      readonly post_to: string | null
      readonly estimate: TradeEstimate
      readonly judgement: RefusalBlock
      readonly requested_by: "owner" | "agent"
      /** Until when it can be confirmed; null for paper */
      readonly expires_at: Instant | null
      /** What a paper order executed; null for any other */
      readonly fill: LegOrder | null
      readonly ok: true
      readonly code: "signature_required"
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "mode_changed" | "nothing_to_close" | "order_refused" | "paper_book_unknown" | "paper_rejected" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "venue_budget" | "venue_rejected" | "would_flip"
  }
  /** `POST /ui/trade/close`: Close a position, or part of it. */
  readonly closePosition: {
    readonly input: {
      readonly market: MarketId
      /** Without it the whole position */
      readonly size?: LegSize | undefined
      /** Which position; without it that of mode_seen */
      readonly mode?: TradeMode | undefined
      /** Paper book; without it the oldest one */
      readonly book?: PaperBookId | undefined
      readonly max_slippage?: Slippage | undefined
      /** Mode of GET /ui/trade/me that the page showed */
      readonly mode_seen: TradeMode
      /** true: plan and judge, and write nothing */
      readonly dry_run?: boolean | undefined
    }
    readonly answer: TradeResult | {
      readonly ok: true
      readonly code: "order_unresolved"
      readonly order_id: OrderId
      /** Our id of the order at the venue */
      readonly cloid: string
    } | {
      /** Null in a dry run */
      readonly order_id: OrderId | null
      /** Null if there is nothing to confirm */
      readonly confirm_id: ConfirmId | null
      readonly sign_mode: SignMode
      /** Typed data of EIP-712 that the browser’s own key signs; null unless sign_mode is client */
      readonly typed_data: Readonly<Record<string, unknown>> | null
      /** The action that is posted with nonce, signature and expiresAfter */
      readonly action: Readonly<Record<string, unknown>> | null
      readonly nonce: number | null
      /** expiresAfter of the posted body, Unix milliseconds */
      readonly expires_after: number | null
      /** Endpoint of the venue; nothing is sent from here */
      readonly post_to: string | null
      readonly estimate: TradeEstimate
      readonly judgement: RefusalBlock
      readonly requested_by: "owner" | "agent"
      /** Until when it can be confirmed; null for paper */
      readonly expires_at: Instant | null
      /** What a paper order executed; null for any other */
      readonly fill: LegOrder | null
      readonly ok: true
      readonly code: "signature_required"
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "mode_changed" | "nothing_to_close" | "order_refused" | "paper_book_unknown" | "paper_rejected" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "venue_budget" | "venue_rejected"
  }
  /** `GET /hub/status/workers`: Read whether the workers run: each live or dry, and how long ago it ran. */
  readonly readWorkers: {
    readonly input: {}
    readonly answer: {
      readonly computed_at: Instant
      /** True before the first heartbeat */
      readonly pending: boolean
      readonly workers: readonly ({
        readonly service: "keeper" | "hl-leg" | "mandates" | "chain-indexer" | "gallery"
        readonly worker: string
        readonly title: string
        /** dry: it reports what it would do, and does nothing */
        readonly mode: "live" | "dry"
        /** failing: its last run failed; late: its next run is overdue */
        readonly state: "ok" | "failing" | "late"
        readonly last_run_age_sec: number
        /** Null if no run succeeded since its process started */
        readonly last_ok_age_sec: number | null
        readonly every_sec: number
      })[]
      /** Null while unknown */
      readonly legs: {
        readonly live: number
        readonly with_stop_line: number
        readonly protected: number
      } | null
      readonly oldest_worth_reading_age_sec: number | null
      readonly snapshots: readonly ({
        readonly key: "hall"
        readonly age_sec: number | null
        readonly stale: boolean
      })[]
      readonly stop_line: {
        readonly watched_since: Instant | null
        /** Of vaults or of legs; null while unknown */
        readonly unavailable_pct_30d: number | null
        readonly vaults_unavailable_pct_30d: number | null
        readonly legs_unavailable_pct_30d: number | null
      }
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/doors`: List the four doors: the ways to start, with what each needs now. */
  readonly listDoors: {
    readonly input: {}
    readonly answer: {
      readonly computed_at: Instant
      readonly items: readonly Door[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/doors/operators`: List operators, best recorded first. */
  readonly listOperators: {
    readonly input: {
      readonly kind?: "signal" | "vault" | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
      /** Operators before the page */
      readonly offset?: number | undefined
    }
    readonly answer: {
      /** When the Hall was computed; null before the first time */
      readonly computed_at: Instant | null
      /** True if the Hall is older than 10 minutes, or was never computed */
      readonly stale: boolean
      readonly total: number
      readonly limit: number
      readonly offset: number
      readonly items: readonly OperatorRow[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/mandates/{mandate_id}/follow`: Read what the mandate of yours follows, and what the house runner decided on its signals. */
  readonly readFollow: {
    readonly input: {
      readonly mandate_id: MandateId
    }
    readonly answer: {
      /** Null if the mandate never followed a listing */
      readonly follow: Follow | null
      /** Newest first */
      readonly verdicts: readonly ({
        readonly seq: number
        readonly verdict: "followed" | "skipped_stale" | "skipped_limit" | "skipped_no_leg" | "skipped_no_runner_key" | "skipped_unpaid" | "refused" | "failed" | "dry_followed" | "dry_skipped_stale" | "dry_skipped_limit" | "dry_skipped_no_leg" | "dry_skipped_no_runner_key" | "dry_skipped_unpaid" | "dry_refused" | "dry_failed"
        readonly reason: string | null
        /** How much worse than the price of the signal; below zero: better; null if nothing was executed */
        readonly gap_bps: number | null
        readonly delay_ms: number | null
        readonly decided_at: Instant
      })[]
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate"
  }
  /** `GET /hub/gallery/{listing_id}/replay`: Replay the signals of a listing under the limits of a mandate of yours. */
  readonly replayListing: {
    readonly input: {
      readonly listing_id: ListingId
      /** Give mandate_id or public_id */
      readonly mandate_id?: MandateId | undefined
      /** The same */
      readonly public_id?: MandateId | undefined
    }
    readonly answer: {
      readonly listing_id: ListingId
      /** The same as public_id */
      readonly mandate_id: MandateId
      readonly public_id: MandateId
      /** First signal; null without one */
      readonly from: Instant | null
      readonly to: Instant | null
      /** Signals that were replayed */
      readonly signals: number
      /** Newer signals of a paid listing that nobody of you paid for */
      readonly signals_left_out: number
      readonly followed: number
      /** Because of a limit or a minimum */
      readonly skipped: number
      readonly orders: number
      readonly start_usdc: Usdc
      /** After all fees, positions at the newest recorded prices */
      readonly end_usdc: SignedUsdc
      readonly change_bps: number
      readonly max_drawdown_bps: number
      readonly traded_usdc: Usdc
      readonly venue_fees_usdc: Usdc
      readonly performance_fee_usdc: Usdc
      /** Median gap of followers; null: none is recorded, and 0 is used */
      readonly gap_bps: number | null
      readonly gap_cost_usdc: SignedUsdc
      /** Whether the stop line of the mandate ended the replay */
      readonly stopped: boolean
    }
    readonly code: "forbidden" | "hub_listing_not_hirable" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_listing" | "unknown_mandate"
  }
  /** `POST /hub/gallery/{listing_id}/hire`: Let the house runner follow the signals of a listing with a mandate of yours. */
  readonly hireListing: {
    readonly input: {
      readonly listing_id: ListingId
      /** Give mandate_id or public_id */
      readonly mandate_id?: MandateId | undefined
      /** The same */
      readonly public_id?: MandateId | undefined
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      /** In the answer of a dry run: nothing has changed */
      readonly dry_run?: true | undefined
      readonly status: "following" | "pending_leg"
      /** Null for pending_leg and in a dry run */
      readonly follow_id: string | null
      /** Null for pending_leg and in a dry run */
      readonly follow: Follow | null
    }
    readonly code: "body_too_large" | "door_locked" | "forbidden" | "hub_follow_exists" | "hub_listing_not_hirable" | "hub_not_runner" | "hub_wrong_state" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "listing_suspended" | "listing_withdrawn" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_listing" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/gallery/{listing_id}/release`: End the follow of a listing by a mandate of yours. */
  readonly releaseListing: {
    readonly input: {
      readonly listing_id: ListingId
      /** Give mandate_id or public_id */
      readonly mandate_id?: MandateId | undefined
      /** The same */
      readonly public_id?: MandateId | undefined
    }
    readonly answer: {
      readonly ok: true
      /** Null if the mandate never followed this listing */
      readonly follow: Follow | null
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_mandate" | "unsupported_media_type"
  }
  /** `POST /hub/gallery/{listing_id}/adopt`: Get a draft of a mandate from a listing, within its bounds and the policy of the agent. */
  readonly adoptListing: {
    readonly input: {
      readonly listing_id: ListingId
      /** Values of editable_params; defaults for the others */
      readonly params?: Readonly<Record<string, Usdc>> | undefined
      /** house: the house runner */
      readonly agent?: "own" | "house" | undefined
      /** For an owner with several agents: which one */
      readonly agent_id?: AccountId | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly listing_id: ListingId
      readonly draft: AdoptedDraft
      readonly network: "testnet"
      /** Chain id */
      readonly chain_id: number
      /** What the owner would sign; without an agent clause 8 names the zero address */
      readonly clauses: readonly Clause[]
      /** Where each field comes from */
      readonly why: readonly ({
        /** Field of the draft */
        readonly field: string
        readonly source: "template" | "param" | "policy" | "other_limit" | "suggestion"
        readonly detail: string
      })[]
    }
    readonly code: "body_too_large" | "door_locked" | "forbidden" | "internal" | "invalid_params" | "invalid_request" | "listing_not_possible" | "listing_suspended" | "listing_withdrawn" | "missing_scope" | "not_your_agent" | "policy_excludes_listing" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_listing" | "unsupported_media_type"
  }
  /** `GET /hub/gallery/{listing_id}/signals`: Read signals of a listing after a cursor, and pay for those that are new to you. */
  readonly readSignals: {
    readonly input: {
      readonly listing_id: ListingId
      /** Pays this offer of a 402; the header PAYMENT-SIGNATURE of x402 brings it too */
      readonly offer_id?: string | undefined
      /** Last seq you have seen; 0 for the first signal */
      readonly since?: number | undefined
      /** Signals of a page; a smaller page costs less */
      readonly limit?: number | undefined
      /** 1: say what the page would cost */
      readonly dry_run?: "0" | "1" | undefined
    }
    readonly answer: {
      readonly listing_id: ListingId
      readonly vault_id: OperatorVaultId
      /** Price of a signal; null: free */
      readonly price_cherry: Cherry | null
      /** What this read charged, or would charge */
      readonly charged_cherry: Cherry
      readonly items: readonly Signal[]
      /** Send it as since in the next call */
      readonly next_since: number
      /** seq of the newest signal; 0 before the first */
      readonly newest_seq: number
    }
    readonly code: "forbidden" | "insufficient_cherry" | "internal" | "invalid_request" | "mandate_budget_exceeded" | "missing_scope" | "payment_required" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_listing"
  }
  /** `GET /hub/gallery`: List what can be adopted, hired or followed. */
  readonly listListings: {
    readonly input: {
      /** Only this type */
      readonly type?: "strategy_template" | "signal_subscription" | "vault_deposit" | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      /** When the Hall was computed; null before the first time */
      readonly computed_at: Instant | null
      /** True if the Hall is older than 10 minutes, or was never computed */
      readonly stale: boolean
      readonly items: readonly Listing[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/gallery/{listing_id}`: Read one listing, also one that is suspended or withdrawn. */
  readonly readListing: {
    readonly input: {
      readonly listing_id: ListingId
    }
    readonly answer: {
      /** When the Hall was computed; null before the first time */
      readonly computed_at: Instant | null
      /** True if the Hall is older than 10 minutes, or was never computed */
      readonly stale: boolean
      readonly listing_id: ListingId
      readonly type: "strategy_template" | "signal_subscription" | "vault_deposit"
      readonly status: "live" | "suspended" | "withdrawn"
      readonly status_reason: string
      readonly status_at: Instant
      readonly title: string
      readonly summary: string
      readonly price_model: "free" | "paid_read"
      /** Cherry for each signal; null if free */
      readonly price_cherry: Cherry | null
      readonly ref_vault_id: OperatorVaultId | null
      readonly seller: {
        readonly agent_id: AccountId
        /** The operator of ref_vault_id; null without a vault */
        readonly operator: {
          /** Operator */
          readonly operator_id: string
          readonly title: string
          readonly kind: "signal" | "vault"
          readonly house: boolean
        } | null
        /** Whether the Hall ranks the seller; null if unknown */
        readonly ranked: boolean | null
        readonly rank: number | null
      }
      readonly recorded: RecordedFigures
      /** Newest signal of the vault; a later read can prove that none before it was changed */
      readonly signals_head: {
        readonly seq: number
        readonly hash: string
      } | null
      readonly cited: readonly CitedClaimView[]
      /** SHA-256 of the RFC 8785 JSON of the claims as published */
      readonly cited_hash: string
      readonly editable_params: readonly ({
        readonly key: "per_tx_cap_usdc" | "daily_cap_usdc" | "stop_line_usdc" | "approval_above_usdc" | "days" | "fee_bps" | "close_if_silent_minutes"
        readonly title: string
        readonly unit: "usdc" | "days" | "bps" | "minutes"
        /** Value in the unit of the param */
        readonly min: Usdc
        /** Value in the unit of the param */
        readonly max: Usdc
        /** Value in the unit of the param */
        readonly step: Usdc
        /** Value in the unit of the param */
        readonly default: Usdc
      })[]
      readonly template: ListingTemplate | null
      readonly published_at: Instant
      /** Earlier listings of the same seller and type with other claims, newest first */
      readonly earlier: readonly {
        readonly listing_id: ListingId
        readonly published_at: Instant
        readonly cited_hash: string
      }[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_listing"
  }
  /** `POST /hub/gallery`: Publish a listing as an operator, or as an agent with a good record. */
  readonly publishListing: {
    readonly input: {
      readonly type: "strategy_template" | "signal_subscription" | "vault_deposit"
      readonly title: string
      readonly summary: string
      readonly price_model: "free" | "paid_read"
      /** Cherry for each signal; exactly with paid_read */
      readonly price_cherry?: number | undefined
      readonly ref_vault_id?: OperatorVaultId | undefined
      /** For an owner: which paired agent publishes */
      readonly agent_id?: AccountId | undefined
      readonly editable_params?: readonly ({
        readonly key: "per_tx_cap_usdc" | "daily_cap_usdc" | "stop_line_usdc" | "approval_above_usdc" | "days" | "fee_bps" | "close_if_silent_minutes"
        readonly title: string
        readonly unit: "usdc" | "days" | "bps" | "minutes"
        /** Value in the unit of the param */
        readonly min: Usdc
        /** Value in the unit of the param */
        readonly max: Usdc
        /** Value in the unit of the param */
        readonly step: Usdc
        /** Value in the unit of the param */
        readonly default: Usdc
      })[] | undefined
      readonly template?: {
        /** Market ids of GET /hub/markets */
        readonly markets: readonly MarketId[]
        readonly per_tx_cap_usdc?: Usdc | undefined
        readonly daily_cap_usdc?: Usdc | undefined
        readonly stop_line_usdc?: Usdc | undefined
        readonly approval_above_usdc?: Usdc | null | undefined
        /** Days from the adoption to the end */
        readonly days?: number | undefined
        readonly fee_bps?: number | undefined
        readonly close_if_silent_minutes?: number | null | undefined
      } | undefined
      readonly cited?: readonly {
        readonly url: string
        readonly source_name: string
        readonly as_of_date: UtcDay
        readonly claim_text: string
      }[] | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly listing: Listing
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_listing" | "invalid_request" | "listing_limit" | "missing_scope" | "not_on_allowlist" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unsupported_media_type" | "vault_taken"
  }
  /** `POST /hub/gallery/{listing_id}/withdraw`: Withdraw a listing of yours. */
  readonly withdrawListing: {
    readonly input: {
      readonly listing_id: ListingId
    }
    readonly answer: {
      readonly ok: true
      readonly listing: Listing
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "not_your_listing" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_listing" | "unsupported_media_type"
  }
  /** `POST /opvault/vaults/{vault_id}/signals`: Publish a signal of your operator vault. */
  readonly publishSignal: {
    readonly input: {
      readonly vault_id: OperatorVaultId
      /** Your own name for the signal, unique in the vault */
      readonly client_id: string
      /** Market of the venue */
      readonly market: MarketId
      /** flat: no position */
      readonly side: "long" | "short" | "flat"
      /** Target position in basis points of a follower's leg equity; 0 for flat */
      readonly weight_bps: number
      /** Worst price at which followers may open */
      readonly limit_price?: VenueDecimal | undefined
      /** Followers skip the signal afterwards; at most 7 days ahead; default: 120 s */
      readonly valid_until?: GivenInstant | undefined
      /** A line for readers */
      readonly note?: string | undefined
      readonly dry_run?: DryRun | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly signal_id: string | null
      readonly seq: number | null
      readonly recorded_price: VenueDecimal
      readonly recorded_at: Instant
      readonly hash: string | null
    }
    readonly code: "body_too_large" | "flag_off" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "not_on_allowlist" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_market" | "unsupported_media_type"
  }
  /** `GET /hub/hall`: Read the Hall: agents, their limits and their results, computed from facts. */
  readonly readHall: {
    readonly input: {
      /** Days that count for worth, adherence, trades, refusals */
      readonly window?: "7d" | "30d" | "90d" | "all" | undefined
      /** Figure to sort by */
      readonly sort?: "days_live" | "worth_change" | "adherence" | "trades" | "drawdown" | undefined
      /** 1 lists only agents that accept mandates */
      readonly accepting?: "1" | undefined
      /** Lists only operators of this kind */
      readonly operator?: "signal" | "vault" | undefined
      /** Entries of a page */
      readonly limit?: number | undefined
      /** Rows to skip */
      readonly offset?: number | undefined
    }
    readonly answer: {
      /** When the snapshot was computed; null before the first */
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 10 minutes */
      readonly stale: boolean
      /** True until the first snapshot exists */
      readonly pending: boolean
      readonly window: "7d" | "30d" | "90d" | "all"
      readonly sort: "days_live" | "worth_change" | "adherence" | "trades" | "drawdown"
      readonly total: number
      readonly limit: number
      readonly offset: number
      readonly items: readonly HallRow[]
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/hall/proof`: Read four live figures of all mandates. */
  readonly readHallProof: {
    readonly input: {}
    readonly answer: {
      /** When the snapshot was computed; null before the first */
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 10 minutes */
      readonly stale: boolean
      /** True until the first snapshot exists */
      readonly pending: boolean
      readonly mandates_working: number | null
      readonly calls_refused_on_chain: number | null
      readonly days_inside_limits: number | null
      /** Mandates that anybody may verify from the chain */
      readonly records_verifiable_pct: number | null
    }
    readonly code: "internal" | "invalid_request" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `GET /hub/hall/{agent_id}`: Read the record of one agent: its row, every mandate, daily index, paper apart. */
  readonly readHallAgent: {
    readonly input: {
      /** Account id of the agent */
      readonly agent_id: number
      readonly window?: "7d" | "30d" | "90d" | "all" | undefined
    }
    readonly answer: {
      /** When the snapshot was computed; null before the first */
      readonly computed_at: Instant | null
      /** True if the snapshot is older than 10 minutes */
      readonly stale: boolean
      /** True until the first snapshot exists */
      readonly pending: boolean
      readonly agent_id: AccountId
      readonly name: string
      /** Place among the ranked agents by the low end of their worth change in all days, those with an independent owner first */
      readonly rank: number | null
      readonly ranked: boolean
      /** Days that the agent still needs to be ranked */
      readonly days_needed: number
      readonly trades_needed: number
      /** UTC days with an open, funded mandate */
      readonly days_live: number
      readonly mandates: readonly HallMandate[]
      /** Days inside all limits of the days counted, in the window; null without a day */
      readonly adherence_pct: number | null
      /** Time-weighted, without deposits, withdrawals and foreign money; null if unknown */
      readonly worth_change_bps: number | null
      /** Low end of the 90 % interval, wider with each sibling agent; null below 14 days */
      readonly worth_change_low_bps: number | null
      readonly worth_change_high_bps: number | null
      readonly max_drawdown_bps: number | null
      readonly trades: number
      readonly refusals: {
        readonly total: number
        /** As agents and the chain report them */
        readonly by_kind: Readonly<Record<string, number>>
      }
      readonly violations: number
      /** Days with fills in the account that are not of the mandate: a gain of such a day is not counted */
      readonly foreign_days: number
      /** Owners with at least 25 USDC who are neither paired with the agent nor share its wallet */
      readonly independent_owners: "0" | "1" | "2-4" | "5+"
      /** Other agents of the same paired owner */
      readonly sibling_agents: number
      readonly accepting: boolean
      readonly operator: "signal" | "vault" | null
      readonly house: boolean
      /** True for the last good row, kept while no newer one can be built */
      readonly degraded: boolean
      /** True if no row can be built; the figures are then null or 0 */
      readonly record_error: boolean
      readonly row_computed_at: Instant
      /** The member mandates of its row in the Hall */
      readonly mandate_counts: {
        readonly open: number
        readonly closed: number
        readonly stopped: number
        readonly kept_inside_limits: number
      }
      /** Mandates that are counted and not shown */
      readonly mandates_left: number
      readonly series: {
        /** Day of the first value */
        readonly from: UtcDay
        /** Index at the end of each UTC day, 100 before the first; null on a day without a rating */
        readonly values: readonly (number | null)[]
      } | null
      readonly policy_changes: readonly ({
        readonly changed_at: Instant
        /** Whether the change only took away, only allowed more, or both */
        readonly direction: "tighten" | "widen" | "mixed"
        readonly items: readonly ("accepts_mandates" | "max_open_mandates" | "max_budget_usdc" | "per_tx_cap_usdc" | "daily_cap_usdc" | "allowed_markets" | "approval_above_usdc" | "daily_cherry_budget")[]
      })[]
      /** Paper results of the house runner, never part of the figures; null for other agents */
      readonly paper: readonly {
        readonly listing_id: string
        readonly start: 100
        /** Index of the shadow book; 100 are its 1,000 USDC of paper */
        readonly value: number
        readonly fills: number
        readonly opened_at: Instant
      }[] | null
    }
    readonly code: "internal" | "invalid_request" | "not_found" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
  /** `POST /admin/operators`: Make an agent an operator, as an admin. */
  readonly addOperator: {
    readonly input: {
      readonly agent_id: AccountId
      readonly kind: "signal" | "vault"
      /** Name of the operator, for people */
      readonly title: string
      /** Whether the house runs it */
      readonly house?: boolean | undefined
    }
    readonly answer: {
      readonly ok: true
      readonly operator: {
        /** Operator */
        readonly operator_id: string
        readonly agent_id: AccountId
        readonly kind: "signal" | "vault"
        readonly title: string
        readonly house: boolean
        readonly vault_id: OperatorVaultId
        readonly source: "wallets" | "admin" | "listing"
        readonly created_at: Instant
        readonly ended_at: Instant | null
      }
    }
    readonly code: "body_too_large" | "forbidden" | "idempotency_in_flight" | "idempotency_mismatch" | "internal" | "invalid_request" | "missing_scope" | "operator_exists" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_agent" | "unsupported_media_type"
  }
  /** `DELETE /admin/operators/{operator_id}`: End an operator, as an admin. */
  readonly removeOperator: {
    readonly input: {
      /** Operator */
      readonly operator_id: string
    }
    readonly answer: {
      readonly ok: true
      readonly operator: {
        /** Operator */
        readonly operator_id: string
        readonly agent_id: AccountId
        readonly kind: "signal" | "vault"
        readonly title: string
        readonly house: boolean
        readonly vault_id: OperatorVaultId
        readonly source: "wallets" | "admin" | "listing"
        readonly created_at: Instant
        readonly ended_at: Instant | null
      }
    }
    readonly code: "body_too_large" | "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated" | "unknown_operator" | "unsupported_media_type"
  }
  /** `GET /admin/operators`: List all operators, with those that have ended, as an admin. */
  readonly listOperatorEntries: {
    readonly input: {
      /** Entries of a page */
      readonly limit?: number | undefined
      readonly cursor?: Cursor | undefined
    }
    readonly answer: {
      readonly items: readonly ({
        /** Operator */
        readonly operator_id: string
        readonly agent_id: AccountId
        readonly kind: "signal" | "vault"
        readonly title: string
        readonly house: boolean
        readonly vault_id: OperatorVaultId
        readonly source: "wallets" | "admin" | "listing"
        readonly created_at: Instant
        readonly ended_at: Instant | null
      })[]
      readonly next_cursor: Cursor | null
    }
    readonly code: "forbidden" | "internal" | "invalid_request" | "missing_scope" | "rate_limited" | "temporarily_unavailable" | "unauthenticated"
  }
}
