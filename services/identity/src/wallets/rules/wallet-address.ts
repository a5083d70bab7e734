import { getAddress } from 'viem/utils'

/** A wallet address in lower case: the form that is stored and compared. */
export type Wallet = `0x${string}`

const SHAPE = /^0x[0-9a-fA-F]{40}$/
const ZERO = `0x${'0'.repeat(40)}`

/** Returns the EIP-55 form, for answers and messages. */
export function checksummed(wallet: string): Wallet {
  return getAddress(wallet.toLowerCase() as Wallet)
}

/**
 * Parses an address in one case or with a correct EIP-55 checksum. A wrong checksum is a typing mistake, which would
 * otherwise register a wallet that is not the caller's.
 */
export function parseWallet(text: string): { wallet: Wallet } | { problem: 'shape' | 'checksum' | 'zero' } {
  if (!SHAPE.test(text)) return { problem: 'shape' }
  const lower = text.toLowerCase() as Wallet
  if (lower === ZERO) return { problem: 'zero' }
  const digits = text.slice(2)
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return oneCase || text === checksummed(lower) ? { wallet: lower } : { problem: 'checksum' }
}
