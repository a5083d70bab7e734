import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Emission, Tx } from '@svc/postgres'
import type { Address } from 'viem'
import type { Context, Settings } from '#context.ts'
import type { OpenedStream } from '#streams/open-stream.ts'
import { commitBehind } from '#streams/stream.ts'
import { putDeposit, type FoundDeposit } from './store/deposits.ts'
import { markCovered, newAddresses, type WatchedAddress } from './store/watched-addresses.ts'
import { addressesPerCall, sweepTransfers } from './sweep-transfers.ts'

const { depositSeen } = chainIndexer.events

/** Maximum number of late-registered addresses that one run looks back for. */
const BACKFILL_MAX = 500

/**
 * Scans the blocks behind the stream's position, once, for addresses that were registered late, and adds these to the
 * stream. Returns the number of transfers found. Stores the addresses of one log call at a time, so that a run that ends
 * early keeps what it has read.
 */
export async function coverAddresses(
  context: Context,
  usdc: Address,
  opened: OpenedStream,
  signal: AbortSignal,
): Promise<number> {
  const { chain } = opened.stream
  const fresh = await newAddresses(context.pool, chain.id, BACKFILL_MAX)
  const batch = addressesPerCall(context.settings, chain)
  let done = 0
  for (let at = 0; at < fresh.length; at += batch) {
    const found = await lookBackFor(context, usdc, opened, fresh.slice(at, at + batch), signal)
    if (found === null) break
    done += found
  }
  return done
}

/**
 * Returns the number of transfers found; null if the blocks that were read are not those of the position, so that the
 * next run looks again. Stores them under the position's lock without moving it: the stream must not pass meanwhile.
 */
async function lookBackFor(
  context: Context,
  usdc: Address,
  { stream, position, head }: OpenedStream,
  fresh: readonly WatchedAddress[],
  signal: AbortSignal,
): Promise<number | null> {
  const { settings } = context
  const { chain } = stream
  const deposits: FoundDeposit[] = []
  const to = position.nextBlock - 1
  const from = lookBackFrom(settings, to, context.clock.now(), fresh)
  const addresses = fresh.map(({ address }) => address)
  let follows: string | null = null
  let reached = from - 1
  for await (const chunk of sweepTransfers(chain, settings, { usdc, from, to, head, addresses, signal })) {
    if (follows !== null && chunk.parentHash !== follows) return null
    follows = chunk.anchors.at(-1)?.hash ?? null
    reached = chunk.toBlock
    deposits.push(...chunk.deposits)
  }
  if (reached >= from && follows !== position.anchor.hash) return null
  if (stream.dryRun) return deposits.length
  await commitBehind(context, stream, position, async (tx) => {
    await markCovered(tx, chain.id, addresses)
    return storeDeposits(tx, deposits)
  })
  return deposits.length
}

/** Returns the block at which the oldest registration is estimated, at most the look-back before the position. */
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

/** Stores transfers that were found and returns the events that announce them. */
export async function storeDeposits(tx: Tx, found: readonly FoundDeposit[]): Promise<Emission[]> {
  const emissions: Emission[] = []
  for (const one of found) {
    const deposit = await putDeposit(tx, one)
    if (deposit !== null) emissions.push({ event: depositSeen, payload: deposit })
  }
  return emissions
}
