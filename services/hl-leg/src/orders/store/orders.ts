import { hlLeg } from '@svc/contracts/hl-leg'
import type { LegReceipt } from '@svc/contracts/hl-leg/order-schemas'
import { legFill, legPositionView, legReadingView } from '@svc/contracts/hl-leg/order-schemas'
import { mandateUsage, type MandateUsage } from '@svc/contracts/mandates/usage'
import { refusalBlock, type RefusalBlockView } from '@svc/contracts/mandates/verdict'
import { emitIf, sql, type Db, type Tx } from '@svc/postgres'
import { counterOf, eachOf } from '@svc/service'
import { z } from 'zod'

const jsonText = (value: object | null) => (value === null ? null : JSON.stringify(value))
const states = z.enum(['judging', 'signed', 'filled', 'partial', 'missed', 'rejected'])
const idRow = z.object({ id: z.number() })
const noColumns = z.object({})
const date = z.string().transform((text) => new Date(text))

const orderColumns = z.object({
  id: z.number(),
  public_id: z.string(),
  order_key: z.string(),
  request_hash: z.string(),
  client_id: z.string().nullable(),
  account_id: z.number().nullable(),
  ordered_by: z.enum(['owner', 'agent', 'stop_line', 'return']),
  owner_id: z.number(),
  account: z.templateLiteral(['0x', z.string()]),
  network: z.enum(['testnet', 'mainnet']),
  market: z.string(),
  coin: z.string(),
  dex: z.string(),
  side: z.enum(['buy', 'sell']),
  opening: z.boolean(),
  size: z.string(),
  worst_price: z.string(),
  mark_price: z.string(),
  notional_usdc: z.string(),
  amount_usdc: z.string().nullable(),
  reference_price: z.string().nullable(),
  best_bid: z.string().nullable(),
  best_ask: z.string().nullable(),
  cloid: z.templateLiteral(['0x', z.string()]),
  state: states,
  claimed_at: date,
  created_at: date,
  readings: z.array(legReadingView),
  book_time: z.number(),
  judgement: refusalBlock.nullable(),
  terms_hash: z.string().nullable(),
  usage: mandateUsage.nullable(),
  signer: z.string().nullable(),
  nonce: z.number().nullable(),
  body: z.string().nullable(),
  expires_after: z.number().nullable(),
  signed_at: date.nullable(),
  oid: z.number().nullable(),
  filled_size: z.string(),
  average_price: z.string().nullable(),
  filled_notional_usdc: z.string(),
  fee_usdc: z.string(),
  bad_fill_usdc: z.string(),
  fills: z.array(legFill),
  reason: z.string().nullable(),
  resolved_at: date.nullable(),
  told_at: date.nullable(),
  position: legPositionView.nullable(),
  receipt: z.string().nullable(),
})
const orderOf = (row: z.output<typeof orderColumns>) => ({
  id: row.id,
  publicId: row.public_id,
  orderKey: row.order_key,
  requestHash: row.request_hash,
  clientId: row.client_id,
  accountId: row.account_id,
  by: row.ordered_by,
  ownerId: row.owner_id,
  account: row.account,
  network: row.network,
  market: row.market,
  coin: row.coin,
  dex: row.dex,
  side: row.side,
  opening: row.opening,
  size: row.size,
  worstPrice: row.worst_price,
  markPrice: row.mark_price,
  notionalUsdc: row.notional_usdc,
  amountUsdc: row.amount_usdc,
  referencePrice: row.reference_price,
  bestBid: row.best_bid,
  bestAsk: row.best_ask,
  cloid: row.cloid,
  state: row.state,
  claimedAt: row.claimed_at,
  createdAt: row.created_at,
  readings: row.readings,
  bookTime: row.book_time,
  judgement: row.judgement,
  termsHash: row.terms_hash,
  usage: row.usage,
  signer: row.signer,
  nonce: row.nonce,
  body: row.body,
  expiresAfter: row.expires_after,
  signedAt: row.signed_at,
  oid: row.oid,
  filledSize: row.filled_size,
  averagePrice: row.average_price,
  filledNotionalUsdc: row.filled_notional_usdc,
  feeUsdc: row.fee_usdc,
  badFillUsdc: row.bad_fill_usdc,
  fills: row.fills,
  reason: row.reason,
  resolvedAt: row.resolved_at,
  toldAt: row.told_at,
  position: row.position,
  receipt: row.receipt,
})
const orderRow = orderColumns.transform(orderOf)
const replannedRow = orderColumns
  .extend({ open_before: z.number() })
  .transform(({ open_before, ...row }) => ({ ...orderOf(row), openBefore: open_before }))
