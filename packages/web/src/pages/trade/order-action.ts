import type { BuilderConfig, ToSign } from './answers.ts'
import { fixed, fixedOf, times } from './fixed.ts'
import { MAX_SLIPPAGE } from './ticket.ts'

/** What the person set, and what other answers than the order's say; the action is compared with it. */
export interface Wanted {
  readonly side: 'buy' | 'sell'
  /** USDC that the order may cost; null for a close, which is bound by the size. */
  readonly amount: string | null
  /** Greatest size; null for an order by amount. */
  readonly size: string | null
  readonly reduceOnly: boolean
  /** Mark price on the screen. */
  readonly mark: string
  /** Place of the market in the venue's list of its dex; null while it was not read. */
  readonly assetIndex: number | null
  readonly builder: BuilderConfig | null
  readonly now: number
}

/** A figure of the action that is not the one on the screen. */
export interface Difference {
  readonly what: 'form' | 'market' | 'side' | 'size' | 'price' | 'reduce_only' | 'builder' | 'expiry'
  readonly here: string
  readonly served: string
}

/** The action of one order, as the venue's form has it. */
interface OrderAction {
  readonly a: number
  readonly b: boolean
  readonly p: string
  readonly s: string
  readonly r: boolean
}

/** Longest time for which a prepared order may stay good, with a minute for the clock of the device. */
const LIFE_MAX_MS = 120_000
/** The mark price moves between the reading on the screen and the order. */
const DRIFT = '0.02'

type Members = Readonly<Record<string, unknown>>
const keysAre = (value: unknown, keys: string): value is Members =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === keys

/** Reads an action that contains one immediate-or-cancel order in exactly the venue's members; null for any other. */
function readAction(action: Members): { readonly order: OrderAction; readonly builder: Members | null } | null {
  const withBuilder = keysAre(action, 'type,orders,grouping,builder')
  if (!withBuilder && !keysAre(action, 'type,orders,grouping')) return null
  const { type, orders, grouping, builder } = action
  if (type !== 'order' || grouping !== 'na' || !Array.isArray(orders) || orders.length !== 1) return null
  const [order] = orders as readonly unknown[]
  if (!keysAre(order, 'a,b,p,s,r,t,c') || JSON.stringify(order['t']) !== '{"limit":{"tif":"Ioc"}}') return null
  const { a, b, p, s, r, c } = order
  const isOrder =
    typeof a === 'number' &&
    typeof b === 'boolean' &&
    typeof p === 'string' &&
    typeof s === 'string' &&
    typeof r === 'boolean'
  if (!isOrder || !/^0x[0-9a-f]{32}$/.test(String(c))) return null
  if (fixed(p) === null || fixed(s) === null) return null
  if (withBuilder && !keysAre(builder, 'b,f')) return null
  return { order: { a, b, p, s, r }, builder: withBuilder ? (builder as Members) : null }
}

const difference = (what: Difference['what'], here: string, served: string): Difference => ({ what, here, served })

/** Places of markets of other dexes begin here, ten thousand for each dex. */
const OTHER_DEXES = 100_000
const placeOf = (asset: number): number => (asset >= OTHER_DEXES ? (asset - OTHER_DEXES) % 10_000 : asset)

function priceDifference({ p, b }: OrderAction, mark: string): Difference | null {
  const [price, shown] = [fixedOf(p), fixedOf(mark)]
  const band = times(shown, fixedOf(MAX_SLIPPAGE) + fixedOf(DRIFT))
  const isWorse = b ? price > shown + band : price < shown - band
  return isWorse ? difference('price', mark, p) : null
}

function sizeDifference({ s, p }: OrderAction, { amount, size }: Wanted): Difference | null {
  const served = fixedOf(s)
  if (size !== null) return served > fixedOf(size) ? difference('size', size, s) : null
  if (amount === null) return difference('size', '—', s)
  return times(served, fixedOf(p)) > fixedOf(amount) ? difference('size', `${amount} USDC`, `${s} × ${p}`) : null
}

function builderDifference(served: Members | null, wanted: BuilderConfig | null): Difference | null {
  if (served === null) return null
  const { b, f } = served
  const known = wanted?.builder?.toLowerCase()
  const isKnown = b === known && typeof f === 'number' && f <= (wanted?.max_fee ?? -1)
  return isKnown ? null : difference('builder', known ?? '—', `${String(b)}, ${String(f)}`)
}

/** Compares the action to sign with the ticket: one immediate-or-cancel order that does at most what the screen says. */
export function differencesOf(served: Pick<ToSign, 'action' | 'expires_after'>, wanted: Wanted): readonly Difference[] {
  const read = served.action === null ? null : readAction(served.action)
  if (read === null) return [difference('form', 'order', JSON.stringify(served.action).slice(0, 200))]
  const { order, builder } = read
  const expiry = served.expires_after
  const isLate = expiry === null || expiry > wanted.now + LIFE_MAX_MS
  const isOther = wanted.assetIndex === null || placeOf(order.a) !== wanted.assetIndex
  return [
    isOther ? difference('market', String(wanted.assetIndex ?? '—'), String(order.a)) : null,
    order.b === (wanted.side === 'buy') ? null : difference('side', wanted.side, order.b ? 'buy' : 'sell'),
    order.r || !wanted.reduceOnly ? null : difference('reduce_only', 'true', 'false'),
    priceDifference(order, wanted.mark),
    sizeDifference(order, wanted),
    builderDifference(builder, wanted.builder),
    isLate ? difference('expiry', String(wanted.now + LIFE_MAX_MS), String(expiry)) : null,
  ].filter((one) => one !== null)
}
