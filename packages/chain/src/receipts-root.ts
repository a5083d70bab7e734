import { concat, type Hex, keccak256, numberToHex, toRlp } from 'viem'

/** The members of a receipt to which a block's header commits, as the RPC returns them. */
export interface CommittedReceipt {
  readonly type?: Hex
  readonly status: Hex
  readonly cumulativeGasUsed: Hex
  readonly logsBloom: Hex
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[]
  /** Deposits on OP-stack chains since Canyon. */
  readonly depositNonce?: Hex
  readonly depositReceiptVersion?: Hex
}

type Rlp = Hex | readonly Rlp[]
interface Leaf {
  /** Nibbles. */
  readonly key: readonly number[]
  readonly value: Hex
}

/** Shorter nodes are embedded in their parent; longer ones are referenced by their hash. */
const HASHED_FROM_BYTES = 32

/**
 * Returns the root of the trie of all receipts of a block, in order (Ethereum yellow paper, 4.4.2 and appendix D; EIP-2718
 * for typed ones). Equals `receiptsRoot` of the block's header if no receipt was changed, added or omitted.
 */
export function receiptsRootOf(receipts: readonly CommittedReceipt[]): Hex {
  const leaves = receipts.map((receipt, at): Leaf => ({
    key: nibbles(rlp(integer(BigInt(at)))),
    value: encoded(receipt),
  }))
  return keccak256(rlp(node(leaves, 0)))
}

function encoded(receipt: CommittedReceipt): Hex {
  const { type = '0x0', status, cumulativeGasUsed, logsBloom, logs, depositNonce, depositReceiptVersion } = receipt
  const deposit =
    depositNonce === undefined || depositReceiptVersion === undefined ? [] : [depositNonce, depositReceiptVersion]
  const body = rlp([
    integer(BigInt(status)),
    integer(BigInt(cumulativeGasUsed)),
    logsBloom,
    logs.map(({ address, topics, data }) => [address, topics, data]),
    ...deposit.map((value) => integer(BigInt(value))),
  ])
  return BigInt(type) === 0n ? body : concat([numberToHex(BigInt(type)), body])
}

/** Returns the node of leaves that share their first `depth` nibbles. */
function node(leaves: readonly Leaf[], depth: number): Rlp {
  const [first, ...others] = leaves
  if (first === undefined) return '0x'
  if (others.length === 0) return [compact(first.key.slice(depth), true), first.value]
  let shared = depth
  while (shared < first.key.length && others.every(({ key }) => key[shared] === first.key[shared])) shared += 1
  if (shared > depth) return [compact(first.key.slice(depth, shared), false), reference(leaves, shared)]
  const branches = Array.from({ length: 16 }, (_, nibble): Rlp => {
    const below = leaves.filter(({ key }) => key[depth] === nibble)
    return below.length === 0 ? '0x' : reference(below, depth + 1)
  })
  return [...branches, leaves.find(({ key }) => key.length === depth)?.value ?? '0x']
}

function reference(leaves: readonly Leaf[], depth: number): Rlp {
  const own = node(leaves, depth)
  const bytes = rlp(own)
  return (bytes.length - 2) / 2 < HASHED_FROM_BYTES ? own : keccak256(bytes)
}

/** Encodes nibbles as bytes, with flags for the kind of node and an odd number of nibbles. */
function compact(path: readonly number[], isLeaf: boolean): Hex {
  const odd = path.length % 2
  const all = [(isLeaf ? 2 : 0) + odd, ...(odd === 1 ? [] : [0]), ...path]
  return `0x${all.map((nibble) => nibble.toString(16)).join('')}`
}

const nibbles = (bytes: Hex): number[] => Array.from(bytes.slice(2), (digit) => Number.parseInt(digit, 16))
const integer = (value: bigint): Hex => (value === 0n ? '0x' : numberToHex(value))
const rlp = (value: Rlp): Hex => toRlp(value as Parameters<typeof toRlp>[0]) as Hex
