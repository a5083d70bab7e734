import { prepare, read, type Chain } from '@svc/chain'
import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import type { Address, Hex } from 'viem'
import type { Legs } from '#context.ts'
import type { Decision } from '#transactions/store/transactions.ts'
import { planGivingBack } from './rules/plan-giving-back.ts'

/** A call to queue with the account that sends it, or why none can be sent. */
export type LegCall =
  | { readonly from: Address; readonly decision: Decision }
  | { readonly from: null; readonly why: 'pool_low' | 'no_signer' }

/**
 * Returns whether a vault sends its money to the gateway of the settings. One of a former gateway does not: what it sent there could
 * not be given back by the pool of now.
 */
export const isOfFactory = (chain: Chain, { contracts }: Legs, vault: string, signal: AbortSignal): Promise<boolean> =>
  read(chain)
    .factoryV2(contracts.factory)
    .isVault({ vault: vault as Address }, { signal })

/** Returns the call of the vault that moves its money to the gateway. */
export function fundingCall(chain: Chain, { signer }: Legs, transfer: LegTransfer): LegCall {
  if (signer === null || transfer.vault === null) return { from: null, why: 'no_signer' }
  const { data } = prepare(chain.id)
    .vaultV2(transfer.vault as Address)
    .fundLeg({ amount: usdcUnits(transfer.amount_usdc) })
  return {
    from: signer.address,
    decision: {
      kind: 'fund_leg',
      publicId: transfer.public_id,
      vault: transfer.vault,
      data,
      transferId: transfer.transfer_id,
    },
  }
}

/**
 * Returns the next call on the way to giving back: an approval of exactly what the gateway lacks, then the top-up, then
 * `giveBack`. One call of the pool's account for the gateway is open at a time, so that an approval is used by its top-up.
 */
export async function givingBackCall(
  chain: Chain,
  { contracts, pool }: Legs,
  transfer: LegTransfer,
  signal: AbortSignal,
): Promise<LegCall> {
  if (pool === null || transfer.vault === null || transfer.ref === null) return { from: null, why: 'no_signer' }
  const vault = transfer.vault as Address
  const amount = usdcUnits(transfer.amount_usdc)
  const [gateway, usdc] = [read(chain).legGateway(contracts.gateway), read(chain).usdc(contracts.usdc)]
  const [held, owedToAll, outstanding, own, allowed] = await Promise.all([
    usdc.balanceOf({ account: contracts.gateway }, { signal }),
    gateway.totalOutstanding({ signal }),
    gateway.outstanding({ arg0: vault }, { signal }),
    usdc.balanceOf({ account: pool.address }, { signal }),
    usdc.allowance({ owner: pool.address, spender: contracts.gateway }, { signal }),
  ])
  const step = planGivingBack(amount, { held, owedToAll, outstanding, own, allowed })
  const calls = prepare(chain.id)
  const base = { publicId: transfer.public_id, transferId: transfer.transfer_id }
  const ofPool = { ...base, vault: contracts.gateway }
  switch (step.do) {
    case 'pool_low':
      return { from: null, why: 'pool_low' }
    case 'approve': {
      const { data } = calls.usdc(contracts.usdc).approve({ spender: contracts.gateway, value: step.amount })
      return { from: pool.address, decision: { ...ofPool, kind: 'approve', target: contracts.usdc, data } }
    }
    case 'top_up': {
      const { data } = calls.legGateway(contracts.gateway).topUp({ amount: step.amount })
      return { from: pool.address, decision: { ...ofPool, kind: 'top_up', target: contracts.gateway, data } }
    }
    case 'give_back': {
      const { last, ref } = transfer
      const { data } = calls.legGateway(contracts.gateway).giveBack({ vault, amount, last, ref: ref as Hex })
      return { from: pool.address, decision: { ...base, kind: 'give_back', vault, target: contracts.gateway, data } }
    }
  }
}
