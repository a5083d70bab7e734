import { evidenceOf, refusalEnds, type Copies, type Look } from '@svc/outbound/rules'
import type { Context } from '#context.ts'
import { readLeg, type Leg } from '#legs/store/legs.ts'
import { closingSignerFor } from '#legs/signer-for.ts'
import { readAccount } from '#readings/read-account.ts'
import { drawNonce } from '#venue/store/nonces.ts'
import { findMove } from './find-move.ts'
import { homeMove, type Move } from './rules/margin.ts'
import {
  countSend,
  endMove,
  postponeMove,
  readMove,
  storeSignedMove,
  wantMove,
  type CollateralMove,
  type MoveEnd,
} from './store/collateral-moves.ts'

/** Pause before the job goes on with a move. */
const AGAIN_MS = 2_000
/** How long after its expiry the entry of a move is in the ledger, by the venue's clock. */
const LISTED_AFTER_MS = 15_000

type Mover = Pick<Context, 'pool' | 'clock' | 'venue' | 'settings' | 'seed' | 'log'>

/** Moves USDC between two dexes of the owner before an open: stored, then sent. The job goes on with it. */
export async function moveNow(context: Mover, leg: Leg, move: Move): Promise<void> {
  const wanted = await wantMove(
    context.pool,
    { publicId: leg.publicId, from: move.from, to: move.to },
    context.clock.now(),
  )
  const signed = wanted.state === 'wanted' ? await signMove(context, leg, wanted, move.amountUsdc) : wanted
  await sendMove(context, leg, signed)
}

/**
 * Goes on with a move that is due: brings home what lies free on a dex without positions, or sends the stored bytes of a
 * move again. Rejects with an outage.
 */
export async function goOnWithMove(context: Mover, move: CollateralMove): Promise<void> {
  const { pool, clock } = context
  const leg = await readLeg(pool, move.publicId)
  // Rows of legs stay.
  if (leg === null) throw new Error(`the leg of move ${move.id} is gone`)
  if (move.state === 'signed') return sendMove(context, leg, move)
  const reading = await readAccount(context, 'orders', leg.owner)
  const free = reading.dexes.find(({ dex }) => dex === move.from)?.withdrawable ?? '0'
  const positions = reading.positions.filter(({ dex }) => dex === move.from).length
  const home = homeMove(move.from, positions, free)
  if (move.to !== '' || home === null)
    return endMove(pool, move, { state: 'done', reason: 'nothing to move', copies: null }, clock.now())
  await sendMove(context, leg, await signMove(context, leg, move, home.amountUsdc))
}

/** Signs a move and stores the bytes. */
async function signMove(context: Mover, leg: Leg, move: CollateralMove, amountUsdc: string): Promise<CollateralMove> {
  const { pool, clock, venue } = context
  const now = clock.now()
  const signer = closingSignerFor(context, leg)
  const token = await collateralToken(venue)
  const stored = await pool.transaction(async (tx) => {
    const nonce = await drawNonce(tx, signer.address, now)
    const { body, expiresAfter } = await signer.signCollateralMove(
      { sourceDex: move.from, destinationDex: move.to, token, amountUsdc },
      { nonce, nowMs: now.getTime() },
    )
    if (expiresAfter === null) throw new Error('a signed move has an expiry')
    const signed = { amountUsdc, signer: signer.address.toLowerCase(), nonce, body, expiresAfter }
    return storeSignedMove(tx, move.id, signed, new Date(now.getTime() + AGAIN_MS))
  })
  return stored ?? readMove(pool, move.id)
}

/** Ids of USDC by connection to the venue; an id never changes. */
const tokens = new WeakMap<Context['venue'], string>()

/** The venue's id of USDC. */
async function collateralToken(venue: Context['venue']): Promise<string> {
  const known = tokens.get(venue) ?? (await readToken(venue))
  tokens.set(venue, known)
  return known
}

async function readToken(venue: Context['venue']): Promise<string> {
  const spot = await venue.ask('orders', 'spotMeta')
  const usdc = spot.tokens.find(({ index }) => index === 0)
  if (usdc === undefined || usdc.name !== 'USDC') throw new Error('token 0 of the venue is not USDC')
  return `USDC:${usdc.tokenId}`
}

/**
 * Sends the stored bytes of a move once and stores what is known afterwards. Before any copy but the first the ledger is read: what a
 * later copy is told says nothing about an earlier one that may have moved the money.
 */
async function sendMove({ pool, clock, venue, log }: Mover, leg: Leg, move: CollateralMove): Promise<void> {
  const { signer, body, expiresAfter, nonce } = move
  if (move.state !== 'signed' || signer === null || body === null || expiresAfter === null || nonce === null) return
  const copies = { count: await countSend(pool, move.id), overAfter: expiresAfter + LISTED_AFTER_MS }
  if (copies.count === 0) return
  const later = () => postponeMove(pool, move.id, new Date(clock.now().getTime() + AGAIN_MS))
  const look = copies.count === 1 ? null : await findMove({ venue }, { owner: leg.owner, nonce })
  const end = look === null ? null : endAfterLook(look, copies)
  if (end !== null) return endMove(pool, move, end, clock.now())
  if (clock.now().getTime() > expiresAfter) return later()
  const sent = await venue.send('orders', { signer, body })
  if (sent.kind === 'accepted') return endMove(pool, move, { state: 'done', reason: null, copies: null }, clock.now())
  log.warn({ move: move.id, sent }, 'a move of collateral did not succeed')
  if ((sent.kind === 'refused' || sent.kind === 'ours') && refusalEnds(copies, look)) {
    const refused = { state: 'failed', reason: sent.reason, copies: copies.count } as const
    return endMove(pool, move, refused, clock.now())
  }
  return later()
}

/** Returns the end of a move that its entry in the ledger proves, or that no entry proves after its time; null while nothing is certain. */
function endAfterLook(look: Look, { overAfter }: Copies): MoveEnd | null {
  switch (evidenceOf(look, overAfter)) {
    case 'done':
      return { state: 'done', reason: null, copies: null }
    case 'not_done':
      return { state: 'failed', reason: 'the venue never executed the move', copies: null }
    case 'nothing':
    case 'contradiction':
      return null
  }
}
