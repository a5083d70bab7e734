import { Resolver } from 'node:dns/promises'
import type { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isPublicAddress } from './public-address.ts'

/** What a request to a stranger's URL may do. Production uses only `publicPolicy`; tests build one that reaches their own server. */
export interface PublicPolicy {
  /** Client by URL scheme; any other scheme is rejected. */
  readonly schemes: ReadonlyMap<string, typeof httpRequest>
  readonly allowsPort: (port: string) => boolean
  readonly allowsAddress: (address: string) => boolean
  /** Returns all addresses of a host; rejects if there is none or `signal` aborts. */
  readonly resolve: (host: string, signal: AbortSignal) => Promise<readonly string[]>
  /** Longest time of the whole request, redirects and body included. */
  readonly timeoutMs: number
  /** Bytes of a body that are read at most. */
  readonly maxBytes: number
}

async function resolvePublic(host: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Returns the policy of production: https on port 443, public addresses only, names from DNS only (no hosts file). */
export function publicPolicy(limits: { readonly timeoutMs: number; readonly maxBytes: number }): PublicPolicy {
  return {
    schemes: new Map([['https:', httpsRequest]]),
    allowsPort: (port) => port === '',
    allowsAddress: isPublicAddress,
    resolve: resolvePublic,
    ...limits,
  }
}
