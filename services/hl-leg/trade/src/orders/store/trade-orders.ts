import { legPositionView } from '@svc/contracts/hl-leg/order-schemas'
import { clientAction, tradeEstimate, tradeMode, tradeState, signMode } from '@svc/contracts/hl-trade/order-schemas'
import { refusalBlock } from '@svc/contracts/mandates/verdict'
import type { RowOf as EffectOf, Selection } from '@svc/outbound'
import { instant, jsonAsWritten, named, sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
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
  state: tradeState,
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
/** An order as the machine of effects drives it. */
export type TradeEffect = EffectOf<typeof orderRow>

/**
 * Orders of own accounts are effects outside: the columns `effect_…` are those of the machine that drives them. One that waits for
 * its owner is planned; one that a browser may have posted was sent. One on paper has ended.
 */
export const ownOrderKind = {
  name: 'own_order',
  table: 'trade_order',
  row: orderRow,
  former: {
    state: sql.fragment`(CASE WHEN state = 'prepared' THEN 'planned' WHEN state IN ('offered', 'signed') THEN 'sent' ELSE 'ended' END)`,
    outcome: sql.fragment`(CASE state WHEN 'filled' THEN 'done' WHEN 'partial' THEN 'partial' WHEN 'rejected' THEN 'refused'
      WHEN 'expired' THEN 'abandoned' ELSE 'expired' END)`,
    copies: sql.fragment`(CASE WHEN mode = 'paper' OR state IN ('prepared', 'expired') THEN 0 ELSE sends END)`,
    overAfter: sql.fragment`coalesce(expires_after, (extract(epoch FROM expires_at) * 1000)::bigint)`,
  },
}

const stored = table('trade_order', { ...opened.columns, orderKey: z.string().nullable(), nextAt: instant.nullable() })
/** An order as it is stored first. */
export type NewTrade = RowOf<typeof stored>

const inserted = table('trade_order', {
  ...stored.columns,
  day: z.string(),
  effectState: z.enum(['planned', 'sent', 'ended']),
  effectOutcome: z.enum(['done', 'partial', 'expired']).nullable(),
  effectCopies: z.number(),
  effectOverAfter: z.number().nullable(),
  effectNextAt: instant,
  effectInformedAt: instant.nullable(),
})

/** Returns the columns of the effect that an order is when it is stored. */
function effectOf({ state, preparedAt, expiresAt, nextAt }: NewTrade) {
  const open = {
    effectOutcome: null,
    effectOverAfter: null,
    effectNextAt: nextAt ?? preparedAt,
    effectInformedAt: null,
  }
  if (state === 'prepared') return { ...open, effectState: 'planned' as const, effectCopies: 0 }
  // The browser may send its bytes from now on.
  if (state === 'offered')
    return { ...open, effectState: 'sent' as const, effectCopies: 1, effectOverAfter: expiresAt.getTime() }
  const effectOutcome = state === 'filled' ? 'done' : state === 'partial' ? 'partial' : 'expired'
  return {
    ...open,
    effectState: 'ended' as const,
    effectCopies: 0,
    effectOutcome,
    effectInformedAt: preparedAt,
  } as const
}

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
    ${inserted.insert({ ...order, ...effectOf(order), day })}
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

/**
 * Stores the bytes of a prepared order before they are sent; the caps count the order on the day on which it is signed. Returns
 * false if it is not prepared any more.
 */
export async function storeSignedTrade(tx: Tx, id: number, signed: SignedTrade, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE trade_order SET state = 'signed', ${signing.set(signed)}, signed_at = ${now.toISOString()},
      day = ${now.toISOString().slice(0, 10)}
    WHERE id = ${id} AND state = 'prepared'`)
  return rowCount === 1
}

/** Counts a copy after the first one in the column of the last release, which then ends the order by no refusal of its own copy. */
export async function countForLastRelease(db: Db, id: number): Promise<void> {
  await db.query(sql.unsafe`UPDATE trade_order SET sends = sends + 1 WHERE id = ${id}`)
}

/** What became of an order for certain. */
export interface TradeEnd extends RowOf<typeof ended> {
  readonly state: 'filled' | 'partial' | 'missed' | 'rejected' | 'expired'
  /** The end holds only while no more than so many copies of the bytes have been counted; null: whatever was sent. */
  readonly copies: number | null
}

/**
 * Stores how an order ended. Rejects with an outage, so that the end is not stored at all, if the last release has ended the order, or
 * has sent a copy that the end does not hold for; and if the oid belongs to another order.
 */
export async function storeTradeEnd(tx: Tx, id: number, end: TradeEnd, now: Date): Promise<void> {
  const from = end.state === 'expired' ? ['prepared'] : ['offered', 'signed']
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE trade_order SET state = ${end.state}, ${ended.set(end)}, violation = ${end.filledSize}::numeric > size,
      resolved_at = ${now.toISOString()}, next_at = NULL
    WHERE id = ${id} AND state = ANY(${sql.array(from, 'text')}) AND sends <= coalesce(${end.copies}, sends)
      AND NOT EXISTS (SELECT FROM trade_order other
        WHERE other.network = trade_order.network AND other.oid = ${end.oid} AND other.id <> trade_order.id)`)
  if (rowCount === 0)
    throw new Outage('postgres', `another process changed order ${id}, or its oid is that of another one`)
}

