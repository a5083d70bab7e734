import { acceptedOf, EdgeRefusal, parseJson } from '@svc/edge'
import type { FastifyRequest } from 'fastify'

type Message = Readonly<Record<string, unknown>>

/** Code of the error of a message that was refused; the problem in its data has the code that matters. */
const REFUSED = -32_000

/** Revisions that have batches; a client of them may omit the header. */
const BATCHES = new Set([undefined, '2025-03-26', '2024-11-05'])

/** Returns the message of a request, or its batch; the JSON-RPC error for one that cannot be read. */
export function messageOf({ headers }: FastifyRequest, bytes: Buffer) {
  try {
    const parsed = parseJson(bytes)
    if (isMessage(parsed)) return { parsed }
    const isBatch = Array.isArray(parsed) && parsed.length > 0 && parsed.every(isMessage)
    if (isBatch && BATCHES.has(headers['mcp-protocol-version'] as string | undefined)) return { parsed }
    return failed(-32_600, isBatch ? 'This revision has no batches.' : 'The body is no message.')
  } catch (error) {
    if (!(error instanceof EdgeRefusal)) throw error
    const [fault] = error.errors
    const code = fault?.code === 'invalid_json' || fault?.code === 'invalid_utf8' ? -32_700 : -32_600
    return failed(code, fault?.detail ?? error.message)
  }
}

const failed = (code: number, why: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code, message: `${why} Send one JSON-RPC message a request.` },
})

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the methods of a message or of a batch. */
export const methodsOf = (parsed: Message | readonly Message[]): string[] =>
  (Array.isArray(parsed) ? (parsed as readonly Message[]) : [parsed as Message]).map(({ method }) => String(method))

const NOTHING = Buffer.alloc(0)
/** Returns the body of a request; nothing for one without a body. */
export const bytesOf = ({ body }: FastifyRequest) => (body instanceof Buffer ? body : NOTHING)

/** Both forms in which a message may be answered. The SDK looks for these words alone. */
const BOTH = 'application/json, text/event-stream'

/** Returns the forms that a client admits by the grammar of Accept, in the words of the SDK. */
const accepted = (accept: string | undefined): string =>
  accept === BOTH ? BOTH : acceptedOf(accept, BOTH.split(', ')).toSorted().join(', ')

/** Returns true for a header that the server of a message reads as it came. */
const isRead = (name: string) => name === 'content-type' || name.startsWith('mcp-')

/** Returns the headers of a message that its server reads. */
export function readHeaders({ headers }: FastifyRequest): [string, string][] {
  const read: [string, string][] = [['accept', accepted(headers.accept)]]
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string' && isRead(name)) read.push([name, value])
  }
  return read
}

/** Returns the same headers as text. */
export function printedHeaders({ headers }: FastifyRequest): string {
  let text = `accept: ${accepted(headers.accept)}\n`
  for (const name in headers) if (isRead(name)) text += `${name}: ${String(headers[name])}\n`
  return text
}

/**
 * Returns the problem of a message that was refused before it was read, as the JSON-RPC error of its id: clients show no other
 * body of a refused message to their users.
 */
export function refusedMessage(request: FastifyRequest, problem: Message, fix: string | null): string {
  const message = messageOf(request, bytesOf(request))
  const id = 'parsed' in message && 'id' in message.parsed ? message.parsed['id'] : null
  const said = [`${String(problem['code'])}: ${String(problem['detail'])}`, ...(fix === null ? [] : [`Fix: ${fix}`])]
  const data = fix === null ? problem : { ...problem, fix }
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: REFUSED, message: said.join(' '), data } })
}
