import { ok, refuse } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { linkNonceUnknown, linkSignatureInvalid } from '@svc/contracts/identity/wallets'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { signerOf } from '@svc/chain/signatures'
import { isSignature, personalHash, type Hex } from '../rules/signature.ts'
import { readMessage } from '../rules/sign-in-message.ts'
import { checksummed, type Wallet } from '../rules/wallet-address.ts'
import type { OpenNonce } from '../store/nonces.ts'

export const redeemLinkNonce: BoundHandler<Context, typeof identity.operations.redeemLinkNonce> =
  (context) =>
  async ({ account_id, signature, close }, call) => {
    const open = (await context.nonces.listLinks(account_id)).filter(
      ({ expires_at }) => Date.parse(expires_at) > call.now.getTime(),
    )
    if (open.length === 0) refuse(linkNonceUnknown)
    if (!isSignature(signature)) refuse(linkSignatureInvalid)
    const signed = await signedOf(context, { accountId: account_id, open, signature, now: call.now })
    if (signed === null) refuse(linkSignatureInvalid)
    if (close && !(await context.nonces.consumeLink(account_id, signed.message))) refuse(linkNonceUnknown)
    return ok(200, { wallet_address: checksummed(signed.wallet) })
  }

/** Returns the message that the wallet which it names signed; null if there is none. */
async function signedOf(
  { site }: Pick<Context, 'site'>,
  asked: {
    readonly accountId: number
    readonly open: readonly OpenNonce[]
    readonly signature: Hex
    readonly now: Date
  },
): Promise<{ readonly message: OpenNonce; readonly wallet: Wallet } | null> {
  for (const message of asked.open) {
    const signer = await signerOf(personalHash(message.message), asked.signature)
    if (signer === null || !signer.isCanonical) continue
    const { wallet } = signer
    const expected = { site, wallet, purpose: { link: asked.accountId }, now: asked.now }
    if ('nonce' in readMessage(message.message, expected)) return { message, wallet }
  }
  return null
}
