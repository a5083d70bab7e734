import { MONTH_SECONDS, tiers } from '@svc/contracts/subscriptions/tiers'

export type Tier = 0 | 1 | 2
export type PaidTier = 1 | 2

/** A stored subscription; tier 0, or an end that has passed, means Free. */
export interface Subscription {
  readonly tier: Tier
  readonly startedAt: Date | null
  readonly endsAt: Date | null
  /** Cherry paid for the running subscription, and the seconds bought with it. */
  readonly paid: number
  readonly boughtSeconds: number
}

export interface Running extends Subscription {
  readonly tier: PaidTier
  readonly startedAt: Date
  readonly endsAt: Date
}

export interface Quote {
  readonly action: 'start' | 'extend' | 'upgrade'
  readonly tier: PaidTier
  readonly months: number
  readonly price: number
  readonly credit: number
  readonly charge: number
  readonly leftover: number
  readonly leftoverSeconds: number
  /** The subscription that is stored once the purchase is paid. */
  readonly next: Running
}

/** Returns the subscription that runs at `now`; null on Free, which begins at the very end. */
export function runningAt(subscription: Subscription | null, now: Date): Running | null {
  if (subscription === null) return null
  const { tier, startedAt, endsAt } = subscription
  if (tier === 0 || startedAt === null || endsAt === null || endsAt <= now) return null
  return { ...subscription, tier, startedAt, endsAt }
}

/** Returns the whole unused seconds of a running subscription, never more than were bought. */
export function unusedSeconds(running: Running, now: Date): number {
  return Math.min(running.boughtSeconds, Math.floor((running.endsAt.getTime() - now.getTime()) / 1000))
}

/** Returns floor(a × b ÷ c) without losing precision. */
function share(a: number, b: number, c: number): number {
  return Number((BigInt(a) * BigInt(b)) / BigInt(c))
}

const later = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000)

/**
 * Returns what buying `months` of `tier` costs and results in at `now`; null while a higher tier runs.
 * An upgrade credits floor(paid × unused ÷ bought); credit above the price becomes time of the new tier. `creditAt` is the
 * moment whose unused part counts: a quote keeps its credit while it holds.
 */
export function quote(
  running: Running | null,
  tier: PaidTier,
  months: number,
  now: Date,
  creditAt: Date = now,
): Quote | null {
  const monthly = tiers[tier].cherry_per_month
  const price = monthly * months
  const boughtSeconds = MONTH_SECONDS * months
  const plain = { tier, months, price, credit: 0, charge: price, leftover: 0, leftoverSeconds: 0 }
  if (running === null) {
    return {
      ...plain,
      action: 'start',
      next: { tier, startedAt: now, endsAt: later(now, boughtSeconds), paid: price, boughtSeconds },
    }
  }
  if (running.tier > tier) return null
  if (running.tier === tier) {
    const next = {
      ...running,
      endsAt: later(running.endsAt, boughtSeconds),
      paid: running.paid + price,
      boughtSeconds: running.boughtSeconds + boughtSeconds,
    }
    return { ...plain, action: 'extend', next }
  }
  const credit = share(running.paid, unusedSeconds(running, creditAt), running.boughtSeconds)
  const leftover = Math.max(0, credit - price)
  const leftoverSeconds = share(leftover, MONTH_SECONDS, monthly)
  const seconds = boughtSeconds + leftoverSeconds
  return {
    ...plain,
    action: 'upgrade',
    credit,
    charge: Math.max(0, price - credit),
    leftover,
    leftoverSeconds,
    next: { tier, startedAt: now, endsAt: later(now, seconds), paid: price + leftover, boughtSeconds: seconds },
  }
}
