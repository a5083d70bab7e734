import { createServer } from 'node:net'
import { ServerProblem } from '@svc/servers'

/** The port of the API while the platform starts. */
export interface HeldPort {
  /** Frees the port for the gateway; may be called more than once. */
  release(): void
}

/**
 * Takes a port before anything is started, so that a start that cannot have it ends at once and writes nothing, and two
 * starts at the same moment do not both go on. Throws `ServerProblem` if the port cannot be taken.
 */
export async function holdPort(port: number, host: string): Promise<HeldPort> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portProblem(error, port, host)))
    server.listen({ port, host, exclusive: true }, resolve)
  })
  return { release: () => void (server.listening && server.close()) }
}

function portProblem(error: Error, port: number, host: string): Error {
  const code = 'code' in error ? error.code : null
  if (code === 'EADDRINUSE')
    return new ServerProblem(`Port ${port} is in use: stop the process that uses it or choose another one with --port.`)
  if (code === 'EACCES')
    return new ServerProblem(`Port ${port} is not allowed for this user: choose one above 1023 with --port.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ServerProblem(`SVC_HOST ${host} is no address of this machine: correct it or leave it out.`)
  return error
}
