import type { Look } from '@svc/outbound/rules'
import type { Address } from 'viem'
import { z } from 'zod'
import type { VenueClient } from '#venue/venue-client.ts'

const sent = z.object({ type: z.literal('send'), nonce: z.number() })

/** Entries are asked for from so long before the nonce of a move: the clocks differ. */
const BEFORE_MS = 120_000
/** The venue answers at most so many rows. */
const ROWS_MAX = 500

/**
 * Looks for a signed move in the ledger of its account, where entries of moves carry their nonce. The look-up begins at the venue's
 * time, Unix milliseconds. Returns null if the venue has more rows than it answers: then a missing entry proves nothing.
 * Rejects with an outage.
 */
export async function findMove(
  { venue }: { readonly venue: VenueClient },
  { owner, nonce }: { readonly owner: Address; readonly nonce: number },
): Promise<Look | null> {
  // The time first: an entry that is missing a moment later was missing at that time too.
  const { time: began } = await venue.ask('orders', 'exchangeStatus')
  const rows = await venue.ask('orders', 'userNonFundingLedgerUpdates', { user: owner, startTime: nonce - BEFORE_MS })
  const executed = rows.some(({ delta }) => sent.safeParse(delta).data?.nonce === nonce)
  if (!executed && rows.length >= ROWS_MAX) return null
  return { began, says: executed ? 'done' : 'unknown', executed }
}
