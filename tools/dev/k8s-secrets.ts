import { mkdirSync } from 'node:fs'
import { schemaOf } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { openDataFolder, openSecrets, redisAcl, type DataFolder, type Secrets } from '@svc/servers'
import { permissionsOf, PROVISIONER } from '@svc/service'
import { stringify } from 'yaml'
import { natsUserVariable, nextNatsUserVariable, secretsOf } from '#generate/deployment/secrets.ts'
import { redisUsersOf, rolePassword } from './access.ts'
import { ENCRYPTED, environmentOfContainer, PLAIN, rolePasswords, type ServersTls } from './container-environment.ts'

/** Name of the Service that leads to the primary, of CloudNativePG and of the single instance. */
const POSTGRES = 'postgres-rw'

/** Returns the value of each entry that this machine can make, by Secret. */
function valuesOf(
  secrets: Secrets,
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
      SVC_POSTGRES_URL: `postgres://${role}:${rolePassword(secrets, role)}@${POSTGRES}:5432/platform${tls.postgres}`,
    }
  }
  return {
    ...Object.fromEntries(contracts.map(({ name }) => [name, environmentOfContainer(secrets, name, POSTGRES, tls)])),
    ...Object.fromEntries(contracts.map(({ name }) => [`${name}-migrator`, migrator(name)])),
    [PROVISIONER]: { SETUP_NATS_SEED: secrets.nkey(PROVISIONER).seed },
    roles: {
      POSTGRES_URL: `postgres://postgres:${superuser}@${POSTGRES}:5432/postgres${tls.postgres}`,
      SETUP_ROLE_PASSWORDS: JSON.stringify(rolePasswords(secrets)),
    },
    'nats-users': Object.fromEntries(users),
    'redis-users': { 'users.acl': redisAcl(secrets.password('redis'), redisUsersOf(secrets)) },
    'postgres-superuser': { username: 'postgres', password: superuser },
  }
}

/**
 * Writes the Secrets of a new installation as files with a kustomization, `kubectl apply -k` of which creates them. They are
 * created at the first run and then kept. What only an operator knows, such as the address of a chain, is an empty file. `tls` says how the
 * servers are reached: plain by default, `ENCRYPTED` with the component `servers-tls`.
 */
export function writeK8sSecrets(folder: DataFolder, tls: ServersTls = PLAIN): void {
  const values = valuesOf(openSecrets(folder), tls)
  const needs = secretsOf(contracts)
  for (const { name, keys } of needs) {
    mkdirSync(folder.file(name), { recursive: true, mode: 0o700 })
    for (const key of keys) folder.write(`${name}/${key.name}`, values[name]?.[key.name] ?? '')
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

if (import.meta.main) {
  const [path, option, ...rest] = process.argv.slice(2)
  if (path === undefined || rest.length > 0 || ![undefined, '--tls'].includes(option)) {
    process.stderr.write('use: node tools/with-node24.mjs tools/dev/k8s-secrets.ts DIR [--tls]\n')
    process.exitCode = 1
  } else {
    const folder = openDataFolder(path)
    try {
      writeK8sSecrets(folder, option === '--tls' ? ENCRYPTED : PLAIN)
      process.stdout.write(
        `secrets are in ${folder.path}: fill in the empty files that you need, keep the folder safe\n`,
      )
    } finally {
      folder.release()
    }
  }
}
