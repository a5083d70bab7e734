import { randomBytes } from 'node:crypto'
import { refuse } from '@svc/contract'
import { orderRefused } from '@svc/contracts/hl-trade/orders'
import type { RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { exact, usdcNear, usdcUp } from '@svc/hyperliquid/rounding'
import { sessionOfMarket } from '@svc/market-sessions'
import type { Principal } from '#account/principal-of.ts'
import { estimatePaper, fillPaper, type PaperOrder, type PaperResult } from '#books/fill-paper.ts'
import { pricesOf, type JudgeOpen, type PaperFill } from '#books/rules/plan-fill.ts'
import { readPaperScene } from '#books/venue-scene.ts'
import type { Context } from '#context.ts'
import { mandatesOf } from './account-facts.ts'
import { paperCapsOf } from './caps-of.ts'
import type { Effect } from './prepare-live.ts'
import { emptyFacts } from './rules/empty-facts.ts'
import { countedNow } from './rules/counted-now.ts'
import { judgeTrade, type Caps, type TradeFacts } from './rules/judge-trade.ts'
import { cloidOf } from './rules/order-keys.ts'
import { refusalView } from './rules/refusal-view.ts'
import { addPaperUse } from './store/paper-use.ts'
import { insertTrade, lockOrders, type NewTrade, type TradeOrder } from './store/trade-orders.ts'
import type { TradeRequest } from './trade-request.ts'

/**
 * Judges a paper order by the caps of its owner, and of an agent by the mandate that a live one would stand under, fills it on
 * the book of the venue, and stores it in the same transaction. Refuses with the standard refusal block, and as the paper books
 * do. A dry run stores nothing. Returns null if the key of the request got an order meanwhile; nothing is filled then.
 */
export async function placePaper(
  context: Context,
  request: TradeRequest,
  principal: Principal,
  effect: Effect,
): Promise<TradeOrder | Omit<NewTrade, 'orderKey'> | null> {
  const { clock, pool, settings } = context
  const now = clock.now()
  const who = { ownerId: principal.ownerId, door: request.door }
  const orderId = `ord_${randomBytes(16).toString('hex')}`
  const paper: PaperOrder = {
    orderId,
    ownerId: principal.ownerId,
    agentId: principal.agentId,
    book: request.book,
    side: request.side,
    amountUsdc: request.amountUsdc,
    size: request.size,
    reduceOnly: request.reduceOnly,
    maxSlippage: request.maxSlippage ?? settings.slippagePct,
    mayOpen: sessionOfMarket(request.market, now)?.isOpen !== false,
    scene: await readPaperScene(context, request.market),
  }
  const judged = {
    ...paperFacts,
    by: request.by,
    mandates: await mandatesFor(context, request, principal),
    market: { id: request.market, isListed: true },
  }
  if (request.dryRun) {
    const { judge, judgement } = judgeBy(context, judged, await paperCapsOf(context, pool, who))
    const shown = plannedFill(await estimatePaper(pool, paper, judge))
    return newPaper(context, request, { paper, shown, judgement: judgement() })
  }
  return effect(async (tx) => {
    await lockOrders(tx, who.ownerId)
    const { judge, judgement } = judgeBy(context, judged, await paperCapsOf(context, tx, who))
    const shown = storedFill(await fillPaper(context, tx, paper, judge))
    const order = newPaper(context, request, { paper, shown, judgement: judgement() })
    const stored = await insertTrade(tx, { ...order, orderKey: request.orderKey })
    if (stored === null) throw new KeyTaken()
    if (shown.opening) await addPaperUse(tx, who.ownerId, stored.filledNotionalUsdc, now)
    return stored
  })
}

const paperFacts: TradeFacts = { ...emptyFacts, mode: 'paper' }

/** Reads the mandates of an agent, whose caps an open rehearses; null for an owner, and for a close, which no cap judges. */
const mandatesFor = (context: Context, { reduceOnly }: TradeRequest, { ownerId, agentId }: Principal) =>
  agentId === null || reduceOnly ? null : mandatesOf(context, ownerId, agentId)

/**
 * Judges opens of paper books by caps, as live ones: `judge` refuses with `order_refused`, `judgement` returns the block of the
 * order that was judged last. A close is not judged.
 */
function judgeBy(
  { settings }: Pick<Context, 'settings'>,
  paper: TradeFacts,
  caps: Caps,
): { readonly judge: JudgeOpen; readonly judgement: () => RefusalBlockView } {
  let judgement = refusalView({ ...paper, closing: true }, null)
  const judge: JudgeOpen = ({ notionalUsdc }, openUsdc) => {
    const facts = { ...paper, notionalUsdc, caps, openNotional: { usdc: openUsdc, mult: settings.openNotionalMult } }
    const [finding] = judgeTrade(facts)
    judgement = refusalView(facts, finding ?? null)
    if (finding !== undefined) refuse(orderRefused, finding.fix, { refusal: judgement, reason: finding.reason })
  }
  return { judge, judgement: () => judgement }
}

/** Another call of the same key has filled its order: the transaction must roll back. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken'
}

/** A fill in the form that a planned and a stored one share. */
interface Shown {
  readonly opening: boolean
  readonly askedSize: string
  readonly worstPrice: string
  readonly size: string
  readonly averagePrice: string | null
  readonly notionalUsdc: string
  readonly feeUsdc: string
  readonly liquidationPrice: string | null
}

const plannedFill = ({ walk, ...fill }: PaperFill): Shown => ({
  opening: fill.opening,
  askedSize: fill.askedSize,
  worstPrice: fill.limitPrice,
  size: walk.filledSize,
  averagePrice: walk.averagePrice,
  notionalUsdc: walk.notionalUsdc,
  feeUsdc: walk.feeUsdc,
  liquidationPrice: fill.liquidationPrice,
})

const storedFill = ({ fill }: PaperResult): Shown => ({ ...fill, worstPrice: fill.limitPrice ?? fill.markPrice })

/** Builds the order that a paper fill is stored with. */
function newPaper(
  context: Context,
  request: TradeRequest,
  {
    paper,
    shown,
    judgement,
  }: { readonly paper: PaperOrder; readonly shown: Shown; readonly judgement: RefusalBlockView },
): Omit<NewTrade, 'orderKey'> {
  const { orderId, ownerId, scene } = paper
  const now = context.clock.now()
  const filled = exact(shown.size)
  const { askedSize, worstPrice } = shown
  const state = filled.isZero() ? 'missed' : filled.lt(askedSize) ? 'partial' : 'filled'
  const sized = { side: request.side, size: askedSize, worstPrice }
  const { referencePrice, notionalUsdc } = countedNow(sized, pricesOf(scene))
  return {
    orderId,
    confirmId: null,
    ownerId,
    accountId: request.accountId,
    by: request.by,
    publicId: null,
    door: request.door,
    requestHash: request.hash,
    mode: 'paper',
    signMode: 'none',
    network: context.settings.network,
    account: null,
    market: request.market,
    coin: scene.coin,
    asset: 0,
    side: request.side,
    opening: shown.opening,
    size: askedSize,
    worstPrice,
    bandCentre: scene.markPrice,
    band: paper.maxSlippage,
    notionalUsdc,
    amountUsdc: request.amountUsdc,
    referencePrice,
    cloid: cloidOf(orderId),
    state,
    estimate: {
      price: shown.averagePrice,
      size: askedSize,
      worst_price: worstPrice,
      reference_price: referencePrice,
      notional_usdc: notionalUsdc,
      fee_usdc: usdcUp(shown.feeUsdc),
      slippage_bps: slippageOf(shown.averagePrice, scene.markPrice, request.side),
      liquidation_price: shown.liquidationPrice,
    },
    judgement,
    clientAction: null,
    preparedAt: now,
    expiresAt: now,
    nextAt: null,
    filledSize: shown.size,
    averagePrice: shown.averagePrice,
    filledNotionalUsdc: usdcNear(shown.notionalUsdc),
    feeUsdc: usdcNear(shown.feeUsdc),
    resolvedAt: now,
  }
}

function slippageOf(price: string | null, mark: string, side: 'buy' | 'sell'): number | null {
  if (price === null) return null
  const against = exact(price)
    .minus(mark)
    .times(side === 'buy' ? 1 : -1)
    .div(mark)
  return Math.max(0, against.times(10_000).toDecimalPlaces(2).toNumber())
}
