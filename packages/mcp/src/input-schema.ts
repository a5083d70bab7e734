import type { Operation } from '@svc/contract'
import { jsonSchema } from '@svc/edge'
import type { JsonObjectSchema } from './output-schema.ts'

/** Name of the argument that takes the place of the header Idempotency-Key. */
export const KEY_ARGUMENT = 'idempotency_key'

type Schema = Readonly<Record<string, unknown>>

const KEY_SCHEMA: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Calls with one key and the same arguments are done once.',
}

/** Returns the schema of the arguments of a tool, without what a model does not need to fill them in. */
export function inputSchemaOf({ input, idempotent }: Operation): JsonObjectSchema {
  const { example: _whole, ...schema } = lean(jsonSchema(input, 'input'))
  if (idempotent !== true) return { ...schema, type: 'object' }
  const properties = schema['properties'] as Schema | undefined
  return { ...schema, type: 'object', properties: { ...properties, [KEY_ARGUMENT]: KEY_SCHEMA } }
}

/** Text without NUL, which every text has to be. */
const ANY_TEXT = '^[^\\u0000]*$'

/**
 * Returns a schema without names of types, widths of numbers, and bounds that a pattern has, and without the examples of members that say by
 * themselves what they accept: every client pays for them with each list. The HTTP documents have the whole schema.
 */
function lean(schema: Schema, isNamed = false): Schema {
  const {
    title: _title,
    format,
    example,
    pattern,
    maxLength,
    maximum,
    description,
    properties,
    items,
    anyOf,
    ...rest
  } = schema
  const isShaped = pattern !== undefined && pattern !== ANY_TEXT
  const says = rest['enum'] !== undefined || 'default' in rest || typeof example === 'number'
  const choices = anyOf as readonly Schema[] | undefined
  return {
    ...rest,
    ...(isNamed || description === undefined ? {} : { description }),
    ...(typeof format !== 'string' || /^int\d+$/.test(format) ? {} : { format }),
    ...(isShaped ? { pattern } : {}),
    ...(isShaped || maxLength === undefined ? {} : { maxLength }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(isNamed || says || example === undefined || example === null ? {} : { example }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as object).map(([name, one]) => [name, lean(one as Schema)]),
          ),
        }),
    ...(items === undefined ? {} : { items: lean(items as Schema, description !== undefined) }),
    ...(choices === undefined ? {} : { anyOf: choices.map((one) => lean(one, description !== undefined)) }),
  }
}
