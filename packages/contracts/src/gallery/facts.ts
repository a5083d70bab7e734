import { job } from '@svc/contract'

/** Events by which gallery learns what to ask for again. */
export const factEvents = [
  'mandates.hallFactsChanged',
  'identity.agentRegistered',
  'identity.agentPaired',
  'identity.policyChanged',
] as const

/** Jobs that keep the facts of agents and mandates. */
export const factJobs = {
  pullFacts: job({
    summary: 'Ask for the facts of agents and mandates that changed, and replace them',
    everyMs: 30_000,
    wokenBy: [...factEvents, 'rebuildFacts'],
    max: 100,
    budgetSec: 60,
  }),
  rebuildFacts: job({
    summary: 'Ask for all facts again: at the first start, after a change of the method, and after --rebuild-facts',
    everyMs: 15_000,
    max: 10_000,
    budgetSec: 60,
  }),
} as const
