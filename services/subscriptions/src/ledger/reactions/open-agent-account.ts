import type { identity } from '@svc/contracts/identity'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { openAccount } from '../move-cherry.ts'

type AgentRegistered = z.output<typeof identity.events.agentRegistered.payload>

/** Opens the ledger account of a new agent, with the welcome credit. */
export const openAgentAccount: BoundReaction<Context, LocalContext, AgentRegistered> = {
  apply:
    ({ clock }) =>
    (tx, { payload }) =>
      openAccount(tx, payload.account_id, 'agent', clock.now()),
}
