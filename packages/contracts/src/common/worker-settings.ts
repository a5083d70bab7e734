import { setting, switchWord } from '@svc/contract'
import { z } from 'zod'

const milliseconds = z.coerce.number().int().min(1).max(600_000)

/** Settings of the workers' database sessions; names and defaults are those of the API document. */
export const workerSettings = {
  schemaEnsure: setting({
    env: 'HUB_WORKER_SCHEMA_ENSURE',
    schema: switchWord,
    default: '0',
    doc: 'For testing only: 1 applies the migrations at the start, which requires a role with that permission. 0: workers change no schema, and a missing table makes a worker log one line and exit with code 2.',
  }),
  statementTimeoutMs: setting({
    env: 'HUB_WORKER_STATEMENT_TIMEOUT_MS',
    schema: milliseconds,
    default: '20000',
    doc: "Statement timeout of the workers' transactions; a run that hits it is skipped.",
  }),
  lockTimeoutMs: setting({
    env: 'HUB_WORKER_LOCK_TIMEOUT_MS',
    schema: milliseconds,
    default: '5000',
    doc: "Lock timeout of the workers' transactions; a run that hits it is skipped.",
  }),
} as const
