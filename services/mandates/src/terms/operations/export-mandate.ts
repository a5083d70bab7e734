import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import type { BoundHandler } from '@svc/service'
import type { Hex } from '@svc/limits'
import { zeroAddress } from 'viem'
import type { Context } from '#context.ts'
import { absenceOf, coverageOf, NO_CALLS, noteOf } from '../rules/export-coverage.ts'
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
    const calls = markets.flatMap((market) => market.calls)
    const { chain_id: chainId, terms_hash } = signed
    const exported = { ...terms, name: mandate.name, chainId, termsHash: terms_hash as Hex, calls }
    const document = calls.length === 0 ? null : exportDocument(input.standard, exported, secondsOf(call.now))
    const absence = calls.length === 0 ? NO_CALLS : absenceOf(chainId)
    return ok(200, {
      public_id: mandate.publicId,
      standard: input.standard,
      terms_hash,
      document,
      coverage: coverageOf(input.standard, markets),
      detail: document === null ? absence : noteOf(input.standard),
    })
  }
