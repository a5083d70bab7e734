import { decodeEvent, lookUpTransaction, type Chain } from '@svc/chain'
import type { LegTransfer } from '@svc/contracts/hl-leg/money'
import { usdcUnits } from '@svc/contracts/common/usdc'
import { isAddressEqual, type Address, type Hex, type Log } from 'viem'
import type { LegContracts } from '#signers/check-leg.ts'
import type { OwnLog } from './rules/next-act.ts'

/**
 * Finds the log of a transfer in one of its transactions: a receipt alone says nothing, since a repeated giving back succeeds
 * without an effect. Returns null if none of the transactions is in a block with it. Rejects with an outage.
 */
export async function findOwnLog(
  chain: Chain,
  contracts: LegContracts,
  transfer: LegTransfer,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<OwnLog | null> {
  for (const hash of hashes.toReversed()) {
    const found = await lookUpTransaction(chain, hash as Hex, signal)
    if (found.state !== 'mined' || found.receipt.status !== 'success') continue
    if (found.receipt.logs.some((log) => isOwn(log, contracts, transfer))) return { txHash: hash, depth: found.depth }
  }
  return null
}

function isOwn(log: Log, { gateway }: LegContracts, { kind, vault, ref, amount_usdc }: LegTransfer): boolean {
  if (vault === null) return false
  const amount = usdcUnits(amount_usdc)
  const raw = log as unknown as Parameters<typeof decodeEvent>[1]
  if (kind === 'fund') {
    const event = isAddressEqual(log.address, vault as Address) ? decodeEvent('vaultV2', raw) : null
    return event?.name === 'LegFunded' && event.args.amount === amount
  }
  const event = isAddressEqual(log.address, gateway) ? decodeEvent('legGateway', raw) : null
  return event?.name === 'GivenBack' && event.args.ref === ref && isAddressEqual(event.args.vault, vault as Address)
}
