import { hashMessage } from 'viem/utils'

export type Hex = `0x${string}`

/** Longest signature that is accepted: an ERC-6492 wrapper contains its factory call. */
export const SIGNATURE_BYTES_MAX = 8192

/** Returns true for hex bytes of a length that a signature may have. */
export function isSignature(text: string): text is Hex {
  return /^0x(?:[0-9a-fA-F]{2})+$/.test(text) && text.length <= 2 + 2 * SIGNATURE_BYTES_MAX
}

/** Returns the EIP-191 hash of a message, which wallets sign. */
export function personalHash(message: string): Hex {
  return hashMessage(message)
}
