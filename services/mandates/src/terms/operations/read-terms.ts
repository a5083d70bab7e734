import { CLAUSE_EDITION } from '@svc/chain'
import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { callerOf, type BoundHandler } from '@svc/service'
import { possibleAgent, signingDeployment } from '#drafts/checked-draft.ts'
import { exposureOf } from '#drafts/exposure.ts'
import { clausesView, inForce } from '../clauses-view.ts'
import type { Context } from '#context.ts'
import { ownerOf, mandateOfCaller } from '#mandate/parties.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { isForDeployment, presentTerms, signedFigures, signedTermsOf } from '#limits/terms-of-mandate.ts'
import { noAgent } from '@svc/contracts/mandates/refusals'
import { presentDeployment } from '#neighbours/deployment.ts'
import { standing } from '#books/rules/vault.ts'

/** Returns the signed terms while they count, else the terms that the owner would sign now. */
export const readTerms: BoundHandler<Context, typeof mandates.operations.readTerms> =
  (context) => async (input, call) => {
    const { pool } = context
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const [stored, vault] = await Promise.all([newestTerms(pool, mandate.id), vaultOfMandate(pool, mandate.id)])
    const present = presentDeployment(context, mandate)
    const counts =
      stored !== null && (standing(vault) !== null || mandate.state !== 'signed' || isForDeployment(stored, present))
    if (!counts && mandate.agent === null) refuse(noAgent)
    const shown = counts
      ? { terms: signedFigures(stored), signable: signedTermsOf(stored) }
      : presentTerms(
          mandate,
          (await possibleAgent(context, mandate.agent?.id ?? 0, ownerOf(callerOf(call)).wallet)).wallet,
          signingDeployment(context, mandate),
          await context.catalogue.marketsAt(call.now),
        )
    return ok(200, {
      public_id: mandate.publicId,
      version: '2' as const,
      terms_hash: shown.signable.digest,
      typed_data: { ...shown.signable.typedData },
      clauses: clausesView(shown.terms, shown.signable.clauses, await inForce(context, call.now)),
      clauses_edition: counts ? stored.edition : CLAUSE_EDITION,
      factory_configured: present.factory !== null,
      signed: counts,
      signed_at: counts ? stored.signed_at : null,
      exposure: await exposureOf(pool, mandate.agent?.id ?? null, mandate.limits),
    })
  }
