import { hlLeg } from '@svc/contracts/hl-leg'
import type { MandateUsage } from '@svc/contracts/mandates/usage'
import { launchColumns, launchOf, type Claim, type RowOf as EffectOf } from '@svc/outbound'
import { emitIf, instant, sql, table, typed, type Db, type RowOf, type Tx } from '@svc/postgres'
import { counterOf, eachOf, Outage } from '@svc/service'
import { z } from 'zod'
import { endedColumns, momentColumns, plannedColumns, signingColumns } from './order-columns.ts'

/** A call that has had an order judged for so long has ended. */
export const JUDGING_MS = 30_000

const jsonText = (value: object | null) => (value === null ? null : JSON.stringify(value))
const idRow = z.object({ id: z.number() })
const noColumns = z.object({})
const planned = table('leg_order', plannedColumns)
/** An order that is about to be judged. */
export type NewOrder = RowOf<typeof planned>

/** What the plan of an order that was taken over may change. */
const replanned = planned.omit(
  'publicId',
  'orderKey',
  'requestHash',
  'clientId',
  'accountId',
  'by',
  'ownerId',
  'market',
  'coin',
  'side',
  'amountUsdc',
  'cloid',
)

const signing = table('leg_order', signingColumns)
/** The signed bytes of an order, with the judgement that lets it through; expiry in Unix milliseconds of the venue. */
export type Signed = RowOf<typeof signing>

const ended = table('leg_order', endedColumns)
const orders = table('leg_order', {
  id: z.number(),
  ...plannedColumns,
  ...momentColumns,
  ...signingColumns,
  signer: z.string().nullable(),
  nonce: z.number().nullable(),
  body: z.string().nullable(),
  expiresAfter: z.number().nullable(),
  signedAt: instant.nullable(),
  ...endedColumns,
  resolvedAt: instant.nullable(),
  toldAt: instant.nullable(),
  receipt: z.string().nullable(),
})
const { row: orderRow, list: columns } = orders
const replannedRow = orderRow.extend({ openBefore: z.number() })
/**
 * An order of a leg. Prices, sizes and amounts are decimal text. `amountUsdc` is null for an order by size, `referencePrice` for
 * a close of this house and for an order of a release that judged at the worst price.
 */
export type LegOrder = z.output<typeof orderRow>

/** An order as the machine of effects drives it. */
export type LegEffect = EffectOf<typeof orderRow>

/**
 * Orders of legs are effects outside: the columns `effect_…` are those of the machine that drives them. One that is judged is planned, and
 * belongs to the call of `claimedAt`. `next_at`, `sends` and `contradictions` are for the last release alone.
 */
export const legOrderKind = {
  name: 'leg_order',
  table: 'leg_order',
  row: orderRow,
  former: {
    state: sql.fragment`(CASE state WHEN 'judging' THEN 'planned' WHEN 'signed' THEN 'sent' ELSE 'ended' END)`,
    outcome: sql.fragment`(CASE WHEN signer IS NULL THEN 'abandoned' WHEN state = 'filled' THEN 'done' WHEN state = 'partial' THEN 'partial'
      WHEN state = 'rejected' THEN 'refused' ELSE 'expired' END)`,
    copies: sql.fragment`(CASE WHEN body IS NULL THEN 0 ELSE sends END)`,
    overAfter: sql.fragment`expires_after`,
    informed: sql.fragment`(told_at IS NOT NULL AND (signer IS NULL OR receipt IS NOT NULL))`,
  },
}

/** Selects the orders of a job, closes before opens. */
export const dueOrders = {
  closes: { where: sql.fragment`NOT opening`, order: sql.fragment`effect_next_at` },
  opens: { where: sql.fragment`opening`, order: sql.fragment`effect_next_at` },
}

/** A new order with the id of the open of the same leg before it; 0 without one. */
export type InsertedOrder = z.output<typeof replannedRow>

const time = typed('timestamptz', instant)
const openBefore = sql.fragment`(SELECT coalesce(max(other.id), 0) FROM leg_order other
  WHERE other.public_id = leg_order.public_id AND other.opening AND other.id <> leg_order.id) AS "openBefore"`

