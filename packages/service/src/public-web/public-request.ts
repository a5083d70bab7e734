import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { PublicPolicy } from './public-policy.ts'

const HEADER_BYTES_MAX = 16_384

/** A URL that the policy forbids or that leads nowhere. The message is a word such as `address_not_public`, without an address. */
class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** What is sent to a URL that a stranger named. */
export interface PublicRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: OutgoingHttpHeaders
  readonly body?: string
}

/** Returns the addresses of the URL's host; rejects a host if any of them is not allowed. */
async function addressesOf(url: URL, policy: PublicPolicy, signal: AbortSignal): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await policy.resolve(host, signal).catch(() => []) : [host]
  if (addresses.length === 0) throw new Unreachable(signal.aborted ? 'timeout' : 'host_not_found')
  // One private address among public ones is an attempt to reach the inside.
  if (!addresses.every((address) => policy.allowsAddress(address))) throw new Unreachable('address_not_public')
  return addresses
}

/** Sends one request to exactly `address`; the name is used for TLS and the Host header only. */
function sendTo(
  address: string,
  url: URL,
  { method, headers, body }: PublicRequest,
  policy: PublicPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const send = policy.schemes.get(url.protocol)
  if (send === undefined) throw new Unreachable('scheme_not_allowed')
  const family = isIP(address) === 6 ? 6 : 4
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method,
        signal,
        agent: false,
        maxHeaderSize: HEADER_BYTES_MAX,
        headers,
        lookup: (_host, options, callback) => {
          if (options.all === true) callback(null, [{ address, family }])
          else callback(null, address, family)
        },
      },
      resolve,
    )
    request.on('upgrade', (_response, socket) => socket.destroy())
    request.on('error', reject)
    request.end(body)
  })
}

function check(url: URL, policy: PublicPolicy): void {
  if (!policy.schemes.has(url.protocol)) throw new Unreachable('scheme_not_allowed')
  if (url.username !== '' || url.password !== '') throw new Unreachable('credentials_in_url')
  if (!policy.allowsPort(url.port)) throw new Unreachable('port_not_allowed')
}

/**
 * Sends a request to a URL that a stranger named and returns the response, whose body is not read yet and which the caller
 * destroys. Resolves the host, judges every address, and connects to the judged address itself, so that a second answer of
 * DNS changes nothing. Follows no redirect. Rejects if the policy forbids the URL or nothing answers.
 */
export async function requestPublic(
  url: URL | null,
  request: PublicRequest,
  policy: PublicPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (url === null) throw new Unreachable('bad_url')
  check(url, policy)
  const [address] = await addressesOf(url, policy, signal)
  if (address === undefined) throw new Unreachable('host_not_found')
  return sendTo(address, url, request, policy, signal)
}

/** Returns the body of a response as text, cut off after `maxBytes`; `whole` says whether that was all of it. */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: string; readonly whole: boolean }> {
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

/**
 * Runs work with requests to strangers within the time of the policy. Returns its result, or, in one word without addresses
 * and network errors, why nothing answered. Never rejects.
 */
export async function withinPolicy<T extends object>(
  { timeoutMs }: PublicPolicy,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | { readonly unreachable: string }> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await work(AbortSignal.any([parent, timeout]))
  } catch (error) {
    if (error instanceof Unreachable) return { unreachable: error.message }
    return { unreachable: timeout.aborted ? 'timeout' : 'connection_failed' }
  }
}
