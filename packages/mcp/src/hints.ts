import type { Operation } from '@svc/contract'
import { jsonSchema } from '@svc/edge'

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

/** Hints that MCP assumes where a tool does not state them. */
const ASSUMED: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

/** Returns the hints that a client cannot assume by itself. Of a tool that only reads, two of the four say nothing. */
export function statedHints(hints: Hints): Partial<Hints> {
  const said = (Object.keys(hints) as (keyof Hints)[]).filter(
    (name) => hints[name] !== ASSUMED[name] && (!hints.readOnlyHint || !OF_WRITES.has(name)),
  )
  return Object.fromEntries(said.map((name) => [name, hints[name]]))
}
const OF_WRITES: ReadonlySet<keyof Hints> = new Set(['destructiveHint', 'idempotentHint'])

/**
 * Returns what a tool may do with money, as metadata of its own; nothing for tools that cannot: whether it moves money, what
 * may be lost, and whether an owner may have to approve a call.
 */
export function moneyOf({ effect, mayLose, success }: Operation): Readonly<Record<string, unknown>> {
  return {
    ...(effect === 'money' ? { 'svc/money_moving': true } : {}),
    ...(mayLose === undefined ? {} : { 'svc/may_lose': mayLose }),
    ...(mayBeHeld(success[202]) ? { 'svc/approval': 'owner' } : {}),
  }
}

/** Returns true for the schema of an answer to a call that waits for its owner. */
const mayBeHeld = (schema: Operation['success'][number] | undefined): boolean =>
  schema !== undefined && JSON.stringify(jsonSchema(schema, 'output')).includes('"pending_approval"')
