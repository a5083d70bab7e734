import { ok, refuse } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { sessionRefusals } from '@svc/contracts/identity/sessions'
import type { BoundHandler } from '@svc/service'
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '#context.ts'
import { sha256 } from '../rules/refresh-token.ts'

const { clientSecretWrong } = sessionRefusals

export const mintServiceToken: BoundHandler<Context, typeof identity.operations.mintServiceToken> =
  ({ keeperSecrets, tokens }) =>
  async ({ client_secret }, call) => {
    // Hashes have equal lengths, so the time of a comparison does not depend on the input.
    const given = Buffer.from(sha256(client_secret))
    const secret = keeperSecrets.find((one) => timingSafeEqual(given, Buffer.from(sha256(one))))
    if (secret === undefined) return refuse(clientSecretWrong)
    const minted = await tokens.forKeeper(secret, call.now)
    return ok(200, { ok: true, token: minted.token, expires_at: minted.expiresAt.toISOString() })
  }
