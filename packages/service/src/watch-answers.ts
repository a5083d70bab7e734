import { setImmediate as turn } from 'node:timers/promises'
import { metrics } from '@opentelemetry/api'
import type { Clock } from './clock.ts'
import { Outage } from './errors.ts'
import './meters.ts'

/** A kind of system that services depend on. */
export type Dependency = 'postgres' | 'nats' | 'redis' | 'chain' | 'venue' | 'exchange'

/** Time for which a question may stay without an answer before the watch asks a small one of its own. */
const PATIENCE_MS = 1_000
/** Longest wait for the answer to that small question. */
const LOOK_MS = 1_800
/** Longest wait for a system that answers nothing at all. A caller gets its 503 after this time: within three seconds. */
export const SILENCE_MS = PATIENCE_MS + LOOK_MS
/** A look that failed so recently is not repeated: the next question fails at once. */
const REMEMBERED_MS = 500
/** Pause after which a system that nobody asks is asked: four looks fit into the age that fires an alert. */
const IDLE_MS = 10_000

/** What is watched. `look` asks a small question; its answer is thrown away, and its wait is bounded by the watch. */
export interface Watched {
  readonly service: string
  readonly dependency: Dependency
  /** Which of several systems of one kind, such as the id of an exchange. */
  readonly name?: string
  readonly clock: Clock
  /** Time after which a system that nobody asks is asked; default: ten seconds. */
  readonly idleMs?: number
  readonly look: (signal: AbortSignal) => Promise<unknown>
  /** The error of a question that nobody answers; default: an `Outage` named after the dependency. */
  readonly outage?: (detail: string) => Error
  /** Whether an error of a question is an answer of the system, such as a refusal; default: none is. */
  readonly isAnswer?: (error: unknown) => boolean
}

/** Follows when a system answered last: callers wait no longer than `SILENCE_MS` for one that answers nothing. */
export interface Answers {
  /** Notes that the system has answered, whatever it said. */
  note(): void
  /**
   * Asks a question, which may take as long as it needs while the system answers others. Rejects with an outage once the
   * system has answered nothing for `SILENCE_MS`, and at once while that is known; the question itself goes on unheard.
   */
  ask<T>(question: () => Promise<T>): Promise<T>
  stop(): void
}

interface Exposed {
  readonly labels: Readonly<Record<string, string>>
  /** Seconds; NaN, which is not exposed, when nobody watches any longer. */
  age: () => number
}

/** Age of each watched system's last answer by its labels. */
const ages = new Map<string, Exposed>()

metrics
  .getMeter('svc')
  .createObservableGauge('hub_dependency_answer_age_seconds', {
    description: 'Time since a system that a service depends on has last answered anything',
  })
  .addCallback((result) => {
    for (const { labels, age } of ages.values()) result.observe(age(), labels)
  })

/** Counts the answers of a system, whoever asked. */
interface Count {
  answers: number
  note(): void
}

/** Small questions to a system, one at a time: all that want to know at one time share it. */
interface Looks {
  /** Whether the last one had no answer. */
  failed(): boolean
  /** Returns whether the system answers anything. */
  answersNow(): Promise<boolean>
  /** Called when another question was answered. */
  works(): void
}

function openLooks(look: Watched['look'], count: Count): Looks {
  /** When the last look failed, by the monotonic clock; null while the system answers. */
  let failedAt: number | null = null
  let looking: Promise<boolean> | null = null
  const lookOnce = async (): Promise<boolean> => {
    const before = count.answers
    const limit = new AbortController()
    const { promise: late, resolve } = Promise.withResolvers<boolean>()
    const giveUp = async () => {
      // An answer may have arrived while this process could not read it.
      await turn()
      limit.abort(new DOMException('no answer in time', 'TimeoutError'))
      resolve(false)
    }
    const timer = setTimeout(() => void giveUp(), LOOK_MS)
    const asked = Promise.resolve()
      .then(() => look(limit.signal))
      .then(
        () => true,
        () => false,
      )
    const isAnswered = await Promise.race([asked, late])
    clearTimeout(timer)
    if (isAnswered) count.note()
    failedAt = count.answers > before ? null : performance.now()
    return failedAt === null
  }
  return {
    failed: () => failedAt !== null,
    answersNow: () => {
      if (failedAt !== null && performance.now() - failedAt < REMEMBERED_MS) return Promise.resolve(false)
      return (looking ??= lookOnce().finally(() => {
        looking = null
      }))
    },
    works: () => {
      failedAt = null
    },
  }
}

/** Waits for an answer as long as the system answers anything, and rejects with `silent` once it does not. */
function waitFor<T>(question: () => Promise<T>, count: Count, looks: Looks, given: Asking): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let timer: NodeJS.Timeout
  let ended = false
  let seen = count.answers
  const judge = async () => {
    // What was answered meanwhile shows that the system works, and that this question takes its time.
    const isWorking = count.answers > seen || (await looks.answersNow())
    seen = count.answers
    if (ended) return
    if (isWorking) wait()
    else reject(given.silent())
  }
  const wait = () => {
    timer = setTimeout(() => void judge(), PATIENCE_MS)
  }
  const end = () => {
    ended = true
    clearTimeout(timer)
  }
  wait()
  question().then(
    (answer) => {
      end()
      count.note()
      looks.works()
      resolve(answer)
    },
    (error: unknown) => {
      end()
      if (given.isAnswer(error)) count.note()
      reject(error)
    },
  )
  return promise
}

/** How a question fails. */
interface Asking {
  readonly silent: () => Error
  readonly isAnswer: (error: unknown) => boolean
}

/** Starts to follow the answers of a system, and exposes their age until it is stopped. */
export function watchAnswers(watched: Watched): Answers {
  const { service, dependency, name = '', clock, idleMs = IDLE_MS, look, outage, isAnswer = () => false } = watched
  let answeredAt = clock.now().getTime()
  const count: Count = {
    answers: 0,
    note: () => {
      count.answers += 1
      answeredAt = clock.now().getTime()
    },
  }
  const labels = { service, dependency, name }
  const exposed: Exposed = { labels, age: () => Math.max(0, clock.now().getTime() - answeredAt) / 1000 }
  ages.set(JSON.stringify(labels), exposed)
  const looks = openLooks(look, count)
  const silent = () => {
    const detail = 'does not answer'
    return outage?.(detail) ?? new Outage(dependency, name === '' ? detail : `${name} ${detail}`)
  }

  let stopped = false
  let cancel = () => {}
  const lookIn = (ms: number) => {
    if (!stopped) cancel = clock.after(ms, () => void lookWhenIdle())
  }
  const lookWhenIdle = async () => {
    const quietMs = clock.now().getTime() - answeredAt
    if (quietMs < idleMs) return lookIn(idleMs - quietMs)
    await looks.answersNow()
    lookIn(IDLE_MS)
  }
  lookIn(idleMs)

  return {
    note: count.note,
    ask: async (question) => {
      if (looks.failed() && !(await looks.answersNow())) throw silent()
      return waitFor(question, count, looks, { silent, isAnswer })
    },
    stop: () => {
      stopped = true
      cancel()
      exposed.age = () => Number.NaN
    },
  }
}

/** Answers of a system that nobody watches, for tools and tests: a question lasts as long as it lasts. */
export const unwatched: Answers = { note: () => {}, ask: (question) => question(), stop: () => {} }
