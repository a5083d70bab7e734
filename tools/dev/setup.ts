import { ServerProblem } from '@svc/servers'
import { z } from 'zod'
import {
  copyStreams,
  prepareRoles,
  prepareStorage,
  prepareStreams,
  publishAllAgain,
  putFilesBack,
  recreateStreams,
  refuseServices,
} from './storage.ts'

type Environment = Readonly<Record<string, string | undefined>>

const required = (environment: Environment, name: string): string => {
  const value = environment[name]
  if (value === undefined || value === '') throw new ServerProblem(`${name} is required.`)
  return value
}

function rolesOf(environment: Environment) {
  const passwords = z.record(z.string(), z.string()).parse(JSON.parse(required(environment, 'SETUP_ROLE_PASSWORDS')))
  return {
    superuserUrl: required(environment, 'POSTGRES_URL'),
    passwordOf: (role: string) => {
      const password = passwords[role]
      if (password === undefined)
        throw new ServerProblem(`SETUP_ROLE_PASSWORDS has no password for ${role}: write the secrets again.`)
      return password
    },
    otherPasswordOf: (role: string) => passwords[role],
    onStep: (step: string) => void process.stdout.write(`${step}\n`),
  }
}

const streams = (prepare: typeof prepareStreams) => async (environment: Environment) => {
  process.stdout.write('streams and consumers\n')
  const replicas = z.coerce.number().int().min(1).max(5).default(1).parse(environment['SETUP_NATS_REPLICAS'])
  const seed = required(environment, 'SETUP_NATS_SEED')
  await prepare(required(environment, 'NATS_URL'), seed, { replicas, caFile: environment['SVC_CA_FILE'] ?? null })
}

/**
 * Copies of streams are in `BACKUP_DIR`; `BACKUP_KEEP` sets of them are kept, 7 without it. `BACKUP_SET` is the one that is put back,
 * the newest without it.
 */
async function copies(environment: Environment, work: typeof copyStreams | typeof putFilesBack): Promise<void> {
  const folder = required(environment, 'BACKUP_DIR')
  const keep = z.coerce.number().int().min(1).default(7).parse(environment['BACKUP_KEEP'])
  const caFile = environment['SVC_CA_FILE'] ?? null
  const seed = required(environment, 'SETUP_NATS_SEED')
  const set = environment['BACKUP_SET'] || undefined
  const onStep = (step: string) => void process.stdout.write(`${step}\n`)
  const name = await work(required(environment, 'NATS_URL'), seed, { folder, keep, caFile, set, onStep })
  process.stdout.write(`copies in ${folder}/${name}\n`)
}

const published = (restored: boolean) => async (environment: Environment) => {
  const events = await publishAllAgain(required(environment, 'POSTGRES_URL'), restored)
  process.stdout.write(`${events} events will be published again\n`)
}

const publishAgain = published(true)
const createAgain = streams(recreateStreams)

/**
 * Steps that prepare given servers as `npm start` does before it starts the services. The first five are safe to repeat at
 * any time; the last three belong to a restore.
 */
const steps: Readonly<Record<string, (environment: Environment) => Promise<unknown>>> = {
  /** Roles, schemas and privileges, as the superuser; changed passwords take effect. */
  roles: (environment) => prepareRoles(rolesOf(environment)),
  /** Roles and migrations of all services. */
  storage: (environment) => prepareStorage(rolesOf(environment)),
  /** Streams, buckets and consumers, as the user provisioner. */
  streams: streams(prepareStreams),
  /**
   * Creates the streams, buckets and consumers that are missing, and publishes the events of the last days again: what took
   * effect is ignored. Services may run.
   */
  'repair-streams': async (environment) => {
    // First the consumers: an event that is published before they are there would be lost again.
    await streams(prepareStreams)(environment)
    await published(false)(environment)
  },
  /** Copies every bucket and stream into `BACKUP_DIR`, as the user provisioner. */
  'backup-streams': (environment) => copies(environment, copyStreams),
  /** Creates the buckets that are missing from copies in `BACKUP_DIR`: run it before `streams`, which creates them empty. */
  'restore-files': (environment) => copies(environment, putFilesBack),
  /** Publishes the events of the last days again, as the superuser. Refuses while a service is connected. */
  'publish-again': publishAgain,
  /** Deletes the streams of events and creates them again, as the user provisioner. Run it while no service runs. */
  'recreate-streams': createAgain,
  /** The two steps above, in this order: what follows a restore of Postgres. Refuses while a service waits for events. */
  'after-restore': async (environment) => {
    await streams(refuseServices)(environment)
    await publishAgain(environment)
    await createAgain(environment)
  },
}
const [step, ...rest] = process.argv.slice(2)
const wanted = step === undefined ? ['storage', 'streams'] : [step]

async function setup(): Promise<void> {
  for (const name of wanted) {
    const run = Object.hasOwn(steps, name) ? steps[name] : undefined
    if (run === undefined || rest.length > 0)
      throw new ServerProblem(`use: setup.ts [${Object.keys(steps).join(' | ')}]`)
    await run(process.env)
  }
}

await setup().catch((error: unknown) => {
  process.stderr.write(`The setup failed: ${error instanceof Error ? error.message : 'unknown error'}\n`)
  process.exitCode = 1
})
