import { metrics } from '@opentelemetry/api'
import type { Log } from '@svc/service'
import { VenueError, type VenueErrorClass } from './rules/venue.ts'

const total = metrics
  .getMeter('market-data')
  .createCounter('hub_venue_errors_total', { description: 'Failed calls to venues and rejected answers, by class' })

/** Counts of failed calls to venues since the last `take`. */
export interface VenueErrors {
  /** Counts and returns a `VenueError`. Throws any other error, because it is a bug or an outage of ours. */
  count(error: unknown): VenueError
  add(exchange: string, kind: VenueErrorClass, times?: number): void
  take(): { exchange: string; kind: VenueErrorClass; count: number }[]
}

export function venueErrors(): VenueErrors {
  const counts = new Map<string, { exchange: string; kind: VenueErrorClass; count: number }>()
  const add = (exchange: string, kind: VenueErrorClass, times = 1) => {
    total.add(times, { exchange, class: kind })
    const key = `${exchange} ${kind}`
    const known = counts.get(key) ?? { exchange, kind, count: 0 }
    known.count += times
    counts.set(key, known)
  }
  return {
    add,
    count: (error) => {
      if (!(error instanceof VenueError)) throw error
      // A missing allowance is not a failure of the venue.
      if (error.kind !== 'budget') add(error.exchange, error.kind)
      return error
    },
    take: () => {
      const taken = [...counts.values()]
      counts.clear()
      return taken
    },
  }
}

/**
 * Counts and logs what a job did not read from a venue. A job that was told to stop has failed at nothing, so its line is
 * for debugging. Throws any error that is not a `VenueError`.
 */
export function logUnread(
  { errors, log }: { readonly errors: VenueErrors; readonly log: Log },
  { aborted }: AbortSignal,
  error: unknown,
  what: string,
): void {
  const { exchange, message } = errors.count(error)
  log[aborted ? 'debug' : 'warn']({ exchange, reason: message }, what)
}
