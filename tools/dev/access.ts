import { contracts } from '@svc/contracts/all'
import type { NatsUser, RedisUser, Secrets } from '@svc/servers'
import { permissionsOf } from '@svc/service'

/** Services that use Redis, each with the only keys that it sees. */
const REDIS_USERS = [
  { name: 'gateway', keyPrefix: 'gw:' },
  { name: 'identity', keyPrefix: 'id:' },
  { name: 'market-data', keyPrefix: 'md:' },
] as const

/** NATS users of all contracts with their keys and permissions. */
export const natsUsersOf = (secrets: Secrets): readonly NatsUser[] =>
  permissionsOf(contracts).map(({ name, account, imports, ...permissions }) => ({
    name,
    account,
    imports,
    publicKey: secrets.nkey(name).publicKey,
    permissions,
  }))

/** Redis users with their passwords and key prefixes. */
export const redisUsersOf = (secrets: Secrets): readonly RedisUser[] =>
  REDIS_USERS.map(({ name, keyPrefix }) => ({ name, keyPrefix, password: secrets.password(`redis-${name}`) }))

/** Password of a Postgres role such as `mining_app`. */
export const rolePassword = (secrets: Secrets, role: string): string => secrets.password(`postgres-${role}`)

const seedOf = (secrets: Pick<Secrets, 'password'>, name: string) =>
  Buffer.from(secrets.password(name), 'base64url').toString('hex')

/** Returns the seed of the trade-only keys of legs, 64 hex characters. */
export const legSeed = (secrets: Pick<Secrets, 'password'>): string => seedOf(secrets, 'leg-seed')

/** Returns the seed of the order keys of linked accounts, 64 hex characters. */
export const tradeSeed = (secrets: Pick<Secrets, 'password'>): string => seedOf(secrets, 'trade-seed')
