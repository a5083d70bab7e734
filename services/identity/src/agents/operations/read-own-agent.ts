import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { PAIRED_AGENTS_MAX } from '@svc/contracts/identity/agents'
import type { BoundHandler } from '@svc/service'
import { callerOf } from '@svc/service'
import { viewAgents } from '../agent-view.ts'
import type { Context } from '#context.ts'
import { pairedAgents } from '../store/agents.ts'

export const readOwnAgent: BoundHandler<Context, typeof identity.operations.readOwnAgent> =
  ({ pool, mandatesOf }) =>
  async (_input, call) => {
    const { account_id, wallet, ...caller } = callerOf(call)
    const kind = caller.kind === 'agent' ? 'agent' : 'owner'
    const ids = kind === 'agent' ? [account_id] : await pairedAgents(pool, account_id, PAIRED_AGENTS_MAX)
    const [views, mandates] = await Promise.all([viewAgents(pool, ids, call.now), mandatesOf(account_id, kind)])
    // One unknown count makes the sum unknown.
    const count = views.reduce<number | null>(
      (sum, { agent_keys }) => (sum === null || agent_keys.count === null ? null : sum + agent_keys.count),
      0,
    )
    return ok(200, {
      account_id,
      kind,
      wallet: wallet ?? '',
      agent: kind === 'agent' ? (views[0] ?? null) : null,
      paired_agents: kind === 'agent' ? [] : views,
      mandates,
      agent_keys: { count },
    })
  }
