import { ok } from '@svc/contract'
import type { GasDrip } from '@svc/contracts/keeper/drips'
import { formatEther } from 'viem'
import { SECOND_AFTER_MS, type DripDecision } from './rules/decide-drip.ts'
import type { Grant, SignedGrant } from './store/grants.ts'

/** Returns the answer for a drip whose transaction was signed. */
export function sentView({ n, chain_id, tx_hash, amount_wei, balance_wei, granted_at }: SignedGrant) {
  const secondAt = n === 1 ? new Date(granted_at.getTime() + SECOND_AFTER_MS) : null
  return ok(200, {
    ok: true as const,
    status: 'sent' as const,
    tx_hash,
    amount_eth: formatEther(amount_wei),
    balance_eth: formatEther(balance_wei),
    ...(secondAt === null ? {} : { next_eligible_at: secondAt.toISOString() }),
    chain_id,
  })
}

/** Returns the answer of a dry run that would have sent a drip. */
export const rehearsedView = (amount: bigint, balance: bigint, chainId: number) =>
  ok(200, {
    ok: true as const,
    dry_run: true as const,
    status: 'sent' as const,
    amount_eth: formatEther(amount),
    balance_eth: formatEther(balance),
    chain_id: chainId,
  })

/** Returns the answer for a call that gets nothing; `last` is the newest drip of the wallet. */
export function nothingView(
  {
    status,
    reason,
    nextEligibleAt,
  }: DripDecision & { readonly status: Exclude<GasDrip['status'], 'sent' | 'disabled'> },
  { balance, chainId, last }: { readonly balance: bigint; readonly chainId: number; readonly last: Grant | null },
) {
  const txHash = status === 'already' ? (last?.tx_hash ?? null) : null
  return ok(200, {
    ok: true as const,
    status,
    ...(txHash === null ? {} : { tx_hash: txHash }),
    balance_eth: formatEther(balance),
    ...(nextEligibleAt === null ? {} : { next_eligible_at: nextEligibleAt.toISOString() }),
    ...(reason === null ? {} : { reason }),
    chain_id: chainId,
  })
}

/** Returns the answer of a deployment that sends no drips. */
export const disabledView = (chainId: number | null) =>
  ok(200, { ok: true as const, status: 'disabled' as const, chain_id: chainId })