/**
 * An order of a leg. Prices, sizes and amounts are decimal text. `amountUsdc` is null for an order by size, `referencePrice` for
 * a close of this house and for an order of a release that judged at the worst price.
 */
export type LegOrder = z.output<typeof orderRow>

/** A new order with the id of the open of the same leg before it; 0 without one. */
export type InsertedOrder = z.output<typeof replannedRow>

const columns = sql.fragment`id, public_id, order_key, request_hash, client_id, account_id, ordered_by, owner_id, account,
  network, market, coin, dex, side, opening, size, worst_price, mark_price, notional_usdc, amount_usdc, reference_price, best_bid,
  best_ask, cloid, state, claimed_at, created_at, readings, book_time, judgement, terms_hash, usage, signer, nonce, body, expires_after,
  signed_at, oid, filled_size, average_price, filled_notional_usdc, fee_usdc, bad_fill_usdc, fills, reason, resolved_at,
  told_at, position, receipt`

const openBefore = sql.fragment`(SELECT coalesce(max(other.id), 0) FROM leg_order other
  WHERE other.public_id = leg_order.public_id AND other.opening AND other.id <> leg_order.id) AS open_before`

/** The row of an order that is being judged, unless a later attempt has taken it over. */
const ofAttempt = ({ id, claimedAt }: Pick<LegOrder, 'id' | 'claimedAt'>) =>
  sql.fragment`id = ${id} AND state = 'judging' AND claimed_at = ${claimedAt.toISOString()}`

/** An order that is about to be judged. */
export type NewOrder = Pick<
  LegOrder,
  | 'publicId'
  | 'orderKey'
  | 'requestHash'
  | 'clientId'
  | 'accountId'
  | 'by'
  | 'ownerId'
  | 'account'
  | 'network'
  | 'market'
  | 'coin'
  | 'dex'
  | 'side'
  | 'opening'
  | 'size'
  | 'worstPrice'
  | 'markPrice'
  | 'notionalUsdc'
  | 'amountUsdc'
  | 'referencePrice'
  | 'bestBid'
  | 'bestAsk'
  | 'cloid'
  | 'readings'
  | 'bookTime'
>

/** Returns the order of a key of a mandate; null without one. */
export function findOrder(db: Db, publicId: string, orderKey: string): Promise<LegOrder | null> {
  return db.maybeOne(sql.prepared('find_order', orderRow)`
    SELECT ${columns} FROM leg_order WHERE public_id = ${publicId} AND order_key = ${orderKey}`)
}

/** Returns the order that has a client_id of a mandate; null without one. */
export function findByClientId(db: Db, publicId: string, clientId: string): Promise<LegOrder | null> {
  return db.maybeOne(sql.type(orderRow)`
    SELECT ${columns} FROM leg_order WHERE public_id = ${publicId} AND client_id = ${clientId}`)
}

/** What an order has not yet when it is stored. */
const NOT_YET = {
  judgement: null,
  termsHash: null,
  usage: null,
  signer: null,
  nonce: null,
  body: null,
  expiresAfter: null,
  signedAt: null,
  oid: null,
  filledSize: '0',
  averagePrice: null,
  filledNotionalUsdc: '0',
  feeUsdc: '0',
  badFillUsdc: '0',
  reason: null,
  resolvedAt: null,
  toldAt: null,
  position: null,
  receipt: null,
} as const

const insertedRow = z.object({ id: z.number(), open_before: z.number() })

/**
 * Stores an order before it is judged. Returns null if its key or client_id has an order already, or if it opens while
 * another open of the mandate is not resolved.
 */
