import { RpcInconsistent, RpcRefused, sweepLogs, type Chain } from '@svc/chain'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import { announcedVault, decodeLogs, factoriesOf, logToRead, sweptTopics } from './decode-logs.ts'
import type { OpenedStream } from '#streams/open-stream.ts'
import { storeLogs } from './store-logs.ts'
import { lateFactories, putFactory, type LateFactory } from './store/factories.ts'
import { vaultsOfFactory } from './store/vaults.ts'
import { commitBehind, DEEP_BLOCKS } from '#streams/stream.ts'
import { blockTimes } from '#wire-values.ts'

/**
 * Returns the factories that the stream reads. A factory that was configured after the stream had passed some blocks is
 * first read in these blocks, some per run, while the stream continues with the others; then it is added to the stream.
 * Rejects as `sweepLogs` and `commitBehind` do.
 */
export async function coverFactories(
  context: Context,
  opened: OpenedStream,
  signal: AbortSignal,
): Promise<ReturnType<typeof factoriesOf>> {
  const { stream } = opened
  const { chain } = stream
  const factories = factoriesOf(chain)
  if (stream.dryRun) return factories
  const late = await lateFactories(context.pool, chain.id, [...factories.keys()], stream.startBlock(opened.head))
  const behind = new Set<string>()
  for (const factory of late) {
    const caughtUp = await lookBack(context, opened, factory, signal)
    if (!caughtUp) behind.add(factory.address)
  }
  return new Map([...factories].filter(([address]) => !behind.has(address)))
}

/** Reads the next blocks behind the position for a factory; returns true once no blocks are left. */
async function lookBack(
  context: Context,
  { stream, position, head }: OpenedStream,
  { address, next_block }: LateFactory,
  signal: AbortSignal,
): Promise<boolean> {
  const { pool, settings, log } = context
  const { chain } = stream
  const last = position.nextBlock - 1
  const to = Math.min(last, next_block + settings.vaultEventsMaxBlocksPerTick - 1)
  if (next_block > last || !(await hadCode(chain, address, position.anchor.number, signal))) {
    await commitBehind(context, stream, position, async (tx) => {
      await putFactory(tx, chain.id, address, null)
      return []
    })
    return true
  }
  const factory = new Map([...factoriesOf(chain)].filter(([one]) => one === address))
  const chunks = sweepLogs(chain, {
    fromBlock: BigInt(next_block),
    toBlock: BigInt(to),
    topics: sweptTopics,
    addresses: [address, ...(await vaultsOfFactory(pool, chain.id, address))] as Address[],
    discover: (log) => announcedVault(factory, log),
    span: settings.vaultEventsMaxSpan,
    headers: to < head - DEEP_BLOCKS ? 'needed' : 'every',
    signal,
  })
  let follows: string | null = null
  for await (const { toBlock, parentHash, anchors, logs } of chunks) {
    if (follows !== null && parentHash !== follows)
      throw new RpcInconsistent(`block ${toBlock} does not follow the blocks read before it`)
    follows = anchors.at(-1)?.hash ?? null
    const reached = Number(toBlock)
    if (reached === last && follows !== position.anchor.hash)
      throw new RpcInconsistent(`block ${toBlock} is not the one at the position of ${stream.name}`)
    await commitBehind(context, stream, position, async (tx) => {
      await storeLogs(tx, chain.id, decodeLogs(factory, logs.map(logToRead)), blockTimes(anchors))
      await putFactory(tx, chain.id, address, reached === last ? null : reached + 1)
      return []
    })
  }
  log.info({ factory: address, next_block: to + 1, until: last }, 'blocks before a factory was configured are read')
  return to === last
}

/** Returns whether the factory had code at a block; true also if the node does not have the state of that block. */
async function hadCode(chain: Chain, address: string, block: number, signal: AbortSignal): Promise<boolean> {
  try {
    return (await chain.request('eth_getCode', [address, `0x${block.toString(16)}`], signal)) !== '0x'
  } catch (error) {
    if (error instanceof RpcRefused) return true
    throw error
  }
}
