import { endMandates } from './jobs/end-mandates.ts'
import { forgetDrafts } from './jobs/forget-drafts.ts'
import { forgetCodes } from './jobs/forget-codes.ts'
import { forgetWorth } from './jobs/forget-worth.ts'
import { recheckReceipts } from './jobs/recheck-receipts.ts'
import { sendAlerts } from './jobs/send-alerts.ts'
import { tendApprovals } from './jobs/tend-approvals.ts'

/** The function of each job. */
export const jobs = {
  endMandates,
  forgetDrafts,
  forgetCodes,
  forgetWorth,
  recheckReceipts,
  sendAlerts,
  tendApprovals,
}
