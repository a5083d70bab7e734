import { ok } from '@svc/contract'
import type { identity } from '@svc/contracts/identity'
import { POLICY_CHANGES_MAX } from '@svc/contracts/identity/policy'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { changedItems } from '#policy/rules/policy.ts'
import { checksummed } from '#wallets/rules/wallet-address.ts'
import { hallAgentsOf } from '../store/hall-agents.ts'

export const readHallAgents: BoundHandler<Context, typeof identity.operations.readHallAgents> =
  ({ pool }) =>
  async ({ agent_ids }) => {
    const rows = await hallAgentsOf(pool, agent_ids, POLICY_CHANGES_MAX)
    const byId = new Map(
      rows.map(({ changes, wallet, ...row }) => [
        row.agent_id,
        {
          ...row,
          wallet: checksummed(wallet),
          policy_changes: changes.map(({ before, after, changed_at, direction }) => ({
            changed_at,
            direction,
            items: changedItems(before, after),
          })),
        },
      ]),
    )
    return ok(200, { agents: agent_ids.map((id) => byId.get(id) ?? null) })
  }
