import { ok, refuse } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { keyRefusals } from '@svc/contracts/identity/keys'
import { emit } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import type { Context } from '#context.ts'
import { lockAccount } from '#accounts/store/accounts.ts'
import { revokeKey as revokeStored } from '../store/keys.ts'

const { unknownKey } = keyRefusals

export const revokeKey: BoundHandler<Context, typeof identity.operations.revokeKey> =
  () =>
  async ({ key_id }, call) => {
    const { account_id } = callerOf(call)
    return call.effect(async (tx) => {
      // Making a key takes the same lock, so that a key cannot make another one while it is being revoked.
      await lockAccount(tx, account_id)
      const revoked = await revokeStored(tx, account_id, key_id, call.now)
      if (revoked === null) refuse(unknownKey)
      if (revoked.fresh)
        await emit(tx, identity.events.keyRevoked, { account_id, key_id, revoked_at: revoked.revokedAt })
      return ok(200, { ok: true, key_id, revoked_at: revoked.revokedAt })
    })
  }
