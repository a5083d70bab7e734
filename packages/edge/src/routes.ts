import { scopeOf, type Contract, type Operation } from '@svc/contract'
import { z } from 'zod'

export type Place = 'path' | 'query' | 'body'

/** A public operation with the parts of its route. */
export interface Route {
  readonly operation: Operation
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/agent/mining/fields/{exchange}/{symbol}` */
  readonly path: string
  /** The same in Fastify's form. */
  readonly pattern: string
  readonly pathNames: readonly string[]
  readonly scope: 'read' | 'write' | 'tx'
  /** Buckets of the operation's own service: a file that an answer names is served from these alone. */
  readonly buckets: readonly string[]
  /** Place of each input member in a request. */
  readonly places: Readonly<Record<string, Place>>
}

/** Converts a path from Fastify's form to that of the documents. */
export const templateOf = (pattern: string): string => pattern.replaceAll(/:(\w+)/g, '{$1}')

/** Returns every public route of the given contracts. Throws if two operations have the same route. */
export function routesOf(contracts: readonly Contract[]): Route[] {
  const routes = contracts.flatMap((contract) =>
    Object.values(contract.operations).flatMap((operation) => {
      if (operation.http === undefined) return []
      const [method, path] = operation.http.split(' ') as [Route['method'], string]
      const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
      const rest: Place = method === 'GET' || method === 'DELETE' ? 'query' : 'body'
      const names = Object.keys(operation.input.shape)
      for (const name of pathNames) {
        if (!names.includes(name))
          throw new Error(`${operation.http}: {${name}} is not in the input of ${operation.key}`)
      }
      return [
        {
          operation,
          method,
          path,
          pattern: path.replaceAll(/\{(\w+)\}/g, ':$1'),
          pathNames,
          scope: scopeOf(operation),
          buckets: contract.buckets,
          places: Object.fromEntries(
            names.map((name): [string, Place] => [name, pathNames.includes(name) ? 'path' : rest]),
          ),
        },
      ]
    }),
  )
  const seen = new Set<string>()
  for (const route of routes) {
    const key = `${route.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`
    if (seen.has(key)) throw new Error(`two operations are declared on ${key}`)
    seen.add(key)
  }
  return routes
}

const INT32_MAX = 2 ** 31 - 1

/** Adds what zod does not express: the width of an integer, and that text never contains NUL (the edge rejects it). */
function complete(schema: Record<string, unknown>): void {
  if (schema['type'] === 'integer' && schema['format'] === undefined) {
    const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number }
    schema['format'] = minimum >= -INT32_MAX - 1 && maximum <= INT32_MAX ? 'int32' : 'int64'
  }
  const restricted = ['format', 'pattern', 'enum', 'const'].some((word) => schema[word] !== undefined)
  if (schema['type'] === 'string' && !restricted) schema['pattern'] = '^[^\\u0000]*$'
}

/** Printed schemas by side. A gateway prints each for several documents and tools, which took it a second of a core. */
const printed = {
  input: new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>(),
  output: new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>(),
}

/**
 * Returns the JSON Schema (2020-12) of a zod schema for the documents. `io` selects the side of the caller or the
 * service: inputs may not contain unknown members, while answers and events may gain members that older readers ignore.
 * Every call with the same schema and side returns the same object.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Readonly<Record<string, unknown>> {
  const known = printed[io].get(schema)
  if (known !== undefined) return known
  const made = print(schema, io)
  printed[io].set(schema, made)
  return made
}

function print(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema: json }) => {
      if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties
      // The number of elements closes a tuple; linters of documents want a schema where `false` says the same.
      if (json.prefixItems !== undefined && json.items === false) json.items = {}
      complete(json as Record<string, unknown>)
    },
  })
  return rest
}
