import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { usdcText } from '@svc/limits'
import type { BoundHandler } from '@svc/service'
import { approvalView } from '#approvals/approval-view.ts'
import type { Context } from '#context.ts'
import { usageView } from '#approvals/usage-view.ts'
import { useNow } from '../store/live.ts'
import { legView } from '#leg/leg-view.ts'
import { partyOf } from '#mandate/parties.ts'
import { waitingApprovals } from '#approvals/store/approvals.ts'
import { stateNow } from '#states/mandate-view.ts'
import { unknownMandate } from '@svc/contracts/mandates/refusals'
import { standing } from '#books/rules/vault.ts'

const WEEK_MS = 7 * 86_400_000
const WAITING_MAX = 100

export const readLive: BoundHandler<Context, typeof mandates.operations.readLive> =
  (context) => async (input, call) => {
    const party = partyOf(call)
    const refusedSince = new Date(call.now.getTime() - WEEK_MS)
    const live = await context.liveOf(input.public_id, party, { now: call.now, refusedSince })
    if (live === null) refuse(unknownMandate)
    const { mandate, pending, refusals, worth, leg } = live
    const vault = standing(live.vault)
    const agentId = 'ownerId' in party ? (mandate.agent?.id ?? null) : null
    const [approvals, agent] = await Promise.all([
      pending === 0 ? [] : waitingApprovals(context.pool, mandate.id, call.now, WAITING_MAX),
      agentId === null ? null : context.agentsClient.lastSeen(agentId, call.now),
    ])
    return ok(200, {
      public_id: mandate.publicId,
      state: stateNow(mandate, vault, call.now),
      usage: vault === null ? null : usageView(mandate, vault, useNow(live, call.now), call.now),
      leg: legView(leg),
      refusals_7d: {
        total: Object.values(refusals).reduce((sum, count) => sum + count, 0),
        by_kind: { ...refusals },
      },
      worth: worth === null ? null : { at: worth.at, worth_usdc: usdcText(worth.worth), block_number: worth.block },
      approvals_waiting: approvals.map((item) => approvalView(mandate.publicId, item, call.now)),
      agent,
      record_seq: mandate.record.seq,
      as_of: call.now.toISOString(),
    })
  }
