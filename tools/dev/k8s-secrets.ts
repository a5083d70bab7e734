import { existsSync, mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { openDataFolder, openSecrets, redisAcl, type DataFolder, type Secrets } from '@svc/servers'
import { permissionsOf, PROVISIONER } from '@svc/service'
import { stringify } from 'yaml'
import { natsUserVariable, nextNatsUserVariable, secretsOf } from '#generate/deployment/secrets.ts'
import { redisUsersOf, rolePassword } from './access.ts'
import { ENCRYPTED, environmentOfContainer, PLAIN, rolePasswords, type ServersTls } from './container-environment.ts'

/** How the servers are reached. */
interface Reached {
  /** Plain without it; `ENCRYPTED` with the component `servers-tls`. */
  readonly tls?: ServersTls
  /** Name of the cluster of Postgres, such as that of a restored one; `postgres` without it. */
  readonly cluster?: string
}

/** Returns the value of each entry that this machine can make, by Secret. */
function valuesOf(
  secrets: Secrets,
  { tls = PLAIN, cluster = 'postgres' }: Reached,
): Readonly<Record<string, Readonly<Record<string, string | undefined>>>> {
  /** The Service that leads to the primary, of CloudNativePG and of the single instance. */
  const host = `${cluster}-rw`
  const superuser = secrets.password('postgres')
  const users = permissionsOf(contracts).flatMap(({ name }) => [
    [natsUserVariable(name), secrets.nkey(name).publicKey] as const,
    [nextNatsUserVariable(name), secrets.nkey(`${name}-next`).publicKey] as const,
  ])
  const migrator = (name: string) => {
    const role = `${schemaOf(name)}_migrator`
    return {
      SVC_POSTGRES_URL: `postgres://${role}:${rolePassword(secrets, role)}@${host}:5432/platform${tls.postgres}`,
    }
  }
  return {
    ...Object.fromEntries(contracts.map(({ name }) => [name, environmentOfContainer(secrets, name, host, tls)])),
    ...Object.fromEntries(contracts.map(({ name }) => [`${name}-migrator`, migrator(name)])),
    [PROVISIONER]: { SETUP_NATS_SEED: secrets.nkey(PROVISIONER).seed },
    roles: {
      POSTGRES_URL: `postgres://postgres:${superuser}@${host}:5432/postgres${tls.postgres}`,
      SETUP_ROLE_PASSWORDS: JSON.stringify(rolePasswords(secrets)),
    },
    'nats-users': Object.fromEntries(users),
    'redis-users': { 'users.acl': redisAcl(secrets.password('redis'), redisUsersOf(secrets)) },
    'postgres-superuser': { username: 'postgres', password: superuser },
  }
}

/**
 * Writes the Secrets of a new installation as files with a kustomization, `kubectl apply -k` of which creates them. They are
 * created at the first run and then kept; their addresses are written anew. What only an operator knows, such as the address of a
 * chain, is an empty file at first.
 */
export function writeK8sSecrets(folder: DataFolder, reached: Reached = {}): void {
  const values = valuesOf(openSecrets(folder), reached)
  const needs = secretsOf(contracts)
  for (const { name, keys } of needs) {
    mkdirSync(folder.file(name), { recursive: true, mode: 0o700 })
    for (const key of keys) {
      const entry = `${name}/${key.name}`
      const made = values[name]?.[key.name]
      // What an operator has filled in stays.
      if (made !== undefined || !existsSync(folder.file(entry))) folder.write(entry, made ?? '')
    }
  }
  const secretGenerator = needs.map(({ name, keys }) => ({ name, files: keys.map((key) => `${name}/${key.name}`) }))
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: 'platform',
    // Workloads name the Secrets, which other tools may own.
    generatorOptions: { disableNameSuffixHash: true },
    secretGenerator,
  }
  folder.write('kustomization.yaml', stringify(kustomization))
}

const USE = 'use: node tools/with-node24.mjs tools/dev/k8s-secrets.ts DIR [--tls] [--postgres CLUSTER]'

function run(): void {
  const { values, positionals } = parseArgs({
    options: { tls: { type: 'boolean', default: false }, postgres: { type: 'string' } },
    allowPositionals: true,
  })
  const [path, ...rest] = positionals
  if (path === undefined || rest.length > 0) throw new Error('Name one folder.')
  const folder = openDataFolder(path)
  try {
    writeK8sSecrets(folder, {
      ...(values.tls ? { tls: ENCRYPTED } : {}),
      ...(values.postgres === undefined ? {} : { cluster: values.postgres }),
    })
    process.stdout.write(`secrets are in ${folder.path}: fill in the empty files that you need, keep the folder safe\n`)
  } finally {
    folder.release()
  }
}

if (import.meta.main) {
  try {
    run()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USE}\n`)
    process.exitCode = 1
  }
}
