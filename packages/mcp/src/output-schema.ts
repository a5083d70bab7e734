import type { Operation } from '@svc/contract'
import { jsonSchema } from '@svc/edge'

/** Schema of an object, as tools have them. */
export type JsonObjectSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

/** Words of a schema that help nobody who only reads an answer, and cost a model tokens in every list. */
const SPARED = new Set(['description', 'example', 'examples', 'pattern', 'format', 'title', 'id', 'deprecated'])
const SPARED_BOUNDS = new Set(['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'])

/** Returns the schema of the structured answers of a tool: one of its successes. */
export function outputSchemaOf(operation: Operation): JsonObjectSchema {
  const schemas = Object.values(operation.success).map((schema) => spare(jsonSchema(schema, 'output')))
  const [only, ...others] = schemas
  const whole = only !== undefined && others.length === 0 ? (only as Record<string, unknown>) : { anyOf: schemas }
  return { ...whole, type: 'object' }
}

/** Drops what a reader of answers does not need; members that are named like a word of JSON Schema stay. */
function spare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(spare)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([word, value]) => {
      if (word === 'properties' || word === '$defs')
        return [[word, Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, spare(one)]))]]
      if (word === 'const' || word === 'enum' || word === 'required') return [[word, value]]
      return SPARED.has(word) || SPARED_BOUNDS.has(word) ? [] : [[word, spare(value)]]
    }),
  )
}
