import { routes } from './generated/routes.ts'
import type { OperationName } from './operations.ts'

/** A route, as it is called. */
export interface CalledRoute {
  readonly method: string
  readonly template: string
  /** Accepts an Idempotency-Key, so that it can be repeated without a second effect. */
  readonly once: boolean
  /** May answer with the bytes of a file. */
  readonly file: boolean
}

/** Returns the route of an operation. Throws for a name that no operation has. */
export function routeOf(name: OperationName): CalledRoute {
  const line: string | undefined = Object.hasOwn(routes, name) ? routes[name] : undefined
  if (line === undefined) throw new TypeError(`no operation has the name ${name}`)
  const [method = '', template = '', ...words] = line.split(' ')
  return { method, template, once: words.includes('once'), file: words.includes('file') }
}

/** Address below the base URL, and the body as JSON or null. */
export interface FilledRoute {
  readonly path: string
  readonly body: string | null
}

/**
 * Fills a route with an input: names of the path go there, the others to the query of a GET or DELETE, or to the body.
 * Members that are undefined are left out. Throws if a name of the path is missing.
 */
export function fill({ method, template }: CalledRoute, input: Readonly<Record<string, unknown>>): FilledRoute {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${method} ${template}: give ${name}, which stands in its path`)
    return encodeURIComponent(String(value as string | number))
  })
  if (method !== 'GET' && method !== 'DELETE') return { path, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(
    [...rest].map(([name, value]): [string, string] => [name, String(value as string | number)]),
  ).toString()
  return { path: query === '' ? path : `${path}?${query}`, body: null }
}
