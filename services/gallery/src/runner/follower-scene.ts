import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import type { FollowLeg } from '@svc/contracts/hl-leg/follows'
import type { FollowMandate } from '@svc/contracts/mandates/follows'
import type { Follow } from '#gaps/store/follows.ts'
import type { FollowerScene } from '#follows/rules/decide-signal.ts'

/** Returns what the rules know of a follower in the market of a signal. A mandate or leg that is not known follows nothing. */
export function followerScene(
  follow: Follow,
  market: string,
  { mandate, leg }: { readonly mandate: FollowMandate | undefined; readonly leg: FollowLeg | null | undefined },
): FollowerScene {
  const held = leg?.positions.find((position) => position.market === market)
  return {
    active: follow.endedAt === null && mandate !== undefined,
    hiredAt: Date.parse(follow.hiredAt),
    legBound: leg?.state === 'bound' && leg.network === 'testnet',
    equity: equityOf(mandate, leg),
    position: held === undefined ? null : { size: held.size, price: held.mark_price },
    marketAllowed: mandate?.markets.includes(market) === true,
    openMax: mandate?.open_max_usdc == null ? null : usdcUnits(mandate.open_max_usdc),
    mayClose: mandate?.may_close === true,
  }
}

/** Equity of the leg; of one that was never funded the account's value, at most the budget. Null if unknown. */
function equityOf(mandate: FollowMandate | undefined, leg: FollowLeg | null | undefined): bigint | null {
  if (leg == null || mandate === undefined) return null
  if (leg.funded) return leg.equity_usdc === null ? null : signedUnits(leg.equity_usdc)
  if (leg.value_usdc === null) return null
  const [value, budget] = [signedUnits(leg.value_usdc), usdcUnits(mandate.budget_usdc)]
  return value < budget ? value : budget
}
