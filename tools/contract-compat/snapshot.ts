import { createHash } from 'node:crypto'
import type { Contract, Operation } from '@svc/contract'
import { z } from 'zod'
import type { Schema } from './contains.ts'

/** What others rely on in an operation. */
export interface OperationShape {
  readonly http: string | null
  readonly tool: string | null
  readonly auth: string
  readonly scope: string | null
  readonly tier: number
  readonly callers: readonly string[]
  /** First day on which it may be gone; null unless it is deprecated as a whole. */
  readonly sunset: string | null
  readonly input: Schema
  /** Schema of the answer by success status. */
  readonly success: Readonly<Record<string, Schema>>
}

/** Everything that the release before relies on, by `<service>.<key>`. */
export interface Snapshot {
  readonly operations: Readonly<Record<string, OperationShape>>
  readonly events: Readonly<Record<string, Schema>>
}

const TEXTS = new Set(['$schema', 'description', 'example', 'examples', 'title', 'deprecated', 'default'])
const NAMED = new Set(['properties', '$defs'])

/** Returns a JSON schema without texts and without what only our documents use. */
function bare(value: unknown, named = false): unknown {
  if (Array.isArray(value)) return value.map((item) => bare(item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => named || (!TEXTS.has(key) && !key.startsWith('x-')))
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      !named && (key === 'enum' || key === 'const') ? inner : bare(inner, !named && NAMED.has(key)),
    ]),
  )
}

/** A member with a default may be missing: the reader's view of both sides. */
const schemaOf = (schema: z.ZodType): Schema =>
  bare(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })) as Schema

function shapeOf(operation: Operation): OperationShape {
  const { http, tool, auth, scope, tier, callers, deprecated, input, success } = operation
  return {
    http: http ?? null,
    tool: tool ?? null,
    auth,
    scope: scope ?? null,
    tier: tier ?? 0,
    callers: [...(callers ?? [])].sort(),
    sunset: deprecated !== undefined && deprecated.members === undefined ? deprecated.sunset : null,
    input: schemaOf(input),
    success: Object.fromEntries(Object.entries(success).map(([status, schema]) => [status, schemaOf(schema)])),
  }
}

/** Returns what callers and consumers of contracts rely on. */
export function snapshotOf(contracts: readonly Contract[]): Snapshot {
  const entries = <T, R>(group: (contract: Contract) => Readonly<Record<string, T>>, shape: (value: T) => R) =>
    contracts.flatMap((contract) =>
      Object.entries(group(contract)).map(([key, value]) => [`${contract.name}.${key}`, shape(value)] as const),
    )
  return {
    operations: Object.fromEntries(entries(({ operations }) => operations as Record<string, Operation>, shapeOf)),
    events: Object.fromEntries(
      entries(
        ({ events }) => events as Record<string, { payload: z.ZodType }>,
        ({ payload }) => schemaOf(payload),
      ),
    ),
  }
}

const SHARED_MIN = 160

/** Returns a snapshot as text: a line for each operation and event, and one for each schema that occurs twice or more. */
export function writeSnapshot(snapshot: Snapshot): string {
  const counts = new Map<string, number>()
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const text = JSON.stringify(value)
    counts.set(text, (counts.get(text) ?? 0) + 1)
    if (counts.get(text) === 1) Object.values(value).forEach(count)
  }
  count(snapshot)
  const shared = new Map<string, string>()
  const pack = (value: unknown, whole = false): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const text = JSON.stringify(value)
    if (!whole && !Array.isArray(value) && text.length >= SHARED_MIN && (counts.get(text) ?? 0) > 1) {
      const id = createHash('sha256').update(text).digest('hex').slice(0, 10)
      if (!shared.has(id)) shared.set(id, JSON.stringify(pack(value, true)))
      return { $ref: id }
    }
    if (Array.isArray(value)) return value.map((item) => pack(item))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pack(inner)]))
  }
  const lines = (group: Readonly<Record<string, unknown>>) =>
    Object.entries(group).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(pack(value, true))}`)
  const [operations, events] = [lines(snapshot.operations), lines(snapshot.events)]
  const schemas = [...shared].map(([id, text]) => `"${id}": ${text}`).sort()
  const group = (name: string, content: readonly string[]) => `"${name}": {\n${content.join(',\n')}\n}`
  return `{\n${[group('operations', operations), group('events', events), group('schemas', schemas)].join(',\n')}\n}\n`
}

/** Reads what `writeSnapshot` wrote. */
export function readSnapshot(text: string): Snapshot {
  const { schemas, ...snapshot } = JSON.parse(text) as Snapshot & { schemas: Readonly<Record<string, unknown>> }
  const unpack = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unpack)
    if (typeof value !== 'object' || value === null) return value
    const id: unknown = Reflect.get(value, '$ref')
    if (typeof id === 'string' && Object.hasOwn(schemas, id)) return unpack(schemas[id])
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpack(inner)]))
  }
  return unpack(snapshot) as Snapshot
}
