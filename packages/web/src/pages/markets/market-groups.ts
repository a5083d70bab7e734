import type { Market } from '@svc/contracts/mandates/limits'

export const STATUSES = ['live', 'paper', 'planned'] as const
export type MarketStatus = (typeof STATUSES)[number]

/** Markets of one status. */
export interface MarketGroup {
  readonly status: MarketStatus
  readonly markets: readonly Market[]
}

/** Returns the markets by status, those that a mandate can name first; a status without a market is left out. */
export function groupsOf(markets: readonly Market[], search = ''): readonly MarketGroup[] {
  const wanted = search.trim().toLocaleLowerCase()
  const fits = ({ title, market_id, venue }: Market) =>
    wanted === '' || [title, market_id, venue].some((text) => text.toLocaleLowerCase().includes(wanted))
  return STATUSES.map((status) => ({
    status,
    markets: markets.filter((one) => one.status === status && fits(one)),
  })).filter((group) => group.markets.length > 0)
}
