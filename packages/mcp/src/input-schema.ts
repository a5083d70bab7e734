import type { Operation } from '@svc/contract'
import { jsonSchema } from '@svc/edge'
import type { JsonObjectSchema } from './output-schema.ts'

/** Name of the argument that takes the place of the header Idempotency-Key. */
export const KEY_ARGUMENT = 'idempotency_key'

type Schema = Readonly<Record<string, unknown>>

const KEY_SCHEMA: Schema = { type: 'string', description: 'Calls with one key and the same arguments are done once' }

/** Returns the schema of the arguments of a tool, without what a model does not need to fill them in. */
export function inputSchemaOf({ input, idempotent }: Operation): JsonObjectSchema {
  const { example: _whole, ...schema } = lean(jsonSchema(input, 'input'))
  if (idempotent !== true) return { ...schema, type: 'object' }
  const properties = schema['properties'] as Schema | undefined
  return { ...schema, type: 'object', properties: { ...properties, [KEY_ARGUMENT]: KEY_SCHEMA } }
}

/** A greater bound says nothing that a caller would run into. */
const BOUND_MAX = 100_000

/**
 * Returns a schema without what a model does not need to fill it in, because every client pays for it with each list: names of
 * types, widths of numbers, far bounds, and the shape of a text that its example or its format shows. The HTTP documents have
 * the whole schema.
 */
function lean(schema: Schema, isNamed = false): Schema {
  const { title: _title, description, properties, items, anyOf, additionalProperties: others } = schema
  const choices = anyOf as readonly Schema[] | undefined
  if (choices?.every((one) => one['const'] !== undefined) === true)
    return lean({ ...schema, type: choices[0]?.['type'], enum: choices.map((one) => one['const']), anyOf: undefined })
  const described = isNamed ? {} : pick(schema, ['description'])
  return {
    ...pick(schema, ['type', 'enum', 'const', 'default', 'required', 'propertyNames']),
    ...(others === undefined
      ? {}
      : { additionalProperties: typeof others === 'object' ? lean(others as Schema) : others }),
    ...described,
    ...boundsOf(schema),
    ...shapeOf(schema, isNamed),
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

/** Returns the bounds of a number or a list that a caller may run into. */
const boundsOf = ({ minimum, maximum, minItems, maxItems }: Schema): Schema => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined || Number(maximum) > BOUND_MAX ? {} : { maximum }),
  ...(minItems === undefined ? {} : { minItems }),
  ...(maxItems === undefined ? {} : { maxItems }),
})

/** Text without NUL, which every text has to be. */
const ANY_TEXT = '^[^\\u0000]*$'

/** Returns what shows the shape of a value best: its format, else an example, else its pattern, else its greatest length. */
function shapeOf(schema: Schema, isNamed: boolean): Schema {
  const { format, example, pattern, type } = schema
  if (schema['enum'] !== undefined || 'const' in schema) return {}
  if (format === 'date-time') return { format }
  const isShown = example !== undefined && example !== null && !('default' in schema) && typeof example !== 'number'
  if (isShown && !isNamed) return { example }
  if (type !== 'string') return {}
  if (pattern !== undefined && pattern !== ANY_TEXT) return { pattern }
  return pick(schema, ['maxLength'])
}

const pick = (schema: Schema, names: readonly string[]): Schema =>
  Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))
