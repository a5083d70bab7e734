import type { Log } from '@svc/service'

/** Longest wait for an answer: the API gives one within 20 s. */
const ANSWER_MS = 25_000
/** Longest answer that is read. */
const BYTES_MAX = 1_000_000

/** What the public API answered; null for an answer that did not arrive or is not JSON. */
export interface ApiAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Orders of the house runner through the public API, as of any agent. */
export interface PublicApi {
  /** Posts an order as it is stored, under its key. */
  order(mandateId: string, key: string, body: string): Promise<ApiAnswer | null>
}

/** Opens the public API with the key of the house runner. The key goes into the header of requests and nowhere else. */
export function openPublicApi({
  gatewayUrl,
  apiKey,
  log,
}: {
  readonly gatewayUrl: string
  readonly apiKey: string
  readonly log: Log
}): PublicApi {
  return {
    order: async (mandateId, key, body) => {
      const url = new URL(`/hub/mandates/${mandateId}/hl-order`, gatewayUrl)
      const headers = { 'content-type': 'application/json', 'x-svc-user-key': apiKey, 'idempotency-key': key }
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(ANSWER_MS),
        })
        const text = await answer.text()
        if (text.length > BYTES_MAX) return null
        return { status: answer.status, body: JSON.parse(text) as ApiAnswer['body'] }
      } catch (error) {
        // Whatever happened to the request or its answer, the order may have been placed.
        log.warn({ err: error, mandate_id: mandateId }, 'the public API did not answer an order of the house runner')
        return null
      }
    },
  }
}
