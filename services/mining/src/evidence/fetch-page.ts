import { readBody, requestPublic, withinPolicy, type PublicPolicy } from '@svc/service/public-web'

/** A fetched page. `body` is null if the content is not text that can be searched. */
export interface Page {
  readonly status: number | null
  readonly body: string | null
  /** The host that answered, after redirects; null if none did. */
  readonly host: string | null
  /** Why the page could not be read, or not completely; null if it was read. */
  readonly reason: string | null
}

const READABLE = /^(text\/|application\/(json|ld\+json|xml|xhtml\+xml|javascript|x-yaml|yaml)\b)/i
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const REDIRECTS_MAX = 3
const GET = {
  method: 'GET',
  headers: {
    accept: 'text/html,text/*,application/json;q=0.9,*/*;q=0.1',
    'accept-encoding': 'identity',
    'user-agent': 'evidence-checker/1',
  },
} as const

async function follow(text: string, policy: PublicPolicy, signal: AbortSignal): Promise<Page> {
  let url = URL.parse(text)
  for (let redirects = 0; ; redirects += 1) {
    const response = await requestPublic(url, GET, policy, signal)
    try {
      const status = response.statusCode ?? 0
      const host = url?.hostname ?? null
      const location = response.headers.location
      if (REDIRECTS.has(status) && location !== undefined) {
        if (redirects >= REDIRECTS_MAX) return { status, body: null, host, reason: 'too_many_redirects' }
        url = URL.parse(location, url?.href)
        continue
      }
      const encoding = response.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity') return { status, body: null, host, reason: 'content_encoding_not_supported' }
      if (!READABLE.test(response.headers['content-type'] ?? ''))
        return { status, body: null, host, reason: 'content_type_not_text' }
      const { body, whole } = await readBody(response, policy.maxBytes)
      return { status, body, host, reason: whole ? null : 'page_too_large' }
    } finally {
      response.destroy()
    }
  }
}

/**
 * Fetches a page that a stranger named, from the public internet only: resolves each hop, judges every address, and
 * connects to the judged address itself. Never throws; `reason` names a failure, without addresses or network errors.
 */
export async function fetchPage(url: string, policy: PublicPolicy, parent: AbortSignal): Promise<Page> {
  const page = await withinPolicy(policy, parent, (signal) => follow(url, policy, signal))
  return 'unreachable' in page ? { status: null, body: null, host: null, reason: page.unreachable } : page
}
