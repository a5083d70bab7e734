import { announceRules } from '#leg/jobs/announce-rules.ts'
import { endMandates } from '#states/jobs/end-mandates.ts'
import { followLegMarkets } from '#limits/jobs/follow-leg-markets.ts'
import { forgetDrafts } from '#drafts/jobs/forget-drafts.ts'
import { forgetCodes } from '#alerts/jobs/forget-codes.ts'
import { forgetWorth } from '#worth/jobs/forget-worth.ts'
import { recheckReceipts } from '#vault/jobs/recheck-receipts.ts'
import { sendAlerts } from '#alerts/jobs/send-alerts.ts'
import { watchLegEnds } from '#leg/jobs/watch-leg-ends.ts'
import { watchAgentKeys } from '#alerts/jobs/watch-agent-keys.ts'
import { tendApprovals } from '#executions/jobs/tend-approvals.ts'

/** The function of each job. */
export const jobs = {
  announceRules,
  endMandates,
  followLegMarkets,
  forgetDrafts,
  forgetCodes,
  forgetWorth,
  recheckReceipts,
  sendAlerts,
  tendApprovals,
  watchAgentKeys,
  watchLegEnds,
}
