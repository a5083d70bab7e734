import { ok, refuse } from '@svc/contract'
import type { mandates } from '@svc/contracts/mandates'
import { claimExists } from '@svc/contracts/mandates/claims'
import { unknownAgent } from '@svc/contracts/mandates/refusals'
import { callerOf, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { claimOf, insertClaim } from '../store/claims.ts'

export const verifyClaim: BoundHandler<Context, typeof mandates.operations.verifyClaim> =
  ({ agentsClient }) =>
  async ({ agent_id, kind, ref, evidence_url }, call) => {
    if ((await agentsClient.readAgent(agent_id)) === null) refuse(unknownAgent)
    return call.effect(async (tx) => {
      const verified = { verified_by: callerOf(call).account_id, verified_at: call.now.toISOString() }
      const claim = await insertClaim(tx, { agent_id, kind, ref, evidence_url, ...verified })
      if (claim === null) {
        const known = await claimOf(tx, { kind, ref })
        refuse(claimExists, undefined, { claim_id: known.claim_id, claimed_by: known.agent_id })
      }
      return ok(201, { ok: true as const, claim })
    })
  }
