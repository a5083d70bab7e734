import type { Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** A wallet as a page sees it: it signs typed data and nothing else (EIP-1193, `eth_signTypedData_v4`). */
export interface TypedDataWallet {
  readonly address: string
  request(call: { readonly method: 'eth_signTypedData_v4'; readonly params: readonly [string, string] }): Promise<Hex>
}

/** What a page gets from the API for a key in the browser to sign, and where it posts it. */
export interface ClientOrder {
  readonly typed_data: unknown
  readonly action: unknown
  readonly nonce: number
  readonly expires_after: number | null
  readonly post_to: string
}

/** Returns a wallet that knows one method, with a key of its own or that of an account. */
export function typedDataWallet(account: LocalAccount = privateKeyToAccount(generatePrivateKey())): TypedDataWallet {
  return {
    address: account.address,
    request: async ({ params: [address, json] }) => {
      if (address.toLowerCase() !== account.address.toLowerCase())
        throw new Error(`the wallet has no key of ${address}`)
      const { types, ...rest } = JSON.parse(json) as Parameters<LocalAccount['signTypedData']>[0]
      const { EIP712Domain: _, ...named } = types as Record<string, unknown>
      return account.signTypedData({ ...rest, types: named } as Parameters<LocalAccount['signTypedData']>[0])
    },
  }
}

/** Has a wallet sign typed data, as a page does. */
export const signTyped = (wallet: TypedDataWallet, typedData: unknown): Promise<Hex> =>
  wallet.request({ method: 'eth_signTypedData_v4', params: [wallet.address, JSON.stringify(typedData)] })

/** Signs an order with the key of the browser and posts it to the venue; returns the venue's answer. */
export async function postOrder(key: TypedDataWallet, order: ClientOrder): Promise<unknown> {
  const signature = await signTyped(key, order.typed_data)
  const { action, nonce, expires_after: expiresAfter } = order
  const answer = await fetch(order.post_to, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      action,
      nonce,
      signature: {
        r: signature.slice(0, 66),
        s: `0x${signature.slice(66, 130)}`,
        v: Number(`0x${signature.slice(130)}`),
      },
      ...(expiresAfter === null ? {} : { expiresAfter }),
    }),
  })
  return answer.json()
}
