import type { UserSignedAction } from '@svc/hyperliquid'
import { instant, sql, table, type Db, type RowOf } from '@svc/postgres'
import type { Address } from 'viem'
import { z } from 'zod'

const kind = z.enum(['order_key', 'builder_fee', 'web_key'])
/** What an offered action approves. */
export type OfferKind = z.output<typeof kind>

/** The exact text of an action is kept: strings hash as they were written. */
const actionText = z.string().transform((text) => JSON.parse(text) as UserSignedAction)
const offers = table('wallet_offer', {
  nonce: z.number(),
  kind,
  subject: z.string().transform((text) => text as Address),
  epoch: z.number().nullable(),
  action: actionText,
  validUntil: instant.nullable(),
  servedAt: instant,
  body: z.string().nullable(),
})
const { row: offerRow, list: columns } = offers
/**
 * An action as it was served for the wallet. `subject`: address of the key or builder; `epoch` of an order key; `body`:
 * the signed bytes that were relayed, null before.
 */
export type WalletOffer = RowOf<typeof offers>
const served = table('wallet_offer', { linkId: z.string(), ...offers.omit('body').columns, action: z.string() })

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
  const row = { ...offer, linkId, action: JSON.stringify(offer.action) }
  await db.query(sql.unsafe`${served.insert(row)}`)
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
