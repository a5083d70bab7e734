import type { Contract } from '@svc/contract'
import { permissionsOf, PROVISIONER } from '@svc/service'
import { settingsOfProcess } from './settings-of-process.ts'

/** A Kubernetes Secret that the platform needs, with the names of its entries. */
export interface SecretNeed {
  readonly name: string
  /** Who mounts it. */
  readonly holder: string
  readonly keys: readonly SecretKey[]
}

export interface SecretKey {
  readonly name: string
  /** False: an empty text means that it is not used. */
  readonly required: boolean
  readonly doc: string
}

const key = (name: string, doc: string): SecretKey => ({ name, required: true, doc })

/** Name of the variable with the public key of a NATS user. */
export const natsUserVariable = (user: string): string => `NATS_USER_${user.toUpperCase().replaceAll('-', '_')}`

/** Name of the variable with the next public key of a NATS user, which replaces the present one at a rotation. */
export const nextNatsUserVariable = (user: string): string => `${natsUserVariable(user)}_NEXT`

/** What stands in place of a sealed value until an overlay patches it: `k8s-verify` finds it in released overlays. */
export const NOT_SEALED = 'not-sealed'

/** Secrets whose default suits one machine only. */
const always = new Set(['SVC_NATS_SEED', 'SVC_POSTGRES_URL', 'SVC_REDIS_URL'])

function secretOfService(contract: Contract): SecretNeed {
  const secrets = settingsOfProcess(contract).filter(({ secret }) => secret === true)
  return {
    name: contract.name,
    holder: contract.name,
    keys: secrets.map(({ env, default: value, doc }) => ({
      name: env,
      required: value === undefined || always.has(env),
      doc,
    })),
  }
}

/** Returns every Secret of the platform: one for each service, one for each migration, and those of servers and set-up. */
export function secretsOf(contracts: readonly Contract[]): SecretNeed[] {
  const users = permissionsOf(contracts).map(({ name }) => name)
  return [
    ...contracts.map(secretOfService),
    ...contracts
      .filter(({ postgres }) => postgres)
      .map(({ name }) => ({
        name: `${name}-migrator`,
        holder: `migrate-${name}`,
        keys: [key('SVC_POSTGRES_URL', 'Connection of the migrator role of its schema.')],
      })),
    {
      name: PROVISIONER,
      holder: 'provision',
      keys: [key('SETUP_NATS_SEED', 'The nkey seed of the user that creates streams and consumers.')],
    },
    {
      name: 'roles',
      holder: 'roles',
      keys: [
        key('POSTGRES_URL', 'Connection of the superuser.'),
        key('SETUP_ROLE_PASSWORDS', 'JSON object: the password of each role, such as mining_app.'),
      ],
    },
    {
      name: 'nats-users',
      holder: 'nats',
      keys: users.flatMap((user) => [
        key(natsUserVariable(user), `Public nkey of ${user}.`),
        key(nextNatsUserVariable(user), `Its next public nkey, accepted too.`),
      ]),
    },
    {
      name: 'redis-users',
      holder: 'redis',
      keys: [key('users.acl', 'Users of Redis with hashes of their passwords.')],
    },
    {
      name: 'postgres-superuser',
      holder: 'postgres',
      keys: [key('username', 'postgres'), key('password', 'Password of the superuser.')],
    },
    {
      name: 'postgres-backup',
      holder: 'postgres',
      keys: [
        key('ACCESS_KEY_ID', 'Account of the backup store.'),
        key('SECRET_ACCESS_KEY', 'Its secret.'),
        key('REGION', 'Region of the backup store; us-east-1 for a store that has none.'),
      ],
    },
  ]
}
