import type { TradeCode, TradeMode } from '@svc/contracts/hl-trade/order-schemas'
import { exact, floorUsdc } from '@svc/hyperliquid/rounding'
import { LESS_OPEN } from '@svc/venue/rules/less-open'

/** A mandate between the owner and the agent that asks. */
export interface AgentMandate {
  readonly publicId: string
  readonly isWorking: boolean
  readonly perTxCapUsdc: string
  readonly markets: readonly string[]
}

/** Why the owner has no account that may be traded this way. */
export type NotLinked = 'not_linked' | 'key_not_enabled' | 'wallet_refused' | 'leg_bound'

/** Caps of an account; decimal text. */
export interface Caps {
  readonly perOrderUsdc: string
  readonly dailyUsdc: string
  /** Opening orders of this UTC day in the mode of the order: executed, and reserved for unresolved ones. */
  readonly usedTodayUsdc: string
  readonly resetsAt: Date
}

/** What an order is judged by. What is not known, or not asked about, is null and refuses nothing. */
export interface TradeFacts {
  readonly mode: TradeMode
  readonly by: 'owner' | 'agent'
  /** True for an order that the fresh position shows to reduce it. */
  readonly closing: boolean
  readonly liveTrading: boolean
  readonly isPaired: boolean
  /** Of the agent and its owner; null for an order of the owner. */
  readonly mandates: readonly AgentMandate[] | null
  /** `isListed`: the venue trades it, with collateral in USDC. */
  readonly market: { readonly id: string; readonly isListed: boolean } | null
  readonly notionalUsdc: string | null
  readonly caps: Caps | null
  /** Notional of all positions and of unresolved opens, and the multiple of the daily cap that bounds it. */
  readonly openNotional: { readonly usdc: string; readonly mult: string } | null
  readonly session: { readonly isOpen: boolean; readonly exchange: string; readonly nextOpensAt: Date } | null
  /** `none`: this deployment has no builder fee. */
  readonly builder: 'none' | 'approved' | 'missing'
  readonly notLinked: NotLinked | null
  /** Null while the price lies in the band. */
  readonly price: { readonly limit: string | null; readonly attempted: string | null; readonly fix: string } | null
  readonly isExpired: boolean
}

/** Why an order is refused; figures are decimal text in USDC. */
export interface Finding {
  readonly code: TradeCode
  readonly limit: string | null
  readonly attempted: string | null
  readonly remaining: string | null
  readonly unit: 'usdc' | null
  readonly fix: string
  readonly reason: NotLinked | null
  readonly resetsAt: Date | null
}

const PLAIN = { limit: null, attempted: null, remaining: null, unit: null, reason: null, resetsAt: null } as const
const found = (code: TradeCode, fix: string, more: Partial<Finding> = {}): Finding => ({ ...PLAIN, code, fix, ...more })

/**
 * Returns every reason that refuses an order, in the order of the codes; the first one is the refusal. A paper order needs
 * an owner and the caps. An owner's close passes the live switch, the caps and the session; no close is judged by caps or session.
 */
export function judgeTrade(facts: TradeFacts): readonly Finding[] {
  const unpaired = facts.isPaired ? null : notPaired()
  const caps = [overOrderCap(facts), overDailyCap(facts), overOpenNotional(facts)]
  if (facts.mode === 'paper') return [unpaired, ...caps].filter((one) => one !== null)
  return [
    liveOff(facts),
    unpaired,
    ...mandateFindings(facts),
    ...caps,
    sessionClosed(facts),
    builderMissing(facts),
    notLinked(facts),
    facts.price === null ? null : found('price_out_of_band', facts.price.fix, { ...facts.price }),
    facts.isExpired
      ? found('confirm_expired', 'Prepare the order again with POST /hub/order: it was good for 60 seconds.')
      : null,
  ].filter((one) => one !== null)
}

/** Returns the working mandate with the highest cap that lists a market, or any market if none is named; null without one. */
export function mandateFor(mandates: readonly AgentMandate[], market: string | null): AgentMandate | null {
  const fitting = mandates.filter((one) => one.isWorking && (market === null || one.markets.includes(market)))
  const [first] = fitting.toSorted((a, b) => exact(b.perTxCapUsdc).cmp(a.perTxCapUsdc))
  return first ?? null
}

/** Returns the greatest notional of an opening order that the caps let through now; decimal text. */
export function maxPassing({ caps, mandates, market, openNotional }: TradeFacts): string | null {
  if (caps === null) return null
  const room = [capOf(caps, mandates, market), exact(caps.dailyUsdc).minus(caps.usedTodayUsdc)]
  if (openNotional !== null) room.push(exact(caps.dailyUsdc).times(openNotional.mult).minus(openNotional.usdc))
  const least = room.map((one) => exact(one)).reduce((low, one) => (one.lt(low) ? one : low))
  return least.isNegative() ? '0' : floorUsdc(least)
}

