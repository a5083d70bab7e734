import type { Route } from '@svc/edge'
import ajvModule, { type ValidateFunction } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import type { RawAnswer } from './http.ts'

type Json = { readonly [key: string]: any }

/** One observed outcome of an operation. */
export interface Seen {
  readonly operation: string
  readonly status: number
  readonly code: string | null
}

/** Checks answers against the OpenAPI document and records the outcomes. */
export interface Conformance {
  /** Returns how an answer violates the document; empty if it conforms. `route` is null for a path without an operation. */
  problemsOf(route: Route | null, method: string, answer: RawAnswer): string[]
  /** Whether a body matches the operation's schema; undefined for an operation without a body. */
  acceptsBody(route: Route, body: unknown): boolean | undefined
  seen(): readonly Seen[]
}

/**
 * Returns a part of the document with its open objects closed. Clients must expect members that later versions add, but
 * the current answers have only declared members.
 */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(Object.entries(part).map(([name, member]) => [name, closed(member)]))
  const isOpen = members['type'] === 'object' && typeof members['properties'] === 'object'
  return isOpen ? { additionalProperties: false, ...members } : members
}

/** Headers of every success of a route with old names. */
const OF_OLD_NAMES = ['deprecation', 'sunset', 'link']

const EVERYWHERE = ['x-request-id', 'x-content-type-options']

/**
 * Compiles every schema of the OpenAPI documents as they are used; throws when one is not valid JSON Schema 2020-12. Each
 * route stands in one of the documents.
 */
export function conformanceWith(documents: readonly Json[]): Conformance {
  const ajv = new ajvModule.default({ strict: false, allErrors: false, validateFormats: true })
  formatsModule.default(ajv)
  for (const [at, document] of documents.entries()) ajv.addSchema(closed(document) as Json, `openapi-${at}`)
  const compiled = new Map<string, ValidateFunction>()
  const methodOf = (route: Route) => route.method.toLowerCase()
  const documentOf = (route: Route) =>
    documents.findIndex(({ paths }) => paths[route.path]?.[methodOf(route)] !== undefined)
  const validator = (of: number, ...pointer: string[]) => {
    const at = `openapi-${of}#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const known = compiled.get(at)
    if (known !== undefined) return known
    const made = ajv.compile({ $ref: at })
    compiled.set(at, made)
    return made
  }
  const seen = new Map<string, Seen>()

  const wrong = (validate: ValidateFunction, body: unknown) =>
    validate(body) ? [] : [`the body breaks its schema: ${ajv.errorsText(validate.errors)}`]

  const ofProblem = (of: number, codes: string, { json, status }: RawAnswer): string[] => {
    const { code } = json as { readonly code?: unknown }
    if (!codes.split(', ').includes(String(code))) return [`code ${String(code)} is not declared for ${status}`]
    const schemas = Object.entries(documents[of]?.['components'].schemas as Json)
    const own = schemas.find(([, { allOf }]) => allOf?.[1]?.properties?.code?.enum?.[0] === code)
    return wrong(validator(of, 'components', 'schemas', own?.[0] ?? 'Problem'), json)
  }

  const ofOperation = (route: Route, answer: RawAnswer): string[] => {
    const of = documentOf(route)
    const document = documents[of]
    if (document === undefined) return ['the route is not described']
    const operation: Json = document['paths'][route.path][methodOf(route)]
    const named: Json | undefined = operation['responses'][String(answer.status)]
    if (named === undefined) return [`status ${answer.status} is not declared`]
    const at =
      named['$ref'] === undefined
        ? ['paths', route.path, route.method.toLowerCase(), 'responses', String(answer.status)]
        : String(named['$ref']).split('/').slice(1)
    const declared = at.reduce((part: Json, name) => part[name], document)
    const media = Object.keys((declared['content'] as Json | undefined) ?? {})
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    if (media.length === 0) return answer.text === '' ? [] : ['there is a body where none is declared']
    if (!media.includes(type)) return [`content type ${type} is not declared`]
    if (!type.endsWith('json')) return []
    if (answer.json === undefined) return ['the body is not JSON']
    if (answer.status >= 400) return ofProblem(of, named['description'] ?? declared['description'], answer)
    return wrong(validator(of, ...at, 'content', type, 'schema'), answer.json)
  }

  return {
    problemsOf: (route, method, answer) => {
      const problems = EVERYWHERE.filter((name) => answer.headers[name] === undefined).map(
        (name) => `header ${name} is missing`,
      )
      // A path that could not be decoded is refused before it has a route.
      if (route?.operation.deprecated !== undefined && answer.status < 400)
        problems.push(...OF_OLD_NAMES.filter((name) => answer.headers[name] === undefined).map((name) => `no ${name}`))
      if (route?.operation.deprecated === undefined && answer.headers['deprecation'] !== undefined)
        problems.push('an undeclared deprecation')
      if (answer.status === 429 && answer.headers['retry-after'] === undefined) problems.push('429 without Retry-After')
      if (answer.status >= 500) problems.push(`status ${answer.status}`)
      if (method === 'HEAD') return answer.text === '' ? problems : [...problems, 'HEAD has a body']
      if (route !== null) problems.push(...ofOperation(route, answer))
      else if (answer.status >= 400) {
        if (!String(answer.headers['content-type']).startsWith('application/problem+json'))
          problems.push('not a problem body')
        problems.push(...wrong(validator(0, 'components', 'schemas', 'Problem'), answer.json))
      }
      const body = answer.json as { code?: unknown; status?: unknown; request_id?: unknown } | null | undefined
      const code = answer.status >= 400 && typeof body?.code === 'string' ? body.code : null
      if (answer.status >= 400) {
        if (code === null) problems.push('a failure without code')
        if (body?.status !== answer.status) problems.push(`the body says status ${String(body?.status)}`)
        if (body?.request_id !== answer.headers['x-request-id']) problems.push('request_id differs from X-Request-Id')
      }
      const entry = { operation: route?.operation.key ?? '', status: answer.status, code }
      seen.set(JSON.stringify(entry), entry)
      return problems
    },
    acceptsBody: (route, body) => {
      if (route.method === 'GET' || route.method === 'DELETE') return undefined
      return validator(
        documentOf(route),
        'paths',
        route.path,
        methodOf(route),
        'requestBody',
        'content',
        'application/json',
        'schema',
      )(body)
    },
    seen: () => [...seen.values()],
  }
}
