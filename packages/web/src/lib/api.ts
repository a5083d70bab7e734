import { noteServerTime } from './clock.ts'
import { noAnswer, Problem } from './problem.ts'
import type { Answer, Route, Sent } from './routes-of-api.ts'
import { renewSession, session } from './session.ts'

/** How a call is made. */
export interface CallOptions {
  /** The same key for every repetition of one intent, such as all tries of one dialog. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** Sends no token, as a visitor. */
  readonly asVisitor?: boolean
}

/** Longest wait for an answer. */
const ANSWER_MS = 20_000

interface Request {
  readonly method: string
  readonly url: string
  readonly body: string | null
}

/** Returns the request of a route: names of the path are filled in, the others go to the query of a GET or the body. */
export function requestOf(route: string, sent: Readonly<Record<string, unknown>>): Request {
  const [method = 'GET', template = '/'] = route.split(' ')
  const rest = new Map(Object.entries(sent).filter(([, value]) => value !== undefined))
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET') return { method, url: path, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]))
  return { method, url: query.size === 0 ? path : `${path}?${query}`, body: null }
}

async function send({ method, url, body }: Request, options: CallOptions): Promise<Response> {
  const token = options.asVisitor === true ? undefined : session.get()?.token
  const timeout = AbortSignal.timeout(ANSWER_MS)
  const response = await fetch(url, {
    method,
    // The browser asks with the ETag that it has and gets 304 for what did not change.
    cache: method === 'GET' ? 'no-cache' : 'no-store',
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      ...options.headers,
    },
    signal: options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]),
    ...(body === null ? {} : { body }),
  })
  noteServerTime(response.headers.get('date'))
  return response
}

/** Waits for bytes of the service. Throws the problem of no answer if they do not come; a call that was given up ends as such. */
async function arrived<T>(bytes: Promise<T>, { signal }: CallOptions): Promise<T> {
  try {
    return await bytes
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw noAnswer()
  }
}

async function answered(request: Request, options: CallOptions): Promise<Response> {
  const signedIn = session.get() !== null && options.asVisitor !== true
  const response = await arrived(send(request, options), options)
  if (response.status !== 401 || !signedIn || !(await arrived(renewSession(), options))) return response
  return arrived(send(request, options), options)
}

/** Returns the body of an answer. Throws a `Problem`; it is `unreadable` if the body is no JSON. */
async function bodyOf(response: Response, options: CallOptions): Promise<unknown> {
  const text = await arrived(response.text(), options)
  try {
    return JSON.parse(text)
  } catch {
    // A proxy on the way may answer with anything.
    throw new Problem(response.status, { code: 'unreadable' }, response.headers)
  }
}

/** Returns the failure that an answer tells. */
async function problemOf(response: Response, options: CallOptions): Promise<Problem> {
  const body = await bodyOf(response, options)
  const members = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  return new Problem(response.status, members, response.headers)
}

/** Calls a route by its name, without its types. */
export async function callRoute(
  route: string,
  sent: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<unknown> {
  const response = await answered(requestOf(route, sent), options)
  if (!response.ok) throw await problemOf(response, options)
  return response.status === 204 ? undefined : bodyOf(response, options)
}

/**
 * Calls a route of the API. Throws a `Problem` for every failure. A token that has expired is renewed once.
 *
 *   const page = await api('GET /hub/hall', { sort: 'days' })
 */
export const api = <R extends Route>(route: R, sent: Sent<R>, options: CallOptions = {}): Promise<Answer<R>> =>
  callRoute(route, sent as Record<string, unknown>, options) as Promise<Answer<R>>

/** Reads a document of the gateway that no contract declares, such as `/ui/config.json`. */
export async function readDocument(path: string, options: CallOptions = {}): Promise<unknown> {
  const response = await answered({ method: 'GET', url: path, body: null }, options)
  if (!response.ok) throw await problemOf(response, options)
  return bodyOf(response, options)
}

/** Reads a file of the API, such as an exported record or a statement to print. */
export async function readFile(path: string, options: CallOptions = {}): Promise<Blob> {
  const response = await answered({ method: 'GET', url: path, body: null }, options)
  if (!response.ok) throw await problemOf(response, options)
  return arrived(response.blob(), options)
}
