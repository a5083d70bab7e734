import type { Reactions } from '@svc/service'
import type { Context, LocalContext } from './context.ts'
import { noteWorkersOf } from './status/reactions/note-workers.ts'
import { noteAgentChanged, noteAgentRegistered, noteFactsChanged } from './facts/reactions/note-changes.ts'

/** The function of each event that is consumed. */
export const reactions: Reactions<Context, LocalContext> = {
  'mandates.hallFactsChanged': noteFactsChanged,
  'identity.agentRegistered': noteAgentRegistered,
  'identity.agentPaired': noteAgentChanged,
  'identity.policyChanged': noteAgentChanged,
  'keeper.workersSeen': noteWorkersOf('keeper'),
  'hl-leg.workersSeen': noteWorkersOf('hl-leg'),
  'mandates.workersSeen': noteWorkersOf('mandates'),
  'chain-indexer.workersSeen': noteWorkersOf('chain-indexer'),
  'gallery.workersSeen': noteWorkersOf('gallery'),
}
