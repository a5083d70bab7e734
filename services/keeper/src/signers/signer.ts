import { Outage } from '@svc/service'
import {
  type Address,
  type Hex,
  isAddressEqual,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  serializeTransaction,
} from 'viem'

/** An unsigned transaction: a call without ether, a transfer of ether, or an empty transaction to the sender. */
export interface UnsignedTransaction {
  readonly type: 'eip1559'
  readonly chainId: number
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Signs with the key of one account. It sends nothing. */
export interface Signer {
  readonly address: Address
  /** Returns the signed transaction, serialised. Rejects with `Outage`; no error contains a key or a token. */
  sign(transaction: UnsignedTransaction): Promise<Hex>
}

/** The signer failed, or signed something else than it was asked to. */
export class SignerOutage extends Outage {
  constructor(detail: string) {
    super('signer', detail)
  }
}

/** A signed transaction, ready to be broadcast. */
export interface Signed {
  readonly raw: Hex
  readonly hash: Hex
}

/** Signs, and verifies that the result is this transaction by this account: a remote signer is not trusted. */
export async function signChecked(signer: Signer, transaction: UnsignedTransaction): Promise<Signed> {
  const raw = await signer.sign(transaction)
  if (!(await isSigned(raw, signer.address, transaction)))
    throw new SignerOutage('the signer returned another transaction than the one it was asked to sign')
  return { raw, hash: keccak256(raw) }
}

async function isSigned(raw: Hex, address: Address, transaction: UnsignedTransaction): Promise<boolean> {
  try {
    const { r: _r, s: _s, v: _v, yParity: _yParity, ...parsed } = parseTransaction(raw as `0x02${string}`)
    return (
      serializeTransaction(parsed) === serializeTransaction(transaction) &&
      isAddressEqual(await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized }), address)
    )
  } catch {
    return false
  }
}
