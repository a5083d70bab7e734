import { z } from 'zod'

/** Faults of one venue; each is off unless given. */
export const faultsSchema = z.strictObject({
  /** Answers come this much later, in real milliseconds. */
  slowMs: z.int().min(0).max(120_000).optional(),
  /** Every request is answered with this status. */
  status: z.union([z.literal(500), z.literal(502), z.literal(503), z.literal(504)]).optional(),
  /** Every request is refused as too many. */
  limited: z
    .strictObject({ status: z.union([z.literal(429), z.literal(418)]), retryAfterSeconds: z.int().min(1).max(86_400) })
    .optional(),
  /** The connection ends without an answer. */
  disconnect: z.boolean().optional(),
  /** The body ends in the middle. */
  truncated: z.boolean().optional(),
  /** Members of these names are left out of every answer, at any depth. */
  missingFields: z.array(z.string().min(1).max(64)).max(20).optional(),
  /** Books are this much older than the clock, and say so where the venue's book carries a time. */
  staleBooksMs: z.int().min(0).max(86_400_000).optional(),
  /** Best bids are above best asks. */
  crossedBooks: z.boolean().optional(),
  /** The venue's clock is ahead by this much (behind when negative). */
  clockSkewMs: z.int().min(-86_400_000).max(86_400_000).optional(),
  /** Only this share of the markets is listed. */
  listedShare: z.number().min(0).max(1).optional(),
  /** Only each n-th request is hit by `slowMs`, `status`, `limited`, `disconnect`, `truncated`, `missingFields`. */
  every: z.int().min(1).max(1_000).optional(),
  /** Only paths that contain this text are hit by the faults that `every` names. */
  path: z.string().min(1).max(200).optional(),
})
export type Faults = z.infer<typeof faultsSchema>

/** Switches for faults, per venue. */
export interface FaultBoard {
  /** Faults of a venue now; all off for one never set. */
  readonly of: (venue: string) => Faults
  /** Replaces the faults of a venue. Throws on an unknown venue or a value out of its range. */
  readonly set: (venue: string, faults: Faults) => void
  /** Ends all faults of one venue, or of all. */
  readonly clear: (venue?: string) => void
}

const none: Faults = {}

export function createFaults(venues: readonly string[]): FaultBoard {
  const byVenue = new Map<string, Faults>()
  return {
    of: (venue) => byVenue.get(venue) ?? none,
    set: (venue, faults) => {
      if (!venues.includes(venue)) throw new RangeError(`no such venue: choose one of ${venues.join(', ')}`)
      byVenue.set(venue, faultsSchema.parse(faults))
    },
    clear: (venue) => {
      if (venue === undefined) byVenue.clear()
      else byVenue.delete(venue)
    },
  }
}
