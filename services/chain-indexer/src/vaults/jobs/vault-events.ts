import { sweepLogs, type Chain, type LogChunk, type LogSweep } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Job } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { coverFactories } from '../cover-factories.ts'
import { announcedVault, decodeLogs, factoriesOf, logToRead, sweptTopics } from '../decode-logs.ts'
import { openStream } from '#streams/open-stream.ts'
import { readAhead } from '#streams/read-ahead.ts'
import { storeLogs, takeBackLogs } from '../store-logs.ts'
import { takeBackFactories } from '../store/factories.ts'
import { vaultAddresses } from '../store/vaults.ts'
import { commitBlocks, DEEP_BLOCKS, type Position, type Stream } from '#streams/stream.ts'
import { blockTimes } from '#wire-values.ts'
import { withinBudget } from '#streams/within-budget.ts'

/**
 * Events of this many newest blocks are compared with the receipts. Older events are compared with the running totals in
 * the events and, by `vaultPoll`, with the vault's views.
 */
const PROVEN_BLOCKS = 30

/** With more vaults a log call names the topics only, and addresses are matched here. */
const NAMED_VAULTS_MAX = 1_000

/** Reads the events of factories and vaults up to the safe head; reads the next chunks while it stores one. */
export const vaultEvents =
  (context: Context): Job =>
  async (signal) => {
    const { chain, settings } = context
    if (chain === null) return { done: 0 }
    if (factoriesOf(chain).size === 0) return { done: 0 }
    const stream = vaultEventStream(context, chain)
    const opened = await openStream(context, stream, signal)
    const { position, safe, head } = opened
    const toBlock = Math.min(safe, position.nextBlock + settings.vaultEventsMaxBlocksPerTick - 1)
    let at = position
    let done = 0
    const counted: Record<string, number> = {}
    await withinBudget(signal, chainIndexer.jobs.vaultEvents.budgetSec, async (budget) => {
      const factories = await coverFactories(context, opened, budget)
      const read = (reading: AbortSignal) =>
        decodedChunks(context, chain, factories, { from: at.nextBlock, to: toBlock, head, signal: reading })
      for await (const { chunk, logs } of readAhead(budget, read)) {
        at = await store(context, stream, at, chunk, logs)
        done += logs.length
        for (const { name } of logs) counted[name] = (counted[name] ?? 0) + 1
      }
    })
    return { done, next_block: at.nextBlock, dry_run: stream.dryRun, ...counted }
  }

/** Returns the stream of the events of factories and vaults. */
export function vaultEventStream({ settings, clock }: Context, chain: Chain): Stream {
  return {
    name: 'vault_events',
    chain,
    dryRun: settings.vaultEventsDryRun,
    startBlock: () => settings.vaultEventsStartBlock ?? chain.deployment?.start_block ?? 0,
    takeBack: async (tx, above) => {
      await takeBackFactories(tx, chain.id, above)
      return takeBackLogs(tx, chain.id, above, clock.now())
    },
  }
}

interface Range {
  readonly from: number
  readonly to: number
  readonly head: number
  readonly signal: AbortSignal
}

async function* decodedChunks(
  { pool, settings }: Context,
  chain: Chain,
  factories: ReturnType<typeof factoriesOf>,
  { from: first, to: last, head, signal }: Range,
) {
  // Vaults of the previous part, whose chunks may not be stored yet.
  const announced = new Set<Address>()
  for (const { from, to, headers } of parts(first, last, head - DEEP_BLOCKS)) {
    const sweep: LogSweep = {
      fromBlock: BigInt(from),
      toBlock: BigInt(to),
      topics: sweptTopics,
      addresses: [...factories.keys(), ...(await vaultAddresses(pool, chain.id)), ...announced] as Address[],
      topicOnlyAbove: NAMED_VAULTS_MAX + factories.size,
      discover: (log) => {
        const vault = announcedVault(factories, log)
        if (vault !== null) announced.add(vault)
        return vault
      },
      span: settings.vaultEventsMaxSpan,
      headers,
      provenFrom: BigInt(Math.max(0, head - PROVEN_BLOCKS)),
      signal,
    }
    for await (const chunk of sweepLogs(chain, sweep))
      yield { chunk, logs: decodeLogs(factories, chunk.logs.map(logToRead)) }
  }
}

interface Part {
  readonly from: number
  readonly to: number
  readonly headers: 'every' | 'needed'
}

/** Splits a range into its deep part and the part near the head. */
function* parts(from: number, to: number, deepTo: number): Generator<Part, void, undefined> {
  const middle = Math.min(to, Math.max(deepTo, from - 1))
  if (from <= middle) yield { from, to: middle, headers: 'needed' }
  if (middle < to) yield { from: middle + 1, to, headers: 'every' }
}

async function store(
  context: Context,
  stream: Stream,
  from: Position,
  chunk: LogChunk,
  logs: ReturnType<typeof decodeLogs>,
): Promise<Position> {
  const read = { toBlock: Number(chunk.toBlock), parentHash: chunk.parentHash, anchors: chunk.anchors }
  return commitBlocks(context, stream, from, read, async (tx) => {
    await storeLogs(tx, stream.chain.id, logs, blockTimes(chunk.anchors))
    return []
  })
}
