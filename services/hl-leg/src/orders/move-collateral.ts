import type { Context } from '#context.ts'
import { readLeg, type Leg } from '#legs/store/legs.ts'
import { closingSignerFor } from '#legs/signer-for.ts'
import { readAccount } from '#readings/read-account.ts'
import { drawNonce } from '#venue/store/nonces.ts'
import { homeMove, type Move } from './rules/margin.ts'
import {
  endMove,
  postponeMove,
  readMove,
  storeSignedMove,
  wantMove,
  type CollateralMove,
} from './store/collateral-moves.ts'

/** Pause before the job goes on with a move. */
const AGAIN_MS = 2_000
/** So long after its expiry bytes that were never answered are given up: whether they executed shows in the account. */
const GIVE_UP_MS = 15_000

type Mover = Pick<Context, 'pool' | 'clock' | 'venue' | 'settings' | 'seed' | 'log'>

/** Moves USDC between two dexes of the owner before an open: stored, then sent once. The job goes on with it. */
export async function moveNow(context: Mover, leg: Leg, move: Move): Promise<void> {
  const wanted = await wantMove(
    context.pool,
    { publicId: leg.publicId, from: move.from, to: move.to },
    context.clock.now(),
  )
  const signed = wanted.state === 'wanted' ? await signMove(context, leg, wanted, move.amountUsdc) : wanted
  await sendMove(context, signed)
}

/**
 * Goes on with a move that is due: brings home what lies free on a dex without positions, or sends the stored bytes of a
 * move again. Rejects with an outage.
 */
export async function goOnWithMove(context: Mover, move: CollateralMove): Promise<void> {
  const { pool, clock } = context
  const leg = await readLeg(pool, move.publicId)
  if (leg === null) return endMove(pool, move, { state: 'failed', reason: 'the leg is gone' }, clock.now())
  if (move.state === 'signed') return sendMove(context, move)
  const reading = await readAccount(context, 'orders', leg.owner)
  const free = reading.dexes.find(({ dex }) => dex === move.from)?.withdrawable ?? '0'
  const positions = reading.positions.filter(({ dex }) => dex === move.from).length
  const home = homeMove(move.from, positions, free)
  if (move.to !== '' || home === null)
    return endMove(pool, move, { state: 'done', reason: 'nothing to move' }, clock.now())
  await sendMove(context, await signMove(context, leg, move, home.amountUsdc))
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

/** Sends the stored bytes once; a copy that the venue admitted before counts as done. */
async function sendMove({ pool, clock, venue, log }: Mover, move: CollateralMove): Promise<void> {
  const { signer, body, expiresAfter } = move
  if (move.state !== 'signed' || signer === null || body === null || expiresAfter === null) return
  const sent = await venue.send('orders', { signer, body })
  const now = clock.now()
  if (sent.kind === 'accepted' || sent.kind === 'landed')
    return endMove(pool, move, { state: 'done', reason: null }, now)
  log.warn({ move: move.id, sent }, 'a move of collateral did not succeed')
  if (sent.kind === 'refused' || sent.kind === 'ours' || now.getTime() > expiresAfter + GIVE_UP_MS)
    return endMove(pool, move, { state: 'failed', reason: sent.reason }, now)
  return postponeMove(pool, move.id, new Date(now.getTime() + AGAIN_MS))
}
