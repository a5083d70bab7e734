import { weightClasses } from '@svc/contracts/hl-leg/venue'

/**
 * `closes`: the stop line and every close. `worth`: readings of accounts. `relays`: reads for anybody else, and among them
 * `visitors`: what strangers choose freely.
 */
export type WeightClass = (typeof weightClasses)[number]

/**
 * Share of each class in the weight that an address may spend in a minute, in twelve-hundredths. What visitors spend counts
 * against relays too.
 */
const SHARES = {
  closes: 480,
  orders: 200,
  worth: 320,
  relays: 200,
  visitors: 100,
} as const satisfies Record<WeightClass, number>
const WHOLE = 1_200
/** A class lends at most a sixth of its share: that of ten seconds. */
const LENT_PART = 6

/** What the other processes of the image may spend. A stolen credential of the relay thus bars no close. */
const SPENDERS: Readonly<Record<string, readonly WeightClass[]>> = {
  'hl-relay': ['relays', 'visitors'],
  'hl-trade': ['closes', 'orders', 'relays'],
}

/** Returns true if another process may spend the weight of a class. */
export const maySpend = (process: string, by: WeightClass): boolean => SPENDERS[process]?.includes(by) === true

/** Weight spent from the share of a class, with what it lent. */
export interface Spent {
  /** In the last 60 s. */
  readonly minute: number
  /** In the last 10 s. */
  readonly recent: number
  /** Part of `minute` that lower classes spent. */
  readonly lent: number
}

/** Weight to take from the share of a class. */
export interface Charge {
  readonly class: WeightClass
  readonly lent: boolean
  readonly weight: number
}

/** Weight of a request: what it costs at least, and at most if only its answer tells. */
export interface Wanted {
  readonly weight: number
  readonly atMost: number
}

/** Returns the weight of a minute that belongs to a class. */
export const shareOf = (of: WeightClass, minuteMax: number): number => Math.floor((minuteMax * SHARES[of]) / WHOLE)

/**
 * Decides from whose shares a request of `weight` is paid; null if it must wait. A class spends its own share of the
 * trailing minute first, then what the classes above it left unused in the last 10 s. Each of these lends at most a
 * sixth of its share, so that five sixths remain its own at any moment, and all charges together never exceed
 * `minuteMax`. Closes lend nothing: they come in bursts, and a lent weight returns only after a minute. Visitors borrow
 * nothing, and spend only what relays have left.
 */
export function planSpending(
  minuteMax: number,
  spent: Readonly<Record<WeightClass, Spent>>,
  by: WeightClass,
  { weight, atMost }: Wanted,
): readonly Charge[] | null {
  const ofRelays = shareOf('relays', minuteMax) - spent.relays.minute - spent.visitors.minute
  if (by === 'visitors') {
    const hasRoom = weight <= shareOf('visitors', minuteMax) - spent.visitors.minute && atMost <= ofRelays
    return hasRoom ? [{ class: 'visitors', lent: false, weight: atMost }] : null
  }
  const charges: Charge[] = []
  let left = atMost
  const take = (from: WeightClass, room: number) => {
    const taken = Math.min(left, Math.max(0, room))
    if (taken > 0) charges.push({ class: from, lent: from !== by, weight: taken })
    left -= taken
  }
  take(by, by === 'relays' ? ofRelays : shareOf(by, minuteMax) - spent[by].minute)
  const above = weightClasses.slice(1, Math.max(1, weightClasses.indexOf(by))).toReversed()
  for (const lender of above) {
    const share = shareOf(lender, minuteMax)
    const { minute, recent, lent } = spent[lender]
    const part = Math.floor(share / LENT_PART)
    take(lender, Math.min(part - recent, part - lent, share - minute))
  }
  return left === 0 ? charges : null
}
