import { hashMessage, recoverAddress } from 'viem/utils'
import type { Wallet } from './wallet-address.ts'

/** Half the order of secp256k1: a canonical signature has `s` at or below it. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 2n * HALF_ORDER + 1n

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

/**
 * Judges a signature as plain ECDSA over secp256k1.
 * `signed`: canonical and by the wallet. `malleable`: by the wallet, but in a second form (high `s`, or `v` other than
 * 27 and 28), which anybody can compute from the first; refused, so that one act of signing has one signature.
 * `other`: not by this key; the wallet may still be a contract.
 */
export async function judgeEcdsa(hash: Hex, signature: Hex, wallet: Wallet): Promise<'signed' | 'malleable' | 'other'> {
  const found = await signerOf(hash, signature)
  if (found?.wallet !== wallet) return 'other'
  return found.isCanonical ? 'signed' : 'malleable'
}

/** Returns whose key made a signature, and whether in its canonical form; null if no key can have made it. */
export async function signerOf(
  hash: Hex,
  signature: Hex,
): Promise<{ readonly wallet: Wallet; readonly isCanonical: boolean } | null> {
  if (signature.length !== 132) return null
  const r = BigInt(signature.slice(0, 66))
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = Number(`0x${signature.slice(130)}`)
  const parity = v === 27 || v === 28 ? v - 27 : v === 0 || v === 1 ? v : null
  if (parity === null || r === 0n || r >= ORDER || s === 0n || s >= ORDER) return null
  const wallet = await recover(hash, `${signature.slice(0, 130)}${parity === 0 ? '1b' : '1c'}` as Hex)
  return wallet === null ? null : { wallet, isCanonical: s <= HALF_ORDER && v >= 27 }
}

async function recover(hash: Hex, signature: Hex): Promise<Wallet | null> {
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase() as Wallet
  } catch {
    return null
  }
}
