import type { VaultBooks, VaultReading } from '@svc/contracts/chain-indexer/vaults'
import { differencesOf, type Difference } from './fold-books.ts'

/**
 * Where the views contradict the books at the same block. Usage is compared on the day that the view answers for:
 * the books keep that of the last spending, which the view reads as 0 on another day.
 */
export function compareReading(books: VaultBooks, reading: VaultReading): readonly Difference[] {
  const { used_day, used_amount, ...views } = reading.books
  const usedToday = books.used_day === used_day ? books.used_amount : '0'
  return [
    ...differencesOf(books, views),
    ...(usedToday === used_amount ? [] : [{ figure: 'used_amount', books: usedToday, chain: used_amount }]),
  ]
}
