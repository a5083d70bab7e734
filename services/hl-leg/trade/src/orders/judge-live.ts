import { refuse } from '@svc/contract'
import { orderRefused } from '@svc/contracts/hl-trade/orders'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { sessionOfMarket } from '@svc/market-sessions'
import { exact } from '@svc/hyperliquid/rounding'
import type { Tx } from '@svc/postgres'
import type { Context } from '#context.ts'
import { factsOf, type AccountFacts } from './account-facts.ts'
import { capsOf } from './caps-of.ts'
import { judgeTrade, mandateFor, type Caps, type TradeFacts } from './rules/judge-trade.ts'
import { refusalView } from './rules/refusal-view.ts'
import type { Door } from './store/caps.ts'
import type { TradeSums } from './store/sums.ts'

/** An order that is judged under the lock of its owner's orders. */
export interface Judged {
  readonly ownerId: number
  readonly accountId: number
  readonly door: Door
  readonly by: 'owner' | 'agent'
  readonly market: string
  readonly isListed: boolean
  /** False for an order that the fresh position shows to reduce it. */
  readonly opening: boolean
  /** Size × reference price; null if it cannot be planned. */
  readonly notionalUsdc: string | null
  /** Notional of all positions of the account; null if it was not read. */
  readonly openNotionalUsdc: string | null
  /** The order itself, which the sums leave out; null for one that is not stored yet. */
  readonly id: number | null
  readonly price: TradeFacts['price']
  readonly isExpired: boolean
  /** True if the order key of the account must sign it. */
  readonly needsKey: boolean
}

/** A judgement that lets an order through. */
export interface Passed {
  readonly judgement: RefusalBlockView
  /** Mandate that allows the order of an agent. */
  readonly publicId: string | null
  readonly caps: Caps
  readonly sums: TradeSums
}

/** Judges an order by the sums of its owner's orders. Refuses with `order_refused` and the standard refusal block. */
export async function judgeLive(context: Context, tx: Tx, account: AccountFacts, order: Judged): Promise<Passed> {
  const { settings, clock } = context
  const { ownerId, accountId, door, by, market, opening } = order
  const { caps, sums } = await capsOf(context, tx, { ownerId, accountId, door }, order.id)
  const builderConfigured = settings.builderAddress !== null
  const session = opening ? sessionOfMarket(market, clock.now()) : null
  const facts: TradeFacts = {
    ...factsOf(account, { by, closing: !opening, builderConfigured, needsKey: order.needsKey }),
    market: { id: market, isListed: order.isListed || !opening },
    notionalUsdc: order.notionalUsdc,
    caps,
    openNotional:
      order.openNotionalUsdc === null
        ? null
        : {
            usdc: exact(order.openNotionalUsdc).plus(sums.reservedUsdc).toFixed(),
            mult: settings.openNotionalMult,
          },
    session:
      session === null
        ? null
        : { isOpen: session.isOpen, exchange: session.exchange, nextOpensAt: session.nextOpensAt },
    price: order.price,
    isExpired: order.isExpired,
  }
  const [finding] = judgeTrade(facts)
  const judgement = refusalView(facts, finding ?? null)
  if (finding !== undefined) refuse(orderRefused, finding.fix, { refusal: judgement, reason: finding.reason })
  const publicId = facts.mandates === null ? null : (mandateFor(facts.mandates, market)?.publicId ?? null)
  return { judgement, publicId, caps, sums }
}
