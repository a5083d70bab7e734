import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FetchPolicy } from './fetch-policy.ts'

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
const HEADER_BYTES_MAX = 16_384

class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Returns the addresses of the URL's host; rejects a host if any of them is not allowed. */
async function addressesOf(url: URL, policy: FetchPolicy, signal: AbortSignal): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await policy.resolve(host, signal).catch(() => []) : [host]
  if (addresses.length === 0) throw new Unreachable(signal.aborted ? 'timeout' : 'host_not_found')
  // One private address among public ones is an attempt to reach the inside.
  if (!addresses.every((address) => policy.allowsAddress(address))) throw new Unreachable('address_not_public')
  return addresses
}

/** Sends one GET to exactly `address`; the name is used for TLS and the Host header only. */
function get(url: URL, address: string, policy: FetchPolicy, signal: AbortSignal): Promise<IncomingMessage> {
  const send = policy.schemes.get(url.protocol)
  if (send === undefined) throw new Unreachable('scheme_not_allowed')
  const family = isIP(address) === 6 ? 6 : 4
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method: 'GET',
        signal,
        agent: false,
        maxHeaderSize: HEADER_BYTES_MAX,
        headers: {
          accept: 'text/html,text/*,application/json;q=0.9,*/*;q=0.1',
          'accept-encoding': 'identity',
          'user-agent': 'evidence-checker/1',
        },
        lookup: (_host, options, callback) => {
          if (options.all === true) callback(null, [{ address, family }])
          else callback(null, address, family)
        },
      },
      resolve,
    )
    request.on('upgrade', (_response, socket) => socket.destroy())
    request.on('error', reject)
    request.end()
  })
}

async function read(response: IncomingMessage, maxBytes: number): Promise<{ body: string; whole: boolean }> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, maxBytes - size))
    size += part.length
    if (size > maxBytes) {
      response.destroy()
      break
    }
  }
  return { body: Buffer.concat(parts).toString('utf8'), whole: size <= maxBytes }
}

function check(url: URL, policy: FetchPolicy): void {
  if (!policy.schemes.has(url.protocol)) throw new Unreachable('scheme_not_allowed')
  if (url.username !== '' || url.password !== '') throw new Unreachable('credentials_in_url')
  if (!policy.allowsPort(url.port)) throw new Unreachable('port_not_allowed')
}

async function follow(text: string, policy: FetchPolicy, signal: AbortSignal): Promise<Page> {
  let url = URL.parse(text)
  for (let redirects = 0; ; redirects += 1) {
    if (url === null) throw new Unreachable('bad_url')
    check(url, policy)
    const [address] = await addressesOf(url, policy, signal)
    if (address === undefined) throw new Unreachable('host_not_found')
    const response = await get(url, address, policy, signal)
    try {
      const status = response.statusCode ?? 0
      const host = url.hostname
      const location = response.headers.location
      if (REDIRECTS.has(status) && location !== undefined) {
        if (redirects >= policy.maxRedirects) return { status, body: null, host, reason: 'too_many_redirects' }
        url = URL.parse(location, url.href)
        continue
      }
      const encoding = response.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity') return { status, body: null, host, reason: 'content_encoding_not_supported' }
      if (!READABLE.test(response.headers['content-type'] ?? ''))
        return { status, body: null, host, reason: 'content_type_not_text' }
      const { body, whole } = await read(response, policy.maxBytes)
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
export async function fetchPage(url: string, policy: FetchPolicy, parent: AbortSignal): Promise<Page> {
  const timeout = AbortSignal.timeout(policy.timeoutMs)
  try {
    return await follow(url, policy, AbortSignal.any([parent, timeout]))
  } catch (error) {
    const reason = error instanceof Unreachable ? error.message : timeout.aborted ? 'timeout' : 'connection_failed'
    return { status: null, body: null, host: null, reason }
  }
}
