import type { LiveVerdict } from '@svc/contracts/gallery/gaps'
import { usdcText } from '@svc/limits'
import { exact } from '@svc/hyperliquid/rounding'

/** A signal without valid_until is followed for so long after it was recorded. */
export const FRESH_MS = 120_000
/** Smallest opening order, in base units: the venue's 10 USDC at the price of the book, of an amount at the reference price. */
export const OPEN_MIN = 11_000_000n
/** Smallest partial close. */
export const REDUCE_MIN = 10_000_000n

export interface DecidedSignal {
  readonly market: string
  readonly side: 'long' | 'short' | 'flat'
  readonly weightBps: number
  readonly limitPrice: string | null
  readonly recordedAt: number
  readonly validUntil: number | null
}

/** What is known of the mandate that follows. Amounts are base units. */
export interface FollowerScene {
  /** False for a follow that has ended: what it left is decided without an order. */
  readonly active: boolean
  readonly hiredAt: number
  readonly legBound: boolean
  /** Leg equity; null if unknown. */
  readonly equity: bigint | null
  /** Signed size and price of the position in the market of the signal; null without one. */
  readonly position: { readonly size: string; readonly price: string } | null
  readonly marketAllowed: boolean
  /** Largest open that passes now; null: none. */
  readonly openMax: bigint | null
  readonly mayClose: boolean
}

/** An order that a signal leads to. Exactly one of the two quantities is not null. */
export interface FollowOrder {
  /** 2 opens after 1 closed. */
  readonly n: 1 | 2
  readonly side: 'buy' | 'sell'
  readonly reduceOnly: boolean
  readonly size: string | null
  readonly amountUsdc: string | null
}

export type Decision =
  | { readonly kind: 'verdict'; readonly verdict: LiveVerdict; readonly reason: string }
  | { readonly kind: 'orders'; readonly orders: readonly [FollowOrder, ...FollowOrder[]] }

const verdict = (word: LiveVerdict, reason: string): Decision => ({ kind: 'verdict', verdict: word, reason })

/** Returns the time after which a signal is no longer followed, in Unix milliseconds. */
export const freshUntil = ({ validUntil, recordedAt }: Pick<DecidedSignal, 'validUntil' | 'recordedAt'>): number =>
  validUntil ?? recordedAt + FRESH_MS

/**
 * Decides what a follower does with a signal: target = weight × leg equity, order = target − position, at most what passes. A
 * position on the other side is closed first, then the target is opened. `mark`: price of the market now, null if unknown.
 */
export function decideSignal(signal: DecidedSignal, scene: FollowerScene, mark: string | null, now: number): Decision {
  return unfollowed(signal, scene, now) ?? ordersFor(signal, scene, mark)
}

/** Returns the verdict on a signal that leads to no order whatever the market does; null for one that may. */
export function unfollowed(
  signal: Pick<DecidedSignal, 'validUntil' | 'recordedAt'>,
  { active, hiredAt, legBound, equity }: Pick<FollowerScene, 'active' | 'hiredAt' | 'legBound' | 'equity'>,
  now: number,
): Decision | null {
  if (signal.recordedAt < hiredAt) return verdict('skipped_stale', 'before_hire')
  if (!active) return verdict('skipped_stale', 'follow_ended')
  if (now > freshUntil(signal)) return verdict('skipped_stale', 'too_late')
  if (!legBound) return verdict('skipped_no_leg', 'leg_not_bound')
  return equity === null ? verdict('skipped_no_leg', 'equity_unknown') : null
}

function ordersFor(signal: DecidedSignal, scene: FollowerScene, mark: string | null): Decision {
  const target = targetOf(signal, scene.equity ?? 0n)
  const held = heldOf(scene.position)
  if (held === 0n && target === 0n) return verdict('followed', 'at_target')
  const isFlip = held !== 0n && target !== 0n && held > 0n !== target > 0n
  if (isFlip || target === 0n) return closing(signal, scene, { target, mark })
  const more = target > 0n ? target - held : held - target
  return more >= 0n ? opening(signal, scene, { amount: more, mark, n: 1 }) : reducing(scene, target, -more)
}

/** Signed target position in base units. */
function targetOf({ side, weightBps }: DecidedSignal, equity: bigint): bigint {
  const size = ((equity > 0n ? equity : 0n) * BigInt(weightBps)) / 10_000n
  return side === 'flat' ? 0n : side === 'long' ? size : -size
}

/** Signed notional of a position in base units. */
function heldOf(position: FollowerScene['position']): bigint {
  if (position === null) return 0n
  const notional = exact(position.size).times(position.price).times(1_000_000)
  const units = BigInt(notional.abs().toDecimalPlaces(0).toFixed())
  // A position that is worth less than a base unit is still one.
  return (units === 0n ? 1n : units) * (notional.isNegative() ? -1n : 1n)
}

function closing(
  signal: DecidedSignal,
  scene: FollowerScene,
  { target, mark }: { readonly target: bigint; readonly mark: string | null },
): Decision {
  if (!scene.mayClose) return verdict('skipped_limit', 'may_not_close')
  const size = scene.position?.size ?? '0'
  const close: FollowOrder = {
    n: 1,
    side: size.startsWith('-') ? 'buy' : 'sell',
    reduceOnly: true,
    size: size.replace('-', ''),
    amountUsdc: null,
  }
  if (target === 0n) return { kind: 'orders', orders: [close] }
  const amount = target > 0n ? target : -target
  const open = opening(signal, scene, { amount, mark, n: 2 })
  return { kind: 'orders', orders: open.kind === 'orders' ? [close, ...open.orders] : [close] }
}

function opening(
  signal: DecidedSignal,
  scene: FollowerScene,
  { amount, mark, n }: { readonly amount: bigint; readonly mark: string | null; readonly n: 1 | 2 },
): Decision {
  if (amount < OPEN_MIN && scene.position !== null && n === 1) return verdict('followed', 'at_target')
  if (!scene.marketAllowed) return verdict('skipped_limit', 'market_not_allowed')
  if (amount < OPEN_MIN) return verdict('skipped_limit', 'below_minimum')
  if (scene.openMax === null) return verdict('skipped_limit', 'nothing_passes')
  const passing = amount < scene.openMax ? amount : scene.openMax
  if (passing < OPEN_MIN) return verdict('skipped_limit', 'over_caps')
  const side = signal.side === 'long' ? 'buy' : 'sell'
  if (isBeyond(signal.limitPrice, side, mark)) return verdict('skipped_limit', 'limit_price')
  const order: FollowOrder = { n, side, reduceOnly: false, size: null, amountUsdc: usdcText(passing) }
  return { kind: 'orders', orders: [order] }
}

/** Whether the market is worse than the worst price at which followers may open. An unknown price is. */
function isBeyond(limit: string | null, side: 'buy' | 'sell', mark: string | null): boolean {
  if (limit === null) return false
  if (mark === null) return true
  return side === 'buy' ? exact(mark).gt(limit) : exact(mark).lt(limit)
}

function reducing({ mayClose }: FollowerScene, target: bigint, amount: bigint): Decision {
  if (amount < REDUCE_MIN) return verdict('followed', 'at_target')
  if (!mayClose) return verdict('skipped_limit', 'may_not_close')
  const side = target > 0n ? 'sell' : 'buy'
  return { kind: 'orders', orders: [{ n: 1, side, reduceOnly: true, size: null, amountUsdc: usdcText(amount) }] }
}
