import { CLAUSE_EDITION, judgeSignature, signatureCheck, takesSignature } from '@svc/chain'
import { ok, refuse } from '@svc/contract'
import { mandates } from '@svc/contracts/mandates'
import * as refusals from '@svc/contracts/mandates/refusals'
import { emit } from '@svc/postgres'
import { callerOf, type BoundHandler } from '@svc/service'
import { getAddress, zeroAddress, type Hex } from 'viem'
import { appendEntry } from '#record/append-entry.ts'
import { mustFitPolicy, possibleAgent, signingDeployment } from '#drafts/checked-draft.ts'
import { mustExposeNobody } from '#drafts/exposure.ts'
import type { Context } from '#context.ts'
import { END_AHEAD_MIN_MS } from '#drafts/rules/draft-rules.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { recordMove, moveMandate } from '#states/move-mandate.ts'
import { ownerOf, mandateOfCaller, lockMandateOfCaller } from '#mandate/parties.ts'
import { lockAgent, storeAgentWallet } from '#mandate/store/mandates.ts'
import { insertTerms, newestTerms } from '#limits/store/signed-terms.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { presentDeployment } from '#neighbours/deployment.ts'
import { isForDeployment, presentTerms, termsJson } from '#limits/terms-of-mandate.ts'
import { stateNow, summaryView } from '#states/mandate-view.ts'
import { standing } from '#books/rules/vault.ts'

export const signTerms: BoundHandler<Context, typeof mandates.operations.signTerms> =
  (context) => async (input, call) => {
    const { pool } = context
    const owner = ownerOf(callerOf(call))
    const found = await mandateOfCaller(pool, input.public_id, call)
    await mustBeSignable(context, found, pool, call.now)
    if (found.agent === null) refuse(refusals.noAgent)
    if (found.limits.endsAt.getTime() - call.now.getTime() < END_AHEAD_MIN_MS) refuse(refusals.termsOver)
    const agent = await possibleAgent(context, found.agent.id, owner.wallet)
    const deployment = signingDeployment(context, found)
    const markets = await context.catalogue.marketsAt(call.now)
    const { terms, signable } = presentTerms(found, agent.wallet, deployment, markets)
    if (input.terms_hash.toLowerCase() !== signable.digest)
      refuse(refusals.termsChanged, undefined, { terms_hash: signable.digest })
    await mustBeSigned(context, found, { digest: signable.digest, signature: input.signature as Hex })

    return call.effect(async (tx) => {
      const mandate = await lockMandateOfCaller(tx, input.public_id, call)
      await mustBeSignable(context, mandate, tx, call.now)
      // A correction may have come between the look and the lock.
      if (presentTerms(mandate, agent.wallet, deployment, markets).signable.digest !== signable.digest)
        refuse(refusals.termsChanged, undefined, { terms_hash: signable.digest })
      await lockAgent(tx, agent.agent_id)
      await mustFitPolicy(tx, agent, mandate.limits, mandate.id)
      await mustExposeNobody(tx, context, { agentId: agent.agent_id, ownerId: owner.id, limits: mandate.limits })
      await storeAgentWallet(tx, mandate.id, agent.wallet.toLowerCase())
      await insertTerms(tx, mandate.id, {
        terms_hash: signable.digest,
        chain_id: deployment.chainId,
        factory: signable.typedData.domain.verifyingContract,
        signature: input.signature,
        terms: termsJson(terms),
        clauses: signable.clauses.map((clause) => ({ ...clause })),
        edition: CLAUSE_EDITION,
        signed_at: call.now.toISOString(),
      })
      await appendEntry(tx, mandate, {
        at: call.now,
        kind: 'terms_signed',
        source: 'owner',
        body: {
          terms_hash: signable.digest,
          chain_id: deployment.chainId,
          factory: signable.typedData.domain.verifyingContract,
          signature: input.signature,
          clauses_edition: CLAUSE_EDITION,
        },
      })
      await emit(tx, mandates.events.termsSigned, {
        public_id: mandate.publicId,
        owner_id: owner.id,
        agent_id: agent.agent_id,
        terms_hash: signable.digest,
        at: call.now.toISOString(),
      })
      const trigger = { now: call.now, source: 'owner' } as const
      // Signing again keeps the state, but is recorded as a move.
      if (mandate.state === 'signed')
        await recordMove(tx, mandate, { from: 'signed', to: 'signed', cause: 'terms_signed' }, trigger)
      const signed = await moveMandate(tx, context, { mandate, vault: null, signed: true }, trigger)
      return ok(200, {
        ok: true as const,
        terms_hash: signable.digest,
        signed_at: call.now.toISOString(),
        mandate: summaryView(signed, null, call.now),
      })
    })
  }

/** Refuses all but a draft, and a signed mandate without a vault whose terms the present factory would reject. */
async function mustBeSignable(
  context: Context,
  mandate: Mandate,
  db: Parameters<typeof newestTerms>[0],
  now: Date,
): Promise<void> {
  if (mandate.state === 'draft') return
  const [signed, vault] = [await newestTerms(db, mandate.id), standing(await vaultOfMandate(db, mandate.id))]
  const again =
    mandate.state === 'signed' &&
    signed !== null &&
    !isForDeployment(signed, presentDeployment(context, mandate)) &&
    vault === null
  if (!again) refuse(refusals.wrongState, undefined, { state: stateNow(mandate, vault, now), allowed: ['draft'] })
}

/** Refuses a signature that is not the owner's. A leg needs a wallet that signs for the venue, which no contract can do. */
async function mustBeSigned(
  context: Context,
  { owner, limits }: Mandate,
  { digest, signature }: { readonly digest: Hex; readonly signature: Hex },
): Promise<void> {
  const wallet = owner?.wallet ?? zeroAddress
  const verdict = await judgeSignature(digest, signature, wallet)
  if (verdict === 'signed') return
  if (verdict === 'malleable') refuse(refusals.termsSignatureMalleable)
  const answer = await context.chainClient.simulate({ data: signatureCheck(getAddress(wallet), digest, signature) })
  if (answer === null || answer.data === null || !takesSignature(answer.data)) refuse(refusals.termsSignatureInvalid)
  if (limits.hlLeg) refuse(refusals.ownerWalletUnsupported)
}
