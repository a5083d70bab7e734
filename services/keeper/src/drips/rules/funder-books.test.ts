import fc from 'fast-check'
import { expect, test } from 'vitest'
import { continueBooks, openBooks, type FunderTransaction } from './funder-books.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 20n })
const transaction = fc.record({ outcome: fc.constantFrom('done', 'reverted', 'cancelled'), value: wei, fee: wei })
const step = fc.record({ transactions: fc.array(transaction, { maxLength: 5 }), received: wei, stolen: wei })

test('books agree with an account that is followed payment by payment, and opening + received = balance + sent + fees + unexplained', () => {
  fc.assert(
    fc.property(wei, fc.array(step, { maxLength: 8 }), (opening, steps) => {
      const enough = 10n ** 25n
      let books = openBooks({ block: 1, nonce: 0, balance: opening + enough })
      const own = { received: 0n, sent: 0n, fees: 0n, unexplained: 0n, balance: opening + enough, nonce: 0 }
      for (const [at, { transactions, received, stolen }] of steps.entries()) {
        for (const { outcome, value, fee } of transactions) {
          const sent = outcome === 'done' ? value : 0n
          own.sent += sent
          own.fees += fee
          own.balance -= sent + fee
          own.nonce += 1
        }
        own.balance += received - stolen
        // Payments in and out between two readings are told by their difference alone.
        if (received > stolen) own.received += received - stolen
        else own.unexplained += stolen - received
        const next = continueBooks(books, { block: at + 2, nonce: own.nonce, balance: own.balance }, transactions)
        if (next === null) throw new Error('nothing is open')
        books = next
      }
      expect(books).toEqual({ block: steps.length + 1, opening: opening + enough, ...own })
      expect(books.opening + books.received).toBe(books.balance + books.sent + books.fees + books.unexplained)
    }),
  )
})

test('books wait while a transaction is open, and a nonce that another program used is unexplained', () => {
  const books = openBooks({ block: 1, nonce: 3, balance: 100n })
  const open: FunderTransaction = { outcome: null, value: 10n, fee: null }
  const taken: FunderTransaction = { outcome: 'nonce_taken', value: 10n, fee: null }
  expect(continueBooks(books, { block: 2, nonce: 4, balance: 85n }, [open])).toBeNull()
  for (const rows of [[taken], []])
    expect(continueBooks(books, { block: 2, nonce: 4, balance: 85n }, rows)).toMatchObject({
      sent: 0n,
      unexplained: 15n,
    })
})
