import { instant, named, sql, table, units, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { FunderBooks, FunderTransaction } from '../rules/funder-books.ts'

const books = table('gas_funder', {
  block: named('block_number', z.number()),
  nonce: z.number(),
  opening: named('opening_wei', units),
  received: named('received_wei', units),
  balance: named('balance_wei', units),
  sent: named('sent_wei', units),
  fees: named('fees_wei', units),
  unexplained: named('unexplained_wei', units),
})
const funders = table('gas_funder', {
  chainId: z.number(),
  address: z.string(),
  ...books.columns,
  checkedAt: instant,
})
const replacing = funders.onConflict(['chainId', 'address'])

/** Returns the books of an account and locks them; null before the first. */
export function lockBooks(tx: Tx, chainId: number, address: string): Promise<FunderBooks | null> {
  return tx.maybeOne(sql.type(books.row)`
    SELECT ${books.list} FROM gas_funder WHERE chain_id = ${chainId} AND address = ${address} FOR UPDATE`)
}

/** Stores the books of an account. */
export async function storeBooks(
  tx: Tx,
  account: { readonly chainId: number; readonly address: string },
  newBooks: FunderBooks,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`${funders.insert({ ...newBooks, ...account, checkedAt: now })} ${replacing}`)
}

const transactionRow = z
  .object({ outcome: z.string().nullable(), value_wei: units, fee_wei: units.nullable() })
  .transform((row): FunderTransaction => ({ outcome: row.outcome, value: row.value_wei, fee: row.fee_wei }))

/** Returns the stored transactions of an account with nonces from `from` up to, and without, `to`. */
export function transactionsBetween(
  tx: Tx,
  { chainId, address }: { readonly chainId: number; readonly address: string },
  from: number,
  to: number,
): Promise<readonly FunderTransaction[]> {
  return tx.any(sql.type(transactionRow)`
    SELECT outcome, value_wei, fee_wei FROM transaction
    WHERE chain_id = ${chainId} AND sender = ${address} AND nonce >= ${from} AND nonce < ${to}`)
}
