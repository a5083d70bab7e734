import { EdgeRefusal, parseBody } from '@svc/edge'
import type { FastifyRequest } from 'fastify'

/** Returns the message of a request; the JSON-RPC error for one that cannot be read. */
export function messageOf(bytes: Buffer) {
  try {
    return { parsed: parseBody(bytes) }
  } catch (error) {
    if (!(error instanceof EdgeRefusal)) throw error
    const [fault] = error.errors
    const code = fault?.code === 'invalid_json' || fault?.code === 'invalid_utf8' ? -32_700 : -32_600
    const message = `${fault?.detail ?? error.message} Send one JSON-RPC message a request.`
    return { jsonrpc: '2.0', id: null, error: { code, message } }
  }
}

const NOTHING = Buffer.alloc(0)
/** Returns the body of a request; nothing for one without a body. */
export const bytesOf = ({ body }: FastifyRequest) => (body instanceof Buffer ? body : NOTHING)

/** Returns true for a header that the server of a message reads. */
const isRead = (name: string) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-')

/** Returns the headers of a message that its server reads. */
export function readHeaders({ headers }: FastifyRequest): [string, string][] {
  const read: [string, string][] = []
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string' && isRead(name)) read.push([name, value])
  }
  return read
}

/** Returns the same headers as text. */
export function printedHeaders({ headers }: FastifyRequest): string {
  let text = ''
  for (const name in headers) if (isRead(name)) text += `${name}: ${String(headers[name])}\n`
  return text
}
