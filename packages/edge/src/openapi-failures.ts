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

/** Returns every refusal that a route may answer with. */
const refusalsOf = (route: Route): readonly Refusal[] => [...edgeRefusals(route), ...(route.operation.refusals ?? [])]

/** Returns refusals by status, without duplicates; those of a status are ordered by code. */
function failuresOf(declared: readonly Refusal[]): [number, Refusal[]][] {
  const distinct = [...new Map(declared.map((refusal) => [refusal.code, refusal])).values()]
  const ordered = distinct.toSorted((one, other) => one.code.localeCompare(other.code))
  return [...Map.groupBy(ordered, (refusal) => refusal.status)].sort(([one], [other]) => one - other)
}

const pascal = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the schema of the problem body for a code that has members of its own. */
function problemSchema(code: string, details: NonNullable<Refusal['details']>): Json {
  const { properties = {}, required = [] } = jsonSchema(details, 'output') as {
    properties?: Json
    required?: readonly string[]
  }
  return {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        additionalProperties: true,
        required: ['code', ...required],
        // Generators that merge both parts know an enum within an enum, and no const.
        properties: { code: { enum: [code] }, ...properties },
      },
    ],
  }
}

/** Returns the text that names the codes of a response: `idempotency_in_flight, idempotency_mismatch`. */
const described = (refusals: readonly Refusal[]) => refusals.map(({ code }) => code).join(', ')

/** Returns the most frequent of some texts. */
function mostFrequent(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => ({ text, length }))
  return counts.toSorted((one, other) => other.length - one.length)[0]?.text ?? ''
}

/** Returns the headers of failures of routes by status, beside those of every response. */
const headersOf = (routes: readonly Route[]): Readonly<Record<number, readonly string[]>> => ({
  ...(routes.some(({ operation }) => operation.payment !== undefined)
    ? { 402: ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'] }
    : {}),
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
})

/** The parts of an OpenAPI document about failures. */
export interface Failures {
  /** Returns the responses of a route by status; the description of each names exactly the codes that the route answers. */
  of(route: Route): Json
  /** Returns the responses of a place that answers with these refusals. */
  ofRefusals(refusals: readonly Refusal[]): Json
  /** One schema for each code that has members of its own. */
  readonly schemas: Json
  /** One response for each status. */
  readonly responses: Json
}

/**
 * Prints the failures of routes. All routes share one response for each status; a route whose codes are not the most
 * frequent ones describes them next to its reference. `headers` prints the headers of every response.
 */
export function failuresOfRoutes(routes: readonly Route[], headers: (...names: string[]) => Json): Failures {
  const more = headersOf(routes)
  const all = routes.flatMap((route) => failuresOf(refusalsOf(route)))
  const usual = new Map(
    [...Map.groupBy(all, ([status]) => status)].map(([status, found]): [number, string] => [
      status,
      mostFrequent(found.map(([, refusals]) => described(refusals))),
    ]),
  )
  const detailed = [...new Map(all.flatMap(([, found]) => found.map((one) => [one.code, one]))).values()].flatMap(
    ({ code, status, details }) =>
      details === undefined ? [] : [{ status, name: `${pascal(code)}Problem`, schema: problemSchema(code, details) }],
  )
  const bodyAt = (at: number): Json => {
    const names = [...detailed.filter(({ status }) => status === at).map(({ name }) => name), 'Problem']
    const [first, ...more] = names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
    return more.length === 0 ? { ...first } : { anyOf: [first, ...more] }
  }
  const responseOf = ([status, refusals]: readonly [number, readonly Refusal[]]): [string, Json] => {
    const description = described(refusals)
    const shared = { $ref: `#/components/responses/${status}` }
    return [String(status), usual.get(status) === description ? shared : { ...shared, description }]
  }
  const ofRefusals = (refusals: readonly Refusal[]) => Object.fromEntries(failuresOf(refusals).map(responseOf))
  return {
    of: (route) => ofRefusals(refusalsOf(route)),
    ofRefusals,
    schemas: Object.fromEntries(detailed.map(({ name, schema }) => [name, schema])),
    responses: Object.fromEntries(
      [...usual].map(([status, description]) => [
        String(status),
        {
          description,
          headers: headers(...(more[status] ?? [])),
          content: { 'application/problem+json': { schema: bodyAt(status) } },
        },
      ]),
    ),
  }
}
