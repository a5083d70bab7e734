import { ok, refuse, type FieldError } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { nobody } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import type { Context } from '#context.ts'
import { dryRun } from '../dry-run.ts'
import { judgeCall, type MeantCall } from '../judge-call.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import { chainNotConfigured, vaultNotAttached } from '@svc/contracts/mandates/refusals'

const invalid = (error: FieldError) => refuse(common.invalidRequest, undefined, {}, [error])

export const simulateExecution: BoundHandler<Context, typeof mandates.operations.simulateExecution> =
  (context) => async (input, call) => {
    const { target, data, market, side } = input
    if ((target === undefined) !== (data === undefined))
      invalid({ pointer: '/data', code: 'incomplete', detail: 'give target and data together, or a market alone' })
    if (target === undefined && market === undefined)
      invalid({ pointer: '/market', code: 'missing', detail: 'give a market, or target and data' })
    const mandate = await mandateOfCaller(context.pool, input.public_id, call)
    // Selling pays out and spends nothing.
    const amount = side === 'sell' ? 0n : usdcUnits(input.amount_usdc)
    const meant =
      target !== undefined && data !== undefined
        ? { target: getAddress(target.toLowerCase()), data: data.toLowerCase(), amount }
        : { ...(await firstCallOf(context, mandate.id, market ?? '')), amount }
    const judged = await judgeCall(context.pool, context, mandate, meant, call.now)
    if (judged === null || mandate.agent === null) refuse(vaultNotAttached)
    if (data === undefined) {
      const { block } = judged
      return ok(200, {
        public_id: mandate.publicId,
        passes: block.kind === null,
        // A market alone names no call.
        judgement: block.unit === 'call' ? { ...block, attempted: market ?? null } : block,
        chain: null,
      })
    }
    const simulated = await dryRun(context, mandate, judged)
    if (simulated === null) refuse(chainNotConfigured)
    return ok(200, {
      public_id: mandate.publicId,
      passes: judged.block.kind === null && simulated.ok,
      judgement: judged.block,
      chain: { ok: simulated.ok, error: simulated.error, target_error: simulated.target_error },
    })
  }

/** The first call that the signed terms list for a market; one that nothing lists when the market is not in them. */
async function firstCallOf({ pool }: Context, mandateId: number, market: string): Promise<Omit<MeantCall, 'amount'>> {
  const signed = await newestTerms(pool, mandateId)
  const listed = signed === null ? undefined : signedFigures(signed).markets.find(({ id }) => id === market)?.calls[0]
  return listed === undefined ? { target: nobody, data: '0x' } : { target: listed.target, data: listed.selector }
}
