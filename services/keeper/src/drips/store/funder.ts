import { sql, type Tx } from '@svc/postgres'
import { z } from 'zod'
import type { FunderBooks, FunderTransaction } from '../rules/funder-books.ts'

const wei = z.string().transform(BigInt)
const booksRow = z
  .object({
    block_number: z.number(),
    nonce: z.number(),
    opening_wei: wei,
    received_wei: wei,
    balance_wei: wei,
    sent_wei: wei,
    fees_wei: wei,
    unexplained_wei: wei,
  })
  .transform((row): FunderBooks => ({
    block: row.block_number,
    nonce: row.nonce,
    opening: row.opening_wei,
    received: row.received_wei,
    balance: row.balance_wei,
    sent: row.sent_wei,
    fees: row.fees_wei,
    unexplained: row.unexplained_wei,
  }))

/** Returns the books of an account and locks them; null before the first. */
export function lockBooks(tx: Tx, chainId: number, address: string): Promise<FunderBooks | null> {
  return tx.maybeOne(sql.type(booksRow)`
    SELECT block_number, nonce, opening_wei, received_wei, balance_wei, sent_wei, fees_wei, unexplained_wei
    FROM gas_funder WHERE chain_id = ${chainId} AND address = ${address} FOR UPDATE`)
}

/** Stores the books of an account. */
export async function storeBooks(
  tx: Tx,
  { chainId, address }: { readonly chainId: number; readonly address: string },
  books: FunderBooks,
  now: Date,
): Promise<void> {
  await tx.query(sql.unsafe`
    INSERT INTO gas_funder (chain_id, address, block_number, nonce, opening_wei, received_wei, balance_wei, sent_wei,
      fees_wei, unexplained_wei, checked_at)
    VALUES (${chainId}, ${address}, ${books.block}, ${books.nonce}, ${String(books.opening)}, ${String(books.received)},
      ${String(books.balance)}, ${String(books.sent)}, ${String(books.fees)}, ${String(books.unexplained)},
      ${now.toISOString()})
    ON CONFLICT (chain_id, address) DO UPDATE SET block_number = excluded.block_number, nonce = excluded.nonce,
      opening_wei = excluded.opening_wei, received_wei = excluded.received_wei, balance_wei = excluded.balance_wei,
      sent_wei = excluded.sent_wei, fees_wei = excluded.fees_wei, unexplained_wei = excluded.unexplained_wei,
      checked_at = excluded.checked_at`)
}

const transactionRow = z
  .object({ outcome: z.string().nullable(), value_wei: wei, fee_wei: wei.nullable() })
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
