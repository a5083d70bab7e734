import { legPositionView } from '@svc/contracts/hl-leg/order-schemas'
import { clientAction, tradeEstimate, tradeMode, signMode } from '@svc/contracts/hl-trade/order-schemas'
import { refusalBlock } from '@svc/contracts/mandates/verdict'
import { instant, jsonAsWritten, named, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const hex = z.templateLiteral(['0x', z.string()])
const { typed_data, action, nonce, expires_after } = clientAction

/** What an order is stored with first: prepared, offered to the browser, or a paper order with its fill. */
const opened = table('trade_order', {
  orderId: z.string(),
  confirmId: z.string().nullable(),
  ownerId: z.number(),
  accountId: z.number(),
  by: named('requested_by', z.enum(['owner', 'agent'])),
  publicId: z.string().nullable(),
  door: z.enum(['terminal', 'pages']),
  requestHash: z.string(),
  mode: tradeMode,
  signMode: signMode,
  network: z.enum(['testnet', 'mainnet']),
  account: hex.nullable(),
  market: z.string(),
  coin: z.string(),
  asset: z.number(),
  side: z.enum(['buy', 'sell']),
  opening: z.boolean(),
  size: z.string(),
  worstPrice: z.string(),
  bandCentre: named('reference_price', z.string()),
  band: z.string(),
  notionalUsdc: z.string(),
  amountUsdc: z.string().nullable(),
  referencePrice: named('notional_price', z.string().nullable()),
  cloid: hex,
  state: z.enum(['prepared', 'offered', 'signed', 'filled', 'partial', 'missed', 'rejected', 'expired']),
  estimate: jsonAsWritten(tradeEstimate),
  judgement: jsonAsWritten(refusalBlock),
  clientAction: jsonAsWritten(z.object({ typed_data, action, nonce, expires_after }).nullable()),
  preparedAt: instant,
  expiresAt: instant,
  filledSize: z.string(),
  averagePrice: z.string().nullable(),
  filledNotionalUsdc: z.string(),
  feeUsdc: z.string(),
  resolvedAt: instant.nullable(),
})

const signing = table('trade_order', {
  size: z.string(),
  referencePrice: named('notional_price', z.string()),
  notionalUsdc: z.string(),
  signer: z.string(),
  nonce: z.number(),
  body: z.string(),
  expiresAfter: z.number(),
})
/** The signed bytes of an order, and what it counts by the reading of its execution; expiry in Unix milliseconds of the venue. */
export type SignedTrade = RowOf<typeof signing>

const ended = table('trade_order', {
  oid: z.number().nullable(),
  filledSize: z.string(),
  averagePrice: z.string().nullable(),
  filledNotionalUsdc: z.string(),
  feeUsdc: z.string(),
  reason: z.string().nullable(),
  position: jsonAsWritten(legPositionView.nullable()),
})

const orders = table('trade_order', {
  id: z.number(),
  ...opened.columns,
  signer: z.string().nullable(),
  body: z.string().nullable(),
  expiresAfter: z.number().nullable(),
  signedAt: instant.nullable(),
  ...ended.columns,
  violation: z.boolean(),
})
const { row: orderRow, list: columns } = orders
/** An order of an own account or of a paper book. Prices, sizes and amounts are decimal text. */
export type TradeOrder = RowOf<typeof orders>

const inserted = table('trade_order', {
  ...opened.columns,
  orderKey: z.string().nullable(),
  nextAt: instant.nullable(),
  day: z.string(),
})
/** An order as it is stored first. */
export type NewTrade = Omit<RowOf<typeof inserted>, 'day'>

/** Locks the orders of an owner until the transaction ends, so that no two of them are judged by the same sums. */
export async function lockOrders(tx: Tx, ownerId: number): Promise<void> {
  await tx.query(sql.unsafe`SELECT pg_advisory_xact_lock(hashtextextended(${`trade_order ${ownerId}`}, 0))`)
}

const countRow = z.object({ count: z.number() })

/**
 * Counts the live orders of an owner in an account that are not resolved. No order of the owner is stored or signed until
 * the transaction ends.
 */
export async function countOpenTrades(tx: Tx, ownerId: number, account: string): Promise<number> {
  await lockOrders(tx, ownerId)
  return tx.oneFirst(sql.type(countRow)`
    SELECT count(*)::integer AS count FROM trade_order
    WHERE owner_id = ${ownerId} AND account = ${account} AND resolved_at IS NULL`)
}

/** Stores an order. Returns null if the key of its account has an order already. */
export function insertTrade(tx: Tx, order: NewTrade): Promise<TradeOrder | null> {
  const day = order.preparedAt.toISOString().slice(0, 10)
  return tx.maybeOne(sql.type(orderRow)`
    ${inserted.insert({ ...order, day })}
    ON CONFLICT (account_id, order_key) DO NOTHING
    RETURNING ${columns}`)
}

/** Returns the order of a key of an account; null without one. */
export function tradeByKey(db: Db, accountId: number, orderKey: string): Promise<TradeOrder | null> {
  return db.maybeOne(sql.type(orderRow)`
    SELECT ${columns} FROM trade_order WHERE account_id = ${accountId} AND order_key = ${orderKey}`)
}

/** Returns the order of a confirm_id of an owner; null for that of anybody else. */
export function tradeByConfirm(db: Db, ownerId: number, confirmId: string): Promise<TradeOrder | null> {
  return db.maybeOne(sql.type(orderRow)`
    SELECT ${columns} FROM trade_order WHERE confirm_id = ${confirmId} AND owner_id = ${ownerId}`)
}

/** Locks an order and returns it as it stands. */
export function lockTrade(tx: Tx, id: number): Promise<TradeOrder> {
  return tx.one(sql.type(orderRow)`SELECT ${columns} FROM trade_order WHERE id = ${id} FOR UPDATE`)
}

/** Returns an order as it stands. */
export function readTrade(db: Db, id: number): Promise<TradeOrder> {
  return db.one(sql.type(orderRow)`SELECT ${columns} FROM trade_order WHERE id = ${id}`)
}

/** Stores the bytes before they are sent; the caps count the order on the day on which it is signed. */
export function storeSignedTrade(
  tx: Tx,
  { id }: TradeOrder,
  signed: SignedTrade,
  now: Date,
  nextAt: Date,
): Promise<TradeOrder> {
  return tx.one(sql.type(orderRow)`
    UPDATE trade_order SET state = 'signed', ${signing.set(signed)}, signed_at = ${now.toISOString()},
      day = ${now.toISOString().slice(0, 10)}, next_at = ${nextAt.toISOString()}
    WHERE id = ${id} AND state = 'prepared'
    RETURNING ${columns}`)
}

/** What became of an order for certain. */
export interface TradeEnd extends RowOf<typeof ended> {
  readonly state: 'filled' | 'partial' | 'missed' | 'rejected'
  /** The end holds only while no more than so many copies of the bytes have been counted; null: whatever was sent. */
  readonly copies: number | null
}

/** Counts a copy of the stored bytes of an order that is about to leave. Returns how many have been counted; null if the order has ended. */
export async function countSend(db: Db, id: number): Promise<number | null> {
  const row = await db.maybeOne(sql.type(countRow)`
    UPDATE trade_order SET sends = sends + 1 WHERE id = ${id} AND state = 'signed' RETURNING sends AS count`)
  return row?.count ?? null
}

/** Counts a look-up of an open order that contradicted itself. Returns how many have been counted; 0 if the order has ended. */
export async function countContradiction(db: Db, id: number): Promise<number> {
  const row = await db.maybeOne(sql.type(countRow)`
    UPDATE trade_order SET contradictions = contradictions + 1 WHERE id = ${id} AND state IN ('offered', 'signed')
    RETURNING contradictions AS count`)
  return row?.count ?? 0
}

/**
 * Stores what became of an order that may be at the venue. Returns null if that is stored already, or if the oid belongs
 * to another order: the first resolution stays. Returns null as well for an end that holds for one copy while somebody else
 * may have sent another.
 */
export function resolveTrade(db: Db, id: number, end: TradeEnd, now: Date): Promise<TradeOrder | null> {
  return db.maybeOne(sql.type(orderRow)`
    UPDATE trade_order SET state = ${end.state}, ${ended.set(end)}, violation = ${end.filledSize}::numeric > size,
      resolved_at = ${now.toISOString()}, next_at = NULL
    WHERE id = ${id} AND state IN ('offered', 'signed') AND sends <= coalesce(${end.copies}, sends)
      AND NOT EXISTS (SELECT FROM trade_order other
        WHERE other.network = trade_order.network AND other.oid = ${end.oid} AND other.id <> trade_order.id)
    RETURNING ${columns}`)
}

/** Lets the job go on with an order at a time. */
export async function postponeTrades(db: Db, ids: readonly number[], nextAt: Date): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE trade_order SET next_at = ${nextAt.toISOString()}
    WHERE id = ANY(${sql.array([...ids], 'int8')}) AND next_at IS NOT NULL`)
}

/** Lists orders that somebody has to go on with, closes first. */
export function dueTrades(db: Db, now: Date, limit: number): Promise<readonly TradeOrder[]> {
  return db.any(sql.type(orderRow)`
    SELECT ${columns} FROM trade_order
    WHERE next_at <= ${now.toISOString()} AND state IN ('offered', 'signed') ORDER BY opening, next_at LIMIT ${limit}`)
}

/** Ends prepared orders that can no longer be confirmed: nothing of them was signed, and nothing will be. */
export async function expireTrades(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`
    UPDATE trade_order SET state = 'expired', reason = 'the order was not confirmed', resolved_at = ${now.toISOString()},
      next_at = NULL
    WHERE state = 'prepared' AND next_at <= ${now.toISOString()} AND expires_at <= ${now.toISOString()}`)
  return rowCount
}

/** Lists orders that wait for confirmation, newest first: all of an owner, or those that an agent asked for. */
export function pendingTrades(
  db: Db,
  { ownerId, accountId }: { readonly ownerId: number; readonly accountId: number | null },
  now: Date,
  page: { readonly before: number | null; readonly limit: number },
): Promise<readonly TradeOrder[]> {
  return db.any(sql.type(orderRow)`
    SELECT ${columns} FROM trade_order
    WHERE owner_id = ${ownerId} AND state IN ('prepared', 'offered') AND resolved_at IS NULL
      AND expires_at > ${now.toISOString()} AND (${accountId}::bigint IS NULL OR account_id = ${accountId})
      AND (${page.before}::bigint IS NULL OR id < ${page.before})
    ORDER BY id DESC LIMIT ${page.limit}`)
}
