import type { JetStreamManager } from '@nats-io/jetstream'
import type { Contract } from '@svc/contract'
import { managerOf, type Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import { Outage } from './errors.ts'
import { readTogether } from './gauges.ts'
import { gaugeOf } from './instruments.ts'
import type { Log } from './log.ts'
import { beginAlarms, countAlarm } from './telemetry.ts'
import { differences, isMissing, needsOf, type Need } from './topology.ts'

const ASK_MS = 5_000
/** Pause after which a process asks again if no job has asked meanwhile. With the time to ask it stays below 30 s. */
const EVERY_MS = 20_000

const setConsumerMissing = gaugeOf(
  'hub_consumer_missing',
  'Whether a consumer is missing or differs from the contracts, as a service that reads it or fills its stream sees it',
)
const setStreamMissing = gaugeOf(
  'hub_stream_missing',
  'Whether a stream of events or files is missing or differs from the contracts, as its service sees it',
)

/** How a need is met; unknown while JetStream does not answer. */
type State = 'there' | 'missing' | 'differs' | 'unknown'

/** A consumer as it was found. */
export interface FoundConsumer {
  readonly stream: string
  readonly consumer: string
  /** Events that were not delivered yet; null for a consumer that is not there. */
  readonly pending: number | null
}

/** Watches the streams, buckets and consumers that a service needs. */
export interface NeedsWatch {
  /** Asks for all of them, raises alarms, and returns the consumers. Rejects with `Outage` if JetStream does not answer. */
  look(): Promise<readonly FoundConsumer[]>
  /** Whether no consumer was missing or different when JetStream last answered. */
  hasConsumers(): boolean
  /** Whether no stream and no bucket was missing or different when JetStream last answered. */
  hasStreams(): boolean
  stop(): void
}

interface Watching {
  readonly contract: Contract
  readonly bus: Bus
  readonly log: Log
}

interface Found {
  readonly state: State
  readonly differs: readonly string[]
  readonly pending: number | null
}

async function find(manager: JetStreamManager, need: Need): Promise<Found> {
  try {
    const { stream, consumer } = need
    const info = await (consumer === null ? manager.streams.info(stream) : manager.consumers.info(stream, consumer))
    const isPaused = 'paused' in info && info.paused === true
    const differs = [...differences(need.config, info.config), ...(isPaused ? ['pause_until'] : [])]
    const pending = 'num_pending' in info ? info.num_pending : null
    return { state: differs.length === 0 ? 'there' : 'differs', differs, pending }
  } catch (error) {
    return { state: isMissing(error) ? 'missing' : 'unknown', differs: [], pending: null }
  }
}

/** A stream or a consumer of it. */
type Place = Pick<Need, 'stream' | 'consumer'>

const nameOf = ({ stream, consumer }: Place): string => (consumer === null ? stream : `${stream}/${consumer}`)

/** Alarms of the streams and consumers that one service looks at. */
export interface MissingAlarms {
  /** Raises the alarm of a stream or consumer that is not as it must be: once, until it is. */
  tell(place: Place, state: State, differs?: readonly string[]): void
  stateOf(place: Place): State
  /** Exposes none of them any longer. */
  forget(): void
}

export function openMissingAlarms(service: string, log: Log): MissingAlarms {
  const known = new Map<string, { readonly place: Place; readonly state: State }>()
  const stateOf = (place: Place) => known.get(nameOf(place))?.state ?? 'unknown'
  const expose = ({ stream, consumer }: Place, value: number | null) =>
    consumer === null
      ? setStreamMissing({ service, stream }, value)
      : setConsumerMissing({ service, stream, consumer }, value)
  return {
    stateOf,
    tell: (place, state, differs = []) => {
      const before = stateOf(place)
      // What was known is judged on, but it is no figure of now.
      if (state === 'unknown') return expose(place, null)
      const name = nameOf(place)
      const alarm = place.consumer === null ? 'stream_missing' : 'consumer_missing'
      beginAlarms(alarm, [name])
      known.set(name, { place, state })
      expose(place, state === 'there' ? 0 : 1)
      if (state === before) return
      const facts = { stream: place.stream, ...(place.consumer === null ? {} : { consumer: place.consumer }) }
      if (state === 'there') return void (before !== 'unknown' && log.info(facts, `${name} is there again`))
      countAlarm(alarm, name)
      const what = state === 'missing' ? 'is missing' : `differs from the contracts in ${differs.join(', ')}`
      log.error({ alarm, ...facts }, `${name} ${what}: events may be lost. Run the setup step repair-streams`)
    },
    forget: () => {
      for (const { place } of known.values()) expose(place, null)
      known.clear()
    },
  }
}

/** Starts to watch what a service needs on NATS. A service asks for nothing but its own streams, buckets and consumers. */
export function watchNeeds({ contract, bus, log, clock }: Watching & { readonly clock: Clock }): NeedsWatch {
  const needs = needsOf(contract)
  const alarms = openMissingAlarms(contract.name, log)
  let stopped = false
  let cancel = () => {}
  const look = readTogether(async () => {
    try {
      const manager = await managerOf(bus, ASK_MS)
      const found = await Promise.all(needs.map(async (need) => ({ ...need, ...(await find(manager, need)) })))
      if (stopped) return []
      for (const one of found) alarms.tell(one, one.state, one.differs)
      if (found.some(({ state }) => state === 'unknown')) throw new Outage('nats', 'JetStream did not answer')
      return found.flatMap(({ stream, consumer, pending }) =>
        consumer === null ? [] : [{ stream, consumer, pending }],
      )
    } finally {
      cancel()
      if (!stopped) cancel = clock.after(EVERY_MS, lookAgain)
    }
  })
  const lookAgain = () => void look().catch(() => {})
  const isThere = (need: Need) => alarms.stateOf(need) === 'there'
  if (needs.length > 0) lookAgain()
  return {
    look,
    hasConsumers: () => needs.every((need) => need.consumer === null || isThere(need)),
    hasStreams: () => needs.every((need) => need.consumer !== null || isThere(need)),
    stop: () => {
      stopped = true
      cancel()
      alarms.forget()
    },
  }
}
