/** A dependency is down, late or rejects the call; the same call may succeed later. */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly reason: string
  constructor(reason: string, detail: string, options?: ErrorOptions) {
    super(`${reason}: ${detail}`, options)
    this.reason = reason
  }
}

const OUTAGE_NAMES = new Set([
  'BackendTerminatedError',
  'BackendTerminatedUnexpectedlyError',
  'ConnectionError',
  'IdleTransactionTimeoutError',
  'LeaseLost',
  'StatementTimeoutError',
  'StatementCancelledError',
  'MaxRetriesPerRequestError',
  'TimeoutError',
])
/** 25006: a server that only reads, as during a failover. */
const OUTAGE_CODES = /^(40|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|08|25006|53|57P|55P03)/

/**
 * Returns true if an error means that Postgres, Redis, NATS or the network is down or late, rather than that the code
 * is wrong.
 */
export function isOutage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code: unknown = Reflect.get(cause, 'code')
    if (cause instanceof Outage || OUTAGE_NAMES.has(cause.name)) return true
    if (typeof code === 'string' && OUTAGE_CODES.test(code)) return true
    // pg reports a connection that was not made in time as `timeout …`, without a name or a code.
    if (/Connection terminated|Connection is closed|connection has been terminated|^timeout e/i.test(cause.message))
      return true
  }
  return false
}
