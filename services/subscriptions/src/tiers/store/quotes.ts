import { instant, sql, table, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { Quote } from '../rules/quote.ts'
import type { StoredQuote } from '../rules/stored-quote.ts'

/** Quotes of an account that are kept. */
const KEPT_MAX = 10

const quotes = table('quote', {
  tier: z.union([z.literal(1), z.literal(2)]),
  months: z.number(),
  action: z.enum(['start', 'extend', 'upgrade']),
  price: z.number(),
  credit: z.number(),
  charge: z.number(),
  leftover: z.number(),
  quotedAt: instant,
  expiresAt: instant,
  purchaseId: z.number().nullable(),
})
const newQuotes = table('quote', { ...quotes.omit('purchaseId').columns, id: z.string(), accountId: z.number() })

/** A new quote and until when it holds. */
export interface NewQuote {
  readonly id: string
  readonly accountId: number
  readonly quoted: Quote
  readonly expiresAt: Date
}

/** Stores a quote; deletes those of its account that have ended or are no longer among the newest. */
export async function insertQuote(tx: Tx, { id, accountId, quoted, expiresAt }: NewQuote, now: Date): Promise<void> {
  await tx.query(sql.unsafe`
    DELETE FROM quote WHERE account_id = ${accountId} AND (expires_at <= ${now.toISOString()} OR id NOT IN (
      SELECT id FROM quote WHERE account_id = ${accountId} ORDER BY quoted_at DESC, id LIMIT ${KEPT_MAX - 1}))`)
  await tx.query(sql.unsafe`
    ${newQuotes.insert({ ...quoted, id, accountId, quotedAt: now, expiresAt })}`)
}

/** Returns a quote of an account; null for another account's. The caller has locked the account's subscription. */
export function quoteOf(tx: Tx, accountId: number, id: string): Promise<StoredQuote | null> {
  return tx.maybeOne(sql.prepared('quote_of', quotes.row)`
    SELECT ${quotes.list} FROM quote WHERE account_id = ${accountId} AND id = ${id}`)
}

/** Stores which purchase used a quote. */
export async function useQuote(tx: Tx, accountId: number, id: string, purchaseId: number): Promise<void> {
  await tx.query(
    sql.unsafe`UPDATE quote SET purchase_id = ${purchaseId} WHERE account_id = ${accountId} AND id = ${id}`,
  )
}
