import { z } from 'zod'
import type { Route } from '@svc/edge'

type Schema = { readonly [key: string]: any }

/** Returns the example of a JSON Schema of this API, or a value that the schema most likely allows. */
export function sampleOf(schema: Schema): unknown {
  if (schema['example'] !== undefined) return schema['example']
  if (schema['examples']?.[0] !== undefined) return schema['examples'][0]
  if (schema['const'] !== undefined) return schema['const']
  if (schema['default'] !== undefined) return schema['default']
  if (schema['enum'] !== undefined) return schema['enum'][0]
  const variants = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Schema[] | undefined
  if (variants?.[0] !== undefined) return sampleOf(variants[0])
  if (schema['type'] === 'object') {
    return Object.fromEntries(
      Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(([name, property]) => [
        name,
        sampleOf(property),
      ]),
    )
  }
  if (schema['type'] === 'array')
    return Array.from({ length: schema['minItems'] ?? 1 }, () => sampleOf(schema['items'] ?? {}))
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Math.max(schema['minimum'] ?? 1, 1)
  if (schema['type'] === 'boolean') return true
  if (String(schema['pattern']).includes('0x')) return `0x${'ab'.repeat(65)}`
  return 'x'.repeat(Math.max(schema['minLength'] ?? 4, 4))
}

const membersByRoute = new WeakMap<Route, Readonly<Record<string, Schema>>>()

/** Returns the JSON Schemas of a route's input members; they are built once per route. */
function membersOf(route: Route): Readonly<Record<string, Schema>> {
  const found = membersByRoute.get(route)
  if (found !== undefined) return found
  const { properties = {} } = z.toJSONSchema(route.operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Schema>
  }
  membersByRoute.set(route, properties)
  return properties
}

/** Returns a request with valid path, query and body for a route. `known` has values for names in the path. */
export function sampleRequest(
  route: Route,
  known: Readonly<Record<string, string>> = {},
): {
  path: string
  query: Record<string, string>
  body: Record<string, unknown> | undefined
} {
  const at = (place: string) => Object.entries(membersOf(route)).filter(([name]) => route.places[name] === place)
  const path = at('path').reduce(
    (text, [name, schema]) =>
      text.replace(`{${name}}`, encodeURIComponent(known[name] ?? String(pathSample(name, schema)))),
    route.path,
  )
  const query = Object.fromEntries(
    at('query')
      .filter(([, schema]) => sampleOf(schema) !== undefined && schema['pattern'] === undefined)
      .map(([name, schema]) => [name, String(sampleOf(schema))]),
  )
  const takesBody = route.method === 'POST' || route.method === 'PUT'
  return {
    path,
    query,
    body: takesBody ? Object.fromEntries(at('body').map(([name, schema]) => [name, sampleOf(schema)])) : undefined,
  }
}

/** Returns the same request as the members of its input, as a tool takes them. */
export function sampleInput(route: Route, known: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const { query, body } = sampleRequest(route, known)
  const inPath = Object.entries(membersOf(route)).filter(([name]) => route.places[name] === 'path')
  return {
    ...Object.fromEntries(inPath.map(([name, schema]) => [name, known[name] ?? String(pathSample(name, schema))])),
    ...query,
    ...body,
  }
}

function pathSample(name: string, schema: Schema): unknown {
  const sample = sampleOf(schema)
  return typeof sample === 'string' && new RegExp(String(schema['pattern'] ?? '')).test(sample) ? sample : name
}
