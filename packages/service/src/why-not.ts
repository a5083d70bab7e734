import { SettingError } from '@svc/contract'
import { isOutage } from './errors.ts'
import { StartProblem } from './patiently.ts'

/** Errors of the NATS client for a server that is down, late or rejects the login. */
const NATS_NAMES = new Set(['ConnectionError', 'TimeoutError', 'AuthorizationError', 'ClosedConnectionError'])
/** Postgres: wrong password or role, missing database, missing permission. */
const POSTGRES_REFUSALS = /^(28|3D000|42501)/

/**
 * Returns one sentence about a failed start that an operator can fix: a setting, a port in use, a dependency that is
 * down or rejects the login. Returns null for a bug, whose stack is needed.
 */
export function whyNot(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof SettingError || error instanceof StartProblem) return error.message
  const code = String(Reflect.get(error, 'code') ?? '')
  if (code === 'EADDRINUSE')
    return `Port ${String(Reflect.get(error, 'port'))} is in use: stop the process that uses it, or set another port.`
  if (code === 'EACCES' && Reflect.get(error, 'syscall') === 'listen')
    return `Port ${String(Reflect.get(error, 'port'))} may not be used by this user: set a port above 1023.`
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (NATS_NAMES.has(cause.name)) return `NATS cannot be used: ${cause.message}. See SVC_NATS_URL and SVC_NATS_SEED.`
    if (POSTGRES_REFUSALS.test(String(Reflect.get(cause, 'code') ?? '')))
      return `Postgres refuses: ${cause.message}. See SVC_POSTGRES_URL.`
  }
  return isOutage(error) ? `A dependency cannot be reached: ${error.message}.` : null
}
