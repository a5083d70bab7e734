import { loadSettings, streamOf, type Contract, type Environment, type Event } from '@svc/contract'
import { serviceSettings } from '@svc/contracts'
import { schemaWatch, type Pool } from '@svc/postgres'
import { openDuties, type Duties, type Jobs } from './duties.ts'
import type { Reaction } from './events.ts'
import type { AnyHandler } from './handler.ts'
import type { Checks } from './health.ts'
import { answers, logOf, openKit, type Kit, type OpenedKit, type Overrides } from './kit.ts'
import { tellSwitches } from './metrics.ts'
import { migrationsOf } from './migrate-schema.ts'
import { react, type Reactor } from './react.ts'
import { serve } from './serve.ts'
import { beginAlarms } from './telemetry.ts'
import { flushTracing, startTracing } from './tracing.ts'
import { warnUndeclared } from './undeclared.ts'
import { watchNeeds, type NeedsWatch } from './watch-needs.ts'

/** The composed service, as the composition function in `main.ts` returns it. */
export interface Parts extends Jobs {
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** By `<service>.<event>`, one for each name in the contract's `consumes`. */
  readonly reactions?: Readonly<Record<string, Reaction>>
  readonly checks?: Checks
  /** Called when the process is going to stop: asks clients to leave, and goes on answering them. */
  readonly retire?: () => void
  /** Starts to accept work from outside, after the service answers requests. Not called for the run of a single job. */
  readonly open?: () => Promise<void>
  /** Stops accepting work from outside and releases the resources of the composition, before requests are drained. */
  readonly close?: () => Promise<void>
  /** Releases what running work uses, such as connections to other systems, after requests and jobs have ended. */
  readonly release?: () => Promise<void>
}

/** Definition of a service, as its `main.ts` passes it to `defineService`. */
export interface Definition<K extends Contract, O extends Overrides = Overrides> {
  readonly contract: K
  /** Contracts whose events the service consumes. */
  readonly publishers?: readonly Contract[]
  /** Runs before any connection is opened, such as a check of the schema. Returns the environment to use. */
  readonly prepare?: (environment: Environment) => Promise<Environment>
  /** Builds handlers, reactions and jobs. Must not accept work from outside: `Parts.open` does. */
  readonly compose: (
    kit: Kit<K>,
    given: { readonly environment: Environment; readonly overrides: O },
  ) => Promise<Parts> | Parts
}

export interface RunningService {
  readonly name: string
  readonly checks: Checks
  /** Tells clients that this process is going to stop, which goes on answering. */
  retire(): void
  stop(): Promise<void>
}

/** Maximum time that a start waits for a server that is late or not up yet. */
const START_PATIENCE_MS = 60_000

/** Binds each function of an explicit list to the context. */
export function bind<C, F>(list: Readonly<Record<string, (context: C) => F>>, context: C): Record<string, F> {
  return Object.fromEntries(Object.entries(list).map(([key, make]) => [key, make(context)]))
}

/**
 * Starts a service: settings, connections, handlers and reactions, and, while it leads its schema, the outbox relay and
 * the jobs. `contracts` are those whose events it may consume. A failed start closes everything that it opened.
 */
export async function startService<K extends Contract>(
  contract: K,
  contracts: readonly Contract[],
  environment: Environment,
  compose: (kit: Kit<K>) => Promise<Parts> | Parts,
  overrides: Overrides = {},
): Promise<RunningService> {
  const began = performance.now()
  const log = logOf(contract, environment, overrides)
  log.info('starting')
  await startTracing({ service: contract.name, ...loadSettings(serviceSettings, environment) })
  await warnUndeclared(contract, environment, log)

  await using opened = new AsyncDisposableStack()
  opened.defer(flushTracing)
  const { clock, watch } = overrides
  const connected = await openKit(contract, environment, opened, { log, clock, watch, patienceMs: START_PATIENCE_MS })
  tellSwitches(contract.name, contract.settings, connected.kit.settings)
  const parts = await compose(connected.kit)
  opened.defer(async () => parts.release?.())
  const close = closeOnce(parts)
  opened.defer(close)
  const { reactors, needs } = answer(contract, contracts, connected, parts, opened)
  await parts.open?.()

  const { kit, storage } = connected
  const open = opened.move()
  log.info({ ms: Math.round(performance.now() - began) }, 'ready')
  return {
    name: contract.name,
    checks: {
      nats: () => kit.bus.connected(),
      ...(storage === null ? {} : storageChecks(contract, storage.pool)),
      ...natsChecks(contract, reactors, needs),
      ...parts.checks,
    },
    retire: () => parts.retire?.(),
    stop: async () => {
      await close()
      await open.disposeAsync()
    },
  }
}

