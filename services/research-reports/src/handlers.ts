import type { researchReports } from '@svc/contracts/research-reports'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { countReports } from './operations/count-reports.ts'
import { downloadReport } from './operations/download-report.ts'
import { listReports } from './operations/list-reports.ts'
import { makeReport } from './operations/make-report.ts'
import { readPairResearch } from './operations/read-pair-research.ts'
import { readResearch } from './operations/read-research.ts'

export const handlers = {
  readPairResearch,
  readResearch,
  makeReport,
  listReports,
  downloadReport,
  countReports,
} satisfies Handlers<Context, typeof researchReports>
