import type { FollowEndReason } from '@svc/contracts/gallery/gaps'
import type { LegState } from '@svc/contracts/hl-leg/refusals'

/** Kinds of the alerts about a leg. */
export const NOT_BOUND = 'leg_not_bound'
export const APPROVAL_ENDS = 'leg_approval_ends'
export const SWITCHED_OFF = 'leg_money_out_while_off'
export const FOLLOW_ENDED = 'follow_ended'
export const ENDED_BY_HOUSE = 'leg_ended_by_house'

const DAY_MS = 86_400_000
/** How long before an early end its owner is told. */
const TOLD_BEFORE_MS = 7 * DAY_MS
/** An approval lives longer than this after the end of its mandate, unless the venue ends it early. */
export const GRACE_SEC = 7 * 86_400

/** Returns why a leg no longer obeys its mandate, and what its owner can do; null for a state that needs nothing. */
export function notBoundWords(state: LegState, name: string): string | null {
  const open = 'Orders are refused, and positions that are open may not be closed by the stop line.'
  const again =
    'Approve a key again with GET approve-call and POST bind of the mandate, or close the positions yourself at the venue.'
  switch (state) {
    case 'revoked':
      return `The key by which "${name}" trades in your account was removed or replaced at the venue. ${open} ${again}`
    case 'expired':
      return `The approval of the key by which "${name}" trades in your account has expired. ${open} ${again}`
    case 'orphaned':
      return `The service no longer has the key by which "${name}" trades in your account. ${open} ${again}`
    case 'unsupported':
      return `Your account at the venue changed its mode, so that "${name}" cannot trade in it. ${open} Change the mode back, or close the positions yourself at the venue.`
    case 'none':
    case 'proposed':
    case 'bound':
    case 'released':
      return null
  }
}

/** Returns what an owner is told whose leg money is out while the operator has the leg switched off. */
export const switchedOffWords = (name: string): string =>
  `The operator has switched the leg off while money of "${name}" is in your account at the venue. Nothing new is opened or funded; the stop line and transfers on their way go on. With GET /hub/mandates/{public_id}/hl-leg/exit-kit you can leave with your wallet alone.`

/** What a leg owes when the house ends it, in USDC. */
interface EndFigures {
  readonly given_back_usdc: string
  readonly owed_usdc: string
  readonly fee_owed_usdc: string
}

/** Returns what an owner is told in whose place the house ended a leg, and what the owner owes now. */
export const endedByHouseWords = (name: string, { given_back_usdc, owed_usdc, fee_owed_usdc }: EndFigures): string =>
  `The time to return the leg money of "${name}" has passed, so the house gave ${given_back_usdc} USDC back to the vault in your place, which you owe it. The leg owed ${owed_usdc} USDC more, on which the fee is ${fee_owed_usdc} USDC. Your accounts get no leg money before you have paid: GET /hub/mandates/{public_id}/money shows the debt, and POST bind refuses with the address to send it to.`

const WHY: Readonly<Record<FollowEndReason, string>> = {
  released: 'it was released',
  listing_withdrawn: 'the listing was withdrawn',
  listing_suspended: 'the listing was suspended',
  operator_ended: 'its operator has ended',
  mandate_stopped: 'the mandate was stopped or has ended',
  agent_changed: 'the agent of the mandate is no longer the house runner',
  leg_released: 'the leg of the mandate was released',
}

const CLOSE = 'close them with POST /hub/mandates/{public_id}/hl-order'
/** What becomes of positions that are open at the end of a follow. */
const positionsAfter = (reason: FollowEndReason): string =>
  reason === 'mandate_stopped'
    ? `Open positions are closed if money of the vault is in the account; otherwise they stay: ${CLOSE}.`
    : `Open positions stay as they are: ${CLOSE}, or leave them to the stop line.`

/** Returns what an owner is told whose mandate follows a listing no more. */
export const followEndedWords = (name: string, listing: string, reason: FollowEndReason): string =>
  `"${name}" no longer follows the listing "${listing}": ${WHY[reason]}. ${positionsAfter(reason)}`

/** Returns the end of an approval of which its owner is told now: one before its mandate needs it no more, at most a week ahead. */
export function earlyEnd(
  { state, valid_until }: { readonly state: LegState; readonly valid_until: string | null },
  endsAt: Date,
  now: Date,
): Date | null {
  if (state !== 'bound' || valid_until === null) return null
  const end = new Date(valid_until)
  const early = end.getTime() < endsAt.getTime() + GRACE_SEC * 1000
  return early && end <= toldBy(now) ? end : null
}

/** Returns the latest end of which an owner is told at a time. */
export const toldBy = (now: Date): Date => new Date(now.getTime() + TOLD_BEFORE_MS)
