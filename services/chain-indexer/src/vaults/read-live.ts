import { read, type Chain, type Anchor } from '@svc/chain'
import type { VaultReading } from '@svc/contracts/chain-indexer/vaults'
import type { Address } from 'viem'
import { addressOf, timeOf } from '#wire-values.ts'

/** Reads a vault's views on the state after a block. Rejects with an outage if the node does not have that state. */
export async function readLive(
  chain: Chain,
  vault: { readonly address: string; readonly version: 1 | 2; readonly terms: { readonly usdc: string } },
  block: Pick<Anchor, 'number' | 'hash' | 'timestamp'>,
  signal?: AbortSignal,
): Promise<VaultReading> {
  const address = vault.address as Address
  const at = { blockNumber: block.number, ...(signal && { signal }) }
  const { vault: v1, vaultV2: v2, usdc } = read(chain)
  const views = v1(address)
  const leg = vault.version === 2 ? v2(address) : null
  const [balance, phase, lock, usage, agent, accounted, principal, withdrawn] = await Promise.all([
    usdc(vault.terms.usdc as Address).balanceOf({ account: address }, at),
    views.phase(at),
    views.withdrawLock(at),
    views.usage(at),
    views.agent(at),
    views.accounted(at),
    views.principal(at),
    views.withdrawn(at),
  ])
  const [feeTotal, feeOwed, lastWorth, markedAt, stopReason, stoppedAt, settled] = await Promise.all([
    views.feeTotal(at),
    views.feeOwed(at),
    views.lastWorth(at),
    views.markedAt(at),
    views.stopReason(at),
    views.stoppedAt(at),
    views.settled(at),
  ])
  const [legOut, legOpen, legSeq, legFunded, legReturned] =
    leg === null
      ? ([0n, false, 0n, 0n, 0n] as const)
      : await Promise.all([leg.legOut(at), leg.legOpen(at), leg.legSeq(at), leg.legFunded(at), leg.legReturned(at)])
  return {
    block_number: Number(block.number),
    block_hash: block.hash,
    block_time: timeOf(block.timestamp),
    balance: String(balance),
    phase,
    withdraw_lock: { reason: lock[0], until: String(lock[1]) },
    books: {
      agent: addressOf(agent),
      accounted: String(accounted),
      principal: String(principal),
      withdrawn: String(withdrawn),
      fee_total: String(feeTotal),
      fee_owed: String(feeOwed),
      used_day: String(usage[0]),
      used_amount: String(usage[1]),
      last_worth: String(lastWorth),
      marked_at: String(markedAt),
      stop_reason: stopReason,
      stopped_at: String(stoppedAt),
      settled,
      leg_out: String(legOut),
      leg_open: legOpen,
      leg_seq: String(legSeq),
      leg_funded: String(legFunded),
      leg_returned: String(legReturned),
    },
  }
}
