import { contract } from '@svc/contract'
import { reportJobs, reportOperations, reportSettings } from './reports.ts'
import { researchOperations } from './research.ts'

/** Research data and PDF reports of an account's priority targets. */
export const researchReports = contract('research-reports', {
  title: 'Research data and PDF reports of priority targets',
  operations: { ...researchOperations, ...reportOperations },
  jobs: reportJobs,
  settings: reportSettings,
  buckets: ['reports'],
})
