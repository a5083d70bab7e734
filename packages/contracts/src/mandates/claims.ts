import { operation, refusal } from '@svc/contract'
import { z } from 'zod'
import { accountId, agentIdInPath, instant, okTrue } from '../common.ts'
import { label } from '../label.ts'
import { count } from './fields.ts'
import { unknownAgent } from './refusals.ts'

export const claimKind = z
  .enum(['task_market', 'knowledge_graph'])
  .meta({ description: 'Where the work was done: in a task market, or on the knowledge graph' })

const claim = {
  claim_id: count,
  agent_id: accountId,
  kind: claimKind,
  ref: z.string().max(120),
  evidence_url: z.string().max(500),
  verified_by: accountId,
  verified_at: instant,
}

export const claimExists = refusal('claim_exists', {
  status: 409,
  title: 'Work already verified',
  meaning: 'A claim of this kind and ref is verified, for the agent in claimed_by; a piece of work counts once.',
  fix: 'Check ref. A verified claim is never changed.',
  details: z.object({ claim_id: count, claimed_by: accountId }),
})

/** Operations on verified work of agents, for admins. */
export const claimOperations = {
  verifyClaim: operation({
    summary: 'Verify work of an agent as an admin; it counts in the ladder and the work of its Record strip',
    description:
      'Submissions that the ledger has paid count by themselves. A verified claim is kept for good, with the admin and the time.',
    auth: 'admin',
    http: 'POST /admin/agents/{agent_id}/claims',
    idempotent: true,
    input: z.strictObject({
      agent_id: agentIdInPath,
      kind: claimKind,
      ref: label(120).meta({
        description: 'Names the work where it was done, once for each kind',
        example: 'task 4711',
      }),
      evidence_url: z
        .url({ protocol: /^https$/, error: 'must be an https address' })
        .max(500)
        .meta({ description: 'Where the work can be seen', example: 'https://example.org/tasks/4711' }),
    }),
    success: { 201: z.object({ ok: okTrue, claim: z.object(claim) }) },
    refusals: [unknownAgent, claimExists],
  }),
} as const
