import { SECRETS_DIR, setting, settingNames, SWITCHES_DIR, type Contract, type Environment } from '@svc/contract'
import { z } from 'zod'

/** Settings that every service process reads. */
export const serviceSettings = {
  natsUrl: setting({
    env: 'SVC_NATS_URL',
    schema: z.string().min(1),
    default: 'nats://127.0.0.1:4222',
    doc: 'Addresses of NATS, separated by commas; the nodes of a cluster are tried in any order. With tls:// nothing is sent unencrypted.',
  }),
  natsSeed: setting({
    env: 'SVC_NATS_SEED',
    schema: z.string().startsWith('SU').nullable(),
    default: null,
    secret: true,
    doc: "The service's nkey seed for NATS; without it the connection is anonymous.",
  }),
  caFile: setting({
    env: 'SVC_CA_FILE',
    schema: z.string().min(1).max(4096),
    default: null,
    doc: 'File of the certificates (PEM) that sign those of NATS (tls://…) and Redis (rediss://…). Unset: the authorities that Node knows. Postgres names its own: postgres://…?sslmode=verify-full&sslrootcert=FILE.',
  }),
  logLevel: setting({
    env: 'SVC_LOG_LEVEL',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    doc: 'Lowest log level that is written.',
  }),
  internalPort: setting({
    env: 'SVC_INTERNAL_PORT',
    schema: z.coerce.number().int().min(0).max(65535),
    default: '9464',
    doc: 'Port of /livez, /readyz, /buildz and /metrics; 0 selects a free one.',
  }),
  internalHost: setting({
    env: 'SVC_INTERNAL_HOST',
    schema: z.string(),
    default: '127.0.0.1',
    doc: 'Address that the internal port listens on.',
  }),
  switchesDir: setting({
    env: SWITCHES_DIR,
    schema: z.string().min(1).max(4096),
    default: null,
    doc: 'Folder of switch files: a file with the name of a live setting overrides the environment, and a change applies from the next request. An invalid file leaves the last valid value in force.',
  }),
  secretsDir: setting({
    env: SECRETS_DIR,
    schema: z.string().min(1).max(4096),
    default: null,
    doc: 'Folder of secret files: a secret that neither its variable nor its NAME_FILE gives is the text of the file of its name. An empty file means that the secret is not set.',
  }),
  stopDelayMs: setting({
    env: 'SVC_STOP_DELAY_MS',
    schema: z.coerce.number().int().min(0).max(60_000),
    default: '0',
    doc: 'Milliseconds from SIGTERM, when /readyz turns 503, until the process stops accepting work. A load balancer needs some seconds to notice; until then the process answers everything.',
  }),
  stopMaxMs: setting({
    env: 'SVC_STOP_MAX_MS',
    schema: z.coerce.number().int().min(1_000).max(600_000),
    default: '30000',
    doc: 'Most milliseconds that a stop may take after that; a process whose work does not end by then logs it and ends with code 1.',
  }),
  otlpUrl: setting({
    env: 'SVC_OTLP_URL',
    schema: z.url({ protocol: /^https?$/ }),
    default: null,
    secret: true,
    doc: 'Collector that receives traces by OTLP over HTTP, such as http://127.0.0.1:4318; without it no traces are sent.',
  }),
  traceRatio: setting({
    env: 'SVC_TRACE_RATIO',
    schema: z
      .string()
      .regex(/^\d(\.\d{1,9})?$/, 'must be a number from 0 to 1')
      .transform(Number)
      .pipe(z.number().max(1)),
    default: '0.01',
    doc: 'Share of requests from outside that are traced, 0 to 1. A caller cannot request a trace.',
  }),
  version: setting({
    env: 'SVC_VERSION',
    schema: z.string().max(40),
    default: 'dev',
    doc: 'Version that /buildz returns.',
  }),
  commit: setting({
    env: 'SVC_COMMIT',
    schema: z.string().max(80),
    default: 'unknown',
    doc: 'Commit that /buildz returns.',
  }),
} as const

/** Settings of services that own a Postgres schema. */
export const postgresSettings = {
  postgresUrl: setting({
    env: 'SVC_POSTGRES_URL',
    schema: z.string().startsWith('postgres'),
    secret: true,
    doc: "Connection of the service's app role; of its migrator role for a run with --migrate.",
  }),
  postgresDirectUrl: setting({
    env: 'SVC_POSTGRES_DIRECT_URL',
    schema: z.string().startsWith('postgres'),
    default: null,
    secret: true,
    doc: 'Connection that reaches Postgres itself, for the lease of the leader, if SVC_POSTGRES_URL leads to a pooler. Unset: SVC_POSTGRES_URL.',
  }),
  postgresPool: setting({
    env: 'SVC_POSTGRES_POOL',
    schema: z.coerce.number().int().min(1).max(100),
    default: '5',
    doc: 'Maximum number of connections in the pool.',
  }),
  idempotencyTtlSec: setting({
    env: 'HUB_IDEMPOTENCY_TTL_SEC',
    schema: z.coerce.number().int().min(1).max(86_400),
    default: '900',
    doc: 'Seconds after which a repeat takes over an unfinished call with the same Idempotency-Key; finished calls are never repeated.',
  }),
} as const

/**
 * Returns the names of environment variables that a process of this contract reads: its own settings and those of every
 * service.
 */
export function settingNamesOf(contract: Contract): ReadonlySet<string> {
  return settingNames([serviceSettings, ...(contract.postgres ? [postgresSettings] : []), contract.settings])
}

/** Returns the variables of an environment that a process of this contract may receive: the declared ones only. */
export function environmentFor(contract: Contract, environment: Environment): Environment {
  const names = settingNamesOf(contract)
  return Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value !== undefined && names.has(name)),
  )
}
