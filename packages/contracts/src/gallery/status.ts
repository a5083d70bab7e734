import { operation } from '@svc/contract'
import { z } from 'zod'
import { instant } from '../common.ts'

/** Services that tell how their jobs run. */
export const tellingServices = ['keeper', 'hl-leg', 'mandates', 'chain-indexer', 'gallery'] as const

/** Heartbeats that the status page follows. */
export const statusEvents = tellingServices.map((service) => `${service}.workersSeen`)

const ageSec = z.int().min(0).max(4_000_000_000)
const percent = z.number().min(0).max(100)
const count = z.int().min(0).max(1_000_000)

const workerView = z.object({
  service: z.enum(tellingServices),
  worker: z.string().max(60).meta({ example: 'stopLine' }),
  title: z.string().max(300),
  mode: z.enum(['live', 'dry']).meta({ description: 'dry: it reports what it would do, and does nothing' }),
  state: z
    .enum(['ok', 'failing', 'late'])
    .meta({ description: 'failing: its last run failed; late: its next run is overdue' }),
  last_run_age_sec: ageSec,
  last_ok_age_sec: ageSec.nullable().meta({ description: 'Null if no run succeeded since its process started' }),
  every_sec: z.number().min(0).max(10_000_000),
})
export type WorkerView = z.output<typeof workerView>

/** What the status page shows: labels and ages only. */
export const statusOperations = {
  readWorkers: operation({
    summary: 'Read whether the workers run: each live or dry, and how long ago it ran',
    description:
      'From the heartbeats of the services. legs and oldest_worth_reading_age_sec are those of the last run of the stop line. ' +
      'unavailable_pct_30d is the share of the last 30 days, or since watched_since, in which a stop line could not have fired because its worker did not run live.',
    auth: 'open',
    limit: 'hub_read',
    http: 'GET /hub/status/workers',
    cacheSec: 5,
    sharedAnswer: true,
    input: z.strictObject({}),
    success: {
      200: z.object({
        computed_at: instant,
        pending: z.boolean().meta({ description: 'True before the first heartbeat' }),
        workers: z.array(workerView).max(300),
        legs: z
          .object({ live: count, with_stop_line: count, protected: count })
          .nullable()
          .meta({ description: 'Null while unknown' }),
        oldest_worth_reading_age_sec: ageSec.nullable(),
        snapshots: z.array(z.object({ key: z.enum(['hall']), age_sec: ageSec.nullable(), stale: z.boolean() })).max(10),
        stop_line: z.object({
          watched_since: instant.nullable(),
          unavailable_pct_30d: percent.nullable().meta({ description: 'Of vaults or of legs; null while unknown' }),
          vaults_unavailable_pct_30d: percent.nullable(),
          legs_unavailable_pct_30d: percent.nullable(),
        }),
      }),
    },
  }),
} as const
