import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'
import { noteAgentChanged, noteAgentRegistered, noteFactsChanged } from './facts/reactions/note-changes.ts'

/** The function of each event that is consumed. */
export const reactions: Reactions<Context, LocalContext> = {
  'mandates.hallFactsChanged': noteFactsChanged,
  'identity.agentRegistered': noteAgentRegistered,
  'identity.agentPaired': noteAgentChanged,
  'identity.policyChanged': noteAgentChanged,
}
