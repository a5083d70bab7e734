import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Address,
  type Hex,
  recoverAddress,
} from 'viem'

/** Half the order of secp256k1: a canonical signature has `s` at or below it. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 2n * HALF_ORDER + 1n

/**
 * Judges a signature over a digest as plain ECDSA over secp256k1.
 * `signed`: canonical and by the wallet. `malleable`: by the wallet, but in a second form (high `s`, or `v` other than
 * 27 and 28) that anybody can compute from the first. `other`: not by this key; the wallet may be a contract.
 */
export async function judgeSignature(
  digest: Hex,
  signature: Hex,
  wallet: string,
): Promise<'signed' | 'malleable' | 'other'> {
  const found = await signerOf(digest, signature)
  if (found?.wallet !== wallet.toLowerCase()) return 'other'
  return found.isCanonical ? 'signed' : 'malleable'
}

/** Returns whose key made a signature, in lower case, and whether in its canonical form; null if no key can have made it. */
export async function signerOf(
  digest: Hex,
  signature: Hex,
): Promise<{ readonly wallet: Hex; readonly isCanonical: boolean } | null> {
  if (signature.length !== 132) return null
  const r = BigInt(signature.slice(0, 66))
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = Number(`0x${signature.slice(130)}`)
  const parity = v === 27 || v === 28 ? v - 27 : v === 0 || v === 1 ? v : null
  if (parity === null || r === 0n || r >= ORDER || s === 0n || s >= ORDER) return null
  const wallet = await recovered(digest, `${signature.slice(0, 130)}${parity === 0 ? '1b' : '1c'}` as Hex)
  return wallet === null ? null : { wallet, isCanonical: s <= HALF_ORDER && v >= 27 }
}

async function recovered(hash: Hex, signature: Hex): Promise<Hex | null> {
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase() as Hex
  } catch {
    return null
  }
}

/**
 * Returns creation code that, in a call without `to`, tests whether the contract at `wallet` accepts the signature
 * (ERC-1271), or the contract that its wrapper deploys (ERC-6492). Read the result with `takesSignature`.
 */
export function signatureCheck(wallet: Address, digest: Hex, signature: Hex): Hex {
  return encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, digest, signature],
  })
}

/** Returns whether the result of `signatureCheck` accepts the signature. */
export function takesSignature(answer: Hex): boolean {
  return /^0x0*1$/.test(answer)
}
