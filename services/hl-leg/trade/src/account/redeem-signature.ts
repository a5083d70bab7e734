import { refuse } from '@svc/contract'
import { linkNonceUnknown, linkSignatureInvalid } from '@svc/contracts/identity/wallets'
import { RemoteRefusal } from '@svc/service'
import type { Address } from 'viem'
import type { Context } from '#context.ts'

/**
 * Returns the wallet that signed an open message of an account, in lower case. `close` uses the message up: of all calls
 * with one signature exactly one closes it.
 */
export async function redeemSignature(
  { identity }: Pick<Context, 'identity'>,
  asked: { readonly accountId: number; readonly signature: string; readonly close: boolean },
): Promise<Address> {
  const { accountId: account_id, signature, close } = asked
  try {
    const { wallet_address } = await identity.redeemLinkNonce({ account_id, signature, close })
    return wallet_address.toLowerCase() as Address
  } catch (error) {
    if (error instanceof RemoteRefusal && error.body.code === linkNonceUnknown.code) refuse(linkNonceUnknown)
    if (error instanceof RemoteRefusal && error.body.code === linkSignatureInvalid.code) refuse(linkSignatureInvalid)
    throw error
  }
}
