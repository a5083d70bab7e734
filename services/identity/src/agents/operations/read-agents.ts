import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { CLOSED_POLICY } from '@svc/contracts/identity/policy'
import type { BoundHandler } from '@svc/service'
import { ownerOf } from '../agent-view.ts'
import type { Context } from '#context.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { accessEnds } from '#keys/store/keys.ts'
import { findAgents } from '../store/agents.ts'

export const readAgents: BoundHandler<Context, typeof identity.operations.readAgents> =
  ({ pool }) =>
  async ({ agent_ids }, call) => {
    const [rows, ends] = await Promise.all([findAgents(pool, agent_ids), accessEnds(pool, agent_ids, call.now)])
    const byId = new Map(
      rows.map((row) => [
        row.agent_id,
        {
          agent_id: row.agent_id,
          name: row.name,
          wallet: checksummed(row.wallet),
          owner: ownerOf(row),
          owner_may_spend: row.owner_may_spend,
          policy: row.policy ?? CLOSED_POLICY,
          access_ends_at: ends.get(row.agent_id) ?? null,
          last_seen_at: row.last_seen_at,
          channel: row.channel,
        },
      ]),
    )
    return ok(200, { agents: agent_ids.map((id) => byId.get(id) ?? null) })
  }