export async function insertOrder(db: Db, order: NewOrder, now: Date, nextAt: Date): Promise<InsertedOrder | null> {
  const at = now.toISOString()
  // An order has more than forty columns: to return what was sent costs more than the insertion.
  const row = await db.maybeOne(sql.prepared('insert_order', insertedRow)`
    INSERT INTO leg_order (public_id, order_key, request_hash, client_id, account_id, ordered_by, owner_id, account,
      network, market, coin, dex, side, opening, size, worst_price, mark_price, notional_usdc, amount_usdc,
      reference_price, best_bid, best_ask, cloid, state, claimed_at, created_at, readings, book_time, next_at)
    VALUES (${order.publicId}, ${order.orderKey}, ${order.requestHash}, ${order.clientId}, ${order.accountId},
      ${order.by}, ${order.ownerId}, ${order.account}, ${order.network}, ${order.market}, ${order.coin}, ${order.dex},
      ${order.side}, ${order.opening}, ${order.size}, ${order.worstPrice}, ${order.markPrice}, ${order.notionalUsdc},
      ${order.amountUsdc}, ${order.referencePrice}, ${order.bestBid}, ${order.bestAsk}, ${order.cloid}, 'judging', ${at}, ${at}, ${JSON.stringify(order.readings)}, ${order.bookTime},
      ${nextAt.toISOString()})
    ON CONFLICT DO NOTHING
    RETURNING id, ${openBefore}`)
  if (row === null) return null
  const { id, open_before: openBeforeIt } = row
  return {
    ...order,
    ...NOT_YET,
    fills: [],
    id,
    state: 'judging',
    claimedAt: now,
    createdAt: now,
    openBefore: openBeforeIt,
  }
}

/**
 * Takes over an order that is still being judged and that nobody has touched since `before`: the former attempt can no
 * longer store bytes. The row stays until this attempt ends, because mandates may have reserved its amount. Returns null
 * if somebody did touch it.
 */
export function takeOver(db: Db, { id }: LegOrder, before: Date, now: Date, nextAt: Date): Promise<LegOrder | null> {
  return db.maybeOne(sql.type(orderRow)`
    UPDATE leg_order SET claimed_at = ${now.toISOString()}, next_at = ${nextAt.toISOString()}
    WHERE id = ${id} AND state = 'judging' AND claimed_at <= ${before.toISOString()}
    RETURNING ${columns}`)
}

/** Stores another plan for an order that was taken over. Returns null if it is no longer this attempt's. */
export function replanOrder(db: Db, taken: LegOrder, order: NewOrder, nextAt: Date): Promise<InsertedOrder | null> {
  return db.maybeOne(sql.type(replannedRow)`
    UPDATE leg_order SET account = ${order.account}, network = ${order.network}, dex = ${order.dex},
      opening = ${order.opening}, size = ${order.size}, worst_price = ${order.worstPrice},
      mark_price = ${order.markPrice}, notional_usdc = ${order.notionalUsdc},
      reference_price = ${order.referencePrice}, best_bid = ${order.bestBid}, best_ask = ${order.bestAsk},
      readings = ${JSON.stringify(order.readings)}, book_time = ${order.bookTime}, next_at = ${nextAt.toISOString()}
    WHERE ${ofAttempt(taken)}
    RETURNING ${columns}, ${openBefore}`)
}

/** Lets the next call of the same key take over an order at once: the call that judged it has ended without an end. */
export async function releaseOrder(db: Db, order: LegOrder): Promise<void> {
  await db.query(sql.unsafe`UPDATE leg_order SET claimed_at = 'epoch' WHERE ${ofAttempt(order)}`)
}

/** Deletes an order that was not let through: its key asks again. */
export async function dropOrder(db: Db, order: LegOrder): Promise<void> {
  await db.query(sql.unsafe`DELETE FROM leg_order WHERE ${ofAttempt(order)}`)
}

/** The signed bytes of an order with the judgement that lets it through. */
export interface Signed {
  readonly judgement: RefusalBlockView | null
  readonly termsHash: string | null
  readonly usage: MandateUsage | null
  readonly signer: string
  readonly nonce: number
  readonly body: string
  readonly expiresAfter: number
}

/**
 * Stores the bytes before they are sent, and counts the action for the account. Returns null if the order is no longer this
 * attempt's to send, and for an open while opens of the leg are barred.
 */
