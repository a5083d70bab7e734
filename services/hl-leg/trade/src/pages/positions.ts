import type { PaperPositionView } from '@svc/contracts/hl-trade/books'
import { LRUCache } from 'lru-cache'
import { ownAccountOf } from '#account/own-account.ts'
import type { Context } from '#context.ts'
import { readOwnAccount } from '#orders/read-scene.ts'
import { positionView } from '@svc/venue/position-view'
import { marketIdOf } from '@svc/venue/rules/market-id'
import type { Reading } from '@svc/venue/rules/reading'
import type { VenueClient } from '@svc/venue/venue-client'
import { orUnknown } from './or-unknown.ts'

/** How long a reading of an account is shown. */
const KEPT_MS = 5_000
const KEPT_MAX = 1_000

interface Kept {
  readonly reading: Promise<Reading>
  readonly at: Date
}
/** Readings by wallet, of each connection to the venue; concurrent questions share one. */
const kept = new WeakMap<VenueClient, LRUCache<string, Kept>>()

/** Returns the live positions of an owner, read at most five seconds ago; null without a linked account or an answer. */
export async function livePositions(context: Context, ownerId: number) {
  const own = await ownAccountOf(context, ownerId)
  if (own === null) return null
  const reading = await orUnknown(context, keptReading(context, own.wallet))
  if (reading === null) return null
  const { readAt, positions } = reading
  return {
    readAt,
    positions: positions.map((one) => ({ ...positionView(marketIdOf(one.coin), one, readAt), book: null })),
  }
}

function keptReading(context: Context, wallet: Parameters<typeof readOwnAccount>[2]): Promise<Reading> {
  const { venue, clock } = context
  const all = kept.get(venue) ?? new LRUCache<string, Kept>({ max: KEPT_MAX })
  kept.set(venue, all)
  const now = clock.now()
  const known = all.get(wallet)
  if (known !== undefined && now.getTime() - known.at.getTime() < KEPT_MS) return known.reading
  const reading = readOwnAccount(context, 'relays', wallet)
  all.set(wallet, { reading, at: now })
  reading.catch(() => all.delete(wallet))
  return reading
}

/** Returns a position of a paper book in the form of a live one. */
export const paperView = (book: string, position: PaperPositionView) => ({
  market: position.market,
  side: position.side,
  size: position.side === 'short' ? `-${position.size}` : position.size,
  entry_price: position.entry_price,
  mark_price: position.mark_price,
  notional_usdc: position.notional_usdc,
  unrealized_pnl_usdc: position.unrealized_pnl_usdc,
  liquidation_price: position.liquidation_price,
  read_at: position.marked_at,
  book,
})
