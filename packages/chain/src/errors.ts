import { Outage } from '@svc/service'

/** The RPC is unavailable (no response, 429, 5xx, timeout). Nothing was read; retry later. */
export class RpcUnavailable extends Outage {
  constructor(detail: string) {
    super('chain', detail)
  }
}

/**
 * The RPC contradicts itself, or a reorganisation happened during the read: a log, receipt or header belongs to another
 * block than it states. Discard the response and read again later.
 */
export class RpcInconsistent extends Outage {
  constructor(detail: string) {
    super('chain_inconsistent', detail)
  }
}

/** The RPC returned an error: the request is too large, or the method is unknown. */
export class RpcRefused extends Outage {
  /** JSON-RPC code, or 413. */
  readonly code: number
  constructor(detail: string, code: number) {
    super('chain_refused', `${detail} (code ${code})`)
    this.code = code
  }
}

/** Returns the first error of `type` among the causes of an error, or null. viem wraps the errors of its transport. */
export function causeOf<T extends Error>(error: unknown, type: abstract new (...args: never[]) => T): T | null {
  let cause = error
  for (let depth = 0; cause instanceof Error && depth < 16; depth++, cause = cause.cause) {
    if (cause instanceof type) return cause
  }
  return null
}
