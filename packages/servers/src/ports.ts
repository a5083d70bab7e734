import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Returns whether a TCP port can be bound now. */
export function portIsFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/**
 * Returns a free port on the loopback interface, below the ephemeral range. Within that range a client that reconnects
 * while its server is down could get the port of the server and connect to itself.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(18_000, 32_000)
    if (await portIsFree(port)) return port
  }
  throw new Error('no free port between 18000 and 32000')
}
