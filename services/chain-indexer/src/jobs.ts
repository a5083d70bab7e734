import { chainIndexer } from '@svc/contracts/chain-indexer'
import type { Job } from '@svc/service'
import type { Context, Settings } from './context.ts'
import { depositWatch } from './deposits/jobs/deposit-watch.ts'
import { reverts } from './attempts/jobs/reverts.ts'
import { transactionWatch } from './transactions/jobs/transaction-watch.ts'
import { vaultEvents } from './vaults/jobs/vault-events.ts'
import { vaultPoll } from './vaults/jobs/vault-poll.ts'

/** The function of each job. */
export const jobs = { vaultEvents, reverts, vaultPoll, depositWatch, transactionWatch } satisfies Readonly<
  Record<string, (context: Context) => Job>
>

/** Seconds by which the kit's budget is longer than the job's. The job stops at a stored chunk; the kit aborts it. */
const SLACK_SEC = 30

/** Returns the interval and budget of each job from the settings. */
export function jobPace(settings: Settings) {
  return {
    vaultEvents: {
      everyMs: settings.vaultEventsSec * 1000,
      budgetSec: chainIndexer.jobs.vaultEvents.budgetSec + SLACK_SEC,
    },
    reverts: { everyMs: settings.vaultEventsSec * 1000, budgetSec: settings.revertBudgetSec + SLACK_SEC },
    vaultPoll: { everyMs: settings.vaultPollSec * 1000 },
    depositWatch: { everyMs: settings.pollSeconds * 1000, budgetSec: settings.depositTickBudgetSec + SLACK_SEC },
    transactionWatch: { everyMs: settings.pollSeconds * 1000 },
  }
}
