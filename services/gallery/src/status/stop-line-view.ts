import { gapUntil, unavailablePct, type Gap } from './rules/gaps.ts'
import type { Worker, WorkerGap } from './store/workers.ts'

const DAYS = 30
const DAY_MS = 86_400_000

/** Returns the first moment that counts. */
export const watchedFrom = (now: Date): Date => new Date(now.getTime() - DAYS * DAY_MS)

/** Times in which one worker did not run, of those that are watched. */
interface Watched {
  readonly sinceMs: number
  readonly gaps: readonly Gap[]
}

/** Returns the share of the last 30 days in which the stop lines of vaults and legs could not have fired. */
export function stopLineView(workers: readonly Worker[], gaps: readonly WorkerGap[], now: Date) {
  const watchedOf = (service: string, job: string): Watched | null => {
    const worker = workers.find((one) => one.service === service && one.job === job)
    const ended = gaps.filter((gap) => gap.service === service && gap.job === job)
    return worker === undefined ? null : watched(worker, ended, now)
  }
  const [vaults, legs] = [watchedOf('keeper', 'mark'), watchedOf('hl-leg', 'stopLine')]
  const all = [vaults, legs].filter((part) => part !== null)
  const either =
    all.length === 0
      ? null
      : { sinceMs: Math.min(...all.map(({ sinceMs }) => sinceMs)), gaps: all.flatMap((part) => part.gaps) }
  const share = (part: Watched | null) =>
    part === null ? null : unavailablePct(part.gaps, part.sinceMs, now.getTime())
  return {
    watched_since: either === null ? null : new Date(either.sinceMs).toISOString(),
    unavailable_pct_30d: share(either),
    vaults_unavailable_pct_30d: share(vaults),
    legs_unavailable_pct_30d: share(legs),
  }
}

function watched(worker: Worker, gaps: readonly WorkerGap[], now: Date): Watched {
  const ended = gaps.map((gap): Gap => ({ fromMs: Date.parse(gap.began_at), toMs: Date.parse(gap.ended_at) }))
  const firstSeenMs = Date.parse(worker.first_seen_at)
  const lastLiveMs = worker.last_live_at === null ? null : Date.parse(worker.last_live_at)
  const open = gapUntil({ everySec: worker.every_sec, firstSeenMs, lastLiveMs }, now.getTime())
  return {
    sinceMs: Math.max(firstSeenMs, watchedFrom(now).getTime()),
    gaps: open === null ? ended : [...ended, open],
  }
}
