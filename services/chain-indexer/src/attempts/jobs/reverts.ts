import { blockReceipts, readHeader, RpcInconsistent, type BlockHeader, type Chain } from '@svc/chain'
import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Job } from '@svc/service'
import { hexToBigInt, type Hex, type TransactionReceipt } from 'viem'
import { booksBefore } from '#vaults/books-before.ts'
import type { Context } from '#context.ts'
import { judgeAttempt } from '../judge-attempt.ts'
import { openStream } from '#streams/open-stream.ts'
import { orphanAttempts, putAttempt, type FoundAttempt } from '../store/attempts.ts'
import { findCursor } from '#streams/store/cursors.ts'
import { findVaults, vaultAddresses, type StoredVault } from '#vaults/store/vaults.ts'
import { commitBlocks, type Position, type Stream } from '#streams/stream.ts'
import { addressOf } from '#wire-values.ts'
import { withinBudget } from '#streams/within-budget.ts'

const { attemptReverted } = chainIndexer.events

/** Number of blocks that are read and stored together. */
const BATCH_BLOCKS = 10

/**
 * Reads the receipts of blocks whose events the sweep has stored, and finds calls of vaults that reverted. The events must
 * be known first: why a call reverted follows from them.
 */
export const reverts =
  (context: Context): Job =>
  async (signal) => {
    const { chain, pool, settings } = context
    if (chain === null || !settings.vaultEventsReverts) return { done: 0 }
    const swept = await findCursor(pool, chain.id, 'vault_events')
    if (swept === null) return { done: 0 }
    const stream = revertStream(context, chain, swept.next_block)
    const { position, safe } = await openStream(context, stream, signal)
    const vaults = new Set((await vaultAddresses(pool, chain.id)).map((address) => address.toLowerCase()))
    const last = Math.min(safe, swept.next_block - 1, position.nextBlock + settings.revertBlocksPerTick - 1)
    let at = position
    let done = 0
    await withinBudget(signal, settings.revertBudgetSec, async (budget) => {
      while (at.nextBlock <= last && !budget.aborted) {
        const to = Math.min(last, at.nextBlock + BATCH_BLOCKS - 1)
        const headers = await readHeaders(chain, at.nextBlock, to, budget)
        const attempts = await findAttempts(context, chain, headers, vaults, budget)
        // The attempts hold only if the books belong to the same chain as the blocks.
        const { hash } = await readHeader(chain, BigInt(swept.anchor_number), budget)
        if (hash !== swept.anchor_hash) throw new RpcInconsistent('the sweep is at a block that was replaced')
        at = await store(context, stream, at, headers, attempts)
        done += attempts.length
      }
    })
    return { done, next_block: at.nextBlock, dry_run: stream.dryRun }
  }

/** Returns the stream of reverted calls, which begins at most the backfill before `sweptTo`. */
export function revertStream({ settings, clock }: Context, chain: Chain, sweptTo: number): Stream {
  return {
    name: 'reverts',
    chain,
    dryRun: settings.vaultEventsDryRun,
    startBlock: () => Math.max(0, sweptTo - settings.revertBackfillMaxBlocks),
    takeBack: async (tx, above) =>
      (await orphanAttempts(tx, chain.id, above, clock.now())).map((payload) => ({ event: attemptReverted, payload })),
  }
}

async function readHeaders(
  chain: Chain,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<readonly BlockHeader[]> {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => BigInt(from + at))
  const headers = await Promise.all(numbers.map((number) => readHeader(chain, number, signal)))
  headers.forEach((header, at) => {
    if (at > 0 && header.parentHash !== headers[at - 1]?.hash)
      throw new RpcInconsistent(`block ${header.number} does not follow the block before it`)
  })
  return headers
}

async function findAttempts(
  context: Context,
  chain: Chain,
  headers: readonly BlockHeader[],
  vaults: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly FoundAttempt[]> {
  const wanted = ({ to: callee }: { to: string | null }) => callee !== null && vaults.has(callee.toLowerCase())
  const receipts = await Promise.all(headers.map((header) => blockReceipts(chain, header, { wanted, signal })))
  const attempts: FoundAttempt[] = []
  for (const [at, header] of headers.entries())
    for (const receipt of receipts[at] ?? []) {
      const attempt = receipt.status === 'reverted' ? await judge(context, chain, header, receipt, signal) : null
      if (attempt !== null) attempts.push(attempt)
    }
  return attempts
}

/** Returns the attempt behind a reverted call of a vault; null if the call is not the agent's or not an `execute`. */
async function judge(
  { pool }: Context,
  chain: Chain,
  { timestamp }: BlockHeader,
  receipt: TransactionReceipt,
  signal: AbortSignal,
): Promise<FoundAttempt | null> {
  if (receipt.to === null) return null
  const [vault] = await findVaults(pool, chain.id, [addressOf(receipt.to)])
  if (vault === undefined) return null
  const place = { block: Number(receipt.blockNumber), txIndex: receipt.transactionIndex }
  const books = await booksBefore(pool, chain.id, vault.address, place)
  if (!isAgent(vault, books?.agent ?? null, receipt.from)) return null
  const answer = await chain.request('eth_getTransactionByHash', [receipt.transactionHash], signal)
  const { input, gas } = (answer ?? {}) as { input?: Hex; gas?: Hex }
  if (input === undefined || gas === undefined)
    throw new RpcInconsistent(`transaction ${receipt.transactionHash} has a receipt but cannot be read`)
  const reverted = { receipt, input, gas: hexToBigInt(gas), timestamp }
  return judgeAttempt(chain, reverted, books === null ? null : { books, terms: vault.terms }, signal)
}

/** True for the agent at that time and for the agent of the terms: a pause or stop removes the agent, and its attempts still count. */
function isAgent({ terms }: StoredVault, agent: string | null, from: string): boolean {
  return [agent, terms.agent].some((address) => address?.toLowerCase() === from.toLowerCase())
}

function store(
  context: Context,
  stream: Stream,
  from: Position,
  headers: readonly BlockHeader[],
  attempts: readonly FoundAttempt[],
): Promise<Position> {
  const [first] = headers
  const last = headers.at(-1)
  if (first === undefined || last === undefined) throw new Error('no block was read')
  const holding = new Set(attempts.map(({ block_number }) => block_number))
  const anchors = headers.filter((header) => header === last || holding.has(Number(header.number)))
  const read = { toBlock: Number(last.number), parentHash: first.parentHash, anchors }
  return commitBlocks(context, stream, from, read, async (tx) => {
    const emissions = []
    for (const attempt of attempts) emissions.push({ event: attemptReverted, payload: await putAttempt(tx, attempt) })
    return emissions
  })
}
