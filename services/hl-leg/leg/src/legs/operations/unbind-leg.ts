import { ok, refuse } from '@svc/contract'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { LEG_AGENT_NAME, legMoneyOut } from '@svc/contracts/hl-leg/legs'
import { legRefusals } from '@svc/contracts/hl-leg/refusals'
import { mandateNotClosed } from '@svc/contracts/mandates/refusals'
import { revokeAgent } from '@svc/hyperliquid'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { drawNonce } from '@svc/venue/store/nonces'
import { emitLeg } from '../emit-leg.ts'
import { legViewOf } from '../leg-view.ts'
import { mandateOfCaller, requireOn } from '../require-leg.ts'
import { lockLeg, moveLeg } from '../store/legs.ts'
import { walletActionView } from '@svc/venue/wallet-action'
import { signatureChainOf } from '../signature-chain.ts'

const CLOSED: readonly string[] = ['stopped', 'ended', 'closed']

export const unbindLeg: BoundHandler<Context, typeof hlLeg.operations.unbindLeg> = (context) => async (input, call) => {
  requireOn(context)
  const { settings, money, venue } = context
  const mandate = await mandateOfCaller(context, input.public_id, call)
  return call.effect(async (tx) => {
    const leg = await lockLeg(tx, mandate.public_id)
    if (leg === null) refuse(legRefusals.none)
    if (!CLOSED.includes(mandate.state)) refuse(mandateNotClosed, undefined, { state: mandate.state })
    const isOut = (await money.withMoneyOut(tx, [leg.publicId])).has(leg.publicId) || mandate.vault?.leg_open === true
    if (isOut && leg.state !== 'released') refuse(legMoneyOut)
    const isNew = leg.state !== 'released'
    const free = isNew ? await moveLeg(tx, leg.publicId, { state: 'released', reason: null }, call.now) : leg
    if (isNew) await emitLeg(tx, free, null, call.now)
    const nonce = await drawNonce(tx, leg.owner, call.now)
    const scope = { network: settings.network, signatureChainId: signatureChainOf(context, mandate), nonce }
    return ok(200, {
      ok: true as const,
      leg: await legViewOf(context, tx, mandate, free),
      revoke: { ...walletActionView(revokeAgent(scope, LEG_AGENT_NAME)), post_to: venue.urls.exchange },
    })
  })
}
