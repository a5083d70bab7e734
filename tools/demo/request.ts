import { setTimeout as delay } from 'node:timers/promises'

/** An answer of the API. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // The demo reads any member of an answer and fails loudly if it is missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Who asks: an agent by key, a person by session token, or nobody. */
export interface Credentials {
  readonly key?: string
  readonly token?: string
}

/** A request; the method is POST if there is a body and GET otherwise. */
export interface Request extends Credentials {
  readonly method?: string
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** After a lost connection. */
const TRIES = 4
/** While the platform answers that it is too busy, or that the first request still runs. */
const TRIES_BUSY = 60
const PAUSE_MS = 1_000
const ANSWER_MS = 120_000

/** The platform did not do what the documents say, or not in time. */
export class Surprise extends Error {
  override readonly name = 'Surprise'
}

export const methodOf = ({ method, body }: Request): string => method ?? (body === undefined ? 'GET' : 'POST')

export const credentialHeaders = ({ key, token }: Credentials): Record<string, string> => ({
  ...(key === undefined ? {} : { 'x-svc-user-key': key }),
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
})

/** Returns null if the connection broke or no answer came in time. */
async function send(url: URL, init: RequestInit): Promise<Response | null> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) })
  } catch (error) {
    if (error instanceof Error && (error.name === 'TimeoutError' || error instanceof TypeError)) return null
    throw error
  }
}

/** Returns why a request should be repeated, or null if the answer is final. */
function whyRepeat(response: Response | null, text: string): string | null {
  if (response === null) return `no answer within ${ANSWER_MS / 1000} s`
  if (response.status === 503) return 'a service is temporarily unavailable'
  return response.status === 409 && text.includes('"idempotency_in_flight"') ? 'the first request still runs' : null
}

/**
 * Sends a request as a careful client does: a GET, or a request with an Idempotency-Key, is repeated after a lost
 * connection, after an outage (503), and while the first attempt still runs. Calls `onRepeat` with the reason.
 */
export async function request(
  url: URL,
  asked: Request,
  onRepeat: (why: string) => void,
): Promise<Answer & { readonly text: string }> {
  const method = methodOf(asked)
  const repeatable = method === 'GET' || asked.idempotencyKey !== undefined
  const init = {
    method,
    headers: {
      ...credentialHeaders(asked),
      ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(asked.idempotencyKey === undefined ? {} : { 'idempotency-key': asked.idempotencyKey }),
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
  }
  for (let tries = 1; ; tries += 1) {
    const response = await send(url, init)
    const text = (await response?.text()) ?? ''
    const why = whyRepeat(response, text)
    const last = !repeatable || tries >= (response === null ? TRIES : TRIES_BUSY)
    if (response !== null && (why === null || last)) {
      const isJson = response.headers.get('content-type')?.includes('json') === true
      const body: unknown = text === '' ? null : isJson ? JSON.parse(text) : text
      return { status: response.status, headers: response.headers, body, text }
    }
    if (last) throw new Surprise(`${method} ${url.pathname}: ${why} (${tries} ${tries === 1 ? 'try' : 'tries'})`)
    onRepeat(why ?? '')
    if (response !== null) await delay(PAUSE_MS)
  }
}
