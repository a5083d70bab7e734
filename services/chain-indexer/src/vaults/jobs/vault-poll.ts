import { readHeader, RpcRefused, type Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { VaultReading } from '@svc/contracts/chain-indexer/vaults'
import { emit, workerTransaction } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { compareReading } from '../rules/compare-reading.ts'
import { differencesOf } from '../rules/fold-books.ts'
import { readLive } from '../read-live.ts'
import { findVaults, putReading, vaultsToPoll, type VaultToPoll } from '../store/vaults.ts'

const { vaultDiffers, vaultPolled } = chainIndexer.events

/** Reads the views of the vaults longest unread, at the block of their books, and compares them with the books. */
export const vaultPoll =
  (context: Context): Job =>
  async (signal) => {
    const { chain, pool, settings } = context
    if (chain === null) return { done: 0 }
    const due = await vaultsToPoll(pool, chain.id, settings.vaultPollMax)
    const [first] = due
    if (first === undefined) return { done: 0 }
    const header = await readHeader(chain, BigInt(first.anchor_number), signal)
    // The sweep detects the reorganisation and takes facts back; after that the books can be compared again.
    if (header.hash !== first.anchor_hash) return { done: 0 }
    let done = 0
    let differing = 0
    for (const vault of due) {
      if (signal.aborted) break
      try {
        const reading = await readLive(chain, vault, header, signal)
        differing += await storeReading(context, chain, vault, reading)
        done += 1
      } catch (error) {
        // The node lacks that block's state; the next run reads at a newer block.
        if (!(error instanceof RpcRefused)) throw error
      }
    }
    return { done, differing, dry_run: settings.vaultPollDryRun }
  }

/** Stores a reading and publishes its changes. Returns 1 if it contradicts the books, otherwise 0. */
async function storeReading(
  { pool, settings, clock, log }: Context,
  chain: Chain,
  vault: VaultToPoll,
  reading: VaultReading,
): Promise<number> {
  const differences = compareReading(vault.books, reading)
  if (differences.length > 0) log.error({ vault: vault.address, differences }, 'books and vault disagree')
  if (settings.vaultPollDryRun) return differences.length > 0 ? 1 : 0
  await workerTransaction(pool, settings, async (tx) => {
    // If another chunk was stored meanwhile, this reading belongs to older books.
    const [now] = await findVaults(tx, chain.id, [vault.address])
    if (now === undefined || !now.canonical || now.books_block !== vault.books_block) return
    const figures = differences.map(({ figure }) => figure)
    await putReading(tx, { chainId: chain.id, address: vault.address }, reading, figures, clock.now())
    if (hasChanged(vault.polled, reading))
      await emit(tx, vaultPolled, { chain_id: chain.id, vault: vault.address, ...reading })
    if (figures.some((figure) => !vault.differs.includes(figure)))
      await emit(tx, vaultDiffers, {
        chain_id: chain.id,
        vault: vault.address,
        block_number: reading.block_number,
        differences: [...differences],
      })
  })
  return differences.length > 0 ? 1 : 0
}

function hasChanged(before: VaultReading | null, now: VaultReading): boolean {
  if (before === null || before.balance !== now.balance || before.phase !== now.phase) return true
  return before.withdraw_lock.reason !== now.withdraw_lock.reason || differencesOf(before.books, now.books).length > 0
}
