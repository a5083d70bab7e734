import type { Operation } from '@svc/contract'
import { jsonSchema } from '@svc/edge'

/** Schema of an object, as tools have them. */
export type JsonObjectSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

type Schema = Readonly<Record<string, unknown>>

/** Objects within objects whose members are told; deeper ones are only called objects. */
const DEPTH_MAX = 2

/**
 * Returns the schema of the structured answers of a tool: names and types of the members, without what only a writer
 * needs, because every client pays for it with each list. The HTTP documents have the whole schema.
 */
export function outputSchemaOf({ success }: Operation): JsonObjectSchema {
  const schemas = Object.values(success).map((schema) => brief(jsonSchema(schema, 'output'), DEPTH_MAX))
  const [only, ...others] = schemas
  return { ...(only !== undefined && others.length === 0 ? only : { anyOf: schemas }), type: 'object' }
}

function brief(schema: Schema, depth: number): Schema {
  const { type, properties, required, items, anyOf } = schema
  if (Array.isArray(anyOf)) return choiceOf(anyOf as Schema[], depth)
  for (const word of ['const', 'enum'] as const) if (schema[word] !== undefined) return { [word]: schema[word] }
  if (type === 'array') return { type, ...(isSchema(items) ? { items: brief(items, depth) } : {}) }
  if (type !== 'object') return type === undefined ? {} : { type }
  if (!isSchema(properties) || depth === 0) return { type }
  const members = Object.entries(properties).map(([name, member]) => [name, brief(member as Schema, depth - 1)])
  return { type, properties: Object.fromEntries(members), ...(required === undefined ? {} : { required }) }
}

/** Joins types: `string or null` is one schema with two types. A choice with other words stays a choice. */
function choiceOf(choices: readonly Schema[], depth: number): Schema {
  const told = choices.map((one) => brief(one, depth))
  const types = told.map((one) => (Object.keys(one).length === 1 ? one['type'] : undefined))
  if (types.every((one) => typeof one === 'string')) return { type: [...new Set(types)] }
  const [first, second] = told
  const isNullable = told.length === 2 && second?.['type'] === 'null' && typeof first?.['type'] === 'string'
  return isNullable ? { ...first, type: [first['type'], 'null'] } : { anyOf: told }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
