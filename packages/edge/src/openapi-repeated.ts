import { BESIDE } from './openapi-schemas.ts'

type Json = Record<string, unknown>

/** Number of uses from which a small schema is stored once: a reference to a rare one saves nothing. */
const SMALL_USES_MIN = 3
/** Length from which an object, or a choice of words, with two uses is stored once. */
const CHARS_MIN = 100

const NO_NUL = '^[^\\u0000]*$'
const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const pascal = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase())
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Splits a schema into what is shared and what stands next to the reference. */
function split(schema: Json): { readonly own: Json; readonly beside: Json } {
  const entries = Object.entries(schema)
  const isBeside = ([key]: [string, unknown]) => (BESIDE as readonly string[]).includes(key)
  return {
    own: Object.fromEntries(entries.filter((entry) => !isBeside(entry))),
    beside: Object.fromEntries(entries.filter(isBeside)),
  }
}

/** Returns how many characters are saved by storing a text once under a name. */
const savedBy = (text: string, uses: number, name: string): number =>
  uses * (text.length - JSON.stringify(reference(name)).length) - text.length - name.length - 4

/** Where a schema stands: the operation, and the nearest member. */
interface Place {
  readonly operation: string
  readonly member: string
}

/** Returns the places of the members of a value, which stands at a key. */
function placesOf(value: Json, key: string, { operation, member }: Place): (name: string) => Place {
  const here = typeof value['operationId'] === 'string' ? value['operationId'] : operation
  if (key === 'titled' || key === 'problems') return (name) => ({ operation: name, member: '' })
  return (name) => ({ operation: here, member: key === 'properties' ? name : member })
}

/** Returns the value with `change` applied to every object in it but examples, innermost first. */
function eachSchema(value: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => eachSchema(item, change))
  if (!isObject(value)) return value
  const inner = Object.entries(value).map(([key, one]) => [key, key === 'example' ? one : eachSchema(one, change)])
  return change(Object.fromEntries(inner) as Json)
}

/** Returns `{ anyOf: [scalar, null] }` as one schema with two types; any other schema unchanged. */
function withNull(schema: Json): Json {
  const { anyOf, ...beside } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [first, second] = anyOf as [Json, Json]
  if (second['type'] !== 'null' || !SCALARS.has(first['type']) || 'const' in first) return schema
  const words = Array.isArray(first['enum']) ? { enum: [...(first['enum'] as unknown[]), null] } : {}
  return { ...first, ...words, type: [first['type'], 'null'], ...beside }
}

const textName = ({ minLength, maxLength }: { readonly minLength?: unknown; readonly maxLength?: unknown }) =>
  minLength === undefined ? `Text${Number(maxLength)}` : `Text${Number(minLength)}To${Number(maxLength)}`

function integerName({ minimum, maximum }: { readonly minimum?: unknown; readonly maximum?: unknown }): string | null {
  if (maximum !== Number.MAX_SAFE_INTEGER)
    return Number(minimum) < 0 ? null : `Integer${Number(minimum)}To${Number(maximum)}`
  // One is the least value of ids too, whose parameters linters judge by name.
  return minimum === 0 ? 'Count' : null
}

/** Returns the name of a small schema, which says what it accepts; null for other schemas. */
function smallName(schema: Json): string | null {
  const { type, pattern, anyOf, ...rest } = schema
  const members = Object.keys(rest).toSorted().join()
  if (Array.isArray(anyOf) && members === '' && anyOf.length === 2) {
    const [first, second] = anyOf as [Json, Json]
    const target = Object.keys(first).join() === '$ref' && second['type'] === 'null' ? String(first['$ref']) : null
    return target === null ? null : `${target.slice(target.lastIndexOf('/') + 1)}OrNull`
  }
  const [only, orNull] = Array.isArray(type) ? [type[0] as unknown, 'OrNull'] : [type, '']
  const isText = only === 'string' && pattern === NO_NUL && ['maxLength', 'maxLength,minLength'].includes(members)
  const isInteger = only === 'integer' && members === 'format,maximum,minimum'
  const name = isText ? textName(rest) : isInteger ? integerName(rest) : null
  return name === null ? null : `${name}${orNull}`
}

function shareSmall(parts: unknown, schemas: Json): unknown {
  const uses = new Map<string, number>()
  const merged = eachSchema(parts, (schema) => {
    const short = withNull(schema)
    const name = smallName(split(short).own)
    if (name !== null) uses.set(name, (uses.get(name) ?? 0) + 1)
    return short
  })
  return eachSchema(merged, (schema) => {
    const { own, beside } = split(schema)
    const name = smallName(own)
    if (name === null || (uses.get(name) ?? 0) < SMALL_USES_MIN) return schema
    schemas[name] ??= own
    return { ...reference(name), ...beside }
  })
}

