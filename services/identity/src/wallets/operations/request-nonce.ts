import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { newNonce } from '../new-nonce.ts'
import { expiryOf, writeMessage } from '../rules/sign-in-message.ts'
import { requesterOf, walletOf } from '../wallet-proof.ts'

export const requestNonce: BoundHandler<Context, typeof identity.operations.requestNonce> =
  ({ nonces, site }) =>
  async ({ wallet_address, purpose }, call) => {
    const challenge = { wallet: walletOf(wallet_address), purpose, nonce: newNonce(), issuedAt: call.now }
    const open = await nonces.add(
      challenge.wallet,
      purpose,
      {
        nonce: challenge.nonce,
        message: writeMessage(site, challenge),
        expires_at: expiryOf(challenge).toISOString(),
        requester: requesterOf(call),
      },
      call.now,
    )
    return ok(200, { nonce: open.nonce, message: open.message, expires_at: open.expires_at })
  }
