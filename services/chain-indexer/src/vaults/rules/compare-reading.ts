import type { VaultBooks, VaultReading } from '@svc/contracts/chain-indexer/vaults'
import { differencesOf, type Difference } from './fold-books.ts'

/**
 * Returns the figures in which the views contradict the books at the same block. Usage is compared for the day of the
 * view: the books keep the day of the last spending, and the view returns 0 on any other day.
 */
export function compareReading(books: VaultBooks, reading: VaultReading): readonly Difference[] {
  const { used_day, used_amount, ...views } = reading.books
  const usedToday = books.used_day === used_day ? books.used_amount : '0'
  return [
    ...differencesOf(books, views),
    ...(usedToday === used_amount ? [] : [{ figure: 'used_amount', books: usedToday, chain: used_amount }]),
  ]
}
