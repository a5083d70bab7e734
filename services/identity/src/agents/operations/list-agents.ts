import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { PAIRED_AGENTS_MAX } from '@svc/contracts/identity/agents'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import { viewAgents } from '../agent-view.ts'
import type { Context } from '#context.ts'
import { pairedAgents } from '../store/agents.ts'

export const listAgents: BoundHandler<Context, typeof identity.operations.listAgents> =
  ({ pool }) =>
  async (_input, call) => {
    const { kind, account_id } = callerOf(call)
    const ids = kind === 'agent' ? [account_id] : await pairedAgents(pool, account_id, PAIRED_AGENTS_MAX)
    return ok(200, { items: await viewAgents(pool, ids, call.now), next_cursor: null })
  }
