import { workerTransaction, type Tx } from '@svc/postgres'
import type { Job } from '@svc/service'
import type { Context } from '#context.ts'
import { factsAreWhole } from '#facts/store/rebuilds.ts'
import { computeRecords, keepOrAdmit, type Pass } from '../compute-records.ts'
import { agentsToCompute, forgetUnlisted } from '../store/inputs.ts'
import { noteOperators } from '../store/records.ts'
import { lockHall, newestPass, storeOrders, storeRanks, storeSnapshot } from '../store/snapshots.ts'

/** Facts that are known to be old for longer make the row of their agent degraded, as a snapshot of that age is stale. */
const LATE_MS = 600_000
const LOCK_TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000

/** Ends a transaction without its effect. */
class DryRun extends Error {
  override readonly name = 'DryRun'
  readonly report: PassReport
  constructor(report: PassReport) {
    super('dry run')
    this.report = report
  }
}

interface PassReport {
  readonly agents: number
  readonly computed: number
  readonly degraded: number
  readonly errors: number
}

/**
 * Computes the Hall in one transaction: readers see the former snapshot until it is stored whole. While facts are asked for
 * again nothing is computed, and the snapshot becomes stale.
 */
export const hallSnapshot =
  (context: Context): Job =>
  async (signal) => {
    const { pool, clock, settings } = context
    if (!(await factsAreWhole(pool))) return { done: 0, waits: 'facts are being rebuilt' }
    const now = clock.now()
    const pass = { now, day: now.toISOString().slice(0, 10), today: Math.floor(now.getTime() / DAY_MS) }
    const limits = { statementTimeoutMs: settings.hallStatementTimeoutMs, lockTimeoutMs: LOCK_TIMEOUT_MS }
    const run = workerTransaction(pool, limits, async (tx) => {
      const report = await passOver(context, tx, { pass, signal })
      if (settings.hallDryRun) throw new DryRun(report)
      return report
    })
    const report = await run.catch((error: unknown) => {
      for (let cause = error; cause instanceof Error; cause = cause.cause)
        if (cause instanceof DryRun) return { ...cause.report, dry_run: true }
      throw error
    })
    return { done: report.computed + report.degraded + report.errors, ...report }
  }

async function passOver(
  { log, settings }: Context,
  tx: Tx,
  { pass, signal }: { readonly pass: Pass; readonly signal: AbortSignal },
): Promise<PassReport> {
  const since = (ms: number) => new Date(pass.now.getTime() - ms)
  await lockHall(tx)
  const lastPass = await newestPass(tx)
  const forgotten = await forgetUnlisted(tx)
  const { due, late } = await agentsToCompute(tx, { day: pass.day, lateSince: since(LATE_MS) })
  const failed = await computeRecords(tx, due, { pass, log, signal })
  const keepSince = since(settings.hallKeepGoodSec * 1000)
  const kept = await keepOrAdmit(tx, [...late, ...failed], { pass, keepSince, lastPass })
  const operators = await noteOperators(tx, settings.houseRunnerId)
  // Orders follow from the rows alone. A Hall without a row has orders too, which the first pass stores.
  if (lastPass === null || due.length + late.length + forgotten + operators > 0) {
    await storeRanks(tx)
    await storeOrders(tx)
  }
  const agents = await storeSnapshot(tx, pass.now)
  return { agents, computed: due.length - failed.length, ...kept }
}
