import { prepare } from '@svc/chain'
import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import * as refusals from '@svc/contracts/mandates/refusals'
import type { BoundHandler } from '@svc/service'
import { noPreparedView, preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { presentDeployment } from '#neighbours/deployment.ts'
import { isForDeployment, signedTermsOf } from '#limits/terms-of-mandate.ts'

export const prepareCreation: BoundHandler<Context, typeof mandates.operations.prepareCreation> =
  (context) => async (input, call) => {
    const { pool } = context
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    // A vault that a reorganisation removed is created again, at the same address.
    if ((await vaultOfMandate(pool, mandate.id))?.canonical === true) refuse(refusals.vaultAttached)
    const signed = await newestTerms(pool, mandate.id)
    // The same answer before and after the job that ends mandates has run.
    const isOver = mandate.state === 'ended' || (mandate.state === 'signed' && mandate.limits.endsAt <= call.now)
    if (isOver && signed !== null) refuse(refusals.termsOver)
    if (mandate.state !== 'signed' || signed === null)
      refuse(refusals.wrongState, undefined, { state: mandate.state, allowed: ['signed'] })
    const deployment = presentDeployment(context, mandate)
    if (deployment.factory === null)
      return ok(200, {
        configured: false,
        ...noPreparedView,
        factory: null,
        terms_hash: signed.terms_hash,
        detail: `No ${deployment.version === 2 ? 'v2 factory with its leg gateway and USDC' : 'factory with its USDC'} is configured. Once one is, the terms must be signed again, for that factory.`,
      })
    if (!isForDeployment(signed, deployment)) refuse(refusals.signAgain)
    const { factoryTerms, digest } = signedTermsOf(signed)
    return ok(200, {
      configured: true,
      ...preparedView(
        prepare(deployment.chainId).factory(deployment.factory).createVault({ t: factoryTerms }),
        mandate.owner,
      ),
      factory: deployment.factory,
      terms_hash: digest,
      detail: null,
    })
  }
