import { type Listed, listed } from './markets.ts'
import { lacksMargin } from './order-faults.ts'
import type { Status } from './orders.ts'
import { type Account, accountOf, dexAccount, type Num, num, now, type Order, type State, text } from './state.ts'
import { execute, openOrders, takeFrom, walk } from './trade.ts'
import { isMet } from './triggers.ts'

const SCHEDULE_MS_MIN = 5_000
const SCHEDULED_CANCELS_A_DAY = 10
/** Traded notional from which on an account may schedule. */
const SCHEDULE_USDC_MIN = 1_000_000

/** Fills resting orders that the book now crosses, at their own price, and sends off those whose trigger price came. */
export function matchResting(state: State): void {
  for (const [user, account] of Object.entries(state.accounts))
    // Oldest first: an order that waits for another comes after it.
    for (const order of openOrders(account).toReversed()) {
      const at = listed(state, { coin: order.coin })
      // An order may have been cancelled by the execution of another one of the same run.
      if (at === null || order.status !== 'open') continue
      if (order.trigger === undefined || order.tif !== '') fillResting(state, { user, account, order, at })
      else if (isAwake(account, order) && isMet(order, at)) sendOff(state, { user, account, order, at })
    }
}

interface Resting {
  readonly user: string
  readonly account: Account
  readonly order: Order
  readonly at: Listed
}

/** True unless the order waits for the execution of another. */
function isAwake(account: Account, { trigger }: Order): boolean {
  const parent = account.orders.find(({ oid }) => oid === trigger?.parent)
  return parent === undefined || parent.status === 'filled'
}

/** How much a reduce-only order can still close. */
function closable({ account, order, at }: Resting): Num {
  const position = num(dexAccount(account, at.dex.name).positions[at.coin]?.size ?? 0)
  return position.isZero() || position.isNegative() !== (order.side === 'B') ? num(0) : position.abs()
}

function fillResting(state: State, resting: Resting): void {
  const { user, order, at } = resting
  const most = order.reduceOnly ? closable(resting) : null
  if (most?.isZero() === true) return close(state, order, 'reduceOnlyCanceled')
  const size = most !== null && most.lt(order.remaining) ? most : num(order.remaining)
  const steps = walk(at, order.side, num(order.limitPx), size)
  for (const step of steps) execute(state, { user, order, at, px: num(order.limitPx), size: step.size, crossed: false })
  takeFrom(at, order.side, steps)
  if (steps.length > 0 && num(order.remaining).isZero()) close(state, order, 'filled')
}

/** A trigger order whose price came: a market order takes from the book at once, a limit order rests from now on. */
function sendOff(state: State, resting: Resting): void {
  const { user, account, order, at } = resting
  const most = order.reduceOnly ? closable(resting) : null
  if (most?.isZero() === true) return close(state, order, 'reduceOnlyCanceled')
  if (most !== null && (num(order.size).isZero() || most.lt(order.remaining))) order.size = order.remaining = text(most)
  if (lacksMargin(state, account, order, at)) return close(state, order, 'marginCanceled')
  cancelSiblings(state, account, order)
  order.tif = order.trigger?.isMarket === true ? 'Ioc' : 'Gtc'
  const steps = walk(at, order.side, num(order.limitPx), num(order.remaining))
  for (const step of steps) execute(state, { user, order, at, px: step.px, size: step.size, crossed: true })
  takeFrom(at, order.side, steps)
  if (num(order.remaining).isZero()) close(state, order, 'filled')
  else if (order.tif === 'Ioc') close(state, order, 'canceled')
}

function cancelSiblings(state: State, account: Account, { oid, coin, trigger }: Order): void {
  for (const one of openOrders(account)) {
    const isSibling = trigger?.parent != null && one.trigger?.parent === trigger.parent
    const isOfPosition = trigger?.isPosition === true && one.trigger?.isPosition === true && one.coin === coin
    if (one.oid !== oid && (isSibling || isOfPosition)) close(state, one, 'siblingFilledCanceled')
  }
}

function close(state: State, order: Order, status: string): void {
  order.status = status
  order.statusTimestamp = now(state)
}

/** Cancels open orders of an account; one result for each. What waits for a cancelled order is cancelled with it. */
export function cancelOrders(
  state: State,
  user: string,
  cancels: readonly ({ readonly a: number; readonly o: number } | { readonly asset: number; readonly cloid: string })[],
): Status[] {
  const account = accountOf(state, user)
  return cancels.map((cancel) => {
    const asset = 'a' in cancel ? cancel.a : cancel.asset
    const coin = listed(state, { asset })?.coin
    const order = openOrders(account).find(
      (one) => one.coin === coin && ('o' in cancel ? one.oid === cancel.o : one.cloid === cancel.cloid),
    )
    if (order === undefined)
      return { error: `Order was never placed, already canceled, or filled. asset=${asset}` } satisfies Status
    close(state, order, 'canceled')
    for (const one of openOrders(account)) if (one.trigger?.parent === order.oid) close(state, one, 'canceled')
    return 'success'
  })
}

/** Plans that all open orders of an account are cancelled; without a time the plan ends. Returns the venue's refusal, or null. */
export function scheduleCancel(state: State, user: string, time: number | undefined): string | null {
  const account = accountOf(state, user)
  if (num(account.traded).lt(SCHEDULE_USDC_MIN))
    return `Cannot set scheduled cancel time until enough volume traded. Required: $${SCHEDULE_USDC_MIN}. Traded: $${text(account.traded, 2)}.`
  if (time !== undefined && time < now(state) + SCHEDULE_MS_MIN)
    return 'Scheduled cancel time must be at least 5 seconds in the future'
  if (time !== undefined && (account.cancels?.[dayOf(now(state))] ?? 0) >= SCHEDULED_CANCELS_A_DAY)
    return 'Too many scheduled cancels triggered today'
  account.cancelAt = time ?? null
  return null
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Cancels the open orders of accounts whose planned time came. */
export function cancelScheduled(state: State): void {
  for (const account of Object.values(state.accounts)) {
    const { cancelAt } = account
    if (cancelAt == null || cancelAt > now(state)) continue
    account.cancelAt = null
    const day = dayOf(cancelAt)
    account.cancels = { [day]: (account.cancels?.[day] ?? 0) + 1 }
    for (const order of openOrders(account)) close(state, order, 'scheduledCancel')
  }
}
