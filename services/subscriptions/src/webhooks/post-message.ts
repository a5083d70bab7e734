import { readBody, requestPublic, withinPolicy, type PublicPolicy } from '@svc/service/public-web'
import { signedHeaders } from './rules/signature.ts'

/** What a receiver answered. `reason` is null if it accepted the message; `body` is null unless it was asked for. `cause` is for the log alone. */
export interface Receipt {
  readonly status: number | null
  readonly reason: string | null
  readonly cause: string | null
  readonly body: string | null
}

/** Words that tell apart the names that exist inside of a network; whoever names a host is told one word for both. */
const INSIDE: ReadonlySet<string> = new Set(['host_not_found', 'address_not_public'])

const unanswered = (cause: string): Receipt => ({
  status: null,
  reason: INSIDE.has(cause) ? 'no_public_address' : cause,
  cause,
  body: null,
})

function reasonOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : `status_${status}`
}

/**
 * Posts a message once, signed at `at` by each of the secrets. Only a status 2xx within the time of the policy accepts it; no
 * redirect is followed. Never rejects.
 */
export async function postMessage(
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  message: { readonly id: string; readonly body: string },
  how: { readonly policy: PublicPolicy; readonly at: Date; readonly signal: AbortSignal; readonly readsBody?: boolean },
): Promise<Receipt> {
  const { policy, at, readsBody = false } = how
  const receipt = await withinPolicy(policy, how.signal, async (signal): Promise<Receipt> => {
    const headers = {
      ...signedHeaders(secrets, message, at),
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'content-length': Buffer.byteLength(message.body),
      'user-agent': 'cherry-webhooks/1',
    }
    const { body } = message
    const response = await requestPublic(URL.parse(url), { method: 'POST', headers, body }, policy, signal)
    try {
      const status = response.statusCode ?? 0
      // A final answer has a status of 200 or above.
      if (status < 200) return unanswered('connection_failed')
      const reason = reasonOf(status)
      const isRead = readsBody && reason === null
      return { status, reason, cause: reason, body: isRead ? (await readBody(response, policy.maxBytes)).body : null }
    } finally {
      response.destroy()
    }
  })
  return 'unreachable' in receipt ? unanswered(receipt.unreachable) : receipt
}
