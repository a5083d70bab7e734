import type { ServedPlace } from './edge-options.ts'
import { templateOf, type Route } from './routes.ts'

/** A path of the API with its methods. */
interface Place {
  /** In Fastify's form. */
  readonly pattern: string
  readonly params: number
  readonly shape: RegExp
  readonly methods: Set<string>
}

/** Looks up the methods of paths. */
export interface Methods {
  /** Returns the route of the documents that a path matches, with its methods; null if it matches none. */
  allowedAt(path: string): { readonly route: string; readonly methods: readonly string[] } | null
  /**
   * Methods that a path does not support but a matching template does. They are answered with 405, because otherwise
   * `GET /things/make` would be served as `GET /things/{id}`.
   */
  readonly shadowed: readonly { readonly method: string; readonly pattern: string }[]
}

const PARAM = /:\w+/g

/** Collects the methods of all paths; `documents` are read-only paths, `more` is served by other code. */
export function methodsOf(
  routes: readonly Route[],
  documents: readonly string[],
  more: readonly ServedPlace[] = [],
): Methods {
  const places = new Map<string, Place>()
  const add = (pattern: string, ...names: readonly string[]) => {
    const name = pattern.replaceAll(PARAM, ':')
    const place = places.get(name) ?? {
      pattern,
      params: (pattern.match(PARAM) ?? []).length,
      shape: new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(PARAM, '[^/]+')}$`),
      methods: new Set<string>(),
    }
    for (const method of names) place.methods.add(method)
    places.set(name, place)
  }
  for (const { pattern, method, operation } of routes)
    if (method === 'GET' && operation.stream === undefined) add(pattern, 'GET', 'HEAD')
    else add(pattern, method)
  for (const path of documents) add(path, 'GET', 'HEAD')
  for (const { path, methods } of more) add(path, ...methods)

  const all = [...places.values()].toSorted((one, other) => one.params - other.params)
  return {
    // The match with the fewest parameters wins.
    allowedAt: (path) => {
      const place = all.find(({ shape }) => shape.test(path))
      return place === undefined ? null : { route: templateOf(place.pattern), methods: [...place.methods] }
    },
    shadowed: all.flatMap(({ pattern, params, methods }) => {
      const wider = all.filter((other) => other.params > params && other.shape.test(pattern))
      const theirs = new Set(wider.flatMap((other) => [...other.methods]))
      return [...theirs].filter((method) => !methods.has(method)).map((method) => ({ method, pattern }))
    }),
  }
}
