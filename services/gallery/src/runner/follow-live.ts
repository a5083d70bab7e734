import type { Context } from '#context.ts'
import { gapBps } from '#gaps/rules/gap.ts'
import { lockFollows, type Follow } from '#gaps/store/follows.ts'
import type { NewVerdict } from '#gaps/store/verdicts.ts'
import type { PartyFacts } from '#follows/read-parties.ts'
import { signalsAfter, type Signal } from '#signals/store/signals.ts'
import { carryOut } from './carry-out.ts'
import { decidedSignal } from '#follows/decided-signal.ts'
import { followerScene } from './follower-scene.ts'
import { readPrices } from './prices.ts'
import { decideSignal, freshUntil, unfollowed, type Decision, type FollowOrder } from '#follows/rules/decide-signal.ts'
import { orderVerdict, type OrderVerdict } from './rules/order-verdict.ts'
import { orderBody, orderKeyOf, type Bounds } from './rules/order-request.ts'
import { insertOrder, ordersOf, type StoredOrder } from './store/follow-orders.ts'
import { runnerTransaction, storeLiveVerdict } from './store-verdict.ts'

/** An order is placed at most so long after it was planned: what it was planned by is old then. */
const ORDER_MS = 120_000

/** A follow of the present run. */
export interface Run {
  readonly follow: Follow
  /** Mandates and legs as stored, for what needs no fresh reading. */
  readonly facts: PartyFacts
  /** False in a dry run: orders that a live run left are settled, and nothing is sent. */
  readonly live: boolean
  readonly signal: AbortSignal
}

/** Decides the next signals of a follow one after the other, until one waits. Returns how many verdicts it stored. */
export async function followLive(context: Context, run: Run): Promise<number> {
  const { follow, live } = run
  const max = live ? context.settings.houseSignalsMax : 1
  const signals = await signalsAfter(context.pool, follow.vaultId, follow.decidedSeq, max)
  let done = 0
  for (const signal of signals) {
    if (run.signal.aborted || (follow.lastSeq !== null && signal.seq > follow.lastSeq)) break
    if (!(await decide(context, run, signal))) break
    done += 1
  }
  return done
}

/** Brings one signal to its verdict; false if it waits or another process has decided it. */
async function decide(context: Context, run: Run, signal: Signal): Promise<boolean> {
  const { follow } = run
  const stored = await ordersOf(context.pool, follow.id, signal.seq)
  if (stored.length > 0) return settle(context, run, signal, stored)
  if (!run.live) return false
  const known = quick(context, run, signal)
  const decision =
    known === null ? await freshDecision(context, follow, signal) : { ...known, price: null, openMax: null }
  if (decision.kind === 'verdict') {
    const verdict = verdictOn(follow, signal, { verdict: decision.verdict, reason: decision.reason, executed: null })
    return storeLiveVerdict(context, follow, verdict, 0)
  }
  const [first] = decision.orders
  const planned = await planOrder(context, follow, signal, { ...decision, order: first })
  return planned.length > 0 && settle(context, run, signal, planned)
}

/** Returns the verdict that needs no fresh reading; null if there is none. */
function quick({ clock, publicApi }: Context, { follow, facts }: Run, signal: Signal): Decision | null {
  const parties = { mandate: facts.mandates.get(follow.mandateId), leg: facts.legs.get(follow.mandateId) }
  const scene = followerScene(follow, signal.market, parties)
  const decided = unfollowed(decidedSignal(signal), scene, clock.now().getTime())
  const stale = decided?.kind === 'verdict' && decided.verdict === 'skipped_stale'
  if (publicApi === null && !stale)
    return { kind: 'verdict', verdict: 'skipped_no_runner_key', reason: 'no_runner_key' }
  return decided
}

/** What the quantity of an order follows from, besides the decision. */
type Sized = Pick<Bounds, 'price' | 'openMax'>

/** Reads mandate, account and price now, and decides by them. A position is valued at the price by which its target is sized. */
async function freshDecision(context: Context, follow: Follow, signal: Signal): Promise<Decision & Sized> {
  const { ask, clock } = context
  const public_ids = [follow.mandateId]
  const [{ mandates }, { legs }, prices] = await Promise.all([
    ask.mandates.readFollowMandates({ public_ids }),
    ask.leg.readFollowLegs({ public_ids, now: true }),
    // A position is closed whole without a price.
    signal.side === 'flat' ? new Map<string, never>() : readPrices(context, [signal.market]),
  ])
  const found = prices.get(signal.market)
  const price = found === undefined ? null : { mark: found.mark_price, sizeDecimals: found.size_decimals }
  const known = followerScene(follow, signal.market, { mandate: mandates[0], leg: legs[0] ?? null })
  const { position, openMax } = known
  const scene = position === null || price === null ? known : { ...known, position: { ...position, price: price.mark } }
  const decision = decideSignal(decidedSignal(signal), scene, price?.mark ?? null, clock.now().getTime())
  return { ...decision, price, openMax }
}

