import { routes } from './generated/routes.ts'
import type { Answer, Input, OperationName, Session } from './operations.ts'
import { NoAnswerError, refusalOf, type RefusalError } from './refusal.ts'
import { fill, routeOf, type CalledRoute } from './request.ts'
import { pauseBefore, type Patience } from './retry.ts'
import { createSessionKeeper, type SessionKeeper } from './session-keeper.ts'
import { eventsOf } from './sse.ts'
import { wait } from './wait.ts'

/** Who calls: an agent by its API key, an owner by a session, or nobody. The caller of the SDK stores both. */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly session?: Session | undefined
  /** Called with every renewed session: store it in place of the former one, whose refresh token is used up. */
  readonly onSession?: ((session: Session) => void | Promise<void>) | undefined
}

export interface ClientOptions extends Credentials {
  /** Address of the API, `https://api.example.org`. */
  readonly baseUrl: string
  /** Tries of one call, the first one included; default 4. */
  readonly triesMax?: number
  /** Longest pause before a repetition, milliseconds; default 10,000. A refusal that asks for a longer one is thrown. */
  readonly pauseMaxMs?: number
  /** Longest wait for one answer, milliseconds; default 20,000. */
  readonly answerMs?: number
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch
}

/** How one call is made. */
export interface CallOptions {
  /** Same key for every repetition of one intent, also after a restart of your program. Made for each call if absent. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** Media type to ask for where a route offers several, such as `application/pdf`. */
  readonly accept?: string
}

/** An answer with its head. */
export interface Reply<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

type Args<K extends OperationName> =
  Record<never, never> extends Input<K>
    ? [input?: Input<K>, options?: CallOptions]
    : [input: Input<K>, options?: CallOptions]

/** A function for every route. Each rejects with `RefusalError` or `NoAnswerError`. */
export type Api = { readonly [K in OperationName]: (...args: Args<K>) => Promise<Answer<K>> }

/** A client of the API. */
export interface Client {
  readonly baseUrl: string
  /** A function for every route, by the name of its operation. */
  readonly api: Api
  /** Calls an operation and returns its answer with status and headers. */
  send<K extends OperationName>(operation: K, input: Input<K>, options?: CallOptions): Promise<Reply<Answer<K>>>
  /**
   * Follows a stream. After a break it connects again and continues behind the last item, without a gap as far as the
   * service keeps items. Ends only with the signal, a refusal, or the `return` of the iterator.
   */
  follow<K extends 'followFeed'>(operation: K, input: Input<K>, options?: CallOptions): AsyncGenerator<Answer<K>>
  /** Returns a client with other credentials. */
  as(credentials: Credentials): Client
}

interface Means extends Patience {
  readonly baseUrl: string
  readonly answerMs: number
  readonly fetch: typeof fetch
  readonly apiKey: string | undefined
  readonly keeper: SessionKeeper | null
}

/** Creates a client. It keeps no key and no session beyond its own life. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, session, onSession, triesMax = 4, pauseMaxMs = 10_000, answerMs = 20_000 } = options
  const base = new URL(baseUrl).href.replace(/\/$/, '')
  const visitor: Means = {
    baseUrl: base,
    triesMax,
    pauseMaxMs,
    answerMs,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    apiKey: undefined,
    keeper: null,
  }
  const renew = async (refresh_token: string): Promise<Session> =>
    (await call(visitor, 'refreshSession', { refresh_token }, {})).body
  const keeper = session === undefined ? null : createSessionKeeper(session, renew, onSession)
  const means: Means = { ...visitor, apiKey, keeper }
  const names = Object.keys(routes) as OperationName[]
  return {
    baseUrl: base,
    api: Object.fromEntries(
      names.map((name) => [
        name,
        async (input: Input<typeof name> = {} as Input<typeof name>, how: CallOptions = {}) =>
          (await call(means, name, input, how)).body,
      ]),
    ) as unknown as Api,
    send: (operation, input, how = {}) => call(means, operation, input, how),
    follow: (operation, input, how = {}) => follow(means, operation, input, how),
    as: (credentials) =>
      createClient({ ...options, apiKey: undefined, session: undefined, onSession: undefined, ...credentials }),
  }
}

async function headersOf({ apiKey, keeper }: Means): Promise<Record<string, string>> {
  if (apiKey !== undefined) return { 'x-svc-user-key': apiKey }
  return keeper === null ? {} : { authorization: `Bearer ${await keeper.token()}` }
}

/** Sends one request; rejects if no answer comes. `answerMs` null waits without an end, as for a stream. */
async function attempt(
  means: Means,
  name: OperationName,
  input: object,
  {
    signal,
    headers,
    answerMs,
  }: { signal: AbortSignal | undefined; headers: Record<string, string>; answerMs: number | null },
): Promise<Response> {
  const route = routeOf(name)
  const { path, body } = fill(route, input as Readonly<Record<string, unknown>>)
  const ends = [
    ...(signal === undefined ? [] : [signal]),
    ...(answerMs === null ? [] : [AbortSignal.timeout(answerMs)]),
  ]
  return means.fetch(`${means.baseUrl}${path}`, {
    method: route.method,
    headers: {
      ...(await headersOf(means)),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === null ? {} : { body }),
    ...(ends.length === 0 ? {} : { signal: AbortSignal.any(ends) }),
    // Another address could read the key.
    redirect: 'error',
  })
}

