import { Ajv2020 } from 'ajv/dist/2020.js'
import { contracts } from '@svc/contracts/all'
import { routesOf } from '@svc/edge'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObjectSchema } from './output-schema.ts'
import { strictSchemaOf, withoutNulls } from './strict-schema.ts'
import { toolsOf } from './tools.ts'

type Schema = Readonly<Record<string, unknown>>
type Members = Readonly<Record<string, unknown>>

const tools = toolsOf(routesOf(contracts))

/** A schema within another one, with where it stands. */
interface Found {
  readonly at: string
  readonly schema: Schema
  readonly depth: number
}

/** Returns a schema and all within it, whatever keyword holds them. */
function allOf(schema: Schema, at = '', depth = 0): readonly Found[] {
  const inner = depth + (schema['type'] === 'object' ? 1 : 0)
  const of = (one: unknown, place: string) => allOf(one as Schema, `${at}/${place}`, inner)
  return [
    { at, schema, depth: inner },
    ...Object.entries(schema).flatMap(([word, value]) => {
      if (word === 'properties') return Object.entries(value as object).flatMap(([name, one]) => of(one, name))
      if (word === 'items' || word === 'not') return of(value, word)
      if (/^(any|one|all)Of$/.test(word)) return (value as Schema[]).flatMap((one, n) => of(one, `${word}/${n}`))
      return []
    }),
  ]
}

const membersOf = ({ properties }: Schema): readonly [string, Schema][] =>
  Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>)

const others = (schema: Schema, supported: readonly string[]) =>
  Object.keys(schema).filter((word) => !supported.includes(word))

const OPENAI = 'type description enum anyOf items properties required additionalProperties'.split(' ')

/**
 * Supported schemas of OpenAI's guide "Structured model outputs". Of numbers that were raised since it first appeared, the
 * first ones count, and of constraints on values none: models that are fine-tuned, and Azure, still refuse them.
 */
function againstOpenAi(root: Schema): readonly string[] {
  const all = allOf(root)
  const names = all.flatMap(({ schema }) => membersOf(schema).map(([name]) => name))
  const enums = all.flatMap(({ schema }) => (schema['enum'] ?? []) as readonly unknown[])
  const size = [...names, ...enums.map(String)].join('').length
  return [
    ...(root['type'] === 'object' && root['anyOf'] === undefined ? [] : ['the root is no object']),
    ...(names.length <= 100 ? [] : [`${names.length} properties`]),
    ...(enums.length <= 500 ? [] : [`${enums.length} values of enums`]),
    ...(size <= 15_000 ? [] : [`${size} characters of names and enums`]),
    ...all.flatMap(({ at, schema, depth }) => [
      ...(depth <= 5 ? [] : [`${at} is ${depth} levels deep`]),
      ...others(schema, OPENAI).map((word) => `${at} says ${word}`),
      ...(schema['type'] === 'object' ? againstStrictObject(at, schema) : []),
      ...againstEqualFirstKeys(at, schema),
    ]),
  ]
}

function againstStrictObject(at: string, schema: Schema): readonly string[] {
  const names = membersOf(schema).map(([name]) => name)
  const required = (schema['required'] ?? []) as readonly string[]
  return [
    ...(schema['additionalProperties'] === false ? [] : [`${at} takes other members`]),
    ...(names.every((name) => required.includes(name)) ? [] : [`${at} has optional members`]),
  ]
}

/** Objects of one choice must not begin with the same member. */
function againstEqualFirstKeys(at: string, { anyOf = [] }: Schema): readonly string[] {
  const firsts = (anyOf as readonly Schema[]).flatMap((one) =>
    membersOf(one)
      .slice(0, 1)
      .map(([name]) => name),
  )
  return new Set(firsts).size === firsts.length ? [] : [`${at} has choices that begin alike`]
}

const GEMINI =
  '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering'.split(
    ' ',
  )
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/**
 * Keywords of `parametersJsonSchema` in Gemini's API reference, and what its converters and Vertex AI refuse besides: lists of
 * types, values of enums that are neither text nor number, lists without a schema of their items, required members that do not
 * exist, and any other keyword beside a choice.
 */
function againstGemini(root: Schema): readonly string[] {
  return allOf(root).flatMap(({ at, schema }) => {
    const { type, anyOf, enum: values = [], items, required = [] } = schema
    const names = membersOf(schema).map(([name]) => name)
    return [
      ...others(schema, GEMINI).map((word) => `${at} says ${word}`),
      ...(anyOf === undefined && !TYPES.includes(String(type)) ? [`${at} has no type`] : []),
      ...(anyOf === undefined || Object.keys(schema).length === 1 ? [] : [`${at} says more than its choices`]),
      ...((values as unknown[]).every((one) => ['string', 'number'].includes(typeof one)) ? [] : [`${at} has an enum`]),
      ...(type === 'array' && items === undefined ? [`${at} has no items`] : []),
      ...((required as string[]).every((name) => names.includes(name)) ? [] : [`${at} requires what it has not`]),
    ]
  })
}

