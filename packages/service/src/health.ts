import { setTimeout as delay } from 'node:timers/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Named probes; each resolves to true if its part works. */
export type Checks = Readonly<Record<string, () => Promise<boolean> | boolean>>

export interface InternalServer {
  readonly port: number
  /** Adds the checks of one service. */
  add(service: string, checks: Checks): void
  /** Makes `/readyz` answer 503 from now on. */
  drain(): void
  close(): Promise<void>
}

const CHECK_MS = 1_000

async function evaluate(checks: Checks): Promise<Record<string, boolean>> {
  const entries = Object.entries(checks).map(async ([name, check]) => {
    const late = delay(CHECK_MS, false, { ref: false })
    return [
      name,
      await Promise.race([
        Promise.resolve()
          .then(check)
          .catch(() => false),
        late,
      ]),
    ] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Serves `/livez`, `/readyz`, `/buildz` and `/metrics` on a port that is never public. */
export async function openInternalServer(options: {
  host: string
  port: number
  build: Readonly<Record<string, string>>
  metrics: () => Promise<string>
}): Promise<InternalServer> {
  const checks: Record<string, Checks> = {}
  let draining = false
  const answer = async (url: string): Promise<{ status: number; type: string; body: string }> => {
    const json = (status: number, body: unknown) => ({ status, type: 'application/json', body: JSON.stringify(body) })
    if (url === '/livez') return json(200, { ok: true })
    if (url === '/buildz') return json(200, options.build)
    if (url === '/metrics') return { status: 200, type: 'text/plain; version=0.0.4', body: await options.metrics() }
    if (url === '/readyz') {
      const results = Object.fromEntries(
        await Promise.all(Object.entries(checks).map(async ([name, group]) => [name, await evaluate(group)] as const)),
      )
      const ready = !draining && Object.values(results).every((group) => Object.values(group).every(Boolean))
      return json(ready ? 200 : 503, { ready, draining, checks: results })
    }
    return json(404, { ok: false })
  }
  const server: Server = createServer((request, response) => {
    void answer(request.url ?? '').then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port, options.host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    add: (service, group) => {
      checks[service] = group
    },
    drain: () => {
      draining = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
