import { ok, refuse, type Scope } from '@svc/contract'
import { identity } from '@svc/contracts/identity'
import { unknownAgentKey } from '@svc/contracts/identity/agents'
import { emit } from '@svc/postgres'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import { visibleAgent } from '../agent-view.ts'
import type { Context } from '#context.ts'
import { lockAccount } from '#accounts/store/accounts.ts'
import { setScopes } from '#keys/store/keys.ts'

const ALL: readonly Scope[] = ['read', 'write', 'tx']

export const setKeyScopes: BoundHandler<Context, typeof identity.operations.setKeyScopes> =
  ({ pool }) =>
  async ({ agent_id, key_id, scopes: wanted }, call) => {
    const owner = callerOf(call)
    await visibleAgent(pool, agent_id, owner)
    const scopes = ALL.filter((scope) => wanted.includes(scope))
    return call.effect(async (tx) => {
      // Making and revoking keys takes the same lock.
      await lockAccount(tx, agent_id)
      const changed = await setScopes(tx, agent_id, key_id, scopes, call.now)
      if (changed === null) return refuse(unknownAgentKey)
      if (changed) {
        await emit(tx, identity.events.keyScopesChanged, {
          account_id: agent_id,
          key_id,
          scopes,
          changed_by: owner.account_id,
          changed_at: call.now.toISOString(),
        })
      }
      return ok(200, { ok: true, agent_id, key_id, scopes })
    })
  }
