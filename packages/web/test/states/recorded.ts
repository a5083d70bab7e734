import { contracts } from '@svc/contracts/all'
import { examples } from '@svc/contracts/examples'

/** A route with the answer that a test of its service recorded. */
export interface RecordedRoute {
  /** As contracts write it: `GET /hub/hall/{agent_id}`. */
  readonly route: string
  readonly pattern: RegExp
  readonly answer: unknown
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Every route of the API that a page may call. Routes without names in their path come first. */
export const recordedRoutes: readonly RecordedRoute[] = contracts
  .flatMap(({ name, operations }) =>
    Object.values(operations).flatMap(({ key, http }) => {
      if (http === undefined) return []
      const [, path = ''] = http.split(' ')
      return [{ route: http, pattern: patternOf(path), answer: examples[`${name}.${key} 200`] ?? null }]
    }),
  )
  .toSorted((a, b) => Number(a.route.includes('{')) - Number(b.route.includes('{')))

/** Returns the recorded answer of a route, as a copy. */
export function recorded<T = Record<string, unknown>>(route: string): T {
  const found = recordedRoutes.find((one) => one.route === route)
  if (found?.answer === undefined || found.answer === null) throw new Error(`no answer of ${route} was recorded`)
  return structuredClone(found.answer) as T
}

/** Returns the route of a request; null for one that no contract declares. */
export const routeOf = (method: string, path: string): string | null =>
  recordedRoutes.find(({ route, pattern }) => route.startsWith(`${method} `) && pattern.test(path))?.route ?? null
