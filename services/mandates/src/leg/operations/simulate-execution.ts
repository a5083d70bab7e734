import { ok, refuse, type FieldError, type InputOf } from '@svc/contract'
import { common } from '@svc/contracts'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { chainNotConfigured, vaultNotAttached } from '@svc/contracts/mandates/refusals'
import { isLegMarket, nobody } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress } from 'viem'
import { dryRun } from '#approvals/dry-run.ts'
import { judgeCall, type MeantCall } from '#approvals/judge-call.ts'
import type { Context } from '#context.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import { mandateOfCaller } from '#mandate/parties.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { simulateOrder } from '../simulate-order.ts'

type Input = InputOf<typeof mandates.operations.simulateExecution>

export const simulateExecution: BoundHandler<Context, typeof mandates.operations.simulateExecution> =
  (context) => async (input, call) => {
    const asked = readRequest(input)
    const mandate = await mandateOfCaller(context.pool, input.public_id, call)
    return 'order' in asked
      ? ok(200, await simulateOrder(context, mandate, asked.order, call.now))
      : simulateCall(context, mandate, asked, call.now)
  }

const invalid = (pointer: string, code: string, detail: string) => {
  const error: FieldError = { pointer, code, detail }
  return refuse(common.invalidRequest, undefined, {}, [error])
}

/** Reads whether a call or an order of the leg is meant, and refuses what is neither. */
function readRequest(input: Input) {
  const { target, data, market, side, amount_usdc, size = null, max_slippage = null } = input
  if ((target === undefined) !== (data === undefined))
    invalid('/data', 'incomplete', 'give target and data together, or a market alone')
  if (target === undefined && market === undefined) invalid('/market', 'missing', 'give a market, or target and data')
  if (target === undefined && market !== undefined && isLegMarket(market)) {
    if (side === undefined) return invalid('/side', 'missing', 'give buy or sell for a market of the leg')
    if ((amount_usdc === undefined) === (size === null))
      return invalid('/amount_usdc', 'exactly_one', 'give amount_usdc or size for a market of the leg, and not both')
    return { order: { market, side, amount_usdc: amount_usdc ?? null, size, reduce_only: false, max_slippage } }
  }
  if (size !== null) return invalid('/size', 'not_for_calls', 'leave it out: only a market of the leg takes a size')
  if (max_slippage !== null)
    return invalid('/max_slippage', 'not_for_calls', 'leave it out: only a market of the leg takes it')
  if (amount_usdc === undefined) return invalid('/amount_usdc', 'missing', 'give the USDC that the call may spend')
  // Selling pays out and spends nothing.
  const amount = side === 'sell' ? 0n : usdcUnits(amount_usdc)
  const given = target === undefined || data === undefined ? null : { target, data }
  return { call: given, market: market ?? null, amount }
}

/** Judges a call, and runs it on the newest block if it was given as such. */
async function simulateCall(
  context: Context,
  mandate: Mandate,
  { call, market, amount }: { call: Omit<MeantCall, 'amount'> | null; market: string | null; amount: bigint },
  now: Date,
) {
  const meant =
    call === null
      ? { ...(await firstCallOf(context, mandate.id, market ?? '')), amount }
      : { target: getAddress(call.target.toLowerCase()), data: call.data.toLowerCase(), amount }
  const judged = await judgeCall(context.pool, context, mandate, meant, now)
  if (judged === null || mandate.agent === null) refuse(vaultNotAttached)
  const { block } = judged
  const answer = { ok: true as const, public_id: mandate.publicId, leg: null }
  if (call === null) {
    // A market alone names no call.
    const judgement = block.unit === 'call' ? { ...block, attempted: market } : block
    return ok(200, { ...answer, passes: block.kind === null, judgement, chain: null })
  }
  const simulated = await dryRun(context, mandate, judged)
  if (simulated === null) refuse(chainNotConfigured)
  const chain = { ok: simulated.ok, error: simulated.error, target_error: simulated.target_error }
  return ok(200, { ...answer, passes: block.kind === null && chain.ok, judgement: block, chain })
}

/** The first call that the signed terms list for a market; one that nothing lists when the market is not in them. */
async function firstCallOf({ pool }: Context, mandateId: number, market: string): Promise<Omit<MeantCall, 'amount'>> {
  const signed = await newestTerms(pool, mandateId)
  const listed = signed === null ? undefined : signedFigures(signed).markets.find(({ id }) => id === market)?.calls[0]
  return listed === undefined ? { target: nobody, data: '0x' } : { target: listed.target, data: listed.selector }
}
