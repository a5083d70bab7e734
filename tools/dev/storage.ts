import { fileURLToPath } from 'node:url'
import { placeOf, schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { migrate, publishAgain } from '@svc/postgres'
import { prepareDatabase, withClient, type DatabaseUrls } from '@svc/servers'
import {
  dropStreams,
  openBus,
  openLog,
  patiently,
  PROVISIONER,
  provision,
  readAuthority,
  refuseReaders,
  type Bus,
} from '@svc/service'
import { backupStreams, restoreFiles, type RestoreOptions } from './stream-copies.ts'

const DATABASE = 'platform'

export interface Storage {
  /** Addresses of the roles by schema. */
  readonly urls: Readonly<Record<string, DatabaseUrls>>
  /** Names of the applied migrations. */
  readonly migrated: readonly string[]
}

interface RolesOptions {
  readonly superuserUrl: string
  /** Returns the password of a role such as `mining_app`. */
  readonly passwordOf: (role: string) => string
  /** Returns the password of a role that a service changes to, such as `mining_app_b`; undefined: nobody logs in as that role. */
  readonly otherPasswordOf?: (role: string) => string | undefined
  readonly onStep: (step: string) => void
}

const owners = contracts
  .filter(({ postgres }) => postgres)
  .map((contract) => ({ schema: schemaOf(contract.name), migrations: placeOf(contract).migrations }))

/** Creates the roles, schemas and privileges of all contracts, and sets the passwords. Safe to repeat. */
export async function prepareRoles({
  superuserUrl,
  passwordOf,
  otherPasswordOf = () => undefined,
  onStep,
}: RolesOptions): Promise<Storage['urls']> {
  onStep('roles and schemas')
  return patiently('Postgres', () =>
    prepareDatabase({
      superuserUrl,
      database: DATABASE,
      schemas: owners.map(({ schema }) => {
        const appBPassword = otherPasswordOf(`${schema}_app_b`)
        return {
          schema,
          migratorPassword: passwordOf(`${schema}_migrator`),
          appPassword: passwordOf(`${schema}_app`),
          ...(appBPassword === undefined ? {} : { appBPassword }),
        }
      }),
    }),
  )
}

/** Creates the roles and schemas of all contracts and migrates them. Safe to repeat. */
export async function prepareStorage(options: RolesOptions): Promise<Storage> {
  const urls = await prepareRoles(options)
  options.onStep('migrations')
  const migrated: string[] = []
  for (const { schema, migrations } of owners) {
    const directory = fileURLToPath(new URL(`../../${migrations}`, import.meta.url))
    const applied = await patiently(`the migrations of ${schema}`, () =>
      migrate({ url: urls[schema]?.migrator ?? '', schema, directory }),
    )
    migrated.push(...applied.map((migration) => `${schema}: ${migration}`))
  }
  return { urls, migrated }
}

/** Creates the streams and consumers of all contracts, with this many copies of each. Safe to repeat. */
export const prepareStreams = (natsUrl: string, seed: string | null, options: StreamOptions = {}): Promise<void> =>
  asProvisioner(natsUrl, seed, options, async (bus) => {
    await patiently('JetStream', () => provision(bus, contracts, options.replicas))
  })

/** Throws while a service waits for events, whichever Postgres it is connected to (`refuseReaders`). */
export const refuseServices = (natsUrl: string, seed: string | null, options: StreamOptions = {}): Promise<void> =>
  asProvisioner(natsUrl, seed, options, (bus) => patiently('JetStream', () => refuseReaders(bus, contracts)))

/** Deletes the streams of events and creates them again, empty and without the ids that they have seen. Keeps the files. */
export const recreateStreams = (natsUrl: string, seed: string | null, options: StreamOptions = {}): Promise<void> =>
  asProvisioner(natsUrl, seed, options, async (bus) => {
    await patiently('JetStream', () => dropStreams(bus, contracts))
    await provision(bus, contracts, options.replicas)
  })

/** Copies every bucket and stream into a folder, and keeps the last sets. Returns the name of the set (`backupStreams`). */
export const copyStreams = (
  natsUrl: string,
  seed: string | null,
  options: StreamOptions & { readonly folder: string; readonly keep: number },
): Promise<string> =>
  asProvisioner(natsUrl, seed, options, (bus) => backupStreams(bus, contracts, { ...options, now: new Date() }))

/** Creates the buckets that are missing from a set of copies in a folder. Returns the name of the set (`restoreFiles`). */
export const putFilesBack = (
  natsUrl: string,
  seed: string | null,
  options: StreamOptions & RestoreOptions,
): Promise<string> => asProvisioner(natsUrl, seed, options, (bus) => restoreFiles(bus, contracts, options))

/** How streams are created. */
export interface StreamOptions {
  /** Copies of each stream; 1 without it. */
  readonly replicas?: number
  /** File with the certificate of the authority that signs NATS' certificate; null for the system's authorities. */
  readonly caFile?: string | null
}

async function asProvisioner<T>(
  natsUrl: string,
  seed: string | null,
  { caFile = null }: StreamOptions,
  work: (bus: Bus) => Promise<T>,
): Promise<T> {
  const log = openLog(PROVISIONER, 'silent')
  const bus = await openBus({ url: natsUrl, name: PROVISIONER, seed, log, authority: readAuthority(caFile) })
  try {
    return await work(bus)
  } finally {
    await bus.close()
  }
}

/**
 * Has the outboxes of all services with a schema in this Postgres publish the events of the last days again (`publishAgain`).
 * `restored`: after a restore of it to an earlier moment, before services start. Returns how many there are.
 */
export async function publishAllAgain(superuserUrl: string, restored: boolean): Promise<number> {
  const url = new URL(superuserUrl)
  url.pathname = `/${DATABASE}`
  const here = await withClient(url.href, async (client) => {
    const names = owners.map(({ schema }) => schema)
    const found = `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(quote_ident(name) || '.outbox') IS NOT NULL`
    return (await client.query<{ name: string }>(found, [names])).rows.map(({ name }) => name)
  })
  let events = 0
  for (const schema of here) events += await publishAgain({ url: url.href, schema, restored })
  return events
}
