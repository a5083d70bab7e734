import { setTimeout as delay } from 'node:timers/promises'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests read any member of an answer.
  readonly body: any
}

export interface Ask {
  readonly method?: string
  readonly body?: unknown
  readonly key?: string
  readonly token?: string
  readonly idempotencyKey?: string
}

/** Only a request that hangs takes this long. */
const ANSWER_MS = 300_000
const TRIES_MAX = 60

/** Plain HTTP client of the API. */
export async function ask(baseUrl: string, path: string, options: Ask = {}): Promise<Answer> {
  const headers: Record<string, string> = {}
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  if (options.key !== undefined) headers['x-svc-user-key'] = options.key
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey
  const response = await fetch(new URL(path, baseUrl), {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/** Repeats what a caller may repeat while the product answers 503, as the API documents advise. */
export async function untilServed<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES_MAX || !String(error).includes('temporarily_unavailable')) throw error
      await delay(1_000)
    }
  }
}

/**
 * Sends a request until its answer is final, as a careful client does: after a lost connection, a 5xx or
 * `idempotency_in_flight` it sends the same request again, to the next of the given addresses.
 */
export async function askUntilAnswered(
  baseUrls: readonly string[],
  path: string,
  options: Ask,
  timeoutMs = 600_000,
): Promise<Answer> {
  const end = Date.now() + timeoutMs
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask(baseUrls[attempt % baseUrls.length] ?? '', path, options).catch(() => null)
    const again = answer === null || answer.status >= 500 || answer.body?.code === 'idempotency_in_flight'
    if (!again) return answer
    if (Date.now() > end)
      throw new Error(
        `${path}: no final answer in ${timeoutMs} ms; the last was ${answer?.status} ${JSON.stringify(answer?.body)}`,
      )
    await delay(100)
  }
}
