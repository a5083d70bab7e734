import { findReceipt, headNumber, readHeader, type Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Deposit } from '@svc/contracts/chain-indexer-facts'
import { emit, workerTransaction, type Emission, type Tx } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Address, Hex } from 'viem'
import type { Context, Settings } from '../context.ts'
import {
  depositsToCheck,
  orphanDeposits,
  putDeposit,
  storeDepositStatus,
  type FoundDeposit,
} from '../store/deposits.ts'
import { coveredAddresses, markCovered, newAddresses, type WatchedAddress } from '../store/watched.ts'
import { openStream, type OpenedStream } from '../open-stream.ts'
import { mustBeReplaced } from '../rewind-stream.ts'
import { commitBehind, commitBlocks, type Stream } from '../stream.ts'
import { addressesPerCall, sweepTransfers } from '../sweep-transfers.ts'
import { withinBudget } from '../within-budget.ts'

const { depositSeen, depositConfirmed, depositOrphaned } = chainIndexer.events

/** Late-registered addresses that one run looks back for. */
const BACKFILL_MAX = 500

/** USDC of test chains, by chain id, for a deployment that names none: Base Sepolia, as Circle publishes it. */
const TEST_CHAIN_USDC: ReadonlyMap<number, Address> = new Map([[84_532, '0x036CbD53842c5426634e7929541eC2318f3dCF7e']])

/** Finds USDC that arrives at watched addresses, and looks again at what was found. */
export function depositWatch(context: Context): Job {
  const { chain, pool, settings } = context
  const usdc = chain === null ? null : usdcOf(context, chain)
  return async (signal) => {
    if (chain === null || usdc === null) return { done: 0 }
    const stream = depositStream(context)
    let done = 0
    await withinBudget(signal, settings.depositTickBudgetSec, async (budget) => {
      const opened = await openStream(context, chain, stream, budget)
      const { position, safe, head } = opened
      done += await lookBack(context, chain, usdc, stream, opened, budget)
      const addresses = await coveredAddresses(pool, chain.id)
      const to = Math.min(safe, position.nextBlock + settings.depositMaxBlocksPerTick - 1)
      let at = position
      const range = { from: at.nextBlock, to, head }
      for await (const chunk of sweepTransfers(chain, usdc, settings, range, addresses, budget)) {
        at = await commitBlocks(context, chain, stream, at, chunk, (tx) => storeDeposits(tx, chunk.deposits))
        done += chunk.deposits.length
      }
    })
    // Not within the budget: a long way to read must not keep deposits from being checked.
    const checked = await checkAgain(context, chain, signal)
    return { done, checked, dry_run: stream.dryRun }
  }
}

/** The token that is watched; null, which is said as well, when no setting names one and none is built in for the chain. */
function usdcOf({ log }: Context, { id, addresses }: Chain): Address | null {
  if (addresses.usdc !== null) return addresses.usdc
  const builtIn = TEST_CHAIN_USDC.get(id) ?? null
  const followed = builtIn === null ? 'no deposits are watched' : `the USDC of this test chain is watched, ${builtIn}`
  log.warn({ chain_id: id }, `neither HUB_USDC_ADDRESS nor HUB_DEPLOYMENT_FILE names the USDC: ${followed}`)
  return builtIn
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
 * stream; as many as a log call names are stored together, so that a run that ends early has not read in vain.
 */
async function lookBack(
  context: Context,
  chain: Chain,
  usdc: Address,
  stream: Stream,
  opened: OpenedStream,
  signal: AbortSignal,
): Promise<number> {
  const fresh = await newAddresses(context.pool, chain.id, BACKFILL_MAX)
  const batch = addressesPerCall(context.settings, chain)
  let done = 0
  for (let at = 0; at < fresh.length; at += batch) {
    const found = await lookBackFor(context, chain, usdc, stream, opened, fresh.slice(at, at + batch), signal)
    if (found === null) break
    done += found
  }
  return done
}

/**
 * Transfers found; null when the blocks are not those that the position stands on. Stored without moving the position,
 * under its lock: the stream must not pass by meanwhile.
 */
async function lookBackFor(
  context: Context,
  chain: Chain,
  usdc: Address,
  stream: Stream,
  { position, head }: OpenedStream,
  fresh: readonly WatchedAddress[],
  signal: AbortSignal,
): Promise<number | null> {
  const { settings } = context
  const deposits: FoundDeposit[] = []
  const to = position.nextBlock - 1
  const from = lookBackFrom(settings, to, context.clock.now(), fresh)
  const addresses = fresh.map(({ address }) => address)
  let follows: string | null = null
  let reached = from - 1
  for await (const chunk of sweepTransfers(chain, usdc, settings, { from, to, head }, addresses, signal)) {
    if (follows !== null && chunk.parentHash !== follows) return null
    follows = chunk.anchors.at(-1)?.hash ?? null
    reached = chunk.toBlock
    deposits.push(...chunk.deposits)
  }
  // Read on another chain than the position stands on: the next run looks again, after the stream went back.
  if (reached >= from && follows !== position.anchor.hash) return null
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
