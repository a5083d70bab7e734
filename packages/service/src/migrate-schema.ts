import { fileURLToPath } from 'node:url'
import { loadSettings, placeOf, schemaOf, SettingError, type Contract, type Environment } from '@svc/contract'
import { postgresSettings, serviceSettings } from '@svc/contracts'
import { migrate } from '@svc/postgres'
import { openLog } from './log.ts'
import { patiently } from './patiently.ts'

/** Returns the folder with the migrations of a service. */
export const migrationsOf = (contract: Contract): string =>
  fileURLToPath(new URL(`../../../${placeOf(contract).migrations}`, import.meta.url))

/**
 * Brings the schema of a service to the newest version. `SVC_POSTGRES_URL` must be the connection of the migrator role.
 * Safe to repeat, and several processes may run it at once. Rejects with `SettingError` for a service without a schema.
 */
export async function migrateSchema(contract: Contract, environment: Environment): Promise<void> {
  if (!contract.postgres) throw new SettingError(`${contract.name} has no Postgres schema: omit --migrate.`)
  const { postgresUrl: url } = loadSettings(postgresSettings, environment)
  const log = openLog(contract.name, loadSettings(serviceSettings, environment).logLevel)
  const schema = schemaOf(contract.name)
  const applied = await patiently(`Postgres at ${new URL(url).host}`, () =>
    migrate({ url, schema, directory: migrationsOf(contract) }),
  )
  log.info({ schema, applied }, 'the schema has the newest version')
}