/** The row of an order that is being judged, unless a later attempt has taken it over. */
const ofAttempt = ({ id, claimedAt }: Pick<LegOrder, 'id' | 'claimedAt'>) =>
  sql.fragment`id = ${id} AND state = 'judging' AND claimed_at = ${claimedAt.toISOString()}`

/** When a job may go on with an order. */
const dueAt = (at: Date) => sql.fragment`next_at = ${at.toISOString()}, effect_next_at = ${at.toISOString()}`

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

const insertedRow = z.object({ id: z.number(), openBefore: z.number() })
const inserted = table('leg_order', { ...plannedColumns, ...momentColumns, nextAt: time, effectNextAt: time })

/**
 * Stores an order before it is judged. Returns null if its key or client_id has an order already, or if it opens while
 * another open of the mandate is not resolved.
 */
export async function insertOrder(db: Db, order: NewOrder, now: Date, nextAt: Date): Promise<InsertedOrder | null> {
  const judging = { state: 'judging', claimedAt: now, createdAt: now } as const
  // An order has more than forty columns: to return what was sent costs more than the insertion.
  const row = await db.maybeOne(sql.prepared('insert_order', insertedRow)`
    ${inserted.insert({ ...order, ...judging, nextAt, effectNextAt: nextAt })} ON CONFLICT DO NOTHING RETURNING id, ${openBefore}`)
  return row === null ? null : { ...order, ...NOT_YET, fills: [], ...judging, ...row }
}

/**
 * Takes over an order that is still being judged and that nobody has touched since `before`: the former attempt can no
 * longer store bytes. The row stays until this attempt ends, because mandates may have reserved its amount. Returns null
 * if somebody did touch it.
 */
export function takeOver(db: Db, { id }: LegOrder, before: Date, now: Date, nextAt: Date): Promise<LegOrder | null> {
  return db.maybeOne(sql.type(orderRow)`
    UPDATE leg_order SET claimed_at = ${now.toISOString()}, ${dueAt(nextAt)}
    WHERE id = ${id} AND state = 'judging' AND claimed_at <= ${before.toISOString()}
    RETURNING ${columns}`)
}

/** Stores another plan for an order that was taken over. Returns null if it is no longer this attempt's. */
export function replanOrder(db: Db, taken: LegOrder, order: NewOrder, nextAt: Date): Promise<InsertedOrder | null> {
  return db.maybeOne(sql.type(replannedRow)`
    UPDATE leg_order SET ${replanned.set(order)}, ${dueAt(nextAt)}
    WHERE ${ofAttempt(taken)}
    RETURNING ${columns}, ${openBefore}`)
}

/**
 * Lets the next call of the same key take over an order at once: the call that judged it has ended without an end. The job leaves it as long
 * as before to such a call.
 */
export async function releaseOrder(db: Db, order: LegOrder): Promise<void> {
  await db.query(sql.unsafe`
    UPDATE leg_order SET claimed_at = 'epoch', effect_next_at = coalesce(next_at, effect_next_at) WHERE ${ofAttempt(order)}`)
}

/** Deletes an order that was not let through: its key asks again. */
export async function dropOrder(db: Db, order: LegOrder): Promise<void> {
  await db.query(sql.unsafe`DELETE FROM leg_order WHERE ${ofAttempt(order)}`)
}

/**
 * Stores the bytes before they are sent, and counts the action for the account. Returns false if the order is no longer this attempt's to
 * send, and for an open while opens of the leg are barred.
 */
export async function storeSigned(tx: Tx, order: LegOrder, signed: Signed, now: Date, nextAt: Date): Promise<boolean> {
  // One statement: the stop line may have barred opens since the account was read.
  const stored = await tx.maybeOne(sql.prepared('store_signed', idRow)`
    WITH stored AS (
      UPDATE leg_order SET state = 'signed', ${signing.set(signed)}, signed_at = ${now.toISOString()},
        next_at = ${nextAt.toISOString()}
      WHERE ${ofAttempt(order)} AND NOT (opening AND EXISTS (
        SELECT FROM open_bar WHERE open_bar.public_id = leg_order.public_id AND ended_at IS NULL))
      RETURNING id, network, account),
    counted AS (
      UPDATE venue_allowance SET actions_left = greatest(0, actions_left - 1)
      WHERE (network, account) = (SELECT network, account FROM stored))
    SELECT id FROM stored`)
  return stored !== null
}

