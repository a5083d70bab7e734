import type { identity } from '@svc/contracts/identity'
import type { mandates } from '@svc/contracts/mandates'
import type { Delivered } from '@svc/service'
import type { Tx } from '@svc/postgres'
import type { z } from 'zod'
import type { LocalContext } from '#context.ts'
import { markDirty, type Mark } from '../store/dirty.ts'

type Payload<E extends { readonly payload: z.ZodType }> = Delivered<z.output<E['payload']>>

const agentMark = (agentId: number): Mark => ({ kind: 'agent', id: String(agentId), agentId, fromDay: null })

/** Marks mandates whose facts changed. The event says which, and mandates says what. */
export const noteFactsChanged = {
  apply:
    ({ clock }: LocalContext) =>
    (tx: Tx, { payload }: Payload<typeof mandates.events.hallFactsChanged>) =>
      markDirty(
        tx,
        payload.items.map(({ public_id, agent_id, from_day }) => ({
          kind: 'mandate',
          id: public_id,
          agentId: agent_id,
          fromDay: from_day,
        })),
        { now: clock.now() },
      ),
}

/** Marks an agent that registered. */
export const noteAgentRegistered = {
  apply:
    ({ clock }: LocalContext) =>
    (tx: Tx, { payload }: Payload<typeof identity.events.agentRegistered>) =>
      markDirty(tx, [agentMark(payload.account_id)], { now: clock.now() }),
}

/** Marks an agent that has an owner now, or whose policy changed. */
export const noteAgentChanged = {
  apply:
    ({ clock }: LocalContext) =>
    (tx: Tx, { payload }: Payload<typeof identity.events.agentPaired | typeof identity.events.policyChanged>) =>
      markDirty(tx, [agentMark(payload.agent_id)], { now: clock.now() }),
}
