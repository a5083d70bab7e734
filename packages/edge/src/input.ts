import { createHash } from 'node:crypto'
import { common } from '@svc/contracts'
import type { Caller } from '@svc/contract'
import { fieldErrors } from '@svc/service'
import type { FastifyRequest } from 'fastify'
import { prefers } from './accept.ts'
import { checkName, checkText, parseBody } from './body.ts'
import { takeFormat } from './csv.ts'
import { EdgeRefusal } from './problem.ts'
import { queryOf } from './query.ts'
import type { Route } from './routes.ts'

const IDEMPOTENCY_KEY = /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/

const belongsElsewhere = (name: string, place: 'path' | 'cookie' | 'header PAYMENT-SIGNATURE') =>
  new EdgeRefusal(common.invalidRequest, {
    errors: [
      { pointer: `/${name}`, code: 'unknown_field', detail: `"${name}" belongs in the ${place}; remove it here.` },
    ],
  })

/**
 * Returns the parsed input of a route from path, query, body and the members that the edge itself brings. Throws `EdgeRefusal` that names each invalid member
 * and its place.
 */
export function inputOf(
  route: Route,
  request: FastifyRequest,
  brought: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const query = queryOf(request)
  takeFormat(route, query)
  for (const name of Object.keys(query)) checkName(name, '/query')
  const input: Record<string, unknown> = {}
  const fromBody = route.method === 'POST' || route.method === 'PUT'
  if (!fromBody || route.operation.placement === 'body-or-query') Object.assign(input, query)
  else if (Object.keys(query).length > 0) {
    throw new EdgeRefusal(common.invalidRequest, {
      errors: Object.keys(query)
        .slice(0, 20)
        .map((name) => ({
          pointer: `/query/${name.slice(0, 100)}`,
          code: 'unknown_field',
          detail: 'This route accepts no query members; send them in the body.',
        })),
    })
  }
  for (const [name, value] of Object.entries(input))
    if (typeof value === 'string') checkText(value, `/query/${name.slice(0, 100)}`)
  if (fromBody && request.body instanceof Buffer) {
    const body = parseBody(request.body)
    refuseContradictions(input, body)
    Object.assign(input, body)
  }
  for (const [name, value] of Object.entries(brought)) {
    if (Object.hasOwn(input, name))
      throw belongsElsewhere(name, route.operation.payment === undefined ? 'cookie' : 'header PAYMENT-SIGNATURE')
    input[name] = value
  }
  for (const name of route.pathNames) {
    if (Object.hasOwn(input, name)) throw belongsElsewhere(name, 'path')
    const value = (request.params as Record<string, string>)[name] ?? ''
    checkText(value, `/path/${name}`)
    input[name] = value
  }
  const { file, whenFileAccepted } = route.operation
  if (file !== undefined && whenFileAccepted !== undefined && prefers(request.headers.accept, file))
    for (const [name, value] of Object.entries(whenFileAccepted)) input[name] ??= value
  const parsed = route.operation.input.safeParse(input)
  if (!parsed.success) {
    const errors = fieldErrors(parsed.error, 'body').map((error) => {
      const first = error.pointer.split('/')[1] ?? ''
      const known = Object.hasOwn(route.places, first) ? route.places[first] : undefined
      const place = known ?? (fromBody ? 'body' : 'query')
      return place === 'body' ? error : { ...error, pointer: `/${place}${error.pointer}` }
    })
    throw new EdgeRefusal(common.invalidRequest, { errors })
  }
  return parsed.data
}

/** Rejects members with different values in the query and the body. */
function refuseContradictions(query: Record<string, unknown>, body: object): void {
  const errors = Object.entries(body)
    .filter(([name, value]) => Object.hasOwn(query, name) && query[name] !== String(value))
    .slice(0, 20)
    .map(([name]) => ({
      pointer: `/${name.slice(0, 100)}`,
      code: 'contradiction',
      detail: `"${name.slice(0, 100)}" has one value in the query and another in the body; send it in one of them.`,
    }))
  if (errors.length > 0) throw new EdgeRefusal(common.invalidRequest, { errors })
}

/** Returns the position after which a stream continues, from `Last-Event-ID`; undefined without the header. */
export function lastEventIdOf(request: FastifyRequest): number | undefined {
  const given = request.headers['last-event-id']
  if (given === undefined || given === '') return undefined
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given)
  throw new EdgeRefusal(common.invalidRequest, {
    errors: [
      {
        pointer: '/header/last-event-id',
        code: 'invalid_format',
        detail:
          'Send the id of the last event that you received, a whole number, or omit the header and send since in the query.',
      },
    ],
  })
}

/** Returns the Idempotency-Key of a request as the owning service stores it; undefined without one. */
export function idempotencyKeyOf(
  route: Route,
  request: FastifyRequest,
  caller: Caller | null,
  inputJson: string,
): string | undefined {
  const given = request.headers['idempotency-key']
  if (given === undefined || route.operation.idempotent !== true) return undefined
  const match = typeof given === 'string' ? IDEMPOTENCY_KEY.exec(given) : null
  const key = match?.[1] ?? match?.[2]
  if (key === undefined)
    throw new EdgeRefusal(common.invalidRequest, {
      errors: [
        {
          pointer: '/header/idempotency-key',
          code: 'invalid_format',
          detail: 'Send 1 to 255 printable ASCII characters, bare or as a quoted string.',
        },
      ],
    })
  // Without an account, callers could choose the same key; including the input keeps them apart.
  return caller === null ? `${createHash('sha256').update(inputJson).digest('hex').slice(0, 32)}:${key}` : key
}
