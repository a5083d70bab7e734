import { loadSettings, type Contract, type Environment, type SettingDeclaration, type SettingsOf } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { isAnswer, lookAt, openPool, sql, type Pool } from '@svc/postgres'
import { z } from 'zod'
import { readAuthority } from './authority.ts'
import { openBus, type Bus, type BusOptions } from './bus.ts'
import { systemClock, type Clock } from './clock.ts'
import { openLog, type Log } from './log.ts'
import { patiently } from './patiently.ts'
import { beginBadSwitches, countBadSwitch } from './telemetry.ts'
import { watchAnswers, type Answers, type Watched } from './watch-answers.ts'

/** Connections, settings and clock of a service: all resources that it may use. */
export interface Kit<K extends Contract = Contract> {
  readonly settings: SettingsOf<K['settings']>
  readonly bus: Bus
  /** The service's own schema; throws for a service that declares none. */
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  /** Certificates (PEM) that sign those of the platform's own servers (`SVC_CA_FILE`); null: the authorities that Node knows. */
  readonly authority: string | null
  /** Watches the answers of a system that the service depends on, until the service stops. */
  watch(of: Omit<Watched, 'service' | 'clock'>): Answers
}

/** Replacements for parts of a service, which a caller of `start` or `runJob` such as a test may pass. */
export interface Overrides {
  readonly clock?: Clock
  readonly log?: Log
  /** Watches systems in place of `watchAnswers`, whose small questions a test may have to do without. */
  readonly watch?: Kit['watch']
}

/** A kit with the parts that only the runtime uses. */
export interface OpenedKit<K extends Contract = Contract> {
  readonly kit: Kit<K>
  /** Null for a service without a schema. `url` reaches Postgres itself, not a pooler. */
  readonly storage: { readonly pool: Pool; readonly url: string; readonly idempotencyTtlSec: number } | null
}

/** Returns the log of a service: the given one, or one with the level that the environment sets. */
export const logOf = (contract: Contract, environment: Environment, overrides: Overrides): Log =>
  overrides.log ?? openLog(contract.name, loadSettings(serviceSettings, environment).logLevel)

const oneRow = z.object({ one: z.number() })

/** Resolves to true if Postgres answers. */
export const answers = async (pool: Pool): Promise<boolean> =>
  (await pool.oneFirst(sql.type(oneRow)`SELECT 1 AS one`)) === 1

/** Reads the settings that a contract declares, with the switch `dryRun` on; an invalid switch file is logged and counted. */
function settingsOf<K extends Contract>(contract: K, environment: Environment, log: Log, dryRun: string | null) {
  for (const { env, live } of Object.values<SettingDeclaration>(contract.settings))
    if (live === true) beginBadSwitches(env)
  const settings = loadSettings(contract.settings, environment, (setting, reason) => {
    countBadSwitch(setting)
    log.error({ setting, reason }, 'switch file is invalid; the last valid value stays in force')
  })
  const on = dryRun === null ? {} : { [dryRun]: { value: true, enumerable: true } }
  // Property descriptors are copied, so that live settings stay live.
  const switched: unknown = Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(settings), ...on })
  return switched as SettingsOf<K['settings']>
}

/**
 * Connects to Postgres and NATS, waiting up to `patienceMs` for each. `opened` closes all of it, even if this function
 * rejects. Rejects with `SettingError`, and with `StartProblem` for a server that is not ready in time.
 */
export async function openKit<K extends Contract>(
  contract: K,
  environment: Environment,
  opened: AsyncDisposableStack,
  given: {
    readonly log: Log
    readonly clock?: Clock | undefined
    readonly watch?: Kit['watch'] | undefined
    readonly dryRun?: string | null
    readonly patienceMs: number
  },
): Promise<OpenedKit<K>> {
  const { log, clock = systemClock, dryRun = null, patienceMs } = given
  const { natsUrl: url, natsSeed: seed, caFile } = loadSettings(serviceSettings, environment)
  const authority = readAuthority(caFile)
  const storage = contract.postgres ? loadSettings(postgresSettings, environment) : null
  const settings = settingsOf(contract, environment, log, dryRun)
  // A system may be watched long after the start, such as an exchange that this process begins to read.
  const watched = new Set<Answers>()
  opened.defer(() => {
    for (const one of watched) one.stop()
  })
  const watchThem: Kit['watch'] = (of) => {
    const answers = watchAnswers({ ...of, service: contract.name, clock })
    const one: Answers = {
      ...answers,
      stop: () => {
        answers.stop()
        watched.delete(one)
      },
    }
    watched.add(one)
    return one
  }
  const watch = given.watch ?? watchThem
  let pool: Pool | null = null
  if (storage !== null) pool = await openPoolPatiently(storage, patienceMs, opened, watch)
  const onNats: BusOptions['watch'] = (of) => watch({ ...of, dependency: 'nats' })
  const bus = await openBus({ url, name: contract.name, seed, log, patienceMs, authority, watch: onNats })
  opened.defer(() => bus.close())
  const kit: Kit<K> = {
    settings,
    bus,
    clock,
    log,
    authority,
    watch,
    get pool(): Pool {
      if (pool === null) throw new Error(`${contract.name} declares no Postgres schema`)
      return pool
    },
  }
  return {
    kit,
    storage:
      storage === null || pool === null
        ? null
        : { pool, url: storage.postgresDirectUrl ?? storage.postgresUrl, idempotencyTtlSec: storage.idempotencyTtlSec },
  }
}

/** Opens a pool and keeps one connection that has answered for the first statement of the service. */
async function openPoolPatiently(
  { postgresUrl: url, postgresPool: size }: { readonly postgresUrl: string; readonly postgresPool: number },
  patienceMs: number,
  opened: AsyncDisposableStack,
  watch: Kit['watch'],
): Promise<Pool> {
  const what = `Postgres at ${new URL(url).host}`
  const answersOf = watch({ dependency: 'postgres', look: () => lookAt(url), isAnswer })
  const pool = await patiently(what, () => openPool(url, { size, watch: answersOf.ask }), patienceMs)
  opened.defer(() => pool.end())
  await patiently(what, () => answers(pool), patienceMs)
  return pool
}
