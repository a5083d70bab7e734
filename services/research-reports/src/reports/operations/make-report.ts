import { ok, refuse, type Caller } from '@svc/contract'
import { REPORT_DAYS, reportRefusals } from '@svc/contracts/research-reports/reports'
import type { researchReports } from '@svc/contracts/research-reports'
import { tiers } from '@svc/contracts/subscriptions/tiers'
import { callerOf, isOutage, type BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { LAYOUT_VERSION, reportIdOf, utcMonth, type ReportInputs } from '../rules/report.ts'
import { missingForReport } from '#research/rules/research.ts'
import { generateReport, LEASE_MS, packInputs } from '../generate-report.ts'
import { historyOfTarget, researchFrom } from '#research/history-of-target.ts'
import { reportAllowance } from '../report-allowance.ts'
import { reportItem } from '../report-item.ts'
import { beginReport, type ReportRow } from '../store/reports.ts'

type Declared = typeof researchReports.operations.makeReport
type Asked = Parameters<ReturnType<BoundHandler<Context, Declared>>>[0]

const LATE = Symbol('late')

export const makeReport: BoundHandler<Context, Declared> = (context) => async (input, call) => {
  const caller = callerOf(call)
  const inputs = await inputsOf(context, caller, input)
  const limit = tiers[caller.tier].pdfs_per_month
  const packed = packInputs(inputs)
  const begun = await beginReport(
    context.pool,
    { ...input, reportId: reportIdOf(caller.account_id, inputs), accountId: caller.account_id, inputs: packed },
    { limit, monthStart: utcMonth(call.now).start, now: call.now, leaseUntil: new Date(call.now.getTime() + LEASE_MS) },
  )
  const allowance = reportAllowance(caller.tier, begun.used, call.now)
  if (begun.state === 'over_limit') return refuse(reportRefusals.pdfLimit, undefined, allowance)
  const body = (row: ReportRow) => ({ ok: true as const, ...reportItem(row), allowance })
  const { row } = begun
  // The report was begun in a separate transaction, so that it outlives this process; the effect only stores the answer.
  if (begun.state === 'exists')
    return call.effect(async () => (row.status === 'ready' ? ok(200, body(row)) : ok(202, body(row))))
  const ready = await withinWait(context, generateReport(context, { ...row, inputs: packed }))
  return call.effect(async () => (ready === null ? ok(202, body(row)) : ok(201, body(ready))))
}

/** Returns all inputs of the file as one text. */
async function inputsOf(context: Context, caller: Caller, input: Asked): Promise<string> {
  const history = await historyOfTarget(context, caller.account_id, input, REPORT_DAYS)
  const lacking = missingForReport(history)
  if (lacking !== null)
    refuse(reportRefusals.notEnoughData, undefined, { missing: lacking.missing, expected_at: lacking.expectedAt })
  return JSON.stringify({
    layout: LAYOUT_VERSION,
    lang: input.lang,
    version: input.version,
    research: await researchFrom(context, history, REPORT_DAYS),
  } satisfies ReportInputs)
}

/** Returns the finished report; null if it takes longer than a caller waits, in which case it continues on its own. */
async function withinWait(context: Context, making: Promise<ReportRow | null>): Promise<ReportRow | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), context.waitMs)
  })
  try {
    const first = await Promise.race([making, late])
    if (first !== LATE) return first
    making.catch((error: unknown) => context.log.error({ err: error }, 'a report failed after its caller was answered'))
    return null
  } catch (error) {
    // The report stays begun: the job finishes it, and the caller finds it in the list.
    if (isOutage(error)) return null
    throw error
  } finally {
    clearTimeout(timer)
  }
}
