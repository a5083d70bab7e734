/** A leg whose mandate may be over. Base units of USDC. */
export interface Ending {
  /** When the record stopped or ended the mandate; null while it may trade. */
  readonly overAt: Date | null
  readonly legOpen: boolean
  readonly openTransfers: number
  /** A transfer that ends the leg was sent. The chain shows the end a moment later. */
  readonly lastSent: boolean
  /** The newest reading may decide: it is fresh, complete and explained. */
  readonly isSound: boolean
  readonly flat: boolean | null
  readonly withdrawable: bigint | null
  /** Account value; null without a reading. */
  readonly value: bigint | null
  readonly foreign: bigint | null
}

/** How a leg ends without its owner. */
export type EndingPlan =
  /** Nothing is left to return: the leg is closed with nothing. */
  | { readonly do: 'closing'; readonly amount: 0n }
  /** The owner let the time pass: the vault gets what the leg was worth at the last good reading. */
  | { readonly do: 'fallback'; readonly amount: bigint }

/** Less than this is not worth a transfer: 0.01 USDC. */
const DUST = 10_000n

/** Decides whether the house ends a leg now; null: not yet, or it has ended. */
export function planEnding(leg: Ending, fallbackSec: number, now: Date): EndingPlan | null {
  const { overAt, legOpen, lastSent, isSound, flat, withdrawable, openTransfers } = leg
  if (overAt === null || !legOpen || lastSent) return null
  const worth = worthOf(leg)
  const isIdle = openTransfers === 0 && isSound && flat === true
  if (isIdle && (worth < DUST || (withdrawable ?? 0n) < DUST)) return { do: 'closing', amount: 0n }
  if (now.getTime() - overAt.getTime() < fallbackSec * 1000) return null
  return { do: 'fallback', amount: worth }
}

/** What the leg is worth by its newest good reading: at most what the account holds. */
function worthOf({ value, foreign }: Ending): bigint {
  if (value === null || foreign === null) return 0n
  const equity = value - foreign
  const least = equity < value ? equity : value
  return least > 0n ? least : 0n
}
