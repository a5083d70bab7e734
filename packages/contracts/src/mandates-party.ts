import { operation } from '@svc/contract'
import { z } from 'zod'
import { accountId, instant } from './common.ts'
import { mandateState, publicId } from './mandates-fields.ts'

/** A mandate in one line. */
export const mandateBrief = z.object({
  public_id: publicId,
  name: z.string().max(80),
  state: mandateState,
  accepted: z.boolean().meta({ description: 'Whether the agent has confirmed it' }),
  changed_at: instant,
})

/** Mandates of a party, for other services. */
export const partyOperations = {
  listMandatesOf: operation({
    summary: 'List the newest mandates that an owner owns or that name an agent',
    auth: 'service',
    callers: ['identity'],
    input: z.strictObject({ account_id: accountId, kind: z.enum(['agent', 'owner']) }),
    success: { 200: z.object({ items: z.array(mandateBrief).max(50) }) },
  }),
}
