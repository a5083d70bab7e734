import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { unknownMandate } from '@svc/contracts/mandates-refusals'
import { usdcText } from '@svc/limits'
import { isOutage, type BoundHandler } from '@svc/service'
import { approvalView } from '../approval-view.ts'
import type { Context } from '../context.ts'
import { usageView } from '../detail-view.ts'
import { partyOf } from '../parties.ts'
import { heldBy, listApprovals } from '../store/approvals.ts'
import { findMandate } from '../store/mandates.ts'
import { countRefusals } from '../store/record.ts'
import { vaultOfMandate } from '../store/vaults.ts'
import { newestWorth } from '../store/worth.ts'
import { stateNow } from '../views.ts'

const WEEK_MS = 7 * 86_400_000

export const readLive: BoundHandler<Context, typeof mandates.operations.readLive> =
  (context) => async (input, call) => {
    const { pool } = context
    const party = partyOf(call)
    const mandate = await findMandate(pool, input.public_id, party, call.now)
    if (mandate === null) refuse(unknownMandate)
    const waiting = { status: 'pending', id: null, before: null, limit: 100, now: call.now } as const
    const agentId = 'ownerId' in party ? (mandate.agent?.id ?? null) : null
    const [vault, { held }, refusals, worth, approvals, agent] = await Promise.all([
      vaultOfMandate(pool, mandate.id),
      heldBy(pool, mandate.id, call.now),
      countRefusals(pool, mandate.id, new Date(call.now.getTime() - WEEK_MS)),
      newestWorth(pool, mandate.id),
      listApprovals(pool, { mandateId: mandate.id, ...waiting }),
      agentId === null ? null : seenOf(context, agentId),
    ])
    return ok(200, {
      public_id: mandate.publicId,
      state: stateNow(mandate, vault, call.now),
      usage: vault === null ? null : usageView(mandate, vault, held, call.now),
      refusals_7d: {
        total: refusals.reduce((sum, { count }) => sum + count, 0),
        by_kind: Object.fromEntries(refusals.map(({ refusal, count }) => [refusal, count])),
      },
      worth:
        worth === null ? null : { at: worth.at, worth_usdc: usdcText(worth.worth), block_number: worth.block_number },
      approvals_waiting: approvals.map((item) => approvalView(mandate.publicId, item, call.now)),
      agent,
      record_seq: mandate.record.seq,
      as_of: call.now.toISOString(),
    })
  }

/** When the agent was last seen is no reason to show nothing while identity is away. */
async function seenOf(context: Context, agentId: number) {
  try {
    const agent = await context.findAgent(agentId)
    return agent === null ? null : { last_seen_at: agent.last_seen_at, channel: agent.channel }
  } catch (error) {
    if (isOutage(error)) return null
    throw error
  }
}
