import type { ChainTransaction } from '@svc/contracts/chain-indexer-facts'
import type { Tx } from '@svc/postgres'
import type { Context } from './context.ts'
import { deliveries, type Awaited } from './domain/deliver.ts'
import { deliverTransfer, keepInTransit, transfersOfTransaction, vaultAddressesOf } from './store/transfers.ts'

/** Delivers the reported transfers that a confirmed transaction carries; the others of it say that it does not. */
export async function deliverTransaction(tx: Tx, context: Context, transaction: ChainTransaction): Promise<void> {
  const { chain_id, block_time } = transaction
  const known = await transfersOfTransaction(tx, chain_id, transaction.tx_hash.toLowerCase())
  const awaited: Awaited[] = []
  for (const { id, agent_id, direction, amount, asset } of known) {
    if (asset !== 'USDC') continue
    const agent = await context.accounts.readAgent(agent_id)
    const vaults = await vaultAddressesOf(tx, agent_id, chain_id)
    const wallet = agent === null ? [] : [agent.wallet.toLowerCase()]
    awaited.push({ id, direction, amount, parties: new Set([...wallet, ...vaults]) })
  }
  const movements = transaction.transfers.map(({ from, to, amount }) => ({ from, to, amount: BigInt(amount) }))
  const found = deliveries(awaited, movements)
  for (const { id } of awaited) {
    const movement = found.get(id)
    if (movement === undefined || block_time === null) await keepInTransit(tx, id, 'no_such_movement')
    else await deliverTransfer(tx, id, movement, block_time)
  }
}