async function bodyOf(response: Response, { file }: CalledRoute): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (/\bjson\b/.test(type)) return JSON.parse((await response.text()) || 'null')
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (file && response.ok) return bytes
  return bytes.length === 0 ? null : new TextDecoder().decode(bytes)
}

type Outcome =
  | { readonly response: Response; readonly body: unknown; readonly refusal: RefusalError | null }
  | { readonly cause: unknown }

/** Sends one request and reads its answer; a lost answer is an outcome, the end of the signal a rejection. */
async function tryOnce(
  means: Means,
  name: OperationName,
  input: object,
  how: CallOptions & { readonly key: string | null },
) {
  const headers = {
    ...(how.key === null ? {} : { 'idempotency-key': how.key }),
    ...(how.accept === undefined ? {} : { accept: how.accept }),
  }
  try {
    const response = await attempt(means, name, input, { signal: how.signal, headers, answerMs: means.answerMs })
    const body = await bodyOf(response, routeOf(name))
    return { response, body, refusal: response.ok ? null : refusalOf(name, response, body) } satisfies Outcome
  } catch (error) {
    how.signal?.throwIfAborted()
    const isLost =
      error instanceof DOMException ||
      (error instanceof TypeError && error.cause !== undefined) ||
      error instanceof SyntaxError
    if (!isLost && !isFetchFailure(error)) throw error
    return { cause: error } satisfies Outcome
  }
}

/** Browsers reject with a TypeError without a cause; a wrong call of this SDK throws before anything is sent. */
const isFetchFailure = (error: unknown) => error instanceof TypeError && /fetch|network|load/i.test(error.message)

async function call<K extends OperationName>(
  means: Means,
  name: K,
  input: Input<K>,
  options: CallOptions,
): Promise<Reply<Answer<K>>> {
  const route = routeOf(name)
  const key = options.idempotencyKey ?? (route.once ? crypto.randomUUID() : null)
  // For ten seconds the service answers a used refresh token again, so that a lost answer ends no session.
  const repeatable = route.method === 'GET' || key !== null || name === 'refreshSession'
  let renewed = false
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(means, name, input, { ...options, key })
    const refusal = 'cause' in outcome ? null : outcome.refusal
    if (!('cause' in outcome) && outcome.refusal === null)
      return { status: outcome.response.status, headers: outcome.response.headers, body: outcome.body as Answer<K> }
    if (refusal?.code === 'unauthenticated' && means.keeper !== null && !renewed) {
      renewed = true
      await means.keeper.renew()
      continue
    }
    const pause = pauseBefore(tries, refusal, repeatable, means)
    if (pause === null) {
      const cause = 'cause' in outcome ? outcome.cause : null
      throw (
        refusal ?? new NoAnswerError(name, tries, cause, cause instanceof TypeError ? blockedPage(means, route) : null)
      )
    }
    await wait(pause, options.signal)
  }
}

/** Returns the origin of the page that calls, if its browser hides answers that the service does not open to it; else null. */
function blockedPage({ baseUrl, apiKey, keeper }: Means, { method }: CalledRoute): string | null {
  const page = (globalThis as { readonly location?: { readonly origin?: string } }).location?.origin
  const isOpenRead = method === 'GET' && apiKey === undefined && keeper === null
  return page === undefined || isOpenRead || page === new URL(baseUrl).origin ? null : page
}

async function* follow<K extends 'followFeed'>(
  means: Means,
  name: K,
  input: Input<K>,
  { signal }: CallOptions,
): AsyncGenerator<Answer<K>> {
  let lastId = ''
  for (let tries = 1; ; tries += 1) {
    const headers = { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) }
    let refusal: RefusalError | null = null
    try {
      const response = await attempt(means, name, input, { signal, headers, answerMs: null })
      if (!response.ok) refusal = refusalOf(name, response, await bodyOf(response, routeOf(name)))
      else if (response.body !== null)
        for await (const event of eventsOf(response.body, lastId)) {
          tries = 1
          lastId = event.id
          yield JSON.parse(event.data) as Answer<K>
        }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error
    }
    signal?.throwIfAborted()
    if (refusal?.code === 'unauthenticated' && means.keeper !== null && tries === 1) {
      await means.keeper.renew()
      continue
    }
    const pause = pauseBefore(Math.min(tries, means.triesMax - 1), refusal, true, means)
    if (pause === null) throw refusal ?? new NoAnswerError(name, tries, null)
    await wait(pause, signal)
  }
}
