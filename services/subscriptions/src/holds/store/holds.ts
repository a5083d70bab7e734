import { sql, table, type Db, type RowOf, type Tx } from '@svc/postgres'
import { z } from 'zod'

const holds = table('hold', {
  id: z.string(),
  account_id: z.number(),
  seller_id: z.number(),
  key: z.string(),
  reference: z.string(),
  amount: z.number(),
  captured: z.number(),
  day: z.string(),
  state: z.enum(['held', 'captured', 'released', 'expired']),
  created_at: z.string(),
  expires_at: z.string(),
})
/** Cherry that an account set aside. */
export type Hold = RowOf<typeof holds>
const newHolds = holds.omit('captured', 'state')

const itemRow = z.object({ resource: z.string(), price: z.number() })
/** Something that is paid for. */
export type Item = z.output<typeof itemRow>

export function findHold(db: Db, holdId: string): Promise<Hold | null> {
  return db.maybeOne(sql.prepared('hold_find', holds.row)`SELECT ${holds.list} FROM hold WHERE id = ${holdId}`)
}

/** Returns the open hold of an account with this key; null if there is none. */
export function openHoldOfKey(tx: Tx, accountId: number, key: string): Promise<Hold | null> {
  return tx.maybeOne(sql.prepared('hold_of_key', holds.row)`
    SELECT ${holds.list} FROM hold WHERE account_id = ${accountId} AND key = ${key} AND state = 'held'`)
}

/** Returns open holds that have expired at `now`, oldest end first. */
export function dueHolds(db: Db, now: Date, max: number): Promise<readonly Hold[]> {
  return db.any(sql.prepared('holds_due', holds.row)`
    SELECT ${holds.list} FROM hold WHERE state = 'held' AND expires_at <= ${now.toISOString()} ORDER BY expires_at LIMIT ${max}`)
}

/** Returns the open holds of one account that have expired at `now`. */
export function dueHoldsOf(tx: Tx, accountId: number, now: Date): Promise<readonly Hold[]> {
  return tx.any(sql.prepared('holds_due_of', holds.row)`
    SELECT ${holds.list} FROM hold WHERE account_id = ${accountId} AND state = 'held' AND expires_at <= ${now.toISOString()}
    ORDER BY expires_at LIMIT 100`)
}

export function itemsOf(tx: Tx, holdId: string): Promise<readonly Item[]> {
  return tx.any(sql.prepared('hold_items', itemRow)`
    SELECT resource, price FROM hold_item WHERE hold_id = ${holdId} ORDER BY resource`)
}

/** Stores a hold with its items. */
export async function insertHold(tx: Tx, hold: RowOf<typeof newHolds>, items: readonly Item[]): Promise<void> {
  await tx.query(sql.unsafe`
    WITH stored AS (
      ${newHolds.insert(hold)} RETURNING id
    )
    INSERT INTO hold_item (hold_id, resource, price)
    SELECT stored.id, item.resource, item.price FROM stored, ${sql.unnest(
      items.map(({ resource, price }) => [resource, price]),
      ['text', 'int8'],
    )} AS item (resource, price)`)
}

/** Stores how an open hold ended; throws if it has ended. */
export async function storeEnd(
  tx: Tx,
  holdId: string,
  end: { readonly state: Hold['state']; readonly captured: number; readonly at: Date },
): Promise<void> {
  const { rowCount } = await tx.query(sql.unsafe`
    UPDATE hold SET state = ${end.state}, captured = ${end.captured}, ended_at = ${end.at.toISOString()}
    WHERE id = ${holdId} AND state = 'held'`)
  if (rowCount !== 1) throw new Error(`hold ${holdId} has ended before`)
}

const paidRow = z.object({ resource: z.string() })

/** Returns which of these resources an account has paid for. */
export async function paidAmong(db: Db, accountId: number, resources: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.any(sql.prepared('paid_among', paidRow)`
    SELECT resource FROM paid_item WHERE account_id = ${accountId} AND resource = ANY(${sql.array([...resources], 'text')})`)
  return new Set(rows.map(({ resource }) => resource))
}

const capturedRow = z.object({ captured: z.number() })

/** Returns the Cherry that holds of this key have captured for these resources. */
export async function capturedByKey(
  db: Db,
  { accountId, key, resources }: { accountId: number; key: string; resources: readonly string[] },
): Promise<number> {
  const { captured } = await db.one(sql.prepared('captured_by_key', capturedRow)`
    SELECT coalesce(sum(p.price), 0)::bigint AS captured FROM paid_item AS p JOIN hold AS h ON h.id = p.hold_id
    WHERE p.account_id = ${accountId} AND p.resource = ANY(${sql.array([...resources], 'text')}) AND h.key = ${key}`)
  return captured
}

/** Returns which of these resources at least one of these accounts has paid for. */
export async function paidByAny(
  db: Db,
  accountIds: readonly number[],
  resources: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.any(sql.prepared('paid_by_any', paidRow)`
    SELECT DISTINCT resource FROM paid_item
    WHERE account_id = ANY(${sql.array([...accountIds], 'int8')}) AND resource = ANY(${sql.array([...resources], 'text')})`)
  return rows.map(({ resource }) => resource)
}

/** Returns what a hold paid for. */
export async function paidByHold(db: Db, { id, account_id }: Hold): Promise<readonly string[]> {
  const rows = await db.any(sql.prepared('paid_by_hold', paidRow)`
    SELECT p.resource FROM hold_item AS i JOIN paid_item AS p ON p.resource = i.resource AND p.account_id = ${account_id}
    WHERE i.hold_id = ${id} AND p.hold_id = ${id} ORDER BY p.resource`)
  return rows.map(({ resource }) => resource)
}

/** Stores for ever that an account has paid for these items. */
export async function insertPaid(tx: Tx, { id, account_id }: Hold, items: readonly Item[], at: Date): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO paid_item (account_id, resource, hold_id, price, paid_at)
    SELECT ${account_id}, resource, ${id}, price, ${at.toISOString()} FROM ${sql.unnest(
      items.map(({ resource, price }) => [resource, price]),
      ['text', 'int8'],
    )} AS item (resource, price)`)
}
