import { setting } from '@svc/contract'
import { z } from 'zod'

/** Settings that every service process reads. */
export const serviceSettings = {
  natsUrl: setting({
    env: 'SVC_NATS_URL',
    schema: z.string().min(1),
    default: 'nats://127.0.0.1:4222',
    doc: 'Address of NATS.',
  }),
  natsSeed: setting({
    env: 'SVC_NATS_SEED',
    schema: z.string().startsWith('SU').nullable(),
    default: null,
    secret: true,
    doc: "The service's nkey seed; without it the connection is anonymous.",
  }),
  logLevel: setting({
    env: 'SVC_LOG_LEVEL',
    schema: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    doc: 'Lowest level that is logged.',
  }),
  internalPort: setting({
    env: 'SVC_INTERNAL_PORT',
    schema: z.coerce.number().int().min(0).max(65535),
    default: '9464',
    doc: 'Port of /livez, /readyz, /buildz and /metrics; 0 takes a free one.',
  }),
  internalHost: setting({
    env: 'SVC_INTERNAL_HOST',
    schema: z.string(),
    default: '127.0.0.1',
    doc: 'Address that the internal port listens on.',
  }),
} as const

/** Settings of services that own a Postgres schema. */
export const postgresSettings = {
  postgresUrl: setting({
    env: 'SVC_POSTGRES_URL',
    schema: z.string().startsWith('postgres'),
    secret: true,
    doc: "Connection of the service's app role.",
  }),
  postgresPool: setting({
    env: 'SVC_POSTGRES_POOL',
    schema: z.coerce.number().int().min(1).max(100),
    default: '5',
    doc: 'Connections in the pool.',
  }),
  idempotencyTtlSec: setting({
    env: 'HUB_IDEMPOTENCY_TTL_SEC',
    schema: z.coerce.number().int().min(1).max(86_400),
    default: '900',
    doc: 'A call with an Idempotency-Key that is in flight longer than this is taken over by the next repeat; finished ones never are.',
  }),
} as const
