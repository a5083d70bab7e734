import { event } from '@svc/contract'
import { z } from 'zod'
import { instant } from '../common.ts'

/** Key of the event, by which the kit knows that a service tells of its jobs. */
export const HEARTBEAT_EVENT = 'workersSeen'

const worker = z.object({
  job: z.string().max(60),
  live: z.boolean().meta({ description: 'False in a dry run' }),
  every_sec: z.number().min(0).max(10_000_000),
  due_at: instant.meta({ description: 'When the next run is due' }),
  last_run_at: instant,
  last_ok_at: instant.nullable().meta({ description: 'Null while no run succeeded since the start of the process' }),
  figures: z.record(z.string().max(40), z.union([z.number(), z.string().max(40), z.null()])),
})
/** A job as its service tells of it. */
export type WorkerSeen = z.output<typeof worker>

/** A service that declares it publishes, twice a minute while it leads its schema, how its jobs ran. */
export const heartbeatEvents = {
  [HEARTBEAT_EVENT]: event({
    summary: 'How the jobs of the service ran lately',
    payload: z.object({ at: instant, workers: z.array(worker).max(100) }),
  }),
} as const
