import type { UserSignedAction } from '@svc/hyperliquid'
import { sql, type Db } from '@svc/postgres'
import type { Address } from 'viem'
import { z } from 'zod'

const date = z.string().transform((text) => new Date(text))
const kind = z.enum(['order_key', 'builder_fee', 'web_key'])
/** What an offered action approves. */
export type OfferKind = z.output<typeof kind>

const offerRow = z
  .object({
    nonce: z.number(),
    kind,
    subject: z.string(),
    epoch: z.number().nullable(),
    action: z.string(),
    valid_until: date.nullable(),
    served_at: date,
    body: z.string().nullable(),
  })
  .transform((row) => ({
    nonce: row.nonce,
    kind: row.kind,
    subject: row.subject as Address,
    epoch: row.epoch,
    action: JSON.parse(row.action) as UserSignedAction,
    validUntil: row.valid_until,
    servedAt: row.served_at,
    body: row.body,
  }))
/**
 * An action as it was served for the wallet. `subject`: address of the key or builder; `epoch` of an order key; `body`:
 * the signed bytes that were relayed, null before.
 */
export type WalletOffer = z.output<typeof offerRow>

const columns = sql.fragment`nonce, kind, subject, epoch, action, valid_until, served_at, body`

/** Returns the newest action that was served for an address. */
export function newestOffer(
  db: Db,
  linkId: string,
  { kind: of, subject }: Pick<WalletOffer, 'kind' | 'subject'>,
): Promise<WalletOffer | null> {
  return db.maybeOne(sql.type(offerRow)`
    SELECT ${columns} FROM wallet_offer WHERE link_id = ${linkId} AND kind = ${of} AND subject = ${subject}
    ORDER BY nonce DESC LIMIT 1`)
}

/** Returns the action that was served under a nonce. */
export function offerOf(db: Db, linkId: string, nonce: number): Promise<WalletOffer | null> {
  return db.maybeOne(sql.type(offerRow)`
    SELECT ${columns} FROM wallet_offer WHERE link_id = ${linkId} AND nonce = ${nonce}`)
}

/** Actions of a link that are kept unless they were relayed; a further one forgets the oldest. */
const KEPT = 60

/** Stores an action before it is served. */
export async function insertOffer(db: Db, linkId: string, offer: Omit<WalletOffer, 'body'>): Promise<void> {
  const { nonce, subject, epoch, action, validUntil, servedAt } = offer
  await db.query(sql.unsafe`
    INSERT INTO wallet_offer (link_id, nonce, kind, subject, epoch, action, valid_until, served_at)
    VALUES (${linkId}, ${nonce}, ${offer.kind}, ${subject}, ${epoch}, ${JSON.stringify(action)},
      ${validUntil?.toISOString() ?? null}, ${servedAt.toISOString()})`)
  // Newest first; an owner who asks for many more within the ten minutes in which they are good loses the first ones.
  await db.query(sql.unsafe`
    DELETE FROM wallet_offer WHERE link_id = ${linkId} AND nonce IN (
      SELECT nonce FROM wallet_offer WHERE link_id = ${linkId} AND body IS NULL ORDER BY nonce DESC OFFSET ${KEPT})`)
}

const bodyRow = z.object({ body: z.string() })

/** Stores the bytes that are relayed and returns those that were stored first. */
export async function storeBody(db: Db, linkId: string, nonce: number, body: string): Promise<string> {
  return db.oneFirst(sql.type(bodyRow)`
    UPDATE wallet_offer SET body = coalesce(body, ${body}) WHERE link_id = ${linkId} AND nonce = ${nonce}
    RETURNING body`)
}

/** Deletes actions that were served before an instant. */
export async function forgetOffers(db: Db, before: Date): Promise<void> {
  await db.query(sql.unsafe`DELETE FROM wallet_offer WHERE served_at < ${before.toISOString()}`)
}
