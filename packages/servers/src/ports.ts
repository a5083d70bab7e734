import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:net'

const LOOPBACK = '127.0.0.1'

/** Returns whether a TCP port can be bound now. */
export function portIsFree(port: number, host = LOOPBACK): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** Ports that stay claimed: more than a process hands out before it uses the first of them. */
const CLAIMS_MAX = 256
const claims: Socket[] = []

/**
 * Claims a port among all processes of this machine until this process ends, by the UDP port of the same number, which
 * nothing else here uses. Returns false if another process, or this one, has claimed it.
 */
function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind({ port, address: LOOPBACK, exclusive: true }, () => {
      if (claims.push(socket) > CLAIMS_MAX) claims.shift()?.close()
      resolve(true)
    })
  })
}

/**
 * Returns a free port on the loopback interface, below the ephemeral range. Within that range a client that reconnects
 * while its server is down could get the port of the server and connect to itself. Minutes may pass before the caller
 * uses it, so no other call returns it meanwhile.
 */
export async function freePort(draw: () => number = () => randomInt(18_000, 32_000)): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = draw()
    if ((await claim(port)) && (await portIsFree(port))) return port
  }
  throw new Error('no free port between 18000 and 32000')
}
