import type { Event } from '@svc/contract'
import type { heartbeatEvents, WorkerSeen } from '@svc/contracts/common/heartbeat'
import type { BoundReaction } from '@svc/service'
import type { z } from 'zod'
import type { Context, LocalContext } from '#context.ts'
import { gapUntil } from '../rules/gaps.ts'
import { lockWorkers, storeGap, storeWorkers, type Worker } from '../store/workers.ts'

type Heartbeat = z.output<(typeof heartbeatEvents)['workersSeen']['payload']>

/** Stores how the jobs of a service ran, and the times in which they did not. */
export const noteWorkersOf = (service: Event['service']): BoundReaction<Context, LocalContext, Heartbeat> => ({
  apply:
    () =>
    async (tx, { payload: { at, workers } }) => {
      const known = new Map((await lockWorkers(tx, service)).map((worker) => [worker.job, worker]))
      for (const seen of workers) {
        const before = known.get(seen.job)
        const gap = before === undefined ? null : gapBefore(before, seen)
        if (gap !== null) await storeGap(tx, service, seen.job, gap)
      }
      await storeWorkers(tx, service, workers, at)
    },
})

/** Returns the time without a live run that a live run has ended; null if there was none. */
function gapBefore(before: Worker, { live, last_ok_at: okAt }: WorkerSeen) {
  if (!live || okAt === null) return null
  const lastLiveMs = before.last_live_at === null ? null : Date.parse(before.last_live_at)
  const runs = { everySec: before.every_sec, firstSeenMs: Date.parse(before.first_seen_at), lastLiveMs }
  return gapUntil(runs, Date.parse(okAt))
}