/** Selects orders of a job by what is left to do: closes and opens that this service sends or ends, and what browsers may have posted. */
export function dueTrades(
  now: Date,
): Readonly<Record<'closes' | 'opens' | 'offered', Pick<Selection, 'where' | 'order'>>> {
  const own = sql.fragment`(state = 'signed' OR (state = 'prepared' AND expires_at <= ${now.toISOString()}))`
  const order = sql.fragment`effect_next_at`
  return {
    closes: { where: sql.fragment`${own} AND NOT opening`, order },
    opens: { where: sql.fragment`${own} AND opening`, order },
    offered: { where: sql.fragment`state = 'offered'`, order },
  }
}

const sinceRow = z.object({ since: instant })

/** Returns when the first of the open orders of an owner was prepared that a browser may have posted for the same account. */
export async function firstOffered(db: Db, { ownerId, account, preparedAt }: TradeOrder): Promise<Date> {
  const { since } = await db.one(sql.type(sinceRow)`
    SELECT least(min(prepared_at), ${preparedAt.toISOString()}) AS since FROM trade_order
    WHERE owner_id = ${ownerId} AND account = ${account} AND state = 'offered' AND resolved_at IS NULL`)
  return since
}

/** Whose orders are read: all of an owner, or those of the owner that an agent asked for. */
interface Reader {
  readonly ownerId: number
  readonly agentId: number | null
}
const readBy = ({ ownerId, agentId }: Reader) =>
  sql.fragment`owner_id = ${ownerId} AND (${agentId}::bigint IS NULL OR account_id = ${agentId})`

/** Lists orders, newest first, whatever became of them. */
export function listTrades(
  db: Db,
  reader: Reader,
  only: { readonly mode: TradeOrder['mode'] | null; readonly state: TradeOrder['state'] | null },
  page: { readonly before: number | null; readonly limit: number },
): Promise<readonly TradeOrder[]> {
  return db.any(sql.type(orderRow)`
    SELECT ${columns} FROM trade_order
    WHERE ${readBy(reader)} AND (${only.mode}::text IS NULL OR mode = ${only.mode}) AND (${only.state}::text IS NULL OR state = ${only.state})
      AND (${page.before}::bigint IS NULL OR id < ${page.before})
    ORDER BY id DESC LIMIT ${page.limit}`)
}

/** Returns an order by its id; null for that of anybody else. */
export function tradeById(db: Db, reader: Reader, orderId: string): Promise<TradeOrder | null> {
  return db.maybeOne(sql.type(orderRow)`
    SELECT ${columns} FROM trade_order WHERE order_id = ${orderId} AND ${readBy(reader)}`)
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
