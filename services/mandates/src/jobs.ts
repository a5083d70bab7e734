import { endMandates } from './jobs/end-mandates.ts'
import { forgetDrafts } from './jobs/forget-drafts.ts'
import { tendApprovals } from './jobs/tend-approvals.ts'

export const jobs = { endMandates, forgetDrafts, tendApprovals }
