import { greatestOf } from '@svc/service'

const watch = greatestOf(
  'hub_venue_answer_age_seconds',
  'Time since the venue last answered; 0 while its last answer was good, or while nothing was asked',
)

/** Follows whether the venue answers. */
export interface AnswerAge {
  answered(): void
  failed(): void
  end(): void
}

/** Exposes how long the venue has not answered a client. */
export function watchAnswers(): AnswerAge {
  let goodAt = performance.now()
  let failing = false
  const end = watch(() => (failing ? (performance.now() - goodAt) / 1000 : 0))
  return {
    answered: () => {
      failing = false
      goodAt = performance.now()
    },
    failed: () => {
      // Idle time is no silence: the age counts from the first failure on, or from the last good answer shortly before.
      if (!failing) goodAt = Math.max(goodAt, performance.now() - RECENT_MS)
      failing = true
    },
    end,
  }
}

/** A good answer older than this says nothing about when the silence began. */
const RECENT_MS = 60_000
