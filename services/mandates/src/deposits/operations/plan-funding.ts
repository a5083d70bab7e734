import { prepare } from '@svc/chain'
import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { depositRoom, isOpen, usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { getAddress, isAddressEqual, type Address } from 'viem'
import { preparedView } from '#prepared-call-view.ts'
import type { Context } from '#context.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import { termsFromLimits, secondsOf } from '#limits/engine-terms.ts'
import { attachedMandate } from '#mandate/parties.ts'
import { newestTerms } from '#limits/store/signed-terms.ts'
import { signedFigures } from '#limits/terms-of-mandate.ts'
import { stateNow } from '#states/mandate-view.ts'
import { destinationOf } from '../funding-routes.ts'
import { vaultCalls } from '#books/vault-calls.ts'
import { invalidMandate, legMinDeposit, wrongState } from '@svc/contracts/mandates/refusals'
import type { Vault } from '#books/rules/vault.ts'

const FUNDABLE = ['signed', 'working', 'paused'] as const

export const planFunding: BoundHandler<Context, typeof mandates.operations.planFunding> =
  (context) => async (input, call) => {
    const { mandate, vault } = await attachedMandate(context, input.public_id, call)
    const state = stateNow(mandate, vault, call.now)
    const terms = termsFromLimits(mandate)
    const signed = await newestTerms(context.pool, mandate.id)
    if (signed === null || !isOpen(terms, vault.books, secondsOf(call.now)) || state === 'stopped')
      refuse(wrongState, undefined, { state, allowed: FUNDABLE })
    const room = depositRoom(terms, vault.books)
    const amount = input.amount_usdc === undefined ? null : usdcUnits(input.amount_usdc)
    if (amount !== null && (amount === 0n || amount > room))
      refuse(invalidMandate, undefined, {}, [
        {
          pointer: '/query/amount_usdc',
          code: amount === 0n ? 'too_small' : 'too_large',
          detail: `must be more than 0 and at most what the budget still takes, which is ${usdcText(room)}`,
        },
      ])
    const least = usdcUnits(context.settings.legMinUsdc)
    if (amount !== null && isFirstOfLeg(vault) && amount < least)
      refuse(legMinDeposit, undefined, { min_usdc: usdcText(least) })
    const address = getAddress(vault.address)
    const { usdc } = signedFigures(signed)
    const calls = amount === null ? null : fundingCalls({ mandate, vault, usdc, amount })
    return ok(200, {
      public_id: mandate.publicId,
      vault: address,
      chain_id: vault.chain_id,
      usdc,
      room_usdc: usdcText(room),
      best_way_in: destinationOf(context) ?? { chain: `eip155:${vault.chain_id}`, asset: 'USDC' },
      amount_usdc: input.amount_usdc ?? null,
      calls: calls === null ? null : { approve: calls.approve.call, deposit: calls.deposit.call },
      txs: calls === null ? null : { approve: calls.approve.tx, deposit: calls.deposit.tx },
      faucet: faucetCall(context, vault.chain_id, usdc, mandate),
    })
  }

/** Whether the next deposit is the first one into a vault that funds a leg. */
const isFirstOfLeg = ({ version, books }: Vault): boolean => version === 2 && books.principal === 0n

interface Funding {
  readonly mandate: Mandate
  readonly vault: Vault
  readonly usdc: Address
  readonly amount: bigint
}

/** Returns the call that pays test USDC; null unless the token is the play money of a test deployment. */
function faucetCall({ deployment }: Context, chainId: number, usdc: Address, mandate: Mandate) {
  const isPlayMoney = deployment.playMoney !== null && isAddressEqual(deployment.playMoney, usdc)
  if (!isPlayMoney || deployment.chainId !== chainId) return null
  return preparedView(prepare(chainId).usdc(usdc).faucet(), mandate.owner).call
}

function fundingCalls({ mandate, vault, usdc, amount }: Funding) {
  const spender = getAddress(vault.address)
  return {
    approve: preparedView(prepare(vault.chain_id).usdc(usdc).approve({ spender, value: amount }), mandate.owner),
    deposit: preparedView(vaultCalls(vault).deposit({ amount }), mandate.owner),
  }
}
