import { ok, refuse } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { sessionRefusals } from '@svc/contracts/identity/sessions'
import type { BoundHandler } from '@svc/service'
import { timingSafeEqual } from 'node:crypto'
import type { Context } from '#context.ts'
import { sha256 } from '../rules/refresh-token.ts'

const { clientSecretWrong } = sessionRefusals

export const mintServiceToken: BoundHandler<Context, typeof identity.operations.mintServiceToken> =
  ({ keeperSecret, tokens }) =>
  async ({ client_secret }, call) => {
    // Hashes have equal lengths, so the time of the comparison depends neither on the input nor on the configuration.
    const same = timingSafeEqual(Buffer.from(sha256(client_secret)), Buffer.from(sha256(keeperSecret ?? '')))
    if (keeperSecret === null || !same) return refuse(clientSecretWrong)
    const minted = await tokens.forKeeper(keeperSecret, call.now)
    return ok(200, { ok: true, token: minted.token, expires_at: minted.expiresAt.toISOString() })
  }
