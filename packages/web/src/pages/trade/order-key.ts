import { concatBytes, keccak256 } from 'viem/utils'
import { hashTypedData } from 'viem/utils'
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts'
import { bytesOf, pack, type Packed } from './msgpack.ts'

/** Signature as the venue takes it. */
export interface Signature {
  readonly r: `0x${string}`
  readonly s: `0x${string}`
  readonly v: 27 | 28
}

/** What a key signs: an order's action, its number and its expiry. */
export interface Signable {
  readonly action: Packed
  readonly nonce: number
  readonly expiresAfter: number
  readonly network: 'testnet' | 'mainnet'
}

/** A key of this page. The private key is in this closure alone: no member gives it out, and nothing stores it. */
export interface OrderKey {
  readonly address: string
  signOrder(order: Signable): Promise<Signature>
}

const NO_CONTRACT = `0x${'0'.repeat(40)}` as const

/** Returns the hash of an action as the venue computes it: Keccak-256 over MessagePack, number, no vault, expiry. */
export function actionHash({ action, nonce, expiresAfter }: Omit<Signable, 'network'>): `0x${string}` {
  const tail = Uint8Array.from([...bytesOf(BigInt(nonce), 8), 0, 0, ...bytesOf(BigInt(expiresAfter), 8)])
  return keccak256(concatBytes([pack(action), tail]))
}

/** Returns the typed data that a key signs for an action; chain 1337 is the venue's own, which wallets refuse. */
export const agentTypedData = (order: Signable) =>
  ({
    domain: { name: 'Exchange', version: '1', chainId: 1337, verifyingContract: NO_CONTRACT },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source: order.network === 'mainnet' ? 'a' : 'b', connectionId: actionHash(order) },
  }) as const

/** Makes a key for this page. It signs orders of the venue and nothing else, and is gone with the page. */
export function makeOrderKey(): OrderKey {
  const privateKey = generatePrivateKey()
  return {
    address: privateKeyToAddress(privateKey),
    signOrder: async (order) => {
      const { r, s, v } = await sign({ hash: hashTypedData(agentTypedData(order)), privateKey })
      return { r, s, v: v === 28n ? 28 : 27 }
    },
  }
}
