import type { Deprecation, OperationDeclaration } from '@svc/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Route } from './routes.ts'

/** Returns true if the whole route is an old name, not only members of its answers. */
export const isOldRoute = ({ deprecated }: OperationDeclaration): boolean =>
  deprecated !== undefined && deprecated.members === undefined

const secondsOf = (day: string) => Math.floor(Date.parse(day) / 1000)

/** Returns the successor's path with the parameters of a request. */
const successorOf = ({ successor }: Deprecation, params: Readonly<Record<string, string>>) =>
  successor.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** Adds a link to the answer; an answer may have several. */
export function addLink(reply: FastifyReply, target: string, relation: string): void {
  const before = reply.getHeader('link')
  const link = `<${target}>; rel="${relation}"`
  void reply.header('link', before === undefined ? link : `${String(before)}, ${link}`)
}

/** Announces in the headers of every answer of a route that names of it are old, when they go, and what follows them. */
export function announceDeprecation({ operation }: Route, request: FastifyRequest, reply: FastifyReply): void {
  const old = operation.deprecated
  if (old === undefined) return
  void reply.headers({ deprecation: `@${secondsOf(old.since)}`, sunset: new Date(old.sunset).toUTCString() })
  addLink(reply, successorOf(old, request.params as Record<string, string>), 'successor-version')
  addLink(reply, '/deprecations', 'deprecation')
}

/** An old name that the API still serves. */
interface OldName {
  readonly route: string
  /** Old member of the answers; null if the route itself is old. */
  readonly member: string | null
  readonly successor: string
  readonly deprecated_at: string
  readonly sunset_at: string
}

/** Returns every old name of the given routes, with what replaces it and when it may be gone. */
export function deprecationsOf(routes: readonly Route[]): { readonly items: readonly OldName[] } {
  return {
    items: routes.flatMap(({ method, path, operation: { deprecated } }): OldName[] => {
      if (deprecated === undefined) return []
      const { since, sunset, successor, members } = deprecated
      const common = {
        route: `${method} ${path}`,
        deprecated_at: new Date(since).toISOString(),
        sunset_at: new Date(sunset).toISOString(),
      }
      return members === undefined
        ? [{ ...common, member: null, successor: `${method} ${successor}` }]
        : Object.entries(members).map(([member, named]) => ({ ...common, member, successor: named }))
    }),
  }
}
