import type { Operation } from '@svc/contract'
import { jsonSchema } from '@svc/edge'

/** Marks around text that somebody else wrote. They never occur inside it. */
export const OPENING = '⟦data: '
export const CLOSING = '⟧'
/** Longest text of a stranger in a result; the route has all of it. */
export const QUOTED_MAX = 500

type Schema = Readonly<Record<string, unknown>>
/** Schemas of a value: those of all choices. None for a value that no schema describes. */
type Schemas = readonly Schema[]

/** Returns text as data: without characters that move or hide others, without the marks, of bounded length, between the marks. */
export function quoted(text: string): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[⟦⟧]/g, '|')
  const cut = plain.length > QUOTED_MAX ? `${plain.slice(0, QUOTED_MAX).toWellFormed()}… (cut)` : plain
  return `${OPENING}${cut}${CLOSING}`
}

/** A name, number, time, hash or address: text too short of words to say anything. */
const TOKEN = /^[\w.:/+%#@-]{0,200}$/

/** Returns the body of an answer with each text of a stranger quoted; text that no schema describes is one unless it is a token. */
export type Quote = (status: number, body: Readonly<Record<string, unknown>>) => Record<string, unknown>

/** Returns how the answers of an operation are quoted. */
export function quoteOf({ success }: Operation): Quote {
  const schemas = new Map(
    Object.entries(success).map(([status, schema]) => [Number(status), jsonSchema(schema, 'output')]),
  )
  return (status, body) => {
    const schema = schemas.get(status)
    return quotedValue(schema === undefined ? [PROBLEM] : [schema], body) as Record<string, unknown>
  }
}

/** Members of a problem that we write ourselves; its other members are facts of the refusal. */
const OURS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'retry_at', 'ok', 'fix', 'reason']
const OURS_OF_A_CODE = ['errors', 'refusal', 'violated-policies', 'upgrade']
const PROBLEM: Schema = {
  type: 'object',
  properties: Object.fromEntries([...OURS, ...OURS_OF_A_CODE].map((name) => [name, { ours: true }])),
}

function quotedValue(schemas: Schemas, value: unknown): unknown {
  if (typeof value === 'string') return isStrange(schemas, value) ? quoted(value) : value
  if (typeof value !== 'object' || value === null) return value
  const all = schemas.flatMap(choicesOf)
  if (all.some(({ ours }) => ours === true)) return value
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: of, prefixItems }) => [...listOf(of), ...listOf(prefixItems)])
    return value.map((item) => quotedValue(items, item))
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      quotedValue(
        all.flatMap((one) => memberOf(one, name)),
        member,
      ),
    ]),
  )
}

const choicesOf = (schema: Schema): Schemas => {
  const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf']), ...listOf(schema['allOf'])]
  return [schema, ...choices.flatMap(choicesOf)]
}

function memberOf({ properties, additionalProperties }: Schema, name: string): Schemas {
  if (isSchema(properties) && Object.hasOwn(properties, name)) return listOf(properties[name])
  return listOf(additionalProperties)
}

/** Returns true if a text is that of a stranger, or of nobody that a schema names. */
function isStrange(schemas: Schemas, text: string): boolean {
  const all = schemas.flatMap(choicesOf)
  if (all.some((schema) => schema['x-written-by'] === 'stranger')) return true
  const isDescribed = all.some(
    ({ type, const: one, enum: some, ours }) =>
      ours === true || type === 'string' || one !== undefined || some !== undefined,
  )
  return !isDescribed && !TOKEN.test(text)
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): Schemas =>
  Array.isArray(value) ? value.filter(isSchema) : isSchema(value) ? [value] : []
