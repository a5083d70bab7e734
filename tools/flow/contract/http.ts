import { Agent, request } from 'node:http'

export interface RawRequest {
  readonly method: string
  /** Sent unchanged: nothing is encoded or normalised. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** Parsed JSON; undefined when the body is not JSON. */
  readonly json: unknown
}

const TIMEOUT_MS = 300_000

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns an HTTP client that sends requests unchanged, so that hostile ones reach the server. */
export function rawClient(baseUrl: string): { send(asked: RawRequest): Promise<RawAnswer>; close(): void } {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = (asked: RawRequest) =>
    new Promise<RawAnswer>((resolve, reject) => {
      const length = asked.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(asked.body)) }
      const outgoing = request(
        {
          hostname,
          port,
          agent,
          method: asked.method,
          path: asked.path,
          headers: { ...length, ...asked.headers },
          timeout: TIMEOUT_MS,
        },
        (incoming) => {
          // A stream does not end.
          if (incoming.headers['content-type']?.startsWith('text/event-stream') === true) {
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: '', json: undefined })
            outgoing.destroy()
            return
          }
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) })
          })
        },
      )
      outgoing.on('timeout', () =>
        outgoing.destroy(new Error(`no answer to ${asked.method} ${asked.path.slice(0, 100)}`)),
      )
      outgoing.on('error', reject)
      outgoing.end(asked.body)
    })
  return { send, close: () => agent.destroy() }
}
