import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A line to the product that breaks in the middle of a stream. */
export interface CutProxy {
  readonly url: string
  /** `Last-Event-ID` of each stream that was opened, in order; empty without one. */
  readonly resumedBehind: readonly string[]
  /** Breaks the first stream, of which nothing behind its first event has been passed on. */
  cut(): void
  stop(): Promise<void>
}

const FIRST_EVENT = /^id: .*?\n\n/ms

/** Passes bytes on to a server on this machine; of the first stream no more than its first event. */
export async function openCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target)
  const resumedBehind: string[] = []
  const sockets = new Set<Socket>()
  let held: Socket | null = null
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let isFirst = false
    let passed = ''
    client.on('data', (chunk) => {
      const head = chunk.toString('latin1')
      if (head.startsWith('GET /feeds/stream/')) {
        isFirst = resumedBehind.length === 0
        resumedBehind.push(/^last-event-id: (.*)\r$/im.exec(head)?.[1] ?? '')
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (!isFirst) return void client.write(chunk)
      if (held !== null) return
      const text = passed + chunk.toString('latin1')
      const end = FIRST_EVENT.exec(text)
      if (end === null) passed = text
      else held = client
      client.write(
        chunk.subarray(0, end === null ? chunk.length : end.index + end[0].length - (text.length - chunk.length)),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    resumedBehind,
    cut: () => void held?.destroy(),
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
