import type { identity } from '@svc/contracts/identity'
import type { Reaction } from '@svc/service'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { openAccount } from '../move-cherry.ts'

type AgentRegistered = z.output<typeof identity.events.agentRegistered.payload>

/** A new agent gets its ledger account with the welcome credit. */
export const openAgentAccount =
  ({ clock }: Context): Reaction<AgentRegistered> =>
  async (registered, _meta, tx) =>
    openAccount(tx, registered.account_id, 'agent', clock.now())