/** Returns the checks of a schema: Postgres answers, and every migration of this release is applied. */
function storageChecks(contract: Contract, pool: Pool): Checks {
  const missing = schemaWatch(migrationsOf(contract))
  return { postgres: () => answers(pool), schema: async () => (await missing(pool)).length === 0 }
}

/** Returns the checks of consumers, and of the stream and the buckets of a service: they are there, as the contracts say. */
function natsChecks(contract: Contract, reactors: ReadonlyMap<string, Reactor>, needs: NeedsWatch): Checks {
  const { consumes, events, buckets } = contract
  const delivers = () => [...reactors.values()].every((one) => one.bound()) && needs.hasConsumers()
  return {
    ...(consumes.length === 0 ? {} : { events: delivers }),
    ...(Object.keys(events).length + buckets.length === 0 ? {} : { streams: needs.hasStreams }),
  }
}

/** Returns a function that closes the parts when first called; later calls do nothing. */
export function closeOnce(parts: Parts): () => Promise<void> {
  let closed = false
  return async () => {
    if (closed) return
    closed = true
    await parts.close?.()
  }
}

/**
 * Answers requests, reacts to events and seeks to lead the schema, until `opened` is disposed of. Returns the reactors by
 * subject, and the watch of what the service needs on NATS.
 */
function answer(
  contract: Contract,
  contracts: readonly Contract[],
  { kit, storage }: OpenedKit,
  parts: Parts,
  opened: AsyncDisposableStack,
): { readonly reactors: ReadonlyMap<string, Reactor>; readonly needs: NeedsWatch } {
  const { bus, clock, log } = kit
  beginAlarmsOf(contract)
  const consumed = eventsOf(contract, contracts)
  const needs = watchNeeds({ contract, bus, clock, log })
  opened.defer(() => needs.stop())
  const reactors = new Map<string, Reactor>()
  let duties: Duties | null = null
  if (storage !== null) {
    const { pool, url } = storage
    const given = {
      contract,
      contracts,
      events: consumed,
      url,
      pool,
      bus,
      needs,
      jobs: parts,
      settings: kit.settings,
      reactors,
      clock,
      log,
    }
    duties = openDuties(given)
    opened.defer(duties.stop)
  }
  const wake = (waker: string) => duties?.wake(waker)
  opened.defer(async () => void (await Promise.all([...reactors.values()].map((reactor) => reactor.stop()))))
  opened.defer(() => bus.waitNoLonger())
  const served = serve({
    bus,
    contract,
    handlers: parts.handlers,
    pool: storage?.pool ?? null,
    log,
    clock,
    takeoverSec: storage?.idempotencyTtlSec ?? 0,
    wake,
  })
  opened.defer(served.drain)
  for (const event of consumed) {
    const name = nameOf(event)
    const reaction = parts.reactions?.[name]
    if (reaction === undefined) throw new Error(`${contract.name} consumes ${name} but has no reaction to it`)
    const told = { wake: () => wake(name), changed: () => void needs.look().catch(() => {}) }
    const given = { pool: kit.pool, bus, service: contract.name, event, reaction, clock, log, ...told }
    reactors.set(event.subject, react(given))
  }
  return { reactors, needs }
}

const nameOf = ({ service, key }: Event): string => `${service}.${key}`

/** Returns the events that a service consumes. */
function eventsOf({ name, consumes }: Contract, contracts: readonly Contract[]): readonly Event[] {
  const all = contracts.flatMap(({ events }) => Object.values(events as Readonly<Record<string, Event>>))
  return consumes.map((consumed) => {
    const event = all.find((one) => nameOf(one) === consumed)
    if (event === undefined) throw new Error(`${name} consumes ${consumed}, which no contract declares`)
    return event
  })
}

/** Exposes the alarms of operations and of the service's own stream from 0 on; those of what it consumes begin where it reacts. */
function beginAlarmsOf({ name, operations, events }: Contract): void {
  const own = Object.values(events as Readonly<Record<string, Event>>)
  beginAlarms('schema_behind', Object.keys(operations))
  for (const { subject } of own) beginAlarms('stream_full', [subject])
  if (own.length > 0) beginAlarms('stream_near_full', [streamOf(name)])
}