export async function storeSigned(
  db: Db,
  order: LegOrder,
  signed: Signed,
  now: Date,
  nextAt: Date,
): Promise<LegOrder | null> {
  // One statement: the stop line may have barred opens since the account was read.
  const stored = await db.maybeOne(sql.prepared('store_signed', idRow)`
    WITH stored AS (
      UPDATE leg_order SET state = 'signed', judgement = ${jsonText(signed.judgement)}::json,
        terms_hash = ${signed.termsHash}, usage = ${jsonText(signed.usage)}::json, signer = ${signed.signer},
        nonce = ${signed.nonce}, body = ${signed.body}, expires_after = ${signed.expiresAfter},
        signed_at = ${now.toISOString()}, next_at = ${nextAt.toISOString()}
      WHERE ${ofAttempt(order)} AND NOT (opening AND EXISTS (
        SELECT FROM open_bar WHERE open_bar.public_id = leg_order.public_id AND ended_at IS NULL))
      RETURNING id, network, account),
    counted AS (
      UPDATE venue_allowance SET actions_left = greatest(0, actions_left - 1)
      WHERE (network, account) = (SELECT network, account FROM stored))
    SELECT id FROM stored`)
  return stored === null ? null : { ...order, ...signed, state: 'signed', signedAt: now }
}

/** A close that is stored with its signed bytes at once: nobody judges it. */
export interface SignedClose {
  readonly order: NewOrder
  readonly signed: Pick<Signed, 'signer' | 'nonce' | 'body' | 'expiresAfter'>
}

/**
 * Stores closes with their bytes before any of them is sent, and counts their actions for the accounts. Returns the orders in the
 * given order. The keys must be new.
 */
export async function insertSigned(
  db: Db,
  closes: readonly SignedClose[],
  now: Date,
  nextAt: Date,
): Promise<readonly LegOrder[]> {
  const rows = closes.map(({ order, signed }) => ({
    public_id: order.publicId,
    order_key: order.orderKey,
    request_hash: order.requestHash,
    ordered_by: order.by,
    owner_id: order.ownerId,
    account: order.account,
    network: order.network,
    market: order.market,
    coin: order.coin,
    dex: order.dex,
    side: order.side,
    opening: order.opening,
    size: order.size,
    worst_price: order.worstPrice,
    mark_price: order.markPrice,
    notional_usdc: order.notionalUsdc,
    cloid: order.cloid,
    readings: order.readings,
    book_time: order.bookTime,
    signer: signed.signer,
    nonce: signed.nonce,
    body: signed.body,
    expires_after: signed.expiresAfter,
  }))
  const given = sql.fragment`public_id, order_key, request_hash, ordered_by, owner_id, account, network, market, coin, dex, side,
    opening, size, worst_price, mark_price, notional_usdc, cloid, readings, book_time, signer, nonce, body, expires_after`
  const at = now.toISOString()
  // One statement for all, so that none of many closes waits for the others to be stored one by one.
  const stored = await db.any(sql.prepared('insert_signed', orderRow)`
    WITH stored AS (
      INSERT INTO leg_order (${given}, state, claimed_at, created_at, signed_at, next_at)
      SELECT ${given}, 'signed', ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${nextAt.toISOString()}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS one (public_id text, order_key text, request_hash text,
        ordered_by text, owner_id bigint, account text, network text, market text, coin text, dex text, side text, opening bool,
        size numeric, worst_price numeric, mark_price numeric, notional_usdc numeric, cloid text, readings json,
        book_time bigint, signer text, nonce bigint, body text, expires_after bigint)
      RETURNING ${columns}),
    counted AS (
      UPDATE venue_allowance SET actions_left = greatest(0, actions_left - sent.n)
      FROM (SELECT network, account, count(*)::int AS n FROM stored GROUP BY network, account) AS sent
      WHERE venue_allowance.network = sent.network AND venue_allowance.account = sent.account)
    SELECT * FROM stored`)
  const byKey = new Map(stored.map((order) => [`${order.publicId} ${order.orderKey}`, order]))
  return closes.map(({ order }) => {
    const row = byKey.get(`${order.publicId} ${order.orderKey}`)
    if (row === undefined) throw new Error('a close was not stored')
    return row
  })
}

