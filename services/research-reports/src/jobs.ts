import type { Job } from '@svc/service'
import type { Context } from './context.ts'
import { finishReports } from './reports/jobs/finish-reports.ts'
import { forgetReports } from './reports/jobs/forget-reports.ts'
import { keepInputs } from './reports/jobs/keep-inputs.ts'

export const jobs: Readonly<Record<string, (context: Context) => Job>> = { finishReports, forgetReports, keepInputs }
