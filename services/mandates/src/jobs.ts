import { endMandates } from './jobs/end-mandates.ts'
import { forgetDrafts } from './jobs/forget-drafts.ts'
import { forgetWorth } from './jobs/forget-worth.ts'
import { recheckReceipts } from './jobs/recheck-receipts.ts'
import { tendApprovals } from './jobs/tend-approvals.ts'

export const jobs = { endMandates, forgetDrafts, forgetWorth, recheckReceipts, tendApprovals }
