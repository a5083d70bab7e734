import type { Operation } from '@svc/contract'

/** Hints of MCP about a tool. Clients must not trust them; the vault and the service enforce. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** Returns the hints of an operation, from what it declares. */
export function hintsOf({ effect, http, idempotent, onlyGives, reaches }: Operation): Hints {
  const reads = effect === undefined ? http?.startsWith('GET ') === true : effect === 'none'
  const openWorldHint = reaches === 'outside'
  if (reads) return { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint }
  return {
    readOnlyHint: false,
    destructiveHint: effect === 'money' && openWorldHint && onlyGives !== true,
    idempotentHint: idempotent === true || http?.startsWith('GET ') === true,
    openWorldHint,
  }
}

/** Returns what a tool may do with money, as metadata of its own; nothing for tools that cannot. */
export function moneyOf({ effect }: Operation): Readonly<Record<string, unknown>> {
  return effect === 'money' ? { 'svc/money_moving': true } : {}
}