const problemsOf = (schema: Schema) => [...againstOpenAi(schema), ...againstGemini(schema)]

test('the strict schema of each tool keeps the rules of OpenAI and of Gemini', () => {
  for (const { name, printed } of tools) expect(problemsOf(strictSchemaOf(printed.inputSchema)), name).toEqual([])
})

test('the rules find what is wrong with the schemas as they stand, and with made-up ones', () => {
  const wrong = tools.filter(({ printed }) => problemsOf(printed.inputSchema).length > 0)
  expect(wrong.length).toBeGreaterThan(tools.length / 2)
  const object = (properties: object, more: object = {}) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  })
  const text = { type: 'string' }
  expect(problemsOf(object({ a: text }))).toEqual([])
  expect(problemsOf(object({ a: text }, { required: [] }))).toEqual([' has optional members'])
  expect(problemsOf(object({}, { additionalProperties: true }))).toEqual([' takes other members'])
  expect(problemsOf(object({ a: { type: ['string', 'null'] } }))).toEqual(['/a has no type'])
  expect(problemsOf(object({ a: { const: 1 } }))).toEqual(['/a says const', '/a says const', '/a has no type'])
  expect(problemsOf(object({ a: { type: 'array' } }))).toEqual(['/a has no items'])
  expect(problemsOf(object({ a: { anyOf: [object({ b: text }), object({ b: text })] } }))).toEqual([
    '/a has choices that begin alike',
  ])
  expect(problemsOf(object({ a: { type: 'array', items: { ...text, pattern: '^a$' } } }))).toEqual([
    '/a/items says pattern',
    '/a/items says pattern',
  ])
})

test('every member of every strict schema has a description', () => {
  const silent = tools.flatMap(({ name, printed }) =>
    allOf(strictSchemaOf(printed.inputSchema), name).flatMap(({ at, schema }) =>
      membersOf(schema).flatMap(([member, { description, anyOf = [] }]) => {
        const [first] = anyOf as readonly Schema[]
        return (description ?? first?.['description']) === undefined ? [`${at}/${member}`] : []
      }),
    ),
  )
  expect(silent).toEqual([])
})

test('a description says what no keyword is left for', () => {
  const strict = strictSchemaOf({
    type: 'object',
    required: ['line'],
    properties: {
      line: { description: 'Line', anyOf: [{ type: 'string', pattern: '^\\d+$' }, { type: 'null' }] },
      limit: { type: 'integer', description: 'Rows', minimum: 1, maximum: 9, default: 5 },
      at: { type: 'string', description: 'When', format: 'date-time' },
      id: { description: 'Agent', default: null, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    },
  })
  const described = (schema: Schema, description: string) => ({ ...schema, description })
  expect(strict['properties']).toEqual({
    line: {
      anyOf: [
        described({ type: 'string' }, 'Line. Matches ^\\d+$. Write "none" for null'),
        { type: 'string', enum: ['none'] },
      ],
    },
    limit: {
      anyOf: [described({ type: 'integer' }, 'Rows. 1 to 9. Default 5'), { type: 'null' }],
    },
    at: { anyOf: [described({ type: 'string' }, 'When. A time in ISO 8601'), { type: 'null' }] },
    id: { anyOf: [described({ type: 'integer' }, 'Agent. At least 1'), { type: 'null' }] },
  })
})

/** A member of a made-up schema with a valid value of it. */
interface Member {
  readonly schema: Schema
  readonly value: unknown
}

const scalar: fc.Arbitrary<Member> = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((value) => ({ schema: { type: 'string', enum: ['a', 'b', 'c'] }, value })),
  fc.string({ maxLength: 9 }).map((value) => ({ schema: { type: 'string', maxLength: 9, example: 'x' }, value })),
  fc.integer({ min: 1, max: 9 }).map((value) => ({ schema: { type: 'integer', minimum: 1, maximum: 9 }, value })),
  fc.constant({ schema: { type: 'string', const: '1' }, value: '1' }),
  fc.boolean().map((value) => ({ schema: { type: 'boolean', default: false }, value })),
)

const listOf = (item: fc.Arbitrary<Member>) =>
  item.map(({ schema, value }) => ({ schema: { type: 'array', items: schema, minItems: 1 }, value: [value, value] }))

