import { setTimeout as delay } from 'node:timers/promises'

/** One answer, as the walk looks at it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // The walk reads whatever an answer holds and fails loudly when it is not there.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** What is asked, and as whom. */
export interface Request {
  readonly method?: string
  readonly body?: unknown
  readonly key?: string
  readonly token?: string
  readonly idempotencyKey?: string
}

const TRIES = 4
const AGAIN_MS = 1_000
const ANSWER_MS = 15_000

/** The platform answered something else than the documents say, or not in time. */
export class Surprise extends Error {
  override readonly name = 'Surprise'
}

/** Returns null when no answer began in time or the connection broke. */
async function answerTo(url: URL, init: RequestInit): Promise<Response | null> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) })
  } catch (error) {
    if (error instanceof Error && (error.name === 'TimeoutError' || error instanceof TypeError)) return null
    throw error
  }
}

export const methodOf = ({ method, body }: Request): string => method ?? (body === undefined ? 'GET' : 'POST')

/** Headers that say who asks. */
export const credentialsOf = ({ key, token }: Pick<Request, 'key' | 'token'>): Record<string, string> => ({
  ...(key === undefined ? {} : { 'x-svc-user-key': key }),
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
})

/**
 * Asks as a careful client does: what may be repeated, a GET or a request with an Idempotency-Key, is asked again after
 * an outage (503) or while its first answer is still in the making; `onAgain` is told.
 */
export async function request(
  url: URL,
  asked: Request,
  onAgain: (why: string) => void,
): Promise<Answer & { readonly text: string }> {
  const method = methodOf(asked)
  const headers = credentialsOf(asked)
  if (asked.body !== undefined) headers['content-type'] = 'application/json'
  if (asked.idempotencyKey !== undefined) headers['idempotency-key'] = asked.idempotencyKey
  const repeatable = method === 'GET' || asked.idempotencyKey !== undefined
  for (let tries = 1; ; tries += 1) {
    const response = await answerTo(url, {
      method,
      headers,
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    })
    if (response === null) {
      if (!repeatable || tries === TRIES)
        throw new Surprise(
          `${method} ${url.pathname} was not answered within ${ANSWER_MS / 1000} s, ${tries === 1 ? 'once' : `${tries} times`}`,
        )
      onAgain(`no answer within ${ANSWER_MS / 1000} s`)
      continue
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const body: unknown = text === '' ? null : isJson ? JSON.parse(text) : text
    const { status } = response
    const inTheMaking = status === 409 && text.includes('"idempotency_in_flight"')
    if ((status !== 503 && !inTheMaking) || !repeatable || tries === TRIES)
      return { status, headers: response.headers, body, text }
    onAgain(status === 503 ? 'a part of the platform is late' : 'the first answer is still in the making')
    await delay(AGAIN_MS)
  }
}
