import { SettingError } from '@svc/contract'
import { type Hex, isHash } from 'viem'
import type { Chain } from './chain.ts'
import { RpcInconsistent } from './errors.ts'

/** The members of a block's header that are used. `timestamp` in Unix seconds. */
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

/** The members of a block that are kept to detect a reorganisation later. */
export type Anchor = Pick<BlockHeader, 'number' | 'hash' | 'parentHash' | 'timestamp'>

/** The error for a block that a node lacks, because it lags or the chain became shorter. */
const missing = (number: bigint) =>
  new RpcInconsistent(
    `block ${number} is missing: the RPC's nodes disagree about the head, or the chain was reorganised`,
  )

/** 2,048 bits. */
const BLOOM = /^0x[0-9a-f]{512}$/i

/** A number below 2^52. */
const QUANTITY = /^0x[0-9a-f]{1,13}$/i

type Served = Readonly<Record<string, unknown>>

/** Reads the header of a block; null if the RPC does not have it. Rejects with `RpcUnavailable` or `RpcInconsistent`. */
export async function findHeader(chain: Chain, number: bigint, signal?: AbortSignal): Promise<BlockHeader | null> {
  const answer: unknown = await chain.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false], signal)
  if (answer === null || answer === undefined) return null
  const { hash, parentHash, logsBloom, receiptsRoot, timestamp, transactions, number: served } = answer as Served
  const hashes = [hash, parentHash, receiptsRoot]
  if (!hashes.every((one) => isHash(String(one))) || !BLOOM.test(String(logsBloom)) || !Array.isArray(transactions))
    throw new RpcInconsistent(`block ${number} has no hash, parent, bloom, receipts root or transactions`)
  if (!QUANTITY.test(String(served)) || !QUANTITY.test(String(timestamp)) || BigInt(String(served)) !== number)
    throw new RpcInconsistent(`the response for block ${number} is another block, or a block without a time`)
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

/** Reads the header of a block. Rejects with `RpcInconsistent` if it is missing, otherwise as `findHeader` does. */
export async function readHeader(chain: Chain, number: bigint, signal?: AbortSignal): Promise<BlockHeader> {
  const header = await findHeader(chain, number, signal)
  if (header === null) throw missing(number)
  return header
}

/** Reads the number of the newest block. Rejects with `RpcUnavailable`, or `RpcInconsistent` for an invalid number. */
export async function headNumber(chain: Chain, signal?: AbortSignal): Promise<bigint> {
  const answer = String(await chain.request('eth_blockNumber', [], signal))
  if (!QUANTITY.test(answer)) throw new RpcInconsistent('eth_blockNumber returned an invalid number')
  return BigInt(answer)
}

/**
 * Verifies that the RPC still serves this chain, because blocks of another chain look like a reorganisation and the chain
 * id is otherwise checked only before the first read. Rejects with `SettingError`.
 */
export async function mustServeChain(chain: Chain, signal?: AbortSignal): Promise<void> {
  const served = Number(await chain.request('eth_chainId', [], signal))
  if (served !== chain.id)
    throw new SettingError(
      `HUB_RPC_URL serves chain ${served} now, but chain ${chain.id} is expected: correct HUB_RPC_URL.`,
    )
}

/** Returns the newest block that may be ingested: head minus `HUB_CONFIRMATIONS`, at least 0. Rejects as `headNumber` does. */
export async function safeHead(chain: Chain, signal?: AbortSignal): Promise<bigint> {
  const safe = (await headNumber(chain, signal)) - BigInt(chain.confirmations)
  return safe > 0n ? safe : 0n
}

/**
 * Returns the newest of `anchors`, in any order, that is still in the chain; null if none is. Reads one header per step of a
 * binary search, because a block in the chain proves all blocks before it.
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
