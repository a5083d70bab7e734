import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Hex } from '@svc/limits'
import { zeroAddress } from 'viem'
import type { Context } from '#context.ts'
import { absenceOf, coverageOf, noteOf } from '../rules/export-coverage.ts'
import { exportDocument } from '../rules/mandate-exports.ts'
import { secondsOf } from '#limits/engine-terms.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import { signAgain, wrongState } from '@svc/contracts/mandates/refusals'

const SIGNED = ['signed', 'working', 'paused', 'stopped', 'ended', 'closed'] as const

export const exportMandate: BoundHandler<Context, typeof mandates.operations.exportMandate> =
  ({ pool }) =>
  async (input, call) => {
    const mandate = await mandateOfCaller(pool, input.public_id, call)
    const signed = await newestTerms(pool, mandate.id)
    if (signed === null) refuse(wrongState, undefined, { state: mandate.state, allowed: SIGNED })
    const { markets, ...terms } = signedFigures(signed)
    if (terms.usdc === zeroAddress)
      refuse(signAgain, 'The terms were signed while no USDC was configured, so they name no token.')
    const document = exportDocument(
      input.standard,
      {
        ...terms,
        name: mandate.name,
        chainId: signed.chain_id,
        termsHash: signed.terms_hash as Hex,
        calls: markets.flatMap(({ calls }) => calls),
      },
      secondsOf(call.now),
    )
    return ok(200, {
      public_id: mandate.publicId,
      standard: input.standard,
      terms_hash: signed.terms_hash,
      document,
      coverage: coverageOf(input.standard),
      detail: document === null ? absenceOf(signed.chain_id) : noteOf(input.standard),
    })
  }
