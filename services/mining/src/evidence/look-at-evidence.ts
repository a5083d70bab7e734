import type { Finding } from '@svc/contracts/mining/fields'
import { valueInPage } from './rules/value-in-page.ts'
import { fetchPage } from './fetch-page.ts'
import type { FetchPolicy } from './fetch-policy.ts'

/** Fetches evidence and returns the finding; `value_found` is null for a page that cannot be searched. */
export async function lookAtEvidence(
  evidence: { readonly url: string; readonly value: string },
  policy: FetchPolicy,
  now: () => Date,
  signal: AbortSignal,
): Promise<Finding> {
  const page = await fetchPage(evidence.url, policy, signal)
  const found = page.body === null ? null : valueInPage(evidence.value, page.body)
  return {
    reachable: page.status !== null && page.status < 400,
    status: page.status !== null && page.status >= 100 && page.status <= 599 ? page.status : null,
    // A value missing from the part that was read may be in the rest.
    value_found: found === false && page.reason === 'page_too_large' ? null : found,
    checked_at: now().toISOString(),
    reason: page.reason,
  }
}
