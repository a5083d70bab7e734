import type { Address } from 'viem'
import type { OwnAccount } from '#account/own-account.ts'
import type { Principal } from '#account/principal-of.ts'
import type { Context } from '#context.ts'
import type { Plan } from '@svc/venue/rules/plan-order'
import { readAccountFacts, type AccountFacts } from './account-facts.ts'
import { judgeLive, type Judged } from './judge-live.ts'
import { planTrade } from './plan-trade.ts'
import { readScene, type TradeScene } from './read-scene.ts'
import { requirePace } from './require-pace.ts'
import { bandAtPlan } from './rules/price-band.ts'
import type { TradeRequest } from './trade-request.ts'

/** A plan of a live order with all that it was made from. */
export interface LivePlan {
  readonly account: AccountFacts
  readonly own: OwnAccount
  readonly scene: TradeScene
  readonly plan: Plan
  readonly band: string
}

/** Reads account, market and book, and plans. What cannot be planned is judged by what is known of it. */
export async function planLive(context: Context, request: TradeRequest, principal: Principal): Promise<LivePlan> {
  requirePace(context, request.accountId, request.reduceOnly)
  const account = await readAccountFacts(context, principal, !request.reduceOnly)
  const { own } = account
  const scene =
    own === null ? null : await readScene(context, own.wallet as Address, request.market, request.reduceOnly)
  if (own === null || scene === null) return refuseUnplanned(context, request, principal, account)
  const band = request.maxSlippage ?? context.settings.slippagePct
  return { account, own, scene, band, plan: planTrade(request, scene, band) }
}

/** Judges an order of an account that is not linked, or of a market that the venue does not have; it always refuses. */
async function refuseUnplanned(
  context: Context,
  request: TradeRequest,
  { ownerId }: Principal,
  account: AccountFacts,
): Promise<never> {
  await context.pool.transaction((tx) =>
    judgeLive(context, tx, account, {
      ...whoOf(request, ownerId),
      isListed: account.own === null,
      opening: true,
      notionalUsdc: request.amountUsdc,
      openNotionalUsdc: null,
      price: null,
    }),
  )
  throw new Error('an order without a plan was not refused')
}

const whoOf = ({ accountId, door, by, market }: TradeRequest, ownerId: number) => ({
  ownerId,
  accountId,
  door,
  by,
  market,
  id: null,
  isExpired: false,
  needsKey: by === 'agent',
})

/** Returns what a planned order is judged by. */
export const judgedOf = (request: TradeRequest, { ownerId }: Principal, { plan, scene }: LivePlan): Judged => ({
  ...whoOf(request, ownerId),
  isListed: scene.market.listed,
  opening: plan.opening,
  notionalUsdc: plan.notionalUsdc,
  openNotionalUsdc: scene.reading.notional,
  price: plan.opening ? bandAtPlan(plan.centre, scene.prices) : null,
})