/** What became of an order. */
export interface Resolution {
  readonly state: 'filled' | 'partial' | 'missed' | 'rejected'
  readonly oid: number | null
  readonly filledSize: string
  readonly averagePrice: string | null
  readonly notionalUsdc: string
  readonly feeUsdc: string
  readonly badFillUsdc: string
  readonly fills: LegReceipt['fills']
  readonly reason: string | null
  /** The position after the order; null if it could not be read. */
  readonly position: LegOrder['position']
  /** The end holds only while no more than so many copies of the bytes have been counted; null: whatever was sent. */
  readonly copies: number | null
}

const countRow = z.object({ count: z.number() })

/** Counts a copy of the stored bytes of an order that is about to leave. Returns how many have been counted; null if the order has ended. */
export async function countSend(db: Db, id: number): Promise<number | null> {
  const row = await db.maybeOne(sql.type(countRow)`
    UPDATE leg_order SET sends = sends + 1 WHERE id = ${id} AND state = 'signed' RETURNING sends AS count`)
  return row?.count ?? null
}

/** Counts a look-up of an open order that contradicted itself. Returns how many have been counted; 0 if the order has ended. */
export async function countContradiction(db: Db, id: number): Promise<number> {
  const row = await db.maybeOne(sql.type(countRow)`
    UPDATE leg_order SET contradictions = contradictions + 1 WHERE id = ${id} AND state = 'signed'
    RETURNING contradictions AS count`)
  return row?.count ?? 0
}

const countOrder = counterOf(
  'hub_hl_orders_total',
  'Orders of legs that were sent to the venue, by side and outcome',
  ['buy', 'sell'].flatMap((side) =>
    eachOf('outcome', ['filled', 'missed', 'rejected']).map((one) => ({ side, ...one })),
  ),
)

/** Returns an order with what became of it. */
export const resolvedAs = (order: LegOrder, end: Resolution, resolvedAt: Date): LegOrder => ({
  ...order,
  state: end.state,
  oid: end.oid,
  filledSize: end.filledSize,
  averagePrice: end.averagePrice,
  filledNotionalUsdc: end.notionalUsdc,
  feeUsdc: end.feeUsdc,
  badFillUsdc: end.badFillUsdc,
  fills: end.fills,
  reason: end.reason,
  position: end.position,
  resolvedAt,
})

/**
 * Stores what became of a signed order, with its event. Returns null if that is stored already, because the first resolution
 * stays, and for an end that holds for one copy while somebody else may have sent another.
 */
export async function resolveOrder(db: Db, order: LegOrder, end: Resolution, now: Date): Promise<LegOrder | null> {
  const event = emitIf(sql.fragment`EXISTS (SELECT FROM resolved)`, hlLeg.events.orderResolved, {
    public_id: order.publicId,
    owner_id: order.ownerId,
    cloid: order.cloid,
    market: order.market,
    side: order.side,
    status: end.state === 'filled' || end.state === 'partial' ? end.state : 'missed',
    filled_size: end.filledSize,
    average_price: end.averagePrice,
    at: now.toISOString(),
  })
  const resolved = await db.maybeOne(sql.prepared('resolve_order', idRow)`
    WITH resolved AS (
    UPDATE leg_order SET state = ${end.state}, oid = ${end.oid}, filled_size = ${end.filledSize},
      average_price = ${end.averagePrice}, filled_notional_usdc = ${end.notionalUsdc}, fee_usdc = ${end.feeUsdc},
      bad_fill_usdc = ${end.badFillUsdc}, fills = ${JSON.stringify(end.fills)}::json, reason = ${end.reason},
      position = ${jsonText(end.position)}::json, resolved_at = ${now.toISOString()}, next_at = ${now.toISOString()}
    WHERE id = ${order.id} AND state = 'signed' AND sends <= coalesce(${end.copies}, sends)
    RETURNING id),
    told AS (${event})
    SELECT id FROM resolved`)
  if (resolved === null) return null
  countOrder({ side: order.side, outcome: end.state })
  return resolvedAs(order, end, now)
}

