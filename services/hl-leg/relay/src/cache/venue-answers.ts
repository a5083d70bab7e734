import { RefusalError } from '@svc/contract'
import type { AnswerTo, Fields, QuestionName } from '@svc/hyperliquid'
import { isOutage, type Clock } from '@svc/service'
import { LRUCache } from 'lru-cache'
import type { WeightClass } from '@svc/venue/rules/weights'
import type { Rows, VenueClient } from '@svc/venue/venue-client'

/** An answer of the venue with the time at which it was read. */
export interface Reading<T> {
  readonly data: T
  readonly at: Date
  /** Older than was asked for, because the venue or the budget refused a new one. */
  readonly stale: boolean
}

/** What a question costs, and how old its answer may be. */
export interface Terms {
  readonly by: WeightClass
  readonly maxAgeMs: number
  /** Greatest age of a copy that stands in for a new answer; default: ten minutes. */
  readonly staleMs?: number
  /** Rows that the answer may have, if they cost; the weight of the most is spent before. */
  readonly rows?: Rows
}

/**
 * Answers of the venue, kept by question. Equal questions that are asked at the same time are one request. A copy stands
 * in when the venue or the budget refuses; without one the failure is passed on, and for two seconds not tried again.
 */
export interface VenueAnswers {
  ask<Q extends QuestionName>(terms: Terms, question: Q, fields?: Fields): Promise<Reading<AnswerTo<Q>>>
}

/** Default of the greatest age of a copy that stands in. */
export const STALE_MS = 10 * 60_000
/** How long a question that failed is not asked again. */
const FAILED_MS = 2_000
const ENTRIES_MAX = 500
const BYTES_MAX = 8 * 1024 * 1024
const FAILURES_MAX = 1_000

interface Kept {
  readonly data: unknown
  readonly at: Date
  readonly bytes: number
}
interface Failure {
  readonly error: unknown
  readonly at: number
}

/** Kept answers to one question, so that accounts that strangers ask for never push out what everybody needs. */
interface Shelf {
  readonly kept: LRUCache<string, Kept>
  readonly failed: LRUCache<string, Failure>
  readonly running: Map<string, Promise<Kept>>
}

const newShelf = (): Shelf => ({
  kept: new LRUCache<string, Kept>({
    max: ENTRIES_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
  }),
  failed: new LRUCache<string, Failure>({ max: FAILURES_MAX }),
  running: new Map(),
})

/** Keeps the answers of the venue in this process, bounded by question in number and bytes; the least recently used go first. */
export function keepAnswers({ venue, clock }: { readonly venue: VenueClient; readonly clock: Clock }): VenueAnswers {
  const shelves = new Map<QuestionName, Shelf>()
  const nowMs = () => clock.now().getTime()
  const renew = (shelf: Shelf, by: WeightClass, key: string, ask: () => Promise<unknown>): Promise<Kept> => {
    // Classes wait for themselves alone: one may be refused what another one gets.
    const running = `${by} ${key}`
    const same = shelf.running.get(running)
    if (same !== undefined) return same
    const failure = shelf.failed.get(key)
    if (failure !== undefined && nowMs() - failure.at < FAILED_MS) return Promise.reject(failure.error)
    const started = ask()
      .then((data) => {
        const kept: Kept = { data, at: clock.now(), bytes: JSON.stringify(data).length }
        shelf.kept.set(key, kept)
        shelf.failed.delete(key)
        return kept
      })
      .catch((error: unknown) => {
        // A refusal for want of weight is of a class, and known where weight is asked for.
        if (isOutage(error) && !(error instanceof RefusalError)) shelf.failed.set(key, { error, at: nowMs() })
        throw error
      })
      .finally(() => shelf.running.delete(running))
    shelf.running.set(running, started)
    return started
  }
  return {
    ask: async <Q extends QuestionName>(
      { by, maxAgeMs, staleMs = STALE_MS, rows }: Terms,
      question: Q,
      fields: Fields = {},
    ): Promise<Reading<AnswerTo<Q>>> => {
      const shelf = shelves.get(question) ?? newShelf()
      shelves.set(question, shelf)
      const key = JSON.stringify(fields)
      const reading = ({ data, at }: Kept, stale: boolean) => ({ data: data as AnswerTo<Q>, at, stale })
      const kept = shelf.kept.get(key)
      const ageMs = kept === undefined ? Infinity : nowMs() - kept.at.getTime()
      if (kept !== undefined && ageMs <= maxAgeMs) return reading(kept, false)
      try {
        return reading(await renew(shelf, by, key, () => venue.ask(by, question, fields, rows)), false)
      } catch (error) {
        if (kept === undefined || ageMs > staleMs || !isOutage(error)) throw error
        return reading(kept, true)
      }
    },
  }
}
