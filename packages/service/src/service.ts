import { loadSettings, type Contract, type Environment, type Event, type SettingsOf } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { openPool, sql, type Pool } from '@svc/postgres'
import { z } from 'zod'
import { openBus, type Bus } from './bus.ts'
import { systemClock, type Clock } from './clock.ts'
import { openDuties, type Duties, type Jobs } from './duties.ts'
import { react, type Reaction, type Reactor } from './events.ts'
import type { AnyHandler } from './handler.ts'
import type { Checks } from './health.ts'
import { openLog, type Log } from './log.ts'
import { patiently } from './patiently.ts'
import { serve } from './serve.ts'
import { countBadSwitch } from './telemetry.ts'
import { flushTracing, startTracing } from './tracing.ts'
import { warnUndeclared } from './undeclared.ts'

/** What a service is built from; everything it may touch is in here. */
export interface Kit<K extends Contract = Contract> {
  readonly settings: SettingsOf<K['settings']>
  readonly bus: Bus
  /** The service's own schema; throws for a service that declares none. */
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
}

/** The composed service: what `main.ts` returns from its composition function. */
export interface Parts extends Jobs {
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** By `<service>.<event>`, one for each name in the contract's `consumes`. */
  readonly reactions?: Readonly<Record<string, Reaction>>
  readonly checks?: Checks
  /** Stops taking new work from outside; runs before requests are drained. */
  readonly close?: () => Promise<void>
}

export interface Overrides {
  readonly clock?: Clock
  readonly log?: Log
}

export interface RunningService {
  readonly name: string
  readonly checks: Checks
  stop(): Promise<void>
}

/** Binds each function of an explicit list to the context. */
export function bind<C, F>(list: Readonly<Record<string, (context: C) => F>>, context: C): Record<string, F> {
  return Object.fromEntries(Object.entries(list).map(([key, make]) => [key, make(context)]))
}

const answers = async (pool: Pool): Promise<boolean> =>
  (await pool.oneFirst(sql.type(z.object({ one: z.number() }))`SELECT 1 AS one`)) === 1

/** Opens the pool, which connects at once, and keeps one connection that has answered for the service's first statement. */
async function openPoolPatiently(url: string, size: number): Promise<Pool> {
  const what = `Postgres at ${new URL(url).host}`
  const pool = await patiently(what, () => openPool(url, { size }))
  await patiently(what, () => answers(pool))
  return pool
}

/**
 * Starts a service: settings, connections, handlers, reactions, and, while it leads its schema,
 * the outbox relay and the jobs. `contracts` are those whose events it may consume.
 */
export async function startService<K extends Contract>(
  contract: K,
  contracts: readonly Contract[],
  environment: Environment,
  compose: (kit: Kit<K>) => Promise<Parts> | Parts,
  overrides: Overrides = {},
): Promise<RunningService> {
  const began = performance.now()
  const base = loadSettings(serviceSettings, environment)
  const storage = contract.postgres ? loadSettings(postgresSettings, environment) : null
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? openLog(contract.name, base.logLevel)
  log.info('starting')
  await startTracing({ service: contract.name, ...base })
  await warnUndeclared(contract, environment, log)
  const settings = loadSettings(contract.settings, environment, (setting, reason) => {
    countBadSwitch(setting)
    log.error({ setting, reason }, 'a switch file says nothing valid; the value before it stays')
  }) as SettingsOf<K['settings']>
  const bus = await openBus({ url: base.natsUrl, name: contract.name, seed: base.natsSeed, log })
  const pool = storage === null ? null : await openPoolPatiently(storage.postgresUrl, storage.postgresPool)

  const kit: Kit<K> = {
    settings,
    bus,
    clock,
    log,
    get pool(): Pool {
      if (pool === null) throw new Error(`${contract.name} declares no Postgres schema`)
      return pool
    },
  }
  const parts = await compose(kit)

  const reactors = new Map<string, Reactor>()
  const duties: Duties | null =
    storage === null || pool === null
      ? null
      : openDuties({ contract, url: storage.postgresUrl, pool, bus, jobs: parts, reactors, clock, log })
  const wake = (waker: string) => duties?.wake(waker)
  const takeoverSec = storage?.idempotencyTtlSec ?? 0
  const served = serve({ bus, contract, handlers: parts.handlers, pool, log, clock, takeoverSec, wake })

  const events = new Map(
    contracts.flatMap((other) =>
      Object.values(other.events as Record<string, Event>).map((event) => [`${event.service}.${event.key}`, event]),
    ),
  )
  for (const name of contract.consumes) {
    const event = events.get(name)
    const reaction = parts.reactions?.[name]
    if (event === undefined || reaction === undefined)
      throw new Error(`${contract.name} consumes ${name} but has no reaction to it`)
    reactors.set(
      event.subject,
      react({ pool: kit.pool, bus, service: contract.name, event, reaction, log, wake: () => wake(name) }),
    )
  }

  log.info({ ms: Math.round(performance.now() - began) }, 'ready')
  return {
    name: contract.name,
    checks: {
      nats: () => bus.connected(),
      ...(pool === null
        ? {}
        : {
            postgres: () => answers(pool),
          }),
      ...parts.checks,
    },
    stop: async () => {
      await parts.close?.()
      await served.drain()
      await Promise.all([...reactors.values()].map((reactor) => reactor.stop()))
      await duties?.stop()
      await bus.close()
      await pool?.end()
      await flushTracing()
    },
  }
}
