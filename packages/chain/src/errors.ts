import { Outage } from '@svc/service'

/** The RPC does not answer, or answers that it cannot now (429, 5xx, timeout). Worth a retry later; nothing was read. */
export class RpcUnavailable extends Outage {
  constructor(detail: string) {
    super('chain', detail)
  }
}

/**
 * The RPC contradicts itself or the blocks moved while they were read: a log, receipt or header that belongs to
 * another block than it says. Nothing of the answer may be used; reading again later is right.
 */
export class RpcInconsistent extends Outage {
  constructor(detail: string) {
    super('chain_inconsistent', detail)
  }
}

/** The RPC answered a question with an error: it is too large for it, or it does not know the method. */
export class RpcRefused extends Outage {
  /** JSON-RPC code, or 413. */
  readonly code: number
  constructor(detail: string, code: number) {
    super('chain_refused', `${detail} (code ${code})`)
    this.code = code
  }
}

/** First error along `cause` that is of `type`; viem wraps what its transport throws. */
export function causeOf<T extends Error>(error: unknown, type: abstract new (...args: never[]) => T): T | null {
  let cause = error
  for (let depth = 0; cause instanceof Error && depth < 16; depth++, cause = cause.cause) {
    if (cause instanceof type) return cause
  }
  return null
}
