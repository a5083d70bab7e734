import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Accepts traces and drops them, because the collector is not part of the measurement. */
export async function openSink(): Promise<{ readonly url: string } & Disposable> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
