import { findReceipt, readHeader, type Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Deposit } from '@svc/contracts/chain-indexer-facts'
import { emit, type Emission, type Tx } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Address, Hex } from 'viem'
import type { Context, Settings } from '../context.ts'
import { depositsToCheck, orphanDeposits, putDeposit, settleDeposit, type FoundDeposit } from '../store/deposits.ts'
import { coveredAddresses, markCovered, newAddresses, type WatchedAddress } from '../store/watched.ts'
import { workerTransaction } from '../store/schema.ts'
import {
  commitBehind,
  commitBlocks,
  headOf,
  mustBeReplaced,
  openStream,
  type Position,
  type Stream,
} from '../stream.ts'
import { sweepTransfers } from '../sweep-transfers.ts'
import { withinBudget } from '../within-budget.ts'

const { depositSeen, depositConfirmed, depositOrphaned } = chainIndexer.events

/** Late-registered addresses that one run looks back for. */
const BACKFILL_MAX = 500

/** Finds USDC that arrives at watched addresses, and looks again at what was found. */
export const depositWatch =
  (context: Context): Job =>
  async (signal) => {
    const { chain, pool, settings } = context
    const usdc = chain?.addresses.usdc ?? null
    if (chain === null || usdc === null) return { done: 0 }
    const stream = depositStream(context)
    let done = 0
    await withinBudget(signal, settings.depositTickBudgetSec, async (budget) => {
      const { position, safe } = await openStream(context, chain, stream, budget)
      done += await lookBack(context, chain, usdc, stream, position, budget)
      const addresses = await coveredAddresses(pool, chain.id)
      const to = Math.min(safe, position.nextBlock + settings.depositMaxBlocksPerTick - 1)
      let at = position
      for await (const chunk of sweepTransfers(chain, usdc, settings, { from: at.nextBlock, to }, addresses, budget)) {
        at = await commitBlocks(context, chain, stream, at, chunk, (tx) => storeDeposits(tx, chunk.deposits))
        done += chunk.deposits.length
      }
    })
    // Not within the budget: a long way to read must not keep deposits from being checked.
    const checked = await checkAgain(context, chain, signal)
    return { done, checked, dry_run: stream.dryRun }
  }

/** The stream of USDC that arrives at watched addresses. */
export function depositStream({ settings }: Context): Stream {
  return {
    name: 'deposits',
    dryRun: settings.depositDryRun,
    startBlock: (head) => Math.max(0, head - settings.startLookback),
    takeBack: async (tx, chain, above) =>
      (await orphanDeposits(tx, chain.id, above)).map((payload) => ({ event: depositOrphaned, payload })),
  }
}

async function storeDeposits(tx: Tx, found: readonly FoundDeposit[]): Promise<Emission[]> {
  const emissions: Emission[] = []
  for (const one of found) {
    const deposit = await putDeposit(tx, one)
    if (deposit !== null) emissions.push({ event: depositSeen, payload: deposit })
  }
  return emissions
}

/**
 * Scans, once, the blocks behind the stream's position for addresses that were registered late, and hands them to the
 * stream. Stored without moving the position, under its lock: the stream must not pass by meanwhile.
 */
async function lookBack(
  context: Context,
  chain: Chain,
  usdc: Address,
  stream: Stream,
  position: Position,
  signal: AbortSignal,
): Promise<number> {
  const { pool, settings } = context
  const fresh = await newAddresses(pool, chain.id, BACKFILL_MAX)
  if (fresh.length === 0) return 0
  const deposits: FoundDeposit[] = []
  const last = position.nextBlock - 1
  const from = lookBackFrom(settings, last, context.clock.now(), fresh)
  const addresses = fresh.map(({ address }) => address)
  let follows: string | null = null
  let reached = from - 1
  for await (const chunk of sweepTransfers(chain, usdc, settings, { from, to: last }, addresses, signal)) {
    if (follows !== null && chunk.parentHash !== follows) return 0
    follows = chunk.anchors.at(-1)?.hash ?? null
    reached = chunk.toBlock
    deposits.push(...chunk.deposits)
  }
  // Read on another chain than the position stands on: the next run looks again, after the stream went back.
  if (reached >= from && follows !== position.anchor.hash) return 0
  if (stream.dryRun) return deposits.length
  await commitBehind(context, chain, stream, position, async (tx) => {
    await markCovered(tx, chain.id, addresses)
    return storeDeposits(tx, deposits)
  })
  return deposits.length
}

/** Block at which the oldest registration is estimated, at most the look-back before the position. */
function lookBackFrom(
  { depositBackfillLookback, blockSeconds }: Settings,
  last: number,
  now: Date,
  fresh: readonly WatchedAddress[],
): number {
  const oldest = Math.min(...fresh.map(({ since }) => Date.parse(since)))
  const blocks = Math.ceil(Math.max(0, now.getTime() - oldest) / 1000 / blockSeconds)
  return Math.max(0, last + 1 - Math.min(blocks, depositBackfillLookback))
}

/** Checks that deposits are still where they were found: confirms those that wait, takes back those that are gone. */
async function checkAgain(context: Context, chain: Chain, signal: AbortSignal): Promise<number> {
  const { pool, settings, clock } = context
  const window = new Date(clock.now().getTime() - settings.reorgWindowSeconds * 1000)
  const due = await depositsToCheck(pool, chain.id, window, settings.reorgRecheckMax)
  for (const deposit of due) {
    const status = await statusNow(chain, deposit, signal)
    if (!settings.depositDryRun) await storeCheck(context, deposit, status)
  }
  return due.length
}

/**
 * Whether a deposit is still there. A receipt that is missing proves nothing while the deposit's block is in the chain:
 * a node without it would take a deposit back that the sweep, which has passed that block, would not find again.
 */
async function statusNow(chain: Chain, deposit: Deposit, signal: AbortSignal): Promise<Deposit['status']> {
  const receipt = await findReceipt(chain, deposit.tx_hash as Hex, signal)
  if (receipt?.blockHash === deposit.block_hash && receipt.status === 'success') return 'confirmed'
  const present = await readHeader(chain, BigInt(deposit.block_number), signal)
  if (present.hash === deposit.block_hash) return deposit.status
  await mustBeReplaced(chain, present, await headOf(chain, signal), signal)
  return 'orphaned'
}

async function storeCheck(
  { pool, settings, clock }: Context,
  deposit: Deposit,
  status: Deposit['status'],
): Promise<void> {
  await workerTransaction(pool, settings, async (tx) => {
    const settled = await settleDeposit(tx, deposit, status, clock.now())
    if (settled === null || settled.revision === deposit.revision) return
    await emit(tx, status === 'confirmed' ? depositConfirmed : depositOrphaned, settled)
  })
}
