import { abis, type TermsMarket } from '@svc/chain'
import { toFunctionSelector, toFunctionSignature, type AbiFunction } from 'viem'
import type { Deployment } from '#neighbours/deployment.ts'
import type { Market } from '@svc/contracts/mandates/limits'

/** Functions of the test venue that the agent may call; each trades for its caller only. */
const VENUE_FUNCTIONS = ['buy', 'sell', 'redeem']
const LEG_MARKETS = [
  ['hl:BTC', 'BTC perpetual'],
  ['hl:ETH', 'ETH perpetual'],
  ['hl:SOL', 'SOL perpetual'],
  ['hl:xyz:XYZ100', 'XYZ100 index perpetual'],
] as const

/** Every market that a mandate may name now, and those that are planned. */
export function marketsOf(deployment: Deployment): readonly Market[] {
  return [testVenue(deployment), ...LEG_MARKETS.map(([id, title]) => legMarket(id, title))]
}

function testVenue({ venues, venueAdapter }: Deployment): Market {
  const functions = abis.venue.filter(
    (item): item is Extract<typeof item, { type: 'function' }> =>
      item.type === 'function' && VENUE_FUNCTIONS.includes(item.name),
  )
  return {
    market_id: 'testvenue',
    title: 'Test venue',
    venue: 'testvenue',
    status: venues.length === 0 ? 'planned' : 'paper',
    enforced_by: 'contract',
    calls: venues.flatMap((target) =>
      functions.map((item) => ({
        target,
        selector: toFunctionSelector(item as AbiFunction),
        function: toFunctionSignature(item as AbiFunction),
      })),
    ),
    exit_adapter: venueAdapter ? 'testvenue' : null,
    min_order_usdc: null,
  }
}

function legMarket(market_id: string, title: string): Market {
  return {
    market_id,
    title,
    venue: 'hyperliquid',
    status: 'planned',
    enforced_by: 'guard',
    calls: [],
    exit_adapter: null,
    min_order_usdc: '10',
  }
}

/** Returns the markets of a mandate as its terms name them. */
export function termsMarkets(ids: readonly string[], markets: readonly Market[]): readonly TermsMarket[] {
  return ids.map((id) => {
    const market = markets.find(({ market_id }) => market_id === id)
    return {
      id,
      title: market?.title ?? id,
      calls: (market?.calls ?? []).map(({ target, selector }) => ({
        target: target as `0x${string}`,
        selector: selector as `0x${string}`,
      })),
    }
  })
}
