import type { TradeCode } from '@svc/contracts/hl-trade/order-schemas'
import type { Problem } from '../../lib/problem.ts'
import type { Product, Trader, TradeMode } from './answers.ts'
import { fixedOf, fixedText } from './fixed.ts'

/** The codes with which an order is refused, in the order in which they are judged. */
export const codes = [
  'live_trading_off',
  'agent_not_paired',
  'no_mandate',
  'mandate_not_working',
  'market_not_allowed',
  'over_order_cap',
  'over_daily_cap',
  'over_open_notional',
  'session_closed',
  'builder_fee_not_approved',
  'account_not_linked',
  'price_out_of_band',
  'confirm_expired',
] as const satisfies readonly TradeCode[]

/** `unasked`: the code does not apply to this order. */
export type Verdict = 'pass' | 'refuse' | 'unknown' | 'unasked'

/** Figures of a line: decimal USDC text, `attempted` of `limit`. */
export interface Figures {
  readonly attempted: string
  readonly limit: string
}

/** One line of the checklist. */
export interface Line {
  readonly code: TradeCode
  readonly verdict: Verdict
  readonly figures: Figures | null
  /** Who says so: the page from what it read, or the service in a trial of this order. */
  readonly by: 'page' | 'trial'
  /** What to do, in the service's words; null where the page has its own. */
  readonly fix: string | null
}

/** What a trial of exactly this order gave; null while none was made. */
export type Trial =
  | { readonly kind: 'passed' }
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly fix: string | null
      readonly limit: string | null
      readonly attempted: string | null
    }
  | null

/** What the checklist is made from. */
export interface Facts {
  readonly mode: TradeMode
  readonly product: Product | null
  /** Decimal text; null while none is typed. */
  readonly amount: string | null
  readonly reduceOnly: boolean
  readonly trader: Trader | null
  /** What the live positions come to, decimal text; null while the venue does not tell. */
  readonly held: string | null
  readonly trial: Trial
  /** Whether a prepared order that waits for a signature has expired; null while none waits. */
  readonly expired: boolean | null
}

type Judged = readonly [Verdict, Figures?]

const verdictOf = (passes: boolean | null): Judged => [passes === null ? 'unknown' : passes ? 'pass' : 'refuse']

function checkOf(trader: Trader | null, id: Trader['checks'][number]['id']): boolean | null {
  const verdict = trader?.checks.find((one) => one.id === id)?.verdict
  return verdict === undefined || verdict === 'unknown' ? null : verdict === 'pass'
}

/** An order never counts more than its amount: its size is cut to it at the reference price. */
function capped({ mode, reduceOnly, amount, trader }: Facts, which: 'per_order_usdc' | 'daily_usdc'): Judged {
  if (reduceOnly) return ['unasked']
  if (amount === null || trader === null) return ['unknown']
  const { limits } = trader
  const spent = mode === 'paper' ? limits.paper_used_today_usdc : limits.used_today_usdc
  const used = which === 'daily_usdc' ? fixedOf(spent) : 0n
  const attempted = used + fixedOf(amount)
  const figures = { attempted: fixedText(attempted, 6), limit: limits[which] }
  return [attempted <= fixedOf(limits[which]) ? 'pass' : 'refuse', figures]
}

function openNotional({ mode, reduceOnly, amount, trader, held }: Facts): Judged {
  if (reduceOnly) return ['unasked']
  // `held` is the live account; what a paper book holds is judged in a trial.
  if (mode === 'paper' || amount === null || trader === null || held === null) return ['unknown']
  const attempted = fixedOf(held) + fixedOf(amount)
  const limit = trader.open_notional_max_usdc
  return [attempted <= fixedOf(limit) ? 'pass' : 'refuse', { attempted: fixedText(attempted, 6), limit }]
}

function sessionJudged({ product, reduceOnly }: Facts): Judged {
  if (reduceOnly || product === null) return [reduceOnly ? 'unasked' : 'unknown']
  const { session } = product
  if (session === null || session === 'open') return ['pass']
  return session === 'closed' || session === 'holiday' ? ['refuse'] : ['unknown']
}

function linked(facts: Facts): Judged {
  const [isLinked, isFree] = [checkOf(facts.trader, 'linked'), checkOf(facts.trader, 'leg')]
  if (isLinked === false || (isFree === false && !facts.reduceOnly)) return ['refuse']
  return verdictOf(isLinked === null || (isFree === null && !facts.reduceOnly) ? null : true)
}

