import { common } from '@svc/contracts'
import type { Refusal } from '@svc/contract'
import { jsonSchema, type Route } from './routes.ts'

type Json = Record<string, unknown>

/** Returns the refusals that the edge or the service kit may answer on a route, besides the declared ones. */
export function edgeRefusals(route: Route): Refusal[] {
  const { operation } = route
  const list: Refusal[] = [
    common.invalidRequest,
    common.rateLimited,
    common.internal,
    common.temporarilyUnavailable,
    common.unauthenticated,
  ]
  if (operation.auth !== 'open') list.push(common.forbidden, common.missingScope)
  if ((operation.tier ?? 0) > 0) list.push(common.tierRequired)
  if (route.method !== 'GET') list.push(common.bodyTooLarge, common.unsupportedMediaType)
  if (operation.cookie !== undefined) list.push(common.originRefused)
  if (operation.stream !== undefined) list.push(common.tooManyStreams)
  if (operation.idempotent === true) list.push(common.idempotencyInFlight, common.idempotencyMismatch)
  if (operation.idempotent === true && operation.secret === true) list.push(common.secretAlreadyShown)
  return list
}

/** Returns the refusals of a route by status, without duplicates; those of a status are ordered by code. */
function failuresOf(route: Route): [number, Refusal[]][] {
  const declared = [...edgeRefusals(route), ...(route.operation.refusals ?? [])]
  const distinct = [...new Map(declared.map((refusal) => [refusal.code, refusal])).values()]
  const ordered = distinct.toSorted((one, other) => one.code.localeCompare(other.code))
  return [...Map.groupBy(ordered, (refusal) => refusal.status)].sort(([one], [other]) => one - other)
}

const pascal = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
const problemName = ({ code }: Refusal) => `${pascal(code)}Problem`
const problemRef = (refusal: Refusal) => `#/components/schemas/${problemName(refusal)}`
const responseName = (refusals: readonly Refusal[]) => refusals.map(({ code }) => pascal(code)).join('Or')

/** Returns the schema of the problem body for one code: the common members, the code and its own members. */
function problemSchema({ code, meaning, fix, details }: Refusal): Json {
  const added = details === undefined ? {} : jsonSchema(details, 'output')
  const { properties = {}, required = [] } = added as { properties?: Json; required?: readonly string[] }
  return {
    description: `${meaning} ${fix}`,
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        additionalProperties: true,
        required: ['code', ...required],
        properties: { code: { type: 'string', maxLength: 64, const: code }, ...properties },
      },
    ],
  }
}

function bodySchema(refusals: readonly Refusal[]): Json {
  const [first] = refusals
  if (first !== undefined && refusals.length === 1) return { $ref: problemRef(first) }
  return {
    oneOf: refusals.map((refusal) => ({ $ref: problemRef(refusal) })),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(refusals.map((refusal) => [refusal.code, problemRef(refusal)])),
    },
  }
}

const response = (status: number, refusals: readonly Refusal[], headers: (...names: string[]) => Json): Json => ({
  description: refusals.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join('\n\n'),
  headers: headers(...([409, 429, 503].includes(status) ? ['Retry-After'] : [])),
  content: { 'application/problem+json': { schema: bodySchema(refusals) } },
})

/** The parts of an OpenAPI document about failures. */
export interface Failures {
  /** Returns the responses of a route by status; each names exactly the codes that the route answers. */
  of(route: Route): Json
  /** One schema per code, so that generated clients can distinguish problems by code. */
  readonly schemas: Json
  /** Responses that several routes share. */
  readonly responses: Json
}

/**
 * Prints the failures of routes; a response that several routes share is printed once. `headers` prints the headers of
 * every response.
 */
export function failuresOfRoutes(routes: readonly Route[], headers: (...names: string[]) => Json): Failures {
  const schemas: Json = {}
  const uses = new Map<string, number>()
  const responses: Json = {}
  for (const [status, refusals] of routes.flatMap(failuresOf)) {
    for (const refusal of refusals) schemas[problemName(refusal)] ??= problemSchema(refusal)
    const name = responseName(refusals)
    uses.set(name, (uses.get(name) ?? 0) + 1)
    if (uses.get(name) === 2) responses[name] = response(status, refusals, headers)
  }
  const oneOf = (status: number, refusals: readonly Refusal[]): Json => {
    const name = responseName(refusals)
    return name in responses ? { $ref: `#/components/responses/${name}` } : response(status, refusals, headers)
  }
  return {
    of: (route) =>
      Object.fromEntries(failuresOf(route).map(([status, refusals]) => [String(status), oneOf(status, refusals)])),
    schemas,
    responses,
  }
}
