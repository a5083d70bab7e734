import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { newNonce } from '../new-nonce.ts'
import { expiryOf, writeMessage } from '../rules/sign-in-message.ts'
import { walletOf } from '../wallet-proof.ts'

export const requestLinkNonce: BoundHandler<Context, typeof identity.operations.requestLinkNonce> =
  ({ nonces, site }) =>
  async ({ account_id, wallet_address }, call) => {
    const challenge = {
      wallet: walletOf(wallet_address),
      purpose: { link: account_id },
      nonce: newNonce(),
      issuedAt: call.now,
    }
    const { nonce } = challenge
    const message = writeMessage(site, challenge)
    const expires_at = expiryOf(challenge).toISOString()
    await nonces.addLink(account_id, { nonce, message, expires_at, requester: `account ${account_id}` }, call.now)
    return ok(200, { nonce, message, expires_at })
  }
