import type { Adapter, Ending, Found, Plan, Signed } from '@svc/outbound'
import type { VenueClient } from '@svc/venue/venue-client'
import { drawNonce } from '@svc/venue/store/nonces'
import { z } from 'zod'
import type { Context } from '#context.ts'
import { closingSignerFor } from '#legs/signer-for.ts'
import { readLeg, type Leg } from '#legs/store/legs.ts'
import { readAccount } from '#readings/read-account.ts'
import { homeMove } from './rules/margin.ts'
import { storeMoveBytes, storeMoveEnd, type CollateralMove } from './store/collateral-moves.ts'

/** How long after its time the entry of a move is in the ledger, by the venue's clock. */
const LISTED_AFTER_MS = 15_000
/** Entries are asked for from so long before the nonce of a move: the clocks differ. */
const BEFORE_MS = 120_000
/** The venue answers at most so many rows. */
const ROWS_MAX = 500

/** What moving collateral needs. */
export type Mover = Pick<Context, 'pool' | 'clock' | 'venue' | 'settings' | 'seed' | 'log'>

/** USDC to move, decimal text. */
type Amount = string

/**
 * Connects moves of collateral with the venue. Points in time are Unix milliseconds of the venue. `amountUsdc` is what the caller
 * of an open moves; null for the job, which only brings home what lies free on a dex without positions.
 */
export function moveAdapter(context: Mover, amountUsdc: Amount | null): Adapter<CollateralMove, Amount> {
  return {
    plan: (row) => (amountUsdc === null ? planHome(context, row) : Promise.resolve({ act: 'sign', plan: amountUsdc })),
    sign: (row, amount) => signMove(context, row, amount),
    send: async (row) => {
      const { signer, body } = row
      if (signer === null || body === null) throw new Error(`move ${row.id} has no bytes`)
      const sent = await context.venue.send('orders', { signer, body })
      if (sent.kind === 'accepted') return { says: 'done', ending: endingOf(context, row, 'done', null) }
      context.log.warn({ move: row.id, sent }, 'a move of collateral did not succeed')
      return sent.kind === 'refused' || sent.kind === 'ours'
        ? { says: 'refused', ending: endingOf(context, row, 'refused', sent.reason) }
        : { says: 'unclear' }
    },
    find: (row) => findMove(context, row),
    now: () => context.clock.now().getTime(),
    validUntil: ({ expires_after }) => expires_after,
    describe: ({ public_id, source_dex, destination_dex, nonce }) => ({
      public_id,
      source_dex,
      destination_dex,
      nonce,
    }),
  }
}

/** Returns the end of a move with the columns of its kind. */
function endingOf(
  { clock }: Mover,
  { id, nonce }: CollateralMove,
  outcome: 'done' | 'refused' | 'expired' | 'abandoned',
  reason: string | null,
): Ending {
  const state = outcome === 'done' ? 'done' : 'failed'
  return { outcome, evidence: { nonce, reason }, store: (tx) => storeMoveEnd(tx, id, { state, reason }, clock.now()) }
}

async function legOf({ pool }: Mover, { id, public_id }: CollateralMove): Promise<Leg> {
  const leg = await readLeg(pool, public_id)
  // Rows of legs stay.
  if (leg === null) throw new Error(`the leg of move ${id} is gone`)
  return leg
}

/** Plans to bring home what lies free on a dex now. Gives up a move whose order went on without it. */
async function planHome(context: Mover, row: CollateralMove): Promise<Plan<Amount>> {
  const { source_dex: from, destination_dex: to } = row
  const reading = await readAccount(context, 'orders', (await legOf(context, row)).owner)
  const free = reading.dexes.find(({ dex }) => dex === from)?.withdrawable ?? '0'
  const home = homeMove(from, reading.positions.filter(({ dex }) => dex === from).length, free)
  if (to !== '' || home === null)
    return { act: 'give_up', ending: endingOf(context, row, 'abandoned', 'nothing to move') }
  return { act: 'sign', plan: home.amountUsdc }
}

async function signMove(context: Mover, row: CollateralMove, amountUsdc: Amount): Promise<Signed> {
  const { pool, clock, venue } = context
  const now = clock.now()
  const signer = closingSignerFor(context, await legOf(context, row))
  const token = await collateralToken(venue)
  const nonce = await pool.transaction((tx) => drawNonce(tx, signer.address, now))
  const { body, expiresAfter } = await signer.signCollateralMove(
    { sourceDex: row.source_dex, destinationDex: row.destination_dex, token, amountUsdc },
    { nonce, nowMs: now.getTime() },
  )
  if (expiresAfter === null) throw new Error('a signed move has an expiry')
  const signed = { amountUsdc, signer: signer.address.toLowerCase(), nonce, body, expiresAfter }
  return { store: (tx) => storeMoveBytes(tx, row.id, signed) }
}

/** Ids of USDC by connection to the venue; an id never changes. */
const tokens = new WeakMap<VenueClient, string>()

/** The venue's id of USDC. */
async function collateralToken(venue: VenueClient): Promise<string> {
  const known = tokens.get(venue) ?? (await readToken(venue))
  tokens.set(venue, known)
  return known
}

async function readToken(venue: VenueClient): Promise<string> {
  const spot = await venue.ask('orders', 'spotMeta')
  const usdc = spot.tokens.find(({ index }) => index === 0)
  if (usdc === undefined || usdc.name !== 'USDC') throw new Error('token 0 of the venue is not USDC')
  return `USDC:${usdc.tokenId}`
}

const sentDelta = z.object({ type: z.literal('send'), nonce: z.number() })

/** Looks for a move in the ledger of its account, where entries of moves carry their nonce. */
async function findMove(context: Mover, row: CollateralMove): Promise<Found> {
  const { venue } = context
  const { nonce } = row
  if (nonce === null) throw new Error(`move ${row.id} has no nonce`)
  const { owner } = await legOf(context, row)
  // The time first: an entry that is missing a moment later was missing at that time too.
  const { time } = await venue.ask('orders', 'exchangeStatus')
  const rows = await venue.ask('orders', 'userNonFundingLedgerUpdates', { user: owner, startTime: nonce - BEFORE_MS })
  const executed = rows.some(({ delta }) => sentDelta.safeParse(delta).data?.nonce === nonce)
  // Where the venue has more rows than it answers, a missing entry proves nothing.
  const began = rows.length < ROWS_MAX ? time - LISTED_AFTER_MS : 0
  return {
    began,
    says: executed ? 'done' : 'unknown',
    executed,
    endingOf: (evidence) =>
      evidence === 'done'
        ? endingOf(context, row, 'done', null)
        : endingOf(context, row, 'expired', 'the venue never executed the move'),
  }
}
