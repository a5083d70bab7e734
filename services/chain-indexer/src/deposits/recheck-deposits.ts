import { findReceipt, headNumber, readHeader, type Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Deposit } from '@svc/contracts/chain-indexer/deposits'
import { emit, workerTransaction } from '@svc/postgres'
import type { Hex } from 'viem'
import type { Context } from '#context.ts'
import { mustBeReplaced } from '#streams/rewind-stream.ts'
import { countRecheck } from '#streams/stream-metrics.ts'
import { depositsToCheck, storeDepositStatus } from './store/deposits.ts'

const { depositConfirmed, depositOrphaned } = chainIndexer.events

/**
 * Checks whether deposits are still in the block in which they were found: confirms pending ones and takes back those that
 * are gone. Returns the number of deposits checked.
 */
export async function recheckDeposits(context: Context, chain: Chain, signal: AbortSignal): Promise<number> {
  const { pool, settings, clock } = context
  const window = new Date(clock.now().getTime() - settings.reorgWindowSeconds * 1000)
  const due = await depositsToCheck(pool, chain.id, window, settings.reorgRecheckMax)
  for (const deposit of due) {
    const status = await statusNow(chain, deposit, signal)
    countRecheck({ result: status })
    if (!settings.depositDryRun) await storeCheck(context, deposit, status)
  }
  return due.length
}

/**
 * Returns the status that the chain shows now. A missing receipt proves nothing while the deposit's block is in the chain:
 * a deposit taken back because of it would never be found again, as the sweep has passed that block.
 */
async function statusNow(chain: Chain, deposit: Deposit, signal: AbortSignal): Promise<Deposit['status']> {
  const receipt = await findReceipt(chain, deposit.tx_hash as Hex, signal)
  if (receipt?.blockHash === deposit.block_hash && receipt.status === 'success') return 'confirmed'
  const present = await readHeader(chain, BigInt(deposit.block_number), signal)
  if (present.hash === deposit.block_hash) return deposit.status
  const head = Number(await headNumber(chain, signal))
  await mustBeReplaced(chain, { hash: deposit.block_hash }, present, head, signal)
  return 'orphaned'
}

async function storeCheck(
  { pool, settings, clock }: Context,
  deposit: Deposit,
  status: Deposit['status'],
): Promise<void> {
  await workerTransaction(pool, settings, async (tx) => {
    const stored = await storeDepositStatus(tx, deposit, status, clock.now())
    if (stored === null || stored.revision === deposit.revision) return
    await emit(tx, status === 'confirmed' ? depositConfirmed : depositOrphaned, stored)
  })
}
