import { SettingError } from '@svc/contract'
import { type Hex, isHash } from 'viem'
import type { Chain } from './chain.ts'
import { RpcInconsistent } from './errors.ts'

/** A block's place in the chain. `timestamp` in seconds since 1970. */
export interface BlockHeader {
  readonly number: bigint
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: bigint
  readonly logsBloom: Hex
  /** Commits to the receipts of its transactions. */
  readonly receiptsRoot: Hex
  /** Hashes of its transactions, in order. */
  readonly transactions: readonly Hex[]
}

/** What is kept of a block to recognise a reorganisation later. */
export type Anchor = Pick<BlockHeader, 'number' | 'hash' | 'parentHash' | 'timestamp'>

/** A block that a node has not, because it lags, or because the chain became shorter. */
const missing = (number: bigint) =>
  new RpcInconsistent(
    `block ${number} is not there: the RPC's nodes disagree about the head, or the chain was reorganised`,
  )

/** 2,048 bits. */
const BLOOM = /^0x[0-9a-f]{512}$/i

/** A number below 2^52. */
const QUANTITY = /^0x[0-9a-f]{1,13}$/i

type Served = Readonly<Record<string, unknown>>

/** Header of a block; null when the RPC has no such block. Rejects with `RpcUnavailable`, `RpcInconsistent`. */
export async function findHeader(chain: Chain, number: bigint, signal?: AbortSignal): Promise<BlockHeader | null> {
  const answer: unknown = await chain.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false], signal)
  if (answer === null || answer === undefined) return null
  const { hash, parentHash, logsBloom, receiptsRoot, timestamp, transactions, number: served } = answer as Served
  const hashes = [hash, parentHash, receiptsRoot]
  if (!hashes.every((one) => isHash(String(one))) || !BLOOM.test(String(logsBloom)) || !Array.isArray(transactions))
    throw new RpcInconsistent(`block ${number} comes without hash, parent, bloom, root of receipts or transactions`)
  if (!QUANTITY.test(String(served)) || !QUANTITY.test(String(timestamp)) || BigInt(String(served)) !== number)
    throw new RpcInconsistent(`block ${number} was asked for and another one came, or one without a time`)
  return {
    number,
    hash: hash as Hex,
    parentHash: parentHash as Hex,
    timestamp: BigInt(String(timestamp)),
    logsBloom: logsBloom as Hex,
    receiptsRoot: receiptsRoot as Hex,
    transactions: transactions as Hex[],
  }
}

/** Header of a block that must be there. */
export async function readHeader(chain: Chain, number: bigint, signal?: AbortSignal): Promise<BlockHeader> {
  const header = await findHeader(chain, number, signal)
  if (header === null) throw missing(number)
  return header
}

/** Number of the newest block. Rejects with `RpcUnavailable`, `RpcInconsistent` for an answer that is no number. */
export async function headNumber(chain: Chain, signal?: AbortSignal): Promise<bigint> {
  const answer = String(await chain.request('eth_blockNumber', [], signal))
  if (!QUANTITY.test(answer)) throw new RpcInconsistent('eth_blockNumber answered no number')
  return BigInt(answer)
}

/**
 * Makes sure that the RPC still serves this chain, which else is asked before the first read only: blocks of another
 * chain look like a reorganisation. Throws `SettingError`.
 */
export async function mustServeChain(chain: Chain, signal?: AbortSignal): Promise<void> {
  const served = Number(await chain.request('eth_chainId', [], signal))
  if (served !== chain.id)
    throw new SettingError(
      `HUB_RPC_URL serves chain ${served} now, but chain ${chain.id} is expected: correct HUB_RPC_URL.`,
    )
}

/** Newest block that may be ingested: head minus `HUB_CONFIRMATIONS`, never below 0. A failed head read rejects. */
export async function safeHead(chain: Chain, signal?: AbortSignal): Promise<bigint> {
  const safe = (await headNumber(chain, signal)) - BigInt(chain.confirmations)
  return safe > 0n ? safe : 0n
}

/**
 * Newest of `anchors` (any order) that is still in the chain, or null when none is. One header read per step of a
 * binary search: a block that is still there proves all before it.
 */
export async function lastCanonical<A extends Pick<Anchor, 'number' | 'hash'>>(
  chain: Chain,
  anchors: readonly A[],
  signal?: AbortSignal,
): Promise<A | null> {
  const rising = anchors.toSorted((a, b) => (a.number < b.number ? -1 : a.number > b.number ? 1 : 0))
  let good: A | null = null
  let low = 0
  let high = rising.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const anchor = rising[middle]
    if (anchor === undefined) break
    if ((await findHeader(chain, anchor.number, signal))?.hash === anchor.hash) {
      good = anchor
      low = middle + 1
    } else high = middle - 1
  }
  return good
}
