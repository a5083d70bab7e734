import { ok } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { BoundHandler } from '@svc/service'
import type { Context } from '#context.ts'
import { hallTime } from '#hall/store/hall-time.ts'
import { stopLineView, watchedFrom } from '../stop-line-view.ts'
import { allWorkers, gapsSince, type Worker } from '../store/workers.ts'
import { ageSec, workerView } from '../worker-view.ts'

export const readWorkers: BoundHandler<Context, typeof gallery.operations.readWorkers> =
  ({ pool }) =>
  async (_, { now }) => {
    const [workers, gaps, hall] = await Promise.all([
      allWorkers(pool),
      gapsSince(pool, watchedFrom(now)),
      hallTime(pool, now),
    ])
    const line = workers.find(({ service, job }) => service === 'hl-leg' && job === 'stopLine')
    const oldest = line?.figures['oldest_reading_at']
    return ok(200, {
      computed_at: now.toISOString(),
      pending: workers.length === 0,
      workers: workers.flatMap((worker) => workerView(worker, now)),
      legs: legsOf(line),
      oldest_worth_reading_age_sec: typeof oldest === 'string' ? ageSec(oldest, now) : null,
      snapshots: [
        {
          key: 'hall' as const,
          age_sec: hall.computed_at === null ? null : ageSec(hall.computed_at, now),
          stale: hall.stale,
        },
      ],
      stop_line: stopLineView(workers, gaps, now),
    })
  }

/** A worker in a dry run protects nothing. */
function legsOf(line: Worker | undefined) {
  const { legs, with_line: withLine, protected: read } = line?.figures ?? {}
  if (typeof legs !== 'number' || typeof withLine !== 'number' || typeof read !== 'number') return null
  return { live: legs, with_stop_line: withLine, protected: line?.live === true ? read : 0 }
}
