import { Agent, errors, request } from 'undici'
import type { VenueUrls } from './network.ts'

/** The venue answered late, not at all, or in a form that is not known. Worth another try. */
export class VenueUnavailable extends Error {
  override readonly name = 'VenueUnavailable'
  /** True if no byte of the request can have reached the venue. */
  readonly unsent: boolean
  constructor(message: string, unsent = false) {
    super(message)
    this.unsent = unsent
  }
}

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Posts a body to an endpoint and returns the answer whatever its status. Rejects with `VenueUnavailable`. */
export type Post = (endpoint: keyof VenueUrls, body: string) => Promise<Answer>

/** Longest wait for an answer. Who asks is answered within three seconds; what was sent may take effect, so its wait is longer. */
export const TIMEOUT_MS = { info: 2_500, exchange: 4_500 } as const
const ANSWER_MAX_BYTES = 8 * 1024 * 1024
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/**
 * Opens the connection to the venue: JSON over HTTP, at most `timeoutMs` for an answer with its body (`TIMEOUT_MS`), `answerMaxBytes`
 * (8 MiB), and no redirects. Nothing is repeated here.
 */
export function openTransport(
  urls: VenueUrls,
  options: { readonly timeoutMs?: number; readonly answerMaxBytes?: number } = {},
): { readonly post: Post; close(): Promise<void> } {
  const { timeoutMs, answerMaxBytes = ANSWER_MAX_BYTES } = options
  const connectTimeout = timeoutMs ?? TIMEOUT_MS.info
  const dispatcher = new Agent({ connections: 16, maxResponseSize: answerMaxBytes, connectTimeout })
  const post: Post = async (endpoint, body) => {
    try {
      const answer = await request(urls[endpoint], {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS[endpoint]),
      })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (error) {
      throw unavailable(error)
    }
  }
  return { post, close: () => dispatcher.close() }
}

function unavailable(error: unknown): VenueUnavailable {
  const code = error instanceof Error ? String(Reflect.get(error, 'code') ?? '') : ''
  if (error instanceof errors.ResponseExceededMaxSizeError) return new VenueUnavailable('the answer is too large')
  if (NEVER_SENT.has(code)) return new VenueUnavailable('the venue cannot be reached', true)
  return new VenueUnavailable('the venue did not answer in time')
}
