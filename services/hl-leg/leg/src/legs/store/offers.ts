import type { UserSignedAction } from '@svc/hyperliquid'
import { instant, sql, table, type Db, type RowOf } from '@svc/postgres'
import { z } from 'zod'

/** The exact text of an action is kept: strings hash as they were written. */
const actionText = z.string().transform((text) => JSON.parse(text) as UserSignedAction)
const offers = table('approval_offer', {
  nonce: z.number(),
  epoch: z.number(),
  action: actionText,
  validUntil: instant,
  servedAt: instant,
  body: z.string().nullable(),
})
const { row: offerRow, list: columns } = offers
/** An approval as it was served; `body` are the signed bytes that were relayed, null before. */
export type ApprovalOffer = RowOf<typeof offers>
const served = table('approval_offer', { publicId: z.string(), ...offers.omit('body').columns, action: z.string() })

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
  const row = { ...offer, publicId, action: JSON.stringify(offer.action) }
  await db.query(sql.unsafe`${served.insert(row)}`)
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
