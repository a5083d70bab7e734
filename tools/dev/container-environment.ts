import { schemaOf, type Environment } from '@svc/contract'
import { environmentFor } from '@svc/contracts'
import { contracts } from '@svc/contracts/all'
import type { Secrets } from '@svc/servers'
import { legSeed, redisUsersOf, rolePassword, tradeSeed } from './access.ts'

/** What addresses of the servers say about encryption: the scheme of Redis, the query of Postgres. */
export interface ServersTls {
  readonly redis: 'redis' | 'rediss'
  readonly postgres: string
}
export const PLAIN: ServersTls = { redis: 'redis', postgres: '' }
/** Encrypted and verified by the authority that pods mount. */
export const ENCRYPTED: ServersTls = {
  redis: 'rediss',
  postgres: '?sslmode=verify-full&sslrootcert=/etc/platform/authority/ca.crt',
}

/** Returns the servers' addresses and a service's own credentials for its container. */
export function environmentOfContainer(
  secrets: Secrets,
  name: string,
  postgresHost = 'postgres',
  tls: ServersTls = PLAIN,
): Environment {
  const contract = contracts.find((one) => one.name === name)
  if (contract === undefined) throw new Error(`there is no service ${name}`)
  const role = `${schemaOf(name)}_app`
  const redis = redisUsersOf(secrets).find((user) => user.name === name)
  return environmentFor(contract, {
    SVC_NATS_URL: 'nats://nats:4222',
    SVC_NATS_SEED: secrets.nkey(name).seed,
    ...(contract.postgres
      ? {
          SVC_POSTGRES_URL: `postgres://${role}:${rolePassword(secrets, role)}@${postgresHost}:5432/platform${tls.postgres}`,
        }
      : {}),
    ...(redis === undefined ? {} : { SVC_REDIS_URL: `${tls.redis}://${redis.name}:${redis.password}@redis:6379` }),
    SVC_SESSION_SIGNING_KEY: secrets.password('session-signing-key'),
    SVC_WEBHOOK_KEY: secrets.password('webhook-key'),
    SVC_KEEPER_CLIENT_SECRET: secrets.password('keeper-client'),
    HUB_HL_LEG_SEED: legSeed(secrets),
    SVC_TRADE_AGENT_SEED: tradeSeed(secrets),
  })
}

/** Returns the passwords of all roles, for the container that creates them. */
export function rolePasswords(secrets: Secrets): Readonly<Record<string, string>> {
  const roles = contracts
    .filter(({ postgres }) => postgres)
    .flatMap(({ name }) => ['migrator', 'app'].map((kind) => `${schemaOf(name)}_${kind}`))
  return Object.fromEntries(roles.map((role) => [role, rolePassword(secrets, role)]))
}