/** Ends an order that was still being judged: nothing was signed for it, and nothing will be. Returns null if it went on. */
export function abandonOrder(tx: Tx, order: LegOrder, now: Date): Promise<LegOrder | null> {
  return tx.maybeOne(sql.type(orderRow)`
    UPDATE leg_order SET state = 'missed', reason = 'the order was not sent', resolved_at = ${now.toISOString()},
      next_at = ${now.toISOString()}
    WHERE ${ofAttempt(order)}
    RETURNING ${columns}`)
}

/**
 * Stores that mandates acknowledged the end of an order, with what followed from it; a value of null changes nothing. Nobody
 * waits until it is on the disk: what a crash forgets, the job tells and asks again, with the same result.
 */
export async function storeTold(
  db: Db,
  id: number,
  told: { readonly at: Date | null; readonly usage: MandateUsage | null; readonly receipt: string | null },
  nextAt: Date,
): Promise<void> {
  const toldAt = told.at === null ? null : told.at.toISOString()
  await db.query(sql.prepared('store_told', noColumns)`
    UPDATE leg_order SET told_at = coalesce(told_at, ${toldAt}),
      usage = coalesce(${jsonText(told.usage)}::json, usage), receipt = coalesce(receipt, ${told.receipt}),
      next_at = CASE WHEN coalesce(told_at, ${toldAt}) IS NULL
        OR (signer IS NOT NULL AND coalesce(receipt, ${told.receipt}) IS NULL) THEN ${nextAt.toISOString()}::timestamptz END
    FROM set_config('synchronous_commit', 'off', true) AS unawaited
    WHERE id = ${id}`)
}

/** Lets the job go on with an order at a time. */
export async function postpone(db: Db, id: number, nextAt: Date): Promise<void> {
  await db.query(sql.unsafe`UPDATE leg_order SET next_at = ${nextAt.toISOString()} WHERE id = ${id}`)
}

/** Lists orders that somebody has to go on with, closes first: unresolved ones, those that mandates does not know, and those without a receipt. */
export function dueOrders(db: Db, now: Date, limit: number): Promise<readonly LegOrder[]> {
  return db.any(sql.type(orderRow)`
    SELECT ${columns} FROM leg_order WHERE next_at <= ${now.toISOString()} ORDER BY opening, next_at LIMIT ${limit}`)
}

/** Returns true while an open of a leg is judged or may be at the venue. */
export async function hasOpen(db: Db, publicId: string): Promise<boolean> {
  const found = await db.maybeOne(sql.type(idRow)`
    SELECT id FROM leg_order WHERE public_id = ${publicId} AND opening AND state IN ('judging', 'signed')`)
  return found !== null
}

/** Returns true if a leg has an order that is being judged, is at the venue or may be. */
export async function hasUnresolved(db: Db, publicId: string): Promise<boolean> {
  const found = await db.maybeOne(sql.type(idRow)`
    SELECT id FROM leg_order WHERE public_id = ${publicId} AND state IN ('judging', 'signed') LIMIT 1`)
  return found !== null
}

const cloidRow = z.object({ cloid: z.string() })

/** Returns the ids at the venue of a leg's orders that were signed since an instant. */
export async function ownCloids(db: Db, publicId: string, since: Date): Promise<ReadonlySet<string>> {
  const rows = await db.any(sql.type(cloidRow)`
    SELECT cloid FROM leg_order WHERE public_id = ${publicId} AND signed_at >= ${since.toISOString()}`)
  return new Set(rows.map(({ cloid }) => cloid))
}

const endRow = z
  .object({ public_id: z.string(), at: date.nullable() })
  .transform(({ public_id, at }) => [public_id, at?.getTime() ?? Number.POSITIVE_INFINITY] as const)

/** Returns when the newest order of each leg was resolved, Unix milliseconds; infinity while one is open. */
export async function newestEnds(db: Db, publicIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  // One row of the index leg_order_recent for each leg: an open order, whose time is null, comes first.
  const rows = await db.any(sql.type(endRow)`
    SELECT asked.public_id, newest.resolved_at AS at
    FROM unnest(${sql.array([...publicIds], 'text')}) AS asked (public_id), LATERAL (
      SELECT resolved_at FROM leg_order WHERE leg_order.public_id = asked.public_id ORDER BY resolved_at DESC LIMIT 1) AS newest`)
  return new Map(rows)
}
