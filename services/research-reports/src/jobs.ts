import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { finishReports } from './reports/jobs/finish-reports.ts'
import { forgetReports } from './reports/jobs/forget-reports.ts'

export const jobs: Readonly<Record<string, (context: Context) => Job>> = { finishReports, forgetReports }
