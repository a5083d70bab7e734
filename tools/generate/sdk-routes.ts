import { storedFile } from '@svc/contract'
import { edgeRefusals, jsonSchema, shareTitled, type DocumentOptions, type Route } from '@svc/edge'
import { z } from 'zod'
import { comment, typeOf } from './sdk-types.ts'

type Json = Record<string, unknown>

const NOTE = '// Printed from the contracts by `npm run generate`.\n'

const namesFile = (schema: z.ZodType) => schema instanceof z.ZodObject && schema.shape['file'] === storedFile

/** Returns the schemas of the successes of a route that travel as JSON. */
const spoken = ({ operation }: Route): readonly z.ZodType[] =>
  Object.values(operation.success).flatMap((schema) => {
    const answers = schema instanceof z.ZodUnion ? (schema.options as readonly z.ZodType[]) : [schema]
    return answers.filter((answer) => !namesFile(answer))
  })

/**
 * Returns what the client needs to know of a route while it runs: `METHOD /path`, and then in any order `once` (accepts
 * Idempotency-Key), `file` (may answer with bytes) and `stream`.
 */
const lineOf = ({ method, path, operation }: Route): string =>
  [
    `${method} ${path}`,
    ...(operation.idempotent === true ? ['once'] : []),
    ...(operation.file === undefined ? [] : ['file']),
    ...(operation.stream === undefined ? [] : ['stream']),
  ].join(' ')

/** Returns the module of the SDK that describes every route while it runs. */
export function sdkRoutes({ routes }: DocumentOptions): string {
  const lines = routes.map((route) => `  ${route.operation.key}: '${lineOf(route)}',\n`)
  return `${NOTE}\n/** Every route by the name of its operation. */\nexport const routes = {\n${lines.join('')}} as const\n`
}

/** Returns the type of a success: JSON, the bytes of a file, or an item of a stream. */
function answerOf(route: Route, answers: unknown): string {
  const printed = (answers as readonly unknown[]).map((schema) => typeOf(schema, '    '))
  const types = route.operation.stream === undefined ? printed : printed.map((page) => `(${page})['items'][number]`)
  const bytes = route.operation.file === undefined ? [] : ['Uint8Array']
  return [...new Set([...types, ...bytes])].join(' | ') || 'null'
}

/** Returns the module of the SDK with the input, the answer and the codes of every route as types. */
export function sdkTypes(options: DocumentOptions): string {
  const described = Object.fromEntries(
    options.routes.map((route) => [
      route.operation.key,
      {
        input: jsonSchema(route.operation.input, 'input'),
        answers: spoken(route).map((schema) => jsonSchema(schema, 'output')),
      },
    ]),
  )
  const { parts, schemas } = shareTitled({ described })
  const named = Object.entries(schemas).map(
    ([name, schema]) => `${comment((schema as Json)['description'], '')}export type ${name} = ${typeOf(schema)}\n`,
  )
  const operations = options.routes.map((route) => {
    const { key, summary } = route.operation
    const { input, answers } = parts.described[key] ?? { input: {}, answers: [] }
    const codes = [...edgeRefusals(route), ...(route.operation.refusals ?? [])].map(({ code }) => code)
    const refusals = [...new Set(codes)].toSorted().map((code) => JSON.stringify(code))
    return `${comment(`\`${route.method} ${route.path}\`: ${summary}.`, '  ')}  readonly ${key}: {\n    readonly input: ${typeOf(input, '    ')}\n    readonly answer: ${answerOf(route, answers)}\n    readonly code: ${refusals.join(' | ')}\n  }\n`
  })
  return `${NOTE}\n${named.join('\n')}\n/** Input, answer and refusal codes of every route, by the name of its operation. */\nexport interface Operations {\n${operations.join('')}}\n`
}