const notPaired = () =>
  found(
    'agent_not_paired',
    'Ask your owner for a pair code, which the page /ui/agent makes, and send it with POST /hub/agents/pair.',
  )

function liveOff({ liveTrading, closing, by }: TradeFacts): Finding | null {
  if (liveTrading || (closing && by === 'owner')) return null
  return found(
    'live_trading_off',
    'Send mode "paper": this deployment has live trading switched off. The owner can still close positions.',
  )
}

function mandateFindings({ mandates, market }: TradeFacts): readonly (Finding | null)[] {
  const unlisted = market !== null && !market.isListed
  const notAllowed = (fix: string) => found('market_not_allowed', fix, { attempted: market?.id ?? null })
  if (unlisted) return [notAllowed('Choose a market of GET /ui/trade/products: the venue does not list this one.')]
  if (mandates === null) return []
  if (mandates.length === 0)
    return [found('no_mandate', 'Ask the owner for a mandate: an agent trades the own account of its owner under one.')]
  if (!mandates.some(({ isWorking }) => isWorking))
    return [
      found(
        'mandate_not_working',
        'Wait until a mandate between the owner and the agent is working: sign, fund or resume it.',
      ),
    ]
  if (mandateFor(mandates, market?.id ?? null) !== null) return []
  return [notAllowed('Choose a market that a working mandate between the owner and the agent lists.')]
}

function capOf(caps: Caps, mandates: TradeFacts['mandates'], market: TradeFacts['market']): string {
  const mandate = mandates === null ? null : mandateFor(mandates, market?.id ?? null)
  return mandate !== null && exact(mandate.perTxCapUsdc).lt(caps.perOrderUsdc)
    ? mandate.perTxCapUsdc
    : caps.perOrderUsdc
}

function overOrderCap({ closing, notionalUsdc, caps, mandates, market }: TradeFacts): Finding | null {
  if (closing || caps === null || notionalUsdc === null) return null
  const limit = capOf(caps, mandates, market)
  if (exact(notionalUsdc).lte(limit)) return null
  const fix = `Ask for at most ${limit} USDC at the reference price of the order.`
  return found('over_order_cap', fix, { limit, attempted: notionalUsdc, remaining: limit, unit: 'usdc' })
}

function overDailyCap({ closing, notionalUsdc, caps }: TradeFacts): Finding | null {
  if (closing || caps === null) return null
  const { dailyUsdc: limit, usedTodayUsdc: used, resetsAt } = caps
  const left = exact(limit).minus(used)
  const passes = notionalUsdc === null ? left.gt(0) : left.gte(notionalUsdc)
  if (passes) return null
  const remaining = left.isNegative() ? '0' : left.toFixed()
  const fix = `Ask for at most ${remaining} USDC, or wait until ${resetsAt.toISOString()}.`
  const attempted = notionalUsdc === null ? null : exact(used).plus(notionalUsdc).toFixed()
  return found('over_daily_cap', fix, { limit, attempted, remaining, unit: 'usdc', resetsAt })
}

function overOpenNotional({ closing, notionalUsdc, caps, openNotional }: TradeFacts): Finding | null {
  if (closing || caps === null || openNotional === null || notionalUsdc === null) return null
  const limit = exact(caps.dailyUsdc).times(openNotional.mult)
  const after = exact(openNotional.usdc).plus(notionalUsdc)
  if (after.lte(limit)) return null
  const left = limit.minus(openNotional.usdc)
  const remaining = left.isNegative() ? '0' : left.toFixed()
  return found('over_open_notional', LESS_OPEN, {
    limit: limit.toFixed(),
    attempted: after.toFixed(),
    remaining,
    unit: 'usdc',
  })
}

function sessionClosed({ closing, session }: TradeFacts): Finding | null {
  if (closing || session === null || session.isOpen) return null
  const fix = `Wait until ${session.nextOpensAt.toISOString()}: ${session.exchange}, whose price the market follows, is closed. Closes pass.`
  return found('session_closed', fix)
}

function builderMissing({ builder }: TradeFacts): Finding | null {
  if (builder !== 'missing') return null
  return found(
    'builder_fee_not_approved',
    'Approve the builder fee of GET /hub/builder-fee/config at the venue with the linked wallet, then POST /hub/builder-fee/record.',
  )
}

const LINK_FIXES = {
  not_linked: 'Link your account first: POST /hub/own/link/challenge, then POST /hub/own/link.',
  key_not_enabled:
    'Let the owner enable the order key: POST /hub/own/enable/relay. Orders of agents are signed with it.',
  wallet_refused: 'Read GET /hub/own/status: the venue no longer treats the linked wallet as a plain account.',
  leg_bound:
    'Close positions only: the leg of a mandate trades in this account. Release it with POST /hub/mandates/{public_id}/hl-leg/unbind to open here.',
} as const satisfies Readonly<Record<NotLinked, string>>

function notLinked({ notLinked: reason }: TradeFacts): Finding | null {
  return reason === null ? null : found('account_not_linked', LINK_FIXES[reason], { reason })
}
