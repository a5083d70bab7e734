import { z } from 'zod'

/** Faults of one venue; each is off by default. */
export const faultsSchema = z.strictObject({
  /** Delay of every answer, in real milliseconds. */
  slowMs: z.int().min(0).max(120_000).optional(),
  /** Status of every answer. */
  status: z.union([z.literal(500), z.literal(502), z.literal(503), z.literal(504)]).optional(),
  /**
   * Rejects every request as exceeding the request limit. `form`: the time in seconds (default), as a date, or stated by the
   * body alone, with the status 200.
   */
  limited: z
    .strictObject({
      status: z.union([z.literal(429), z.literal(418)]),
      retryAfterSeconds: z.int().min(1).max(86_400),
      form: z.enum(['seconds', 'date', 'body']).optional(),
    })
    .optional(),
  /** Closes the connection without an answer. */
  disconnect: z.boolean().optional(),
  /** Truncates the body. */
  truncated: z.boolean().optional(),
  /** Removes members of these names from every answer, at any depth. */
  missingFields: z.array(z.string().min(1).max(64)).max(20).optional(),
  /** Makes the first rows of every list of an answer null, or takes away what names them, or all but that. */
  oddRows: z
    .strictObject({ manner: z.enum(['null', 'nameless', 'half']), count: z.int().min(1).max(10_000) })
    .optional(),
  /** Changes the times in the first row of every list of an answer: to another unit, or to another time. */
  oddTimes: z.enum(['seconds', 'microseconds', 'nanoseconds', 'year_ahead', 'year_2100']).optional(),
  /** Fills the books of one pair with levels of price and amount 0 after the first ones. */
  paddedBooks: z.strictObject({ symbol: z.string().min(1).max(64), levels: z.int().min(0).max(5_000) }).optional(),
  /** Multiplies the price of one pair in tickers: one odd print. */
  oddPrice: z.strictObject({ symbol: z.string().min(1).max(64), factor: z.number().positive().max(1e6) }).optional(),
  /** Closes deposits and withdrawals of every currency. */
  walletsClosed: z.boolean().optional(),
  /** Age of every book in milliseconds; also in the time of the book, if the venue's books have a time. */
  staleBooksMs: z.int().min(0).max(86_400_000).optional(),
  /** Puts best bids above best asks. */
  crossedBooks: z.boolean().optional(),
  /** Milliseconds by which the venue's clock is ahead; negative if it is behind. */
  clockSkewMs: z.int().min(-86_400_000).max(86_400_000).optional(),
  /** Share of the markets that is listed. */
  listedShare: z.number().min(0).max(1).optional(),
  /** Applies `slowMs`, `status`, `limited`, `disconnect`, `truncated`, `missingFields`, `oddRows` and `oddTimes` only to each n-th request. */
  every: z.int().min(1).max(1_000).optional(),
  /** Applies the same faults only to paths that contain this text. */
  path: z.string().min(1).max(200).optional(),
})
export type Faults = z.infer<typeof faultsSchema>

/** Switches for faults, per venue. */
export interface FaultBoard {
  /** Returns the current faults of a venue. */
  readonly of: (venue: string) => Faults
  /** Replaces the faults of a venue. Throws for an unknown venue or a value out of range. */
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
      if (!venues.includes(venue)) throw new RangeError(`the venue is unknown: choose one of ${venues.join(', ')}`)
      byVenue.set(venue, faultsSchema.parse(faults))
    },
    clear: (venue) => {
      if (venue === undefined) byVenue.clear()
      else byVenue.delete(venue)
    },
  }
}