/**
 * Stores an order before it is sent, under the lock of its follow; returns the orders of the signal as stored. None is stored
 * once the follow has ended or another process has decided the signal.
 */
function planOrder(
  context: Context,
  follow: Follow,
  signal: Signal,
  { order, price, openMax }: Sized & { readonly order: FollowOrder },
): Promise<readonly StoredOrder[]> {
  const { clock, settings } = context
  const now = clock.now()
  const notAfter = new Date(Math.min(freshUntil(decidedSignal(signal)), now.getTime() + ORDER_MS))
  const { market, limit_price: limitPrice } = signal
  const body = orderBody(order, { market, limitPrice, price, openMax, band: settings.slippagePct, notAfter })
  const key = orderKeyOf(follow.mandateId, signal.id, order.n)
  return runnerTransaction(context, async (tx) => {
    const [locked] = await lockFollows(tx, [follow.id])
    if (locked === undefined || locked.endedAt !== null || locked.decidedSeq !== signal.seq - 1) return []
    await insertOrder(tx, { followId: follow.id, seq: signal.seq, n: order.n, key, body, notAfter, plannedAt: now })
    return ordersOf(tx, follow.id, signal.seq)
  })
}

/** Carries the orders of a signal out and stores the verdict that follows; false if one waits. */
async function settle(context: Context, run: Run, signal: Signal, stored: readonly StoredOrder[]): Promise<boolean> {
  const { follow, live } = run
  const ended: Parameters<typeof orderVerdict>[0][number][] = []
  let orders = stored
  for (let at = 0; at < orders.length; at += 1) {
    const order = orders[at]
    const done = order === undefined ? null : await carryOut(context, follow, order, live)
    if (done === null || done.outcome === null || done.endedAt === null) return false
    const { outcome, code, size, price, endedAt } = done
    ended.push({ outcome, code, size, price, endedAt, side: bodyOf(done).side })
    if (live && orders.length === 1) orders = (await openAfterClose(context, follow, signal, done)) ?? orders
  }
  return storeLiveVerdict(context, follow, verdictOn(follow, signal, orderVerdict(ended)), ended.length)
}

/** Plans the open of a flip after its close was executed; null if the signal was no flip, or opens nothing any more. */
async function openAfterClose(
  context: Context,
  follow: Follow,
  signal: Signal,
  closed: StoredOrder,
): Promise<readonly StoredOrder[] | null> {
  const { reduce_only, side } = bodyOf(closed)
  const isFlip = reduce_only && signal.side !== 'flat' && side === (signal.side === 'long' ? 'buy' : 'sell')
  if (closed.outcome !== 'filled' || !isFlip) return null
  const decision = await freshDecision(context, follow, signal)
  const open = decision.kind === 'orders' ? decision.orders[0] : null
  if (open === null || open.reduceOnly) return null
  const planned = await planOrder(context, follow, signal, { ...decision, order: { ...open, n: 2 } })
  return planned.length > 1 ? planned : null
}

const bodyOf = ({ body }: StoredOrder) =>
  JSON.parse(body) as { readonly side: 'buy' | 'sell'; readonly reduce_only: boolean }

/** Returns the row of a verdict. What was not paid for names no price. */
function verdictOn(follow: Follow, signal: Signal, { verdict, reason, executed }: OrderVerdict): NewVerdict {
  return {
    followId: follow.id,
    seq: signal.seq,
    mandateId: follow.mandateId,
    vaultId: follow.vaultId,
    kind: verdict,
    reason,
    signalPrice: executed === null ? null : signal.recorded_price,
    fillPrice: executed?.price ?? null,
    delayMs: executed === null ? null : Math.max(0, executed.at.getTime() - Date.parse(signal.recorded_at)),
    gapBps: executed === null ? null : gapBps(executed.side, signal.recorded_price, executed.price),
    notionalUsdc: executed?.notional ?? null,
  }
}
