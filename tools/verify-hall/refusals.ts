import { callAt, blockReceipts, readHeader, type Chain } from '@svc/chain'
import type { VaultOnChain } from './vault-on-chain.ts'

/**
 * Counts by kind the calls of its agent that a vault refused on the chain up to a block. Reads the receipts of every block
 * since its creation; a reverted call is executed again on the state before its block to learn its error.
 */
export async function refusedCalls(
  chain: Chain,
  vault: VaultOnChain,
  to: bigint,
): Promise<ReadonlyMap<string, number>> {
  const kinds = new Map<string, number>()
  const isVault = (address: string | null) => address?.toLowerCase() === vault.address.toLowerCase()
  for (let number = vault.createdBlock; number <= to; number++) {
    const header = await readHeader(chain, number)
    if (header.transactions.length === 0) continue
    const receipts = await blockReceipts(chain, header, { wanted: (one) => isVault(one.to) })
    for (const { transactionHash, status, to: target } of receipts) {
      if (status !== 'reverted' || !isVault(target)) continue
      const { from, input } = await chain.client.getTransaction({ hash: transactionHash })
      if (from.toLowerCase() !== vault.agent.toLowerCase()) continue
      const again = await callAt(chain, { from, to: vault.address, data: input, blockNumber: number - 1n })
      const kind = again.ok ? null : (again.revert?.refusalKind ?? null)
      if (kind !== null) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
  }
  return kinds
}
