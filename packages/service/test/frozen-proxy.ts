import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy to a server that can be frozen: connections stay open, but no data passes. */
export interface FrozenProxy {
  /** `url` with this proxy in place of its server. */
  through(url: string): string
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

export async function frozenProxy(target: string): Promise<FrozenProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((inside) => {
    const outside = connect(Number(port), hostname)
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => to.write(data))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (frozen) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    through: (url) => {
      const through = new URL(url)
      through.hostname = '127.0.0.1'
      through.port = String((server.address() as AddressInfo).port)
      return through.href
    },
    freeze: () => {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw: () => {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
