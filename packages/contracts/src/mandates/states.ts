import { event, job, operation } from '@svc/contract'
import { z } from 'zod'
import { instant, okTrue } from '../common.ts'
import { mandateState, parties, publicId, sentence, stateCause, txHash } from './fields.ts'
import { chainState, withdrawLock } from './mandate.ts'
import * as refusals from './refusals.ts'

/** Operations that stop a mandate. */
export const stateOperations = {
  stopMandate: operation({
    summary: 'Stop your mandate in the record; from then on the service rejects every call of its agent',
    description:
      'The agent is answered server_guard, and the mandate never resumes. The vault itself stays open until the owner sends the call from stop-call; ' +
      'chain_state.open_until_stopped is true until then.',
    auth: 'owner',
    limit: 'hub_exit',
    http: 'POST /hub/mandates/{public_id}/stop',
    idempotent: true,
    input: z.strictObject({ public_id: publicId }),
    success: {
      200: z.object({
        ok: okTrue,
        state: mandateState,
        stopped_in_record_at: instant,
        chain_state: chainState.nullable(),
        lock: withdrawLock.nullable(),
        detail: sentence,
      }),
    },
    refusals: [refusals.unknownMandate, refusals.wrongState],
  }),
} as const

/** Events about states. */
export const stateEvents = {
  stateChanged: event({
    summary: 'A mandate moved to another state',
    payload: z.object({
      ...parties,
      from: mandateState,
      to: mandateState,
      cause: stateCause,
      at: instant,
      tx_hash: txHash.nullable(),
    }),
  }),
} as const

/** Jobs that move mandates to other states. */
export const stateJobs = {
  endMandates: job({ summary: 'End mandates whose ends_at has passed', everyMs: 5_000, max: 500, budgetSec: 30 }),
} as const
