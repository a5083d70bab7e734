import type { ChainTransaction } from '@svc/contracts/chain-indexer/transactions'
import type { Tx } from '@svc/postgres'
import { Outage } from '@svc/service'
import type { AgentsClient } from '#neighbours/agents-client.ts'
import { deliveries, type Awaited } from './rules/deliver.ts'
import { deliverTransfer, keepInTransit, vaultAddressesOf, type Transfer } from './store/transfers.ts'

/** Wallets of agents by account; null for an unknown agent. */
export type Wallets = ReadonlyMap<number, string | null>

/** Reads the wallets of the agents of these transfers from identity. */
export async function walletsOf(
  agentsClient: AgentsClient,
  transfers: readonly Pick<Transfer, 'agent_id'>[],
): Promise<Wallets> {
  const wallets = new Map<number, string | null>()
  for (const { agent_id } of transfers)
    if (!wallets.has(agent_id))
      wallets.set(agent_id, (await agentsClient.readAgent(agent_id))?.wallet.toLowerCase() ?? null)
  return wallets
}

/**
 * Delivers the reported transfers of a confirmed transaction whose movements it carries, and keeps the others in transit. The
 * transfers, oldest first, must be read under `lockTransfers`. Rejects with an outage if the wallet of an agent is missing:
 * its transfer was reported after identity was asked.
 */
export async function deliverTransaction(
  tx: Tx,
  { chain_id, block_time, transfers: moved }: Pick<ChainTransaction, 'chain_id' | 'block_time' | 'transfers'>,
  transfers: readonly Transfer[],
  wallets: Wallets,
): Promise<void> {
  const awaited: Awaited[] = []
  for (const { id, agent_id, direction, amount } of transfers.filter(({ asset }) => asset === 'USDC')) {
    const wallet = wallets.get(agent_id)
    if (wallet === undefined) throw new Outage('transfers', 'a transfer was reported since identity was asked')
    const vaults = await vaultAddressesOf(tx, agent_id, chain_id)
    awaited.push({ id, direction, amount, parties: new Set([...(wallet === null ? [] : [wallet]), ...vaults]) })
  }
  const movements = moved.map(({ from, to, amount }) => ({ from, to, amount: BigInt(amount) }))
  const found = deliveries(awaited, movements)
  for (const { id } of awaited) {
    const movement = found.get(id)
    if (movement === undefined || block_time === null) await keepInTransit(tx, id, 'no_such_movement')
    else await deliverTransfer(tx, id, movement, block_time)
  }
}
