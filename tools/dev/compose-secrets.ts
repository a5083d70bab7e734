import { writeFileSync, chmodSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Environment } from '@svc/contract'
import { contracts } from '@svc/contracts/all'
import { natsConfig, openDataFolder, openSecrets, redisAcl, type DataFolder } from '@svc/servers'
import { PROVISIONER } from '@svc/service'
import { natsUsersOf, redisUsersOf } from './access.ts'
import { environmentOfContainer, rolePasswords } from './container-environment.ts'

const folderOfCompose = fileURLToPath(new URL('../../infra/local/secrets', import.meta.url))

/**
 * Writes the secrets of `infra/local/compose.yaml`, created at the first run and then kept: an environment file for each
 * service, for Postgres and for the setup, and the users of NATS and Redis with public keys and hashes only. Run it again
 * after a contract changed.
 */
export function writeComposeSecrets(folder: DataFolder): void {
  const secrets = openSecrets(folder)
  const environmentFile = (name: string, values: Environment) =>
    folder.write(
      `${name}.env`,
      Object.entries(values)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(''),
    )
  // The users of the servers read these two through a bind mount; only this user may enter the folder itself.
  const readable = (name: string, text: string) => {
    writeFileSync(folder.file(name), text)
    chmodSync(folder.file(name), 0o644)
  }
  const superuser = secrets.password('postgres')
  environmentFile('postgres', { POSTGRES_PASSWORD: superuser })
  environmentFile('setup', {
    POSTGRES_URL: `postgres://postgres:${superuser}@postgres:5432/postgres`,
    NATS_URL: 'nats://nats:4222',
    SETUP_NATS_SEED: secrets.nkey(PROVISIONER).seed,
    SETUP_ROLE_PASSWORDS: JSON.stringify(rolePasswords(secrets)),
  })
  for (const { name } of contracts) environmentFile(name, environmentOfContainer(secrets, name))
  const users = natsUsersOf(secrets)
  // Loopback only: the monitoring port shows who subscribes to what.
  readable(
    'nats.conf',
    natsConfig({ host: '0.0.0.0', port: 4222, storeDir: '/data', users, monitoring: '127.0.0.1:8222' }),
  )
  readable('redis.acl', redisAcl(secrets.password('redis'), redisUsersOf(secrets)))
}

if (import.meta.main) {
  const folder = openDataFolder(folderOfCompose)
  try {
    writeComposeSecrets(folder)
    process.stdout.write(`credentials for the containers are in ${folder.path}\n`)
  } finally {
    folder.release()
  }
}
