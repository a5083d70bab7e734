import type { BoardRow } from '@svc/contracts/market-data/board'
import { textsOf } from './screen.ts'
import { orderOf, type Screened } from './screen-order.ts'
import { searchText } from './search-text.ts'

/**
 * Returns the matching rows: exact symbols, bases and names first, then beginnings, then other matches; each group by
 * 24-hour volume.
 */
export function search(screened: Screened, text: string): BoardRow[] {
  const wanted = searchText(text)
  const texts = textsOf(screened)
  const groups: [BoardRow[], BoardRow[], BoardRow[]] = [[], [], []]
  for (const place of orderOf(screened, 'volume', 'desc')) {
    const own = texts[place] ?? ''
    const row = screened.rows[place]
    if (row === undefined || !own.includes(wanted)) continue
    const parts = own.split('\n')
    if (parts.includes(wanted) || searchText(row.base) === wanted) groups[0].push(row)
    else if (parts.some((part) => part.startsWith(wanted))) groups[1].push(row)
    else groups[2].push(row)
  }
  return groups.flat()
}
