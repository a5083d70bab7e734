import { type Hex, hexToBytes, keccak256 } from 'viem'
import { remembered } from './remembered.ts'

const BLOOM_BITS = 2048

/** Returns the three bits that a value sets in a block's log bloom (Ethereum yellow paper, 4.4.3). */
function hashedBits(value: Hex): readonly number[] {
  const hash = hexToBytes(keccak256(value))
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & (BLOOM_BITS - 1))
}

/** Cached, because a sweep tests the same addresses for every block. */
const bitsOf = remembered(50_000, hashedBits)

const bytesOf = (hex: Hex): Uint8Array => Buffer.from(hex.slice(2), 'hex')

/** Returns whether a bloom has the bits of every value; false is certain, true may be chance. */
export function inBloom(logsBloom: Hex, values: Iterable<Hex>): boolean {
  const bloom = bytesOf(logsBloom)
  for (const value of values) if (!hasBits(bloom, bitsOf(value))) return false
  return true
}

function hasBits(bloom: Uint8Array, bits: readonly number[]): boolean {
  return bits.every((bit) => ((bloom[bloom.length - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Tests whether a block's bloom has an address, a topic and, if given, a third topic of a log call. */
export interface BloomFilter {
  /** False is certain; true may be chance. */
  mayHold(logsBloom: Hex): boolean
}

/** Returns a filter for one of `addresses` (null: any), one of `topics`, and one of `thirdTopics` if given. */
export function bloomFilter(
  addresses: readonly Hex[] | null,
  topics: readonly Hex[],
  thirdTopics?: readonly Hex[],
): BloomFilter {
  const ofAddresses = addresses?.map(bitsOf) ?? null
  const ofTopics = topics.map(bitsOf)
  const ofThird = thirdTopics?.map(bitsOf) ?? null
  return {
    mayHold: (logsBloom) => {
      const bloom = bytesOf(logsBloom)
      const has = (bits: readonly number[]) => hasBits(bloom, bits)
      return (
        (ofAddresses === null ? bloom.some((byte) => byte !== 0) : ofAddresses.some(has)) &&
        ofTopics.some(has) &&
        (ofThird === null || ofThird.some(has))
      )
    },
  }
}
