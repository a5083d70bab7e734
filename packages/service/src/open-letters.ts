import { consumerOf, type Event, type JobDeclaration } from '@svc/contract'
import { lettersToReplay, openLetters, type Pool } from '@svc/postgres'
import type { Clock } from './clock.ts'
import { gaugeOf } from './instruments.ts'
import type { Reactor } from './react.ts'
import type { Job } from './scheduler.ts'

export const DEAD_LETTERS: JobDeclaration = {
  summary: 'Count dead letters, and replay those of money that are due and those that a person marked',
  everyMs: 2_000,
  max: 100,
  budgetSec: 60,
}

const setOpen = gaugeOf('hub_dead_letters', 'Dead letters of a consumer that nobody replayed with success or dropped')
const setAge = gaugeOf('hub_dead_letter_oldest_age_seconds', 'Age of the oldest open dead letter; 0 if none is open')

/** The open dead letters of a service; only the process that leads its schema exposes and replays them. */
export interface LettersWatch {
  readonly replay: Job
  /** Called when this process begins or ends to lead. */
  lead(leading: boolean): void
}

/** What the watch uses: `reactors` by subject is filled when the service starts to react. */
interface Watching {
  readonly service: string
  /** Events that the service consumes. */
  readonly events: readonly Event[]
  readonly pool: Pool
  readonly reactors: ReadonlyMap<string, Reactor>
  readonly clock: Clock
}

/**
 * Returns the job that exposes how many dead letters of each consumer are open, from 0 on and since when, and that replays each
 * one that is due once. A letter of an event that the service no longer consumes is open as well, until a person drops it.
 */
export function watchLetters({ service, events, pool, reactors, clock }: Watching): LettersWatch {
  const labelsOf = (subject: string, money: boolean) => {
    const consumer = consumerOf(service, subject.slice(subject.lastIndexOf('.') + 1))
    return { service, consumer, money: String(money) }
  }
  const exposed = new Map(events.map(({ subject, money = false }) => [subject, labelsOf(subject, money)]))
  let leads = false
  const expose = async () => {
    const open = await openLetters(pool)
    if (!leads) return
    for (const { subject } of open) if (!exposed.has(subject)) exposed.set(subject, labelsOf(subject, false))
    for (const [subject, labels] of exposed) {
      const letters = open.find((one) => one.subject === subject)
      setOpen(labels, letters?.count ?? 0)
      setAge(labels, letters?.age ?? 0)
    }
  }
  return {
    replay: async (signal) => {
      await expose()
      const letters = await lettersToReplay(pool, [...reactors.keys()], clock.now(), DEAD_LETTERS.max)
      const waiting = new Set<string>()
      let done = 0
      for (const { subject, envelope } of letters) {
        // While a dependency of a consumer is down, its other letters would wait for the same one.
        if (signal.aborted || waiting.has(subject)) continue
        if ((await reactors.get(subject)?.replay(envelope)) === true) done += 1
        else waiting.add(subject)
      }
      return { done }
    },
    lead: (leading) => {
      leads = leading
      if (leading) return
      for (const labels of exposed.values()) for (const set of [setOpen, setAge]) set(labels, null)
    },
  }
}
