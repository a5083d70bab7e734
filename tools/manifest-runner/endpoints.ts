import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** The virtual address of a Service: new connections go to its endpoints in turn. */
export interface Balancer {
  /** Takes effect after `delayMs`, as in a cluster, where nodes hear of changes late. */
  set(endpoints: readonly Endpoint[]): void
  close(): Promise<void>
}

const CONNECT_MS = 5_000

function dial({ host, port }: Endpoint): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS })
    socket.once('connect', () => {
      socket.setTimeout(0)
      resolve(socket)
    })
    for (const event of ['error', 'timeout'] as const)
      socket.once(event, () => {
        socket.destroy()
        resolve(null)
      })
  })
}

/** Listens at an address. A connection that its endpoint refuses is closed: nothing tries another one for the client. */
export async function openBalancer(at: Endpoint, delayMs: number): Promise<Balancer> {
  let endpoints: readonly Endpoint[] = []
  let turn = 0
  const open = new Set<Socket>()
  const serve = async (client: Socket) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    client.on('error', () => {})
    turn += 1
    const endpoint = endpoints[turn % Math.max(1, endpoints.length)]
    const upstream = endpoint === undefined ? null : await dial(endpoint)
    if (upstream === null) return void client.destroy()
    upstream.on('error', () => client.destroy())
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.end())
    client.pipe(upstream).pipe(client)
  }
  const server: Server = createServer((client) => void serve(client))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ ...at, exclusive: true }, resolve))
  const closing = new AbortController()
  return {
    set: (next) => {
      void delay(delayMs, null, { signal: closing.signal }).then(
        () => (endpoints = next),
        () => {},
      )
    },
    close: () => {
      closing.abort()
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
