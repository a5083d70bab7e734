import { contract, job } from '@svc/contract'
import { heartbeatEvents } from '../common/heartbeat.ts'
import { dripJobs, dripOperations } from './drips.ts'
import { keeperSettings } from './settings.ts'

/**
 * The house's transactions: keeper values vaults, marks their worth on the chain, settles closed ones and sends gas drips.
 * The results of its jobs are facts of the chain and rows of the worth series.
 */
export const keeper = contract('keeper', {
  title: 'Keeper',
  operations: dripOperations,
  events: heartbeatEvents,
  jobs: {
    mark: job({
      summary: 'Value vaults, store their worth and decide which marks to send; everyMs is HUB_KEEPER_MARK_SEC',
      everyMs: 300_000,
      dryRun: 'markDryRun',
      max: 50,
      budgetSec: 240,
    }),
    settle: job({
      summary: 'Decide which closed vaults to settle; everyMs is HUB_KEEPER_MARK_SEC',
      everyMs: 300_000,
      dryRun: 'markDryRun',
      max: 50,
      budgetSec: 240,
    }),
    send: job({
      summary:
        'Sign and send decided transactions and follow them until they are final; everyMs is SVC_KEEPER_SEND_SEC',
      everyMs: 2_000,
      dryRun: 'markDryRun',
      wokenBy: ['mark', 'settle', 'legMover', 'dripGas'],
      max: 64,
      budgetSec: 60,
    }),
    legMover: job({
      summary: 'Take the next step of each transfer of leg money, and decide on fundings; everyMs is HUB_LEG_MOVER_SEC',
      everyMs: 30_000,
      dryRun: 'moverDryRun',
      wokenBy: ['send', 'legReconcile'],
      max: 20,
      budgetSec: 120,
    }),
    legReconcile: job({
      summary:
        'Compare legs on the chain with the gateway, and end legs of closed mandates; everyMs is HUB_LEG_RECONCILE_SEC',
      everyMs: 300_000,
      dryRun: 'reconcileDryRun',
      max: 10_000,
      budgetSec: 240,
    }),
    ...dripJobs,
    forgetTransactions: job({
      summary: 'Delete transactions that ended more than 90 days ago, except gas drips',
      everyMs: 3_600_000,
      max: 10_000,
      budgetSec: 30,
    }),
  },
  settings: keeperSettings,
})
