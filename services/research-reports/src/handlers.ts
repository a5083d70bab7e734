import type { researchReports } from '@svc/contracts/research-reports'
import type { Handlers } from '@svc/service'
import type { Context } from './context.ts'
import { countReports } from './reports/operations/count-reports.ts'
import { downloadReport } from './reports/operations/download-report.ts'
import { listReports } from './reports/operations/list-reports.ts'
import { makeReport } from './reports/operations/make-report.ts'
import { readReport } from './reports/operations/read-report.ts'
import { listAgentTargets } from './research/operations/list-agent-targets.ts'
import { readPairResearch } from './research/operations/read-pair-research.ts'
import { readResearch } from './research/operations/read-research.ts'

export const handlers = {
  listAgentTargets,
  readPairResearch,
  readResearch,
  makeReport,
  listReports,
  readReport,
  downloadReport,
  countReports,
} satisfies Handlers<Context, typeof researchReports>