/** A member that accepts null too, with null or another value. */
const orNull = (member: fc.Arbitrary<Member>) =>
  fc.tuple(member, fc.boolean()).map(([{ schema, value }, isNull]) => ({
    schema: { anyOf: [schema, { type: 'null' }] },
    value: isNull ? null : value,
  }))

const objectOf = (member: fc.Arbitrary<Member>): fc.Arbitrary<Member> =>
  fc
    .dictionary(
      fc.constantFrom('one', 'two', 'three', 'constructor'),
      fc.tuple(member, fc.constantFrom('required', 'given', 'absent')),
    )
    .map((members) => {
      const all = Object.entries(members)
      const given = all.filter(([, [, state]]) => state !== 'absent')
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(all.map(([name, [{ schema }]]) => [name, schema])),
          required: all.filter(([, [, state]]) => state === 'required').map(([name]) => name),
          additionalProperties: false,
        },
        value: Object.fromEntries(given.map(([name, [{ value }]]) => [name, value])),
      }
    })

/** One of two objects, which a member of its own tells apart. */
const choiceOf = (object: fc.Arbitrary<Member>): fc.Arbitrary<Member> => {
  const marked = (mark: string) =>
    object.map(({ schema, value }) => ({
      schema: {
        ...schema,
        properties: { [mark]: { type: 'string', const: '1' }, ...(schema['properties'] as object) },
        required: [mark, ...(schema['required'] as readonly string[])],
      },
      value: { [mark]: '1', ...(value as object) },
    }))
  return fc.tuple(marked('left'), marked('right'), fc.boolean()).map(([left, right, isLeft]) => ({
    schema: { anyOf: [left.schema, right.schema] },
    value: isLeft ? left.value : right.value,
  }))
}

const mapOf: fc.Arbitrary<Member> = fc.constantFrom({}, { days: '3' }, { days: '3', fee: '1' }).map((value) => ({
  schema: {
    type: 'object',
    propertyNames: { type: 'string', enum: ['days', 'fee'] },
    additionalProperties: { type: 'string', description: 'Value' },
  },
  value,
}))

const inner = objectOf(orNull(scalar))
const input = objectOf(
  fc.oneof(scalar, orNull(scalar), listOf(scalar), listOf(orNull(scalar)), mapOf, inner, choiceOf(inner)),
)

/** Returns arguments as a strict consumer writes them: each absent member is null, and null is "none". */
function asStrict(strict: Schema, value: unknown): unknown {
  const choices = (strict['anyOf'] ?? [strict]) as readonly Schema[]
  if (Array.isArray(value)) {
    const items = choices.find(({ type }) => type === 'array')?.['items'] as Schema
    return value.map((one) => asStrict(items, one))
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'none' : value
  const given = new Map(Object.entries(value))
  const object = choices.find((one) => [...given.keys()].every((name) => membersOf(one).some(([own]) => own === name)))
  if (object === undefined) return value
  return Object.fromEntries(
    membersOf(object).map(([name, member]) => [name, given.has(name) ? asStrict(member, given.get(name)) : null]),
  )
}

test('any input in its strict form suits the strict schema, and comes back as it was', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  fc.assert(
    fc.property(input, ({ schema, value }) => {
      const strict = strictSchemaOf(schema as JsonObjectSchema)
      expect(problemsOf(strict)).toEqual([])
      const given = asStrict(strict, value) as Members
      expect(ajv.validate(strict, given), ajv.errorsText()).toBe(true)
      expect(withoutNulls(schema, given)).toEqual(value)
    }),
  )
})

test('null for every member of every tool says no more than no member at all', () => {
  for (const { name, printed } of tools) {
    const nulls = Object.fromEntries(membersOf(printed.inputSchema).map(([member]) => [member, null]))
    expect(withoutNulls(printed.inputSchema, nulls), name).toEqual({})
  }
})

test('a member that no schema knows stays as it is, so that the route refuses it', () => {
  const given = { color: null, ['__proto__x']: 'none' }
  expect(withoutNulls({ type: 'object', properties: {} }, given)).toEqual(given)
})

test('no member whose null is a value takes the word that stands for it', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const words = tools.flatMap(({ name, printed }) =>
    allOf(printed.inputSchema, name).flatMap(({ at, schema }) =>
      membersOf(schema)
        .filter(
          ([, member]) =>
            withoutNulls({ type: 'object', properties: { member } }, { member: 'none' })['member'] === null,
        )
        .map(([member, of]) => ({ at: `${at}/${member}`, takes: ajv.validate(of, 'none') })),
    ),
  )
  expect(words).toEqual([{ at: 'mandate_create/approval_above_usdc', takes: false }])
})
