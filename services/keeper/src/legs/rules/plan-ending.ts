/** A leg whose mandate may be over. Base units of USDC. */
export interface Ending {
  /** When the record stopped or ended the mandate; null while it may trade. */
  readonly overAt: Date | null
  readonly legOpen: boolean
  /** What the vault has out. */
  readonly legOut: bigint
  readonly openTransfers: number
  /** A transfer that ends the leg was sent. The chain shows the end a moment later. */
  readonly lastSent: boolean
  /** The newest reading whose own equation was computed, if it holds. */
  readonly explained: { readonly flat: boolean; readonly owed: bigint } | null
}

/** How a leg ends without its owner. hl-leg reads the account again and has the last word. */
export type EndingPlan =
  /** Nothing is owed: the leg is closed with nothing. */
  | { readonly do: 'closing'; readonly amount: 0n }
  /** The owner let the time pass: the vault gets what was known last of the leg, at most `amount`. */
  | { readonly do: 'fallback'; readonly amount: bigint }

/** Less than this is not owed: 0.01 USDC. */
const DUST = 10_000n

/** Decides whether the house ends a leg now; null: not yet, or it has ended. */
export function planEnding(leg: Ending, fallbackSec: number, now: Date): EndingPlan | null {
  const { overAt, legOpen, legOut, lastSent, explained, openTransfers } = leg
  if (overAt === null || !legOpen || lastSent) return null
  if (openTransfers === 0 && explained?.flat === true && explained.owed < DUST) return { do: 'closing', amount: 0n }
  return now.getTime() - overAt.getTime() < fallbackSec * 1000 ? null : { do: 'fallback', amount: legOut }
}
