import type { JsonObjectSchema } from './output-schema.ts'

type Schema = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, unknown>>

/** Stands for null where null is a value of a member: null itself means that the member is absent. */
const NONE = 'none'
const NULL: Schema = { type: 'null' }

/**
 * Returns the schema of the arguments of a tool for consumers that take every member as required and few keywords: the strict
 * mode of OpenAI, and the subset of Gemini. A member that may be absent accepts null. What no keyword is left for stands in the
 * description.
 */
export const strictSchemaOf = (schema: JsonObjectSchema): JsonObjectSchema => ({
  ...strictBranch(schema),
  type: 'object',
})

/** Returns arguments that suit the strict schema as the schema itself has them: without members that are null. */
export const withoutNulls = (schema: Schema, given: Members): Members => plainValue(schema, given) as Members

function plainValue(schema: Schema, given: unknown): unknown {
  const choices = choicesOf(schema)
  if (Array.isArray(given)) {
    const items = choices.find(({ type }) => type === 'array')?.['items'] as Schema | undefined
    return items === undefined ? given : given.map((one) => plainOf(items, one))
  }
  if (typeof given !== 'object' || given === null) return given
  const objects = choices.filter(({ type }) => type === 'object').map(membersOf)
  const members = objects.find((own) => Object.keys(given).every((name) => own.has(name))) ?? objects[0]
  const plain = Object.entries(given).flatMap(([name, value]) => {
    const member = members?.get(name)
    if (member === undefined) return [[name, value] as const]
    if (value === null) return []
    return [[name, plainOf(member, value)] as const]
  })
  return Object.fromEntries(plain)
}

/** Returns a value of a member or of a list: null where it is the word for it. */
const plainOf = (schema: Schema, value: unknown): unknown =>
  value === NONE && hasNone(schema) ? null : plainValue(schema, value)

function strictMember(schema: Schema, isRequired: boolean): Schema {
  const [first = {}, ...others] = choicesOf(schema).map(strictBranch)
  const described = textOf(schema)
  const branches = [
    described === '' ? first : { ...first, description: described },
    ...others,
    ...(hasNone(schema) ? [{ type: 'string', enum: [NONE] }] : []),
    ...(isRequired ? [] : [NULL]),
  ]
  // Some consumers accept no other keyword beside a choice.
  return branches.length === 1 ? (branches[0] ?? {}) : { anyOf: branches }
}

function strictBranch(schema: Schema): Schema {
  const { type, items } = schema
  if (type === 'array') return { type, items: strictMember((items ?? {}) as Schema, true) }
  if (type !== 'object') return { type, ...enumOf(schema) }
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const members = [...membersOf(schema)]
  return {
    type,
    properties: Object.fromEntries(members.map(([name, member]) => [name, strictMember(member, required.has(name))])),
    required: members.map(([name]) => name),
    additionalProperties: false,
  }
}

const enumOf = (schema: Schema): Schema =>
  'const' in schema ? { enum: [schema['const']] } : schema['enum'] === undefined ? {} : { enum: schema['enum'] }

/** Returns the members of an object; of a map, those that its keys may name. */
function membersOf({ properties, propertyNames, additionalProperties }: Schema): ReadonlyMap<string, Schema> {
  const keys = ((propertyNames as Schema | undefined)?.['enum'] ?? []) as readonly string[]
  return new Map([
    ...Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>),
    ...keys.map((name) => [name, additionalProperties as Schema] as const),
  ])
}

/** Returns the choices of a schema beside null. */
function choicesOf(schema: Schema): readonly Schema[] {
  const choices = schema['anyOf'] as readonly Schema[] | undefined
  return choices === undefined ? [schema] : choices.flatMap(choicesOf).filter(({ type }) => type !== 'null')
}

/** Returns true if null says something else than that the member is absent. */
const hasNone = (schema: Schema): boolean =>
  schema['default'] !== null &&
  (schema['anyOf'] as readonly Schema[] | undefined)?.some(({ type }) => type === 'null') === true

/** Returns the description of a member, with what its other keywords say. */
const textOf = (schema: Schema): string =>
  [
    ...said(schema['description'], (text) => text),
    ...choicesOf(schema).flatMap((one) => [
      ...rangeOf(one['minimum'], one['maximum'], ''),
      ...rangeOf(one['minItems'], one['maxItems'], ' entries'),
      ...said(one['maxLength'], (most) => `At most ${most} characters`),
      ...said(schema['example'] === undefined ? one['pattern'] : undefined, (pattern) => `Matches ${pattern}`),
      ...(one['format'] === 'date-time' ? ['A time in ISO 8601'] : []),
    ]),
    ...said(schema['example'], (example) => `For example ${example}`),
    ...(schema['default'] === null ? [] : said(schema['default'], (value) => `Default ${value}`)),
    ...(hasNone(schema) ? [`Write "${NONE}" for null`] : []),
  ].join('. ')

const said = (value: unknown, words: (printed: string) => string): readonly string[] =>
  value === undefined ? [] : [words(typeof value === 'string' ? value : JSON.stringify(value))]

const rangeOf = (least: unknown, most: unknown, unit: string): readonly string[] => {
  if (least !== undefined && most !== undefined) return [`${JSON.stringify(least)} to ${JSON.stringify(most)}${unit}`]
  return [...said(least, (from) => `At least ${from}${unit}`), ...said(most, (to) => `At most ${to}${unit}`)]
}
