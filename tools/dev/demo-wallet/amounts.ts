import { usdcUnits } from '@svc/contracts/common/usdc'

/** The limits of a mandate as its details state them, in USDC. */
export interface Limits {
  readonly per_tx_cap_usdc: string
  readonly daily_cap_usdc: string
  readonly approval_above_usdc: string | null
}

/** What the demo agent asks for, in USDC base units. */
export interface Amounts {
  /** Passes; null if nothing does today. */
  readonly inside: bigint | null
  /** Held for the owner; null if the limits hold nothing that they do not refuse. */
  readonly held: bigint | null
  /** Above the cap per transaction. */
  readonly above: bigint
}

const USDC = 1_000_000n
/** Returns an amount without cents, if it is above one USDC. */
const whole = (amount: bigint): bigint => (amount > USDC ? amount - (amount % USDC) : amount)

/** Returns an amount that passes, one that waits for the owner, and one that is refused, from the limits of a mandate. */
export function amountsFor(limits: Limits, leftToday: string): Amounts {
  const cap = usdcUnits(limits.per_tx_cap_usdc)
  const left = usdcUnits(leftToday)
  const approval = limits.approval_above_usdc === null ? null : usdcUnits(limits.approval_above_usdc)
  const passesBelow = [cap, left, ...(approval === null ? [] : [approval])].reduce((one, other) =>
    one < other ? one : other,
  )
  const inside = whole(passesBelow / 2n)
  const room = left - inside
  const heldUpTo = cap < room ? cap : room
  const held = approval === null || approval >= heldUpTo ? null : whole(approval + (heldUpTo - approval + 1n) / 2n)
  const quarterOver = whole(cap + cap / 4n)
  return {
    inside: inside > 0n ? inside : null,
    held: held !== null && approval !== null && held > approval && held <= heldUpTo ? held : null,
    above: quarterOver > cap ? quarterOver : cap + 1n,
  }
}
