import { fileURLToPath } from 'node:url'
import { placeOf, schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { migrate } from '@svc/postgres'
import { prepareDatabase, type DatabaseUrls } from '@svc/servers'
import { openBus, openLog, patiently, PROVISIONER, provision } from '@svc/service'

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
  readonly onStep: (step: string) => void
}

const owners = contracts
  .filter(({ postgres }) => postgres)
  .map((contract) => ({ schema: schemaOf(contract.name), migrations: placeOf(contract).migrations }))

/** Creates the roles, schemas and privileges of all contracts, and sets the passwords. Safe to repeat. */
export async function prepareRoles({ superuserUrl, passwordOf, onStep }: RolesOptions): Promise<Storage['urls']> {
  onStep('roles and schemas')
  return patiently('Postgres', () =>
    prepareDatabase({
      superuserUrl,
      database: DATABASE,
      schemas: owners.map(({ schema }) => ({
        schema,
        migratorPassword: passwordOf(`${schema}_migrator`),
        appPassword: passwordOf(`${schema}_app`),
      })),
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
export async function prepareStreams(natsUrl: string, seed: string | null, replicas = 1): Promise<void> {
  const bus = await openBus({ url: natsUrl, name: PROVISIONER, seed, log: openLog(PROVISIONER, 'silent') })
  try {
    await patiently('JetStream', () => provision(bus, contracts, replicas))
  } finally {
    await bus.close()
  }
}
