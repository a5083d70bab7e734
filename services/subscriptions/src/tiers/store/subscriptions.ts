import { instant, sql, table, type Db, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Quote, Running, Subscription } from '../rules/quote.ts'

const tier = z.union([z.literal(0), z.literal(1), z.literal(2)])
const subscriptions = table('subscription', {
  tier,
  startedAt: instant.nullable(),
  endsAt: instant.nullable(),
  paid: z.number(),
  boughtSeconds: z.number(),
})

export async function findSubscription(db: Db, accountId: number): Promise<Subscription | null> {
  return db.maybeOne(sql.prepared('subscription_find', subscriptions.row)`
    SELECT ${subscriptions.list} FROM subscription WHERE account_id = ${accountId}`)
}

/** Locks an account's subscription until the end of the transaction, so that purchases of an account are sequential. */
export async function lockSubscription(tx: Tx, accountId: number): Promise<Subscription> {
  await tx.query(sql.unsafe`INSERT INTO subscription (account_id) VALUES (${accountId}) ON CONFLICT DO NOTHING`)
  return tx.one(sql.prepared('subscription_lock', subscriptions.row)`
    SELECT ${subscriptions.list} FROM subscription WHERE account_id = ${accountId} FOR UPDATE`)
}

export async function storeSubscription(tx: Tx, accountId: number, next: Running): Promise<void> {
  await tx.query(sql.unsafe`
    UPDATE subscription SET ${subscriptions.set(next)} WHERE account_id = ${accountId}`)
}

const idRow = z.object({ id: z.number() })

/** Returns a new purchase number; the key of the transfer that pays for the purchase contains it. */
export async function nextPurchaseId(tx: Tx): Promise<number> {
  return (await tx.one(sql.type(idRow)`SELECT nextval(pg_get_serial_sequence('purchase', 'id')) AS id`)).id
}

export async function insertPurchase(
  tx: Tx,
  purchase: {
    readonly id: number
    readonly accountId: number
    readonly boughtBy: number
    readonly bought: Quote
    readonly transferId: number | null
  },
  at: Date,
): Promise<void> {
  const { id, accountId, boughtBy, bought, transferId } = purchase
  await tx.query(sql.unsafe`
    INSERT INTO purchase (id, account_id, at, action, tier, months, price, credit, charge, ends_at, transfer_id, bought_by) OVERRIDING SYSTEM VALUE
    VALUES (${id}, ${accountId}, ${at.toISOString()}, ${bought.action}, ${bought.tier}, ${bought.months}, ${bought.price}, ${bought.credit},
      ${bought.charge}, ${bought.next.endsAt.toISOString()}, ${transferId}, ${boughtBy})`)
}

const tierRow = z.object({ account_id: z.number(), tier, ends_at: z.string() })
export type TierRow = z.output<typeof tierRow>

/** Returns the tiers that run at `now`; accounts on Free are omitted. */
export async function runningTiers(db: Db, accountIds: readonly number[], now: Date): Promise<readonly TierRow[]> {
  return db.any(sql.prepared('subscription_tiers', tierRow)`
    SELECT account_id, tier, ends_at FROM subscription
    WHERE account_id = ANY(${sql.array([...accountIds], 'int8')}) AND tier > 0 AND ends_at > ${now.toISOString()}`)
}

const lapsed = z.object({ account_id: z.number(), tier })

/**
 * Sets ended subscriptions to Free, oldest end first, and returns them with their former tier.
 * Rows that a purchase has locked are skipped: the purchase renews them, or the next tick lapses them.
 */
export async function lapseEnded(tx: Tx, now: Date, max: number): Promise<readonly z.output<typeof lapsed>[]> {
  return tx.any(sql.type(lapsed)`
    WITH due AS (
      SELECT account_id, tier FROM subscription WHERE tier > 0 AND ends_at <= ${now.toISOString()}
      ORDER BY ends_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    )
    UPDATE subscription AS s SET tier = 0 FROM due WHERE s.account_id = due.account_id RETURNING due.account_id, due.tier`)
}
