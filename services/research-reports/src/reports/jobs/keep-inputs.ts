import { researchReports } from '@svc/contracts/research-reports'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { fileNameOf, packInputs } from '../generate-report.ts'
import { attachedInputs } from '../pdf/attached-inputs.ts'
import { reportIdOf } from '../rules/report.ts'
import { keepInputs as keep, reportsWithoutInputs } from '../store/reports.ts'

/**
 * Stores the inputs of reports that an earlier release made, so that their files can be made again. Reads them from the
 * files, and believes only what the report's id is the digest of.
 */
export const keepInputs = ({ pool, files, log }: Context): Job => {
  let after = 0
  return async (signal) => {
    let done = 0
    const reports = await reportsWithoutInputs(pool, after, researchReports.jobs.keepInputs.max)
    for (const report of reports) {
      if (signal.aborted) break
      after = report.seq
      const stream = await files.read(fileNameOf(report))
      const inputs = stream && attachedInputs(Buffer.from(await new Response(stream).arrayBuffer()))
      if (inputs !== null && reportIdOf(report.account_id, inputs) === report.report_id)
        await keep(pool, report.report_id, packInputs(inputs))
      else log.warn({ report_id: report.report_id }, 'the inputs of a report are in no file: it cannot be made again')
      done += 1
    }
    // Files that could not be read may be restored meanwhile: the next round begins anew.
    if (reports.length === 0) after = 0
    return { done }
  }
}
