import { refuse } from '@svc/contract'
import { unknownMarket } from '@svc/contracts/gallery/signals'
import { Outage } from '@svc/service'
import type { Context } from '#context.ts'

/** Oldest reading whose price is recorded: an operator must not choose among prices that have passed. */
const PRICE_AGE_MAX_MS = 2_000
/** Longest time from the answer of the relay to the record. */
const PRICE_KEPT_MS = 5_000

/** A mark price of the venue. */
export interface ReadPrice {
  readonly price: string
  readonly readAt: Date
}

/** Reads the mark price of a market at the venue. Refuses a market that the venue does not list; rejects with an outage. */
export async function readPrice({ ask, clock }: Context, market: string): Promise<ReadPrice> {
  const coin = market.slice('hl:'.length)
  const { items } = await ask.relay.readVenueMarkets({ coins: [coin], max_age_ms: PRICE_AGE_MAX_MS })
  const found = items.find(({ market_id }) => market_id === market)
  if (found?.listed !== true) refuse(unknownMarket)
  return { price: found.mark_price, readAt: clock.now() }
}

/** Throws an outage if a price was read too long ago to be recorded now. */
export function requireFresh({ readAt }: ReadPrice, now: Date): void {
  if (now.getTime() - readAt.getTime() > PRICE_KEPT_MS)
    throw new Outage('signal', 'the price became old before the signal was stored')
}
