type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isName = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns a comment for the line above a declaration; nothing without a text. */
export const comment = (text: unknown, indent: string): string =>
  typeof text === 'string' && text !== ''
    ? `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`
    : ''

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')
const wrapped = (type: string): string => (/ [|&] |^readonly /.test(type) ? `(${type})` : type)

function objectType(schema: Json, indent: string): string {
  const { properties, additionalProperties, required } = schema
  const members = Object.entries(isObject(properties) ? properties : {})
  if (members.length === 0 && !isObject(additionalProperties))
    return additionalProperties === false || isObject(properties) ? '{}' : 'Readonly<Record<string, unknown>>'
  if (members.length === 0) return `Readonly<Record<string, ${typeOf(additionalProperties, indent)}>>`
  const inner = `${indent}  `
  const lines = members.map(([name, member]) => {
    const optional = listOf(required).includes(name) ? '' : '?'
    const type = typeOf(member, inner)
    const orAbsent = optional === '' ? '' : ' | undefined'
    const key = isName(name) ? name : JSON.stringify(name)
    return `${comment((member as Json)['description'], inner)}${inner}readonly ${key}${optional}: ${type}${orAbsent}\n`
  })
  const more = isObject(additionalProperties) ? ' & Readonly<Record<string, unknown>>' : ''
  return `{\n${lines.join('')}${indent}}${more}`
}

function arrayType({ prefixItems, items }: Json, indent: string): string {
  const first = listOf(prefixItems)
  if (first.length > 0) return `readonly [${first.map((one) => typeOf(one, indent)).join(', ')}]`
  return `readonly ${wrapped(typeOf(items ?? {}, indent))}[]`
}

function ofKind(kind: unknown, schema: Json, indent: string): string {
  switch (kind) {
    case 'object':
      return objectType(schema, indent)
    case 'array':
      return arrayType(schema, indent)
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return String(kind)
    default:
      return 'unknown'
  }
}

/** Returns the TypeScript type of a JSON Schema; references become the names of their schemas. */
export function typeOf(value: unknown, indent = ''): string {
  if (!isObject(value)) return 'unknown'
  const { $ref, anyOf, oneOf, allOf, type } = value
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if ('const' in value) return JSON.stringify(value['const'])
  if (Array.isArray(value['enum'])) return union(value['enum'].map((word) => JSON.stringify(word)))
  const choices = [...listOf(anyOf), ...listOf(oneOf)]
  if (choices.length > 0) return union(choices.map((one) => typeOf(one, indent)))
  if (Array.isArray(allOf)) return allOf.map((one) => wrapped(typeOf(one, indent))).join(' & ')
  return union((Array.isArray(type) ? type : [type]).map((kind) => ofKind(kind, value, indent)))
}