/** Judges each code by what the page read itself. */
const BY_PAGE: Readonly<Record<TradeCode, (facts: Facts) => Judged>> = {
  live_trading_off: ({ trader, reduceOnly }) =>
    reduceOnly ? ['unasked'] : verdictOf(trader === null ? null : trader.live_switch),
  agent_not_paired: () => ['unasked'],
  no_mandate: () => ['unasked'],
  mandate_not_working: () => ['unasked'],
  market_not_allowed: ({ product, mode }) => verdictOf(product === null ? null : product.modes.includes(mode)),
  over_order_cap: (facts) => capped(facts, 'per_order_usdc'),
  over_daily_cap: (facts) => capped(facts, 'daily_usdc'),
  over_open_notional: openNotional,
  session_closed: sessionJudged,
  builder_fee_not_approved: ({ trader, reduceOnly }) =>
    reduceOnly ? ['unasked'] : verdictOf(checkOf(trader, 'builder_fee')),
  account_not_linked: linked,
  price_out_of_band: ({ reduceOnly }) => [reduceOnly ? 'unasked' : 'unknown'],
  confirm_expired: ({ expired }) => (expired === null ? ['pass'] : verdictOf(!expired)),
}
/** Codes that an order of a paper book is judged by; the venue's own rules stand in a trial. */
const ON_PAPER: ReadonlySet<TradeCode> = new Set([
  'market_not_allowed',
  'over_order_cap',
  'over_daily_cap',
  'over_open_notional',
  'session_closed',
  'price_out_of_band',
])
/** What a paper book refuses, as the code that a live order would be refused with. */
const OF_PAPER: Readonly<Record<string, TradeCode>> = {
  unknown_market: 'market_not_allowed',
  market_delisted: 'market_not_allowed',
  session_closed: 'session_closed',
  no_price: 'price_out_of_band',
}

/** Returns the code of a refusal; null for one that none of the codes names. */
export const codeOf = (refusal: string): TradeCode | null =>
  codes.find((code) => code === refusal) ?? OF_PAPER[refusal] ?? null

/**
 * Returns a line for each code, in the order in which the service judges. A trial outweighs what the page read: the codes
 * are judged in order, so all before the refusing one passed, and the ones after it were not reached.
 */
export function checklistOf(facts: Facts): readonly Line[] {
  const { trial, mode } = facts
  const refused = trial?.kind === 'refused' ? codeOf(trial.code) : null
  const at = refused === null ? -1 : codes.indexOf(refused)
  return codes.map((code, index) => {
    const [verdict, figures = null] =
      mode === 'paper' && !ON_PAPER.has(code) ? (['unasked'] as Judged) : BY_PAGE[code](facts)
    const line = { code, verdict, figures, by: 'page' as const, fix: null }
    if (trial?.kind === 'refused' && code === refused) return { ...line, ...refusedBy(trial, figures) }
    const passed = trial?.kind === 'passed' || index < at
    return passed && verdict !== 'unasked' ? { ...line, verdict: 'pass', by: 'trial' } : line
  })
}

function refusedBy({ limit, attempted, fix }: Extract<Trial, { kind: 'refused' }>, figures: Figures | null) {
  const told = limit === null || attempted === null ? figures : { limit, attempted }
  return { verdict: 'refuse' as const, figures: told, by: 'trial' as const, fix }
}

/** Returns the code that refuses the order first; null if none does as far as is known. */
export const firstRefusal = (lines: readonly Line[]): Line | null =>
  lines.find(({ verdict }) => verdict === 'refuse') ?? null

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Reads a refusal: the standard block of a live order, or the reason of a paper book. Null for any other failure. */
export function readRefusal({ code, body, fix }: Pick<Problem, 'code' | 'body' | 'fix'>): Trial {
  if (code === 'paper_rejected')
    return { kind: 'refused', code: textOf(body['reason']) ?? '', fix, limit: null, attempted: null }
  const block = body['refusal']
  if (code !== 'order_refused' || typeof block !== 'object' || block === null) return null
  const said = block as Readonly<Record<string, unknown>>
  return {
    kind: 'refused',
    code: textOf(said['code']) ?? '',
    fix: textOf(said['fix']) ?? fix,
    limit: textOf(said['limit']),
    attempted: textOf(said['attempted']),
  }
}
