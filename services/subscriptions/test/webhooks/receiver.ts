import { once } from 'node:events'
import type { IncomingMessage, request as httpRequest, ServerResponse } from 'node:http'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { publicPolicy, type PublicPolicy } from '@svc/service/public-web'
import { generate } from 'selfsigned'

/** A message that a receiver was sent. */
export interface Received {
  readonly path: string
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly event: { readonly id: string; readonly type: string; readonly data: Readonly<Record<string, unknown>> }
}

/** Ends a response; absent: challenges are answered, everything else is accepted. */
type Behave = (response: ServerResponse, request: IncomingMessage) => void

export interface Receiver {
  readonly received: Received[]
  /** How paths answer what is not a challenge. */
  readonly behave: Map<string, Behave>
  /** How paths answer challenges. */
  readonly challenged: Map<string, Behave>
  /** Addresses by name, as the resolver of the policy answers; a test changes them. */
  readonly names: Map<string, readonly string[]>
  /** Number of resolutions. */
  resolved: number
  readonly policy: PublicPolicy
  /** Certificate of the test's authority, and the port behind 443, for a policy in another process. */
  readonly reach: { readonly ca: string; readonly port: number }
  items(path: string): readonly Received[]
  stop(): void
}

/** Returns a policy of production that finds port 443 of 127.0.0.1 at `port`, and trusts `ca` alone. */
export function policyTo(
  { ca, port }: Receiver['reach'],
  resolve: (host: string) => readonly string[],
  timeoutMs = 60_000,
): PublicPolicy {
  const production = publicPolicy({ timeoutMs, maxBytes: 4_096 })
  const send = ((url: URL, options: object, answered: (response: IncomingMessage) => void) =>
    httpsRequest(url, { ...options, ca, port }, answered)) as typeof httpRequest
  return {
    ...production,
    schemes: new Map([['https:', send]]),
    allowsAddress: (address) => address === '127.0.0.1' || production.allowsAddress(address),
    resolve: async (host) => resolve(host),
  }
}

/** Starts a real HTTPS server at 127.0.0.1 for `hook.test`, `other.test` and `slow.test`, signed by an authority of the test. */
export async function startReceiver(): Promise<Receiver> {
  const authority = await generate([{ name: 'commonName', value: 'test authority' }], {
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  const hosts = ['hook.test', 'other.test', 'slow.test']
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'hook.test' }], {
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value }) as const) },
    ],
  })
  const received: Received[] = []
  const behave = new Map<string, Behave>()
  const challenged = new Map<string, Behave>()
  const names = new Map<string, readonly string[]>([...hosts, 'stranger.test'].map((name) => [name, ['127.0.0.1']]))
  const server = createServer({ key, cert }, (request, response) => {
    void text(request).then((body) => {
      const event = JSON.parse(body) as Received['event']
      const path = request.url ?? ''
      const host = (request.headers.host ?? '').split(':')[0] ?? ''
      received.push({ path, host, headers: request.headers as Record<string, string>, body, event })
      const own = (event.type === 'cherry.webhook.challenge' ? challenged : behave).get(path)
      if (own !== undefined) own(response, request)
      else if (event.type === 'cherry.webhook.challenge')
        response.end(JSON.stringify({ challenge: event.data['challenge'] }))
      else response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reach = { ca: authority.cert, port: (server.address() as AddressInfo).port }
  const receiver: Receiver = {
    received,
    behave,
    challenged,
    names,
    resolved: 0,
    reach,
    policy: policyTo(reach, (host) => {
      receiver.resolved += 1
      return names.get(host) ?? []
    }),
    items: (path) => received.filter((one) => one.path === path && !one.event.type.startsWith('cherry.webhook.')),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
