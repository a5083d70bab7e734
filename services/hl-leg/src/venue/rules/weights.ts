import { weightClasses } from '@svc/contracts/hl-leg/venue'

/** `closes`: the stop line and every close. `worth`: readings of accounts. `relays`: reads for anybody else. */
export type WeightClass = (typeof weightClasses)[number]

/** Share of each class in the weight that an address may spend in a minute, in twelve-hundredths. */
const SHARES = { closes: 480, orders: 200, worth: 320, relays: 200 } as const satisfies Record<WeightClass, number>
const WHOLE = 1_200
/** A class lends at most a sixth of its share: that of ten seconds. */
const LENT_PART = 6

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

/** Returns the weight of a minute that belongs to a class. */
export const shareOf = (of: WeightClass, minuteMax: number): number => Math.floor((minuteMax * SHARES[of]) / WHOLE)

/**
 * Decides from whose shares a request of `weight` is paid; null if it must wait. A class spends its own share of the
 * trailing minute first, then what the classes above it left unused in the last 10 s. Each of these lends at most a
 * sixth of its share, so that five sixths remain its own at any moment, and all charges together never exceed
 * `minuteMax`. Closes lend nothing: they come in bursts, and a lent weight returns only after a minute.
 */
export function planSpending(
  minuteMax: number,
  spent: Readonly<Record<WeightClass, Spent>>,
  by: WeightClass,
  weight: number,
): readonly Charge[] | null {
  const charges: Charge[] = []
  let left = weight
  const take = (from: WeightClass, room: number) => {
    const taken = Math.min(left, Math.max(0, room))
    if (taken > 0) charges.push({ class: from, lent: from !== by, weight: taken })
    left -= taken
  }
  take(by, shareOf(by, minuteMax) - spent[by].minute)
  const above = weightClasses.slice(1, Math.max(1, weightClasses.indexOf(by))).toReversed()
  for (const lender of above) {
    const share = shareOf(lender, minuteMax)
    const { minute, recent, lent } = spent[lender]
    const part = Math.floor(share / LENT_PART)
    take(lender, Math.min(part - recent, part - lent, share - minute))
  }
  return left === 0 ? charges : null
}
