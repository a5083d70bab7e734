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

/** A transaction that is to be signed: a call without ether, or nothing at all to the sender itself. */
export interface UnsignedTransaction {
  readonly type: 'eip1559'
  readonly chainId: number
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Holds the key of one account and signs with it; it sends nothing. */
export interface Signer {
  readonly address: Address
  /** The signed transaction, serialised. Rejects with `Outage`; no error carries a key or a token. */
  sign(transaction: UnsignedTransaction): Promise<Hex>
}

/** The signer did not sign what it was asked to. */
export class SignerOutage extends Outage {
  constructor(detail: string) {
    super('signer', detail)
  }
}

/** A signed transaction, ready to be handed to an RPC. */
export interface Signed {
  readonly raw: Hex
  readonly hash: Hex
}

/** Signs, and makes sure that the answer is this very transaction by this very account: a signer elsewhere is not trusted. */
export async function signChecked(signer: Signer, transaction: UnsignedTransaction): Promise<Signed> {
  const raw = await signer.sign(transaction)
  if (!(await isSigned(raw, signer.address, transaction)))
    throw new SignerOutage('the signer answered with something else than the transaction it was given')
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
