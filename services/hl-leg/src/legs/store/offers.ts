import type { UserSignedAction } from '@svc/hyperliquid'
import { sql, type Db } from '@svc/postgres'
import { z } from 'zod'

const date = z.string().transform((text) => new Date(text))
const offerRow = z
  .object({
    nonce: z.number(),
    epoch: z.number(),
    action: z.string(),
    valid_until: date,
    served_at: date,
    body: z.string().nullable(),
  })
  .transform((row) => ({
    nonce: row.nonce,
    epoch: row.epoch,
    action: JSON.parse(row.action) as UserSignedAction,
    validUntil: row.valid_until,
    servedAt: row.served_at,
    body: row.body,
  }))
/** An approval as it was served; `body` are the signed bytes that were relayed, null before. */
export type ApprovalOffer = z.output<typeof offerRow>

const columns = sql.fragment`nonce, epoch, action, valid_until, served_at, body`

/** Returns the newest approval that was served for a key. */
export function newestOffer(db: Db, publicId: string, epoch: number): Promise<ApprovalOffer | null> {
  return db.maybeOne(sql.type(offerRow)`
    SELECT ${columns} FROM approval_offer WHERE public_id = ${publicId} AND epoch = ${epoch} ORDER BY nonce DESC LIMIT 1`)
}

/** Returns the approval that was served under a nonce. */
export function offerOf(db: Db, publicId: string, nonce: number): Promise<ApprovalOffer | null> {
  return db.maybeOne(sql.type(offerRow)`
    SELECT ${columns} FROM approval_offer WHERE public_id = ${publicId} AND nonce = ${nonce}`)
}

/** Stores an approval before it is served. */
export async function insertOffer(db: Db, publicId: string, offer: Omit<ApprovalOffer, 'body'>): Promise<void> {
  const { nonce, epoch, action, validUntil, servedAt } = offer
  await db.query(sql.unsafe`
    INSERT INTO approval_offer (public_id, nonce, epoch, action, valid_until, served_at)
    VALUES (${publicId}, ${nonce}, ${epoch}, ${JSON.stringify(action)}, ${validUntil.toISOString()}, ${servedAt.toISOString()})`)
}

const bodyRow = z.object({ body: z.string() })

/** Stores the bytes that are relayed and returns those that were stored first. */
export async function storeBody(db: Db, publicId: string, nonce: number, body: string): Promise<string> {
  return db.oneFirst(sql.type(bodyRow)`
    UPDATE approval_offer SET body = coalesce(body, ${body}) WHERE public_id = ${publicId} AND nonce = ${nonce}
    RETURNING body`)
}

/** Deletes approvals that were served before an instant. */
export async function forgetOffers(db: Db, before: Date): Promise<void> {
  await db.query(sql.unsafe`DELETE FROM approval_offer WHERE served_at < ${before.toISOString()}`)
}
