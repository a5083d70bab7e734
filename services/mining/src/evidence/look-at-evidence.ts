import type { Finding } from '@svc/contracts/mining/fields'
import { isSameHost } from './rules/same-host.ts'
import { valueInPage } from './rules/value-in-page.ts'
import { fetchPage } from './fetch-page.ts'
import type { PublicPolicy } from '@svc/service/public-web'

/**
 * Fetches evidence and returns the finding; `value_found` is null for a page that cannot be searched, and for one of another
 * host than that of the address: what a redirect shows proves nothing about the named site.
 */
export async function lookAtEvidence(
  evidence: { readonly url: string; readonly value: string },
  policy: PublicPolicy,
  now: () => Date,
  signal: AbortSignal,
): Promise<Finding> {
  const page = await fetchPage(evidence.url, policy, signal)
  const asked = URL.parse(evidence.url)?.hostname ?? ''
  const elsewhere = page.host !== null && !isSameHost(page.host, asked)
  const found = page.body === null || elsewhere ? null : valueInPage(evidence.value, page.body)
  return {
    reachable: page.status !== null && page.status < 400,
    status: page.status !== null && page.status >= 100 && page.status <= 599 ? page.status : null,
    // A value missing from the part that was read may be in the rest.
    value_found: found === false && page.reason === 'page_too_large' ? null : found,
    checked_at: now().toISOString(),
    reason: elsewhere ? `answered_by ${page.host}`.slice(0, 200) : page.reason,
  }
}