const bytes = signing.omit('judgement', 'termsHash', 'usage')
const closed = table('leg_order', {
  ...plannedColumns,
  ...bytes.columns,
  ...momentColumns,
  ...launchColumns,
  signedAt: time,
  nextAt: time,
})

/** A close that is stored with its signed bytes at once: nobody judges it. */
export interface SignedClose {
  readonly order: NewOrder
  readonly signed: RowOf<typeof bytes>
}

/**
 * Stores closes with their bytes before any of them is sent, each claimed with its first copy counted, and counts their actions for the
 * accounts. Returns the orders in the given order. The keys must be new.
 */
export async function insertSigned(db: Db, closes: readonly SignedClose[], claim: Claim): Promise<readonly LegOrder[]> {
  const { now, until } = claim
  const stand = { state: 'signed', claimedAt: now, createdAt: now, signedAt: now, nextAt: until } as const
  const rows = closes.map(({ order, signed }) => ({
    ...order,
    ...signed,
    ...stand,
    ...launchOf(claim, signed.expiresAfter),
  }))
  // One statement for all, so that none of many closes waits for the others to be stored one by one.
  const stored = await db.any(sql.prepared('insert_signed', orderRow)`
    WITH stored AS (${closed.insertAll(rows)} RETURNING *),
    counted AS (
      UPDATE venue_allowance SET actions_left = greatest(0, actions_left - sent.n)
      FROM (SELECT network, account, count(*)::int AS n FROM stored GROUP BY network, account) AS sent
      WHERE venue_allowance.network = sent.network AND venue_allowance.account = sent.account)
    SELECT ${columns} FROM stored`)
  const byKey = new Map(stored.map((order) => [`${order.publicId} ${order.orderKey}`, order]))
  return closes.map(({ order }) => {
    const row = byKey.get(`${order.publicId} ${order.orderKey}`)
    if (row === undefined) throw new Error('a close was not stored')
    return row
  })
}

/** What became of an order for certain; `position`: null if it could not be read afterwards. */
export interface Resolution extends RowOf<typeof ended> {
  readonly state: 'filled' | 'partial' | 'missed' | 'rejected'
  /** The end holds only while no more than so many copies of the bytes have been counted; null: whatever was sent. */
  readonly copies: number | null
}

/** Counts a copy after the first one in the column of the last release, which then ends the order by no refusal of its own copy. */
export async function countForLastRelease(db: Db, id: number): Promise<void> {
  await db.query(sql.unsafe`UPDATE leg_order SET sends = sends + 1 WHERE id = ${id}`)
}

const countOrder = counterOf(
  'hub_hl_orders_total',
  'Orders of legs that were sent to the venue, by side and outcome',
  ['buy', 'sell'].flatMap((side) =>
    eachOf('outcome', ['filled', 'missed', 'rejected']).map((one) => ({ side, ...one })),
  ),
)

/**
 * Stores what became of a signed order, with its event. Rejects with an outage, so that the end is not stored at all, if the last release has
 * ended the order, or has sent a copy that the end does not hold for.
 */
export async function storeOrderEnd(tx: Tx, order: LegOrder, end: Resolution, now: Date): Promise<void> {
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
  const resolved = await tx.maybeOne(sql.prepared('resolve_order', idRow)`
    WITH resolved AS (
    UPDATE leg_order SET state = ${end.state}, ${ended.set(end)}, resolved_at = ${now.toISOString()},
      next_at = ${now.toISOString()}
    WHERE id = ${order.id} AND state = 'signed' AND sends <= coalesce(${end.copies}, sends)
    RETURNING id),
    told AS (${event})
    SELECT id FROM resolved`)
  if (resolved === null) throw new Outage('postgres', `another process changed order ${order.id}`)
  countOrder({ side: order.side, outcome: end.state })
}

/** Ends an order that was still being judged: nothing was signed for it, and nothing will be. Returns false if it went on. */
export async function abandonOrder(tx: Tx, order: LegOrder, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE leg_order SET state = 'missed', reason = 'the order was not sent', resolved_at = ${now.toISOString()},
      next_at = ${now.toISOString()}
    WHERE ${ofAttempt(order)}`)
  return rowCount === 1
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
  .object({ public_id: z.string(), at: instant.nullable() })
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
