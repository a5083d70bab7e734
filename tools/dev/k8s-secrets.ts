import { existsSync, mkdirSync, readFileSync } from 'node:fs'
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
  /** Name of the cluster of Postgres, such as that of a restored one; without it that of the folder, `postgres` in a new one. */
  readonly cluster?: string
}

/** Returns the value of each entry that this machine can make, by Secret. */
function valuesOf(
  secrets: Secrets,
  host: string,
  tls: ServersTls,
): Readonly<Record<string, Readonly<Record<string, string | undefined>>>> {
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

const HOST = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^:/?]+)/
const hostOf = (address: string): string | undefined => HOST.exec(address)?.[2]

/** Adds what a release needs beside what the entry has, such as the password of the role of a new service. */
const ADDITIONS: Readonly<Record<string, (kept: string, made: string) => string>> = {
  SETUP_ROLE_PASSWORDS: (kept, made) => JSON.stringify({ ...JSON.parse(made), ...JSON.parse(kept) }),
  'users.acl': (kept, made) => {
    const userOf = (line: string) => line.split(' ')[1] ?? ''
    const lines = kept.split('\n').filter((line) => line !== '')
    const known = new Set(lines.map(userOf))
    const added = made.split('\n').filter((line) => line !== '' && !known.has(userOf(line)))
    return [...lines, ...added, ''].join('\n')
  },
}

/**
 * Writes the Secrets of an installation as files with a kustomization, `kubectl apply -k` of which creates them. What only an
 * operator knows, such as the address of a chain, is an empty file at first. What a folder has is kept, also credentials that were
 * changed since; another run adds what a release needs, and leads addresses with the host of the superuser's address to the cluster.
 */
export function writeK8sSecrets(folder: DataFolder, { tls = PLAIN, cluster }: Reached = {}): void {
  const keptOf = (entry: string) => (existsSync(folder.file(entry)) ? readFileSync(folder.file(entry), 'utf8') : '')
  /** The Service that leads to the primary, of CloudNativePG and of the single instance. */
  const former = hostOf(keptOf('roles/POSTGRES_URL')) ?? 'postgres-rw'
  const host = cluster === undefined ? former : `${cluster}-rw`
  const values = valuesOf(openSecrets(folder), host, tls)
  const needs = secretsOf(contracts)
  for (const { name, keys } of needs) {
    mkdirSync(folder.file(name), { recursive: true, mode: 0o700 })
    for (const key of keys) {
      const entry = `${name}/${key.name}`
      const made = values[name]?.[key.name] ?? ''
      const kept = keptOf(entry)
      const held = kept === '' ? made : (ADDITIONS[key.name]?.(kept, made) ?? kept)
      folder.write(entry, hostOf(held) === former ? held.replace(HOST, `$1${host}`) : held)
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
