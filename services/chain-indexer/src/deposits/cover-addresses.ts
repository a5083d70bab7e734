import type { Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Emission, Tx } from '@svc/postgres'
import type { Address } from 'viem'
import type { Context, Settings } from '#context.ts'
import type { OpenedStream } from '#streams/open-stream.ts'
import { putDeposit, type FoundDeposit } from './store/deposits.ts'
import { markCovered, newAddresses, type WatchedAddress } from './store/watched-addresses.ts'
import { commitBehind, type Stream } from '#streams/stream.ts'
import { addressesPerCall, sweepTransfers } from './sweep-transfers.ts'

const { depositSeen } = chainIndexer.events

/** Late-registered addresses that one run looks back for. */
const BACKFILL_MAX = 500

/**
 * Scans, once, the blocks behind the stream's position for addresses that were registered late, and hands them to the
 * stream; as many as a log call names are stored together, so that a run that ends early has not read in vain.
 */
export async function coverAddresses(
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

/** Stores transfers that were found; answers the events that say so. */
export async function storeDeposits(tx: Tx, found: readonly FoundDeposit[]): Promise<Emission[]> {
  const emissions: Emission[] = []
  for (const one of found) {
    const deposit = await putDeposit(tx, one)
    if (deposit !== null) emissions.push({ event: depositSeen, payload: deposit })
  }
  return emissions
}