/** Shares objects and choices of words that stand in several places, the outermost of nested ones first. */
function shareLarge(parts: Json, schemas: Json, taken: ReadonlySet<string>): unknown {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()
  const textOf = (schema: Json) => {
    const isShared = (schema['type'] === 'object' && isObject(schema['properties'])) || Array.isArray(schema['enum'])
    if (!isShared) return null
    const text = JSON.stringify(split(schema).own)
    return text.length < CHARS_MIN ? null : text
  }
  eachSchema(parts, (schema) => {
    const text = textOf(schema)
    if (text !== null) uses.set(text, (uses.get(text) ?? 0) + 1)
    return schema
  })
  const nameAt = ({ operation, member }: Place): string => {
    const whole = `${pascal(operation)}${member === '' ? 'Answer' : pascal(member)}`
    const tries = [whole, `${whole}Members`]
    const free = tries.find((name) => !taken.has(name) && !(name in schemas))
    if (free === undefined) throw new Error(`no name is free for a repeated schema: tried ${tries.join(', ')}`)
    return free
  }
  const visit = (value: unknown, key: string, place: Place, within: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, key, place, within))
    if (!isObject(value)) return value
    const placeOf = placesOf(value, key, place)
    const inside = (schema: Json, count: number) =>
      Object.fromEntries(
        Object.entries(schema).map(([name, one]) => [
          name,
          name === 'example' ? one : visit(one, name, placeOf(name), count),
        ]),
      )
    const text = textOf(value)
    const count = text === null ? 0 : (uses.get(text) ?? 0)
    if (text === null || count < 2 || count <= within) return inside(value, within)
    const { own, beside } = split(value)
    const known = names.get(text)
    const name = known ?? nameAt(place)
    if (known === undefined) {
      names.set(text, name)
      schemas[name] = null
      schemas[name] = inside(own, count)
    }
    return { ...reference(name), ...beside }
  }
  return visit(parts, '', { operation: '', member: '' }, 1)
}

/** Shares members that stand in several places with the same words, such as a limit of a mandate, under their own names. */
function shareMembers(parts: Json, schemas: Json, taken: ReadonlySet<string>): unknown {
  const uses = new Map<string, { readonly name: string; count: number }>()
  const eachMember = (value: unknown, key: string, change: (member: Json, name: string) => unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => eachMember(item, key, change))
    if (!isObject(value)) return value
    const members = Object.entries(value).map(([name, one]) => {
      if (name === 'example' || name === 'enum') return [name, one]
      const inner = eachMember(one, name, change)
      return [name, key === 'properties' && isObject(inner) ? change(inner, name) : inner]
    })
    return Object.fromEntries(members) as Json
  }
  eachMember(parts, '', (member, name) => {
    const text = JSON.stringify(member)
    const known = uses.get(text) ?? { name: pascal(name), count: 0 }
    uses.set(text, known)
    known.count += 1
    return member
  })
  const names = new Map<string, string>()
  for (const [text, { name, count }] of uses) {
    const free = [name, `${name}Member`].find((one) => !taken.has(one) && !(one in schemas))
    if (count < 2 || free === undefined || savedBy(text, count, free) <= 0) continue
    names.set(text, free)
    schemas[free] = JSON.parse(text) as Json
  }
  return eachMember(parts, '', (member) => {
    const name = names.get(JSON.stringify(member))
    return name === undefined ? member : reference(name)
  })
}

/**
 * Moves schemas without a title that stand in several places to `schemas`, and puts references in their places. The name
 * of a large one is that of its first operation and member, that of a member with its words its own; the names of small
 * schemas (a count, a text of some length, a titled schema or null) say what they accept. `taken` are the names of titled schemas.
 */
export function shareRepeated<T extends Json>(
  parts: T,
  taken: ReadonlySet<string>,
): { readonly parts: T; readonly schemas: Json } {
  const schemas: Json = {}
  const objects: Json = {}
  const once = shareLarge(parts, objects, taken)
  const small = shareSmall({ parts: once, objects }, schemas) as { parts: T; objects: Json }
  const members: Json = {}
  const known = new Set([...taken, ...Object.keys(objects), ...Object.keys(schemas)])
  const { parts: last, objects: shared } = shareMembers(small, members, known) as { parts: T; objects: Json }
  return { parts: last, schemas: { ...shared, ...schemas, ...members } }
}
