import { ok, refuse } from '@svc/contract'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { hlLeg } from '@svc/contracts/hl-leg'
import { LEG_AGENT_NAME, legNotReady } from '@svc/contracts/hl-leg/legs'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { approveAgent } from '@svc/hyperliquid'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { drawNonce } from '@svc/venue/store/nonces'
import { readFacts } from '../account-facts.ts'
import { walletActionView } from '@svc/venue/wallet-action'
import { nextLegKey } from '../next-key.ts'
import { signatureChainOf } from '../signature-chain.ts'
import { legToBind } from '../require-leg.ts'
import { areReady, checksOf } from '../rules/checks.ts'
import { approvalEnd, isLive } from '../rules/standing.ts'
import type { LegKey } from '../store/keys.ts'
import { noteChecks, proposeLeg } from '../store/legs.ts'
import { type ApprovalOffer, insertOffer, newestOffer } from '../store/offers.ts'

/** An approval that was served so recently is served again. */
const SAME_OFFER_MS = 60_000
/** How long the house takes to open an account at the venue. */
const ACTIVATION_MS = 60_000

export const prepareApproval: BoundHandler<Context, typeof hlLeg.operations.prepareApproval> =
  (context) => async (input, call) => {
    const { pool, settings } = context
    const { seed, mandate } = await legToBind(context, input.public_id, call)
    const { public_id: publicId, owner_id: ownerId, owner_wallet: owner } = mandate
    const asked = { publicId, network: settings.network, ownerId, owner }
    const leg = await call.effect(async (tx) => ok(200, await proposeLeg(tx, asked, call.now))).then(({ body }) => body)
    const { facts } = await readFacts(context, 'orders', leg.owner, leg.knownAt !== null)
    const knownAt = facts.role === 'user' ? call.now : null
    const needed = approvalEnd(new Date(mandate.ends_at), settings.returnFallbackSec, call.now)
    const checksFor = (key: LegKey | null) =>
      checksOf(
        facts,
        { address: key?.agent ?? null, isOurs: true, validUntil: needed, isBound: isLive(leg.state) },
        call.now,
      )
    if (!areReady(checksFor(null))) {
      await noteChecks(pool, publicId, { checks: checksFor(null), knownAt })
      const retryAt = facts.role === 'missing' ? activationAt(context, mandate, call.now) : null
      const retry = retryAt === null ? {} : { retry_at: retryAt.toISOString() }
      refuse(legNotReady, undefined, { checks: checksFor(null), ...retry })
    }
    const key = await nextLegKey(context, 'orders', seed, publicId)
    const checks = checksFor(key)
    await noteChecks(pool, publicId, { checks, knownAt })
    const offer = await offerFor(context, { publicId, owner, key, needed, chainId: signatureChainOf(context, mandate) })
    return ok(200, {
      ...walletActionView(offer.action),
      agent_address: key.agent,
      agent_name: LEG_AGENT_NAME,
      valid_until: offer.validUntil.toISOString(),
      post_to: context.venue.urls.exchange,
      checks,
    })
  }

/** When to repeat for an account that the house opens at the venue with 1 USDC; null if it does not. */
function activationAt({ settings }: Context, { state, vault }: LegMandate, now: Date): Date | null {
  if (settings.legFunding === 'off' || state !== 'working' || vault === null) return null
  const isFunded = usdcUnits(vault.accounted_usdc) >= usdcUnits(settings.legMinUsdc)
  return isFunded ? new Date(now.getTime() + ACTIVATION_MS) : null
}

interface Wanted {
  readonly publicId: string
  readonly owner: string
  readonly key: LegKey
  readonly needed: Date
  readonly chainId: number
}

/** Returns the approval that was served a moment ago, or stores a new one with the owner's next nonce. */
async function offerFor({ pool, clock, settings }: Context, wanted: Wanted): Promise<Omit<ApprovalOffer, 'body'>> {
  const { publicId, owner, key, needed, chainId } = wanted
  const now = clock.now()
  const newest = await newestOffer(pool, publicId, key.epoch)
  if (newest !== null && newest.body === null && now.getTime() - newest.servedAt.getTime() <= SAME_OFFER_MS)
    return newest
  const nonce = await drawNonce(pool, owner, now)
  const scope = { network: settings.network, signatureChainId: chainId, nonce }
  const agent = { address: key.agent, name: LEG_AGENT_NAME, validUntilMs: needed.getTime() }
  const offer = { nonce, epoch: key.epoch, action: approveAgent(scope, agent), validUntil: needed, servedAt: now }
  await insertOffer(pool, publicId, offer)
  return offer
}
