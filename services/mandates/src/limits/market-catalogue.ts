import { abis, type TermsMarket } from '@svc/chain'
import { isLegMarket } from '@svc/limits'
import { toFunctionSelector, toFunctionSignature, type AbiFunction } from 'viem'
import type { Deployment } from '#neighbours/deployment.ts'
import type { Market } from '@svc/contracts/mandates/limits'
import type { LegMarketList } from './store/leg-markets.ts'
import { VENUE_ACTIONS, type VenueAction } from '@svc/contracts/mandates/approvals'
import { VENUE_CALLS } from './venue-calls.ts'

/** Markets of the leg before hl-leg has listed any. */
const PLANNED = ['hl:BTC', 'hl:ETH', 'hl:SOL', 'hl:xyz:XYZ100']

/** Age from which a list of the leg's markets no longer says that they can be traded. */
const LIST_KEPT_MS = 86_400_000

/** What decides the markets of the leg and their status. */
export interface LegOffer {
  /** The newest list of hl-leg; null before the first. */
  readonly list: LegMarketList | null
  readonly enabled: boolean
  readonly network: 'testnet' | 'mainnet'
  readonly now: Date
}

/** Every market that a mandate may name now, and those that are planned. */
export function marketsOf(deployment: Deployment, leg: LegOffer): readonly Market[] {
  return [...contractMarkets(deployment), ...legMarkets(leg)]
}

/** Returns the markets whose calls are calls of a contract; no others list any. */
export const contractMarkets = (deployment: Deployment): readonly Market[] => [testVenue(deployment)]

/** Returns the listed markets of the leg, or those that are planned before the first list. */
function legMarkets({ list, enabled, network, now }: LegOffer): readonly Market[] {
  if (list === null) return PLANNED.map((id) => legMarket(id, legTitle(id), 'planned', '10'))
  const open = enabled && list.seeded && now.getTime() - new Date(list.readAt).getTime() < LIST_KEPT_MS
  const status = open ? (network === 'mainnet' ? 'live' : 'paper') : 'planned'
  return list.items
    .filter(({ listed }) => listed)
    .map(({ market_id, title, min_order_usdc }) => legMarket(market_id, title, status, min_order_usdc))
}

/** Functions of the test venue that the agent may call; each trades for its caller only. */
const isAction = (name: string): name is VenueAction => VENUE_ACTIONS.includes(name as VenueAction)

function testVenue({ venues, venueAdapter, venueInstruments }: Deployment): Market {
  const functions = abis.venue.flatMap((item) =>
    item.type === 'function' && isAction(item.name) ? [{ item: item as AbiFunction, action: item.name }] : [],
  )
  return {
    market_id: 'testvenue',
    title: 'Test venue',
    venue: 'testvenue',
    status: venues.length === 0 ? 'planned' : 'paper',
    enforced_by: 'contract',
    calls: venues.flatMap((target) =>
      functions.map(({ item, action }) => ({
        target,
        selector: toFunctionSelector(item),
        function: toFunctionSignature(item),
        action,
        parameters: [...VENUE_CALLS[action]],
      })),
    ),
    instruments: [...venueInstruments],
    exit_adapter: venueAdapter ? 'testvenue' : null,
    min_order_usdc: null,
  }
}

function legMarket(market_id: string, title: string, status: Market['status'], min_order_usdc: string): Market {
  return {
    market_id,
    title,
    venue: 'hyperliquid',
    status,
    enforced_by: 'guard',
    calls: [],
    exit_adapter: 'hl',
    min_order_usdc,
  }
}

/** Title of a market of the leg: that of hl-leg, so that terms stay the same while a market leaves the list and comes back. */
const legTitle = (marketId: string) => `${marketId.split(':').at(-1) ?? marketId} perpetual`

/** Returns the markets of a mandate as its terms name them. */
export function termsMarkets(ids: readonly string[], markets: readonly Market[]): readonly TermsMarket[] {
  return ids.map((id) => {
    const market = markets.find(({ market_id }) => market_id === id)
    return {
      id,
      title: market?.title ?? (isLegMarket(id) ? legTitle(id) : id),
      calls: (market?.calls ?? []).map(({ target, selector }) => ({
        target: target as `0x${string}`,
        selector: selector as `0x${string}`,
      })),
    }
  })
}
