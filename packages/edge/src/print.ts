import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { common } from '@svc/contracts'
import { storedFile, type Refusal, type StoredFile } from '@svc/contract'
import { Outage, refusalBody, type RawReply } from '@svc/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'
import { prefers } from './accept.ts'
import { tableOf } from './csv.ts'
import { addLink } from './deprecation.ts'
import { headOf } from './head.ts'
import { problem, PROBLEM_TYPE, type ProblemInput } from './problem.ts'
import type { Route } from './routes.ts'

/** Up to this size copying a body costs less than a second write. */
const JOINED_BYTES_MAX = 16 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'

/** Returns true if the caller already has the version that an ETag names. */
export const isKnown = ({ headers }: FastifyRequest, etag: string): boolean => {
  const wanted = headers['if-none-match']
  return wanted !== undefined && (wanted === etag || fresh({ 'if-none-match': wanted }, { etag }))
}

/** The two ways to authenticate (RFC 9110 §11.6.1): a key in a header of its own, and a token. */
const CHALLENGE = 'ApiKey realm="Cherry platform", header="X-SVC-User-Key", Bearer realm="Cherry platform"'

/** Sends problem details as the answer. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  more: Pick<ProblemInput, 'detail' | 'errors' | 'members'> = {},
): FastifyReply {
  if (request.state !== null) request.state.code = refusal.code
  const instance = request.url.split('?', 1)[0] ?? '/'
  if (refusal.status === 401) void reply.header('www-authenticate', CHALLENGE)
  return reply
    .code(refusal.status)
    .header('content-type', PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problem({ refusal, ...more, instance, requestId: request.id })))
}

/** Returns the file that an answer names; null for an answer that is sent unchanged. */
export function fileOf({ operation, buckets }: Route, { head, body }: RawReply): StoredFile | null {
  if (operation.file === undefined || head.s >= 400) return null
  const { file: named } = JSON.parse(body.toString('utf8')) as { file?: unknown }
  if (named === undefined) return null
  const file = storedFile.parse(named)
  // Otherwise a service could publish files of another service, because the gateway may read them.
  if (!buckets.includes(file.bucket))
    throw new Error(`${operation.service}.${operation.key} names a file of a bucket that its contract does not declare`)
  return file
}

/**
 * Sends a stored file in place of the answer that names it. `read` opens the file unless the caller already has this
 * version.
 */
export async function printFile(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  read: (file: StoredFile) => Promise<Readable | null>,
): Promise<FastifyReply> {
  const digest = Buffer.from(file.sha256, 'hex')
  const etag = `"${digest.toString('base64url').slice(0, 22)}"`
  const known = isKnown(request, etag)
  const data = known ? null : await read(file)
  if (!known && data === null) throw new Outage('files', `${file.bucket}/${file.name} is not stored as it was named`)
  void reply.headers({
    etag,
    'cache-control': 'private, no-cache',
    'repr-digest': `sha-256=:${digest.toString('base64')}:`,
  })
  if (data === null) return reply.code(304).send()
  return reply
    .headers({
      'content-type': route.operation.file ?? 'application/octet-stream',
      'content-length': String(file.bytes),
      'content-disposition': `attachment; filename="${file.filename}"`,
    })
    .send(data)
}

/** What is sent of a kept answer beside the headers of the request: made once, for all who read it. */
interface Kept {
  readonly etag: string
  readonly known: readonly string[]
  readonly whole: readonly string[]
  readonly body: string | Buffer
}
const keptAnswers = new WeakMap<RawReply, Kept>()

function keptOf({ operation }: Route, reply: RawReply): Kept {
  const known = keptAnswers.get(reply)
  if (known !== undefined) return known
  const { body } = reply
  const etag = etagOf(body)
  const validity = ['etag', etag, 'cache-control', cachingOf(operation)]
  if (operation.csv !== undefined) validity.push('vary', 'Accept')
  const kept = {
    etag,
    known: validity,
    whole: [...validity, 'content-type', JSON_TYPE, 'content-length', String(body.length)],
    body: joined(body),
  }
  keptAnswers.set(reply, kept)
  return kept
}

/** Returns what earlier steps have set on an answer: the end of an old name, or the rights of an origin. */
const setOn = (reply: FastifyReply): string[] =>
  Object.entries(reply.getHeaders()).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]))

/** Sends a kept success past Fastify, with all headers in one list. */
export function sendKept(route: Route, request: FastifyRequest, reply: FastifyReply, answer: RawReply): void {
  const { etag, known, whole, body } = keptOf(route, answer)
  const isSent = !isKnown(request, etag)
  const isPlainRead = route.operation.deprecated === undefined && request.headers.origin === undefined
  if (request.state !== null) request.state.bytes = isSent ? answer.body.length : 0
  const head = headOf(request)
  head.push(...(isSent ? whole : known))
  if (!isPlainRead) head.push(...setOn(reply))
  reply.hijack()
  reply.raw.writeHead(isSent ? answer.head.s : 304, head)
  reply.raw.end(isSent ? body : undefined)
}

/** A printed body in two parts, which are not copied into one. */
export interface PrintedParts {
  readonly type: string
  /** Latin text, which Node writes together with the header. */
  readonly start: string
  readonly rest: Buffer
}

/** Sends a printed success, which nobody may keep, past Fastify. */
export function sendParts(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, start, rest }: PrintedParts,
): FastifyReply {
  const bytes = start.length + rest.length
  if (request.state !== null) request.state.bytes = bytes
  const head = headOf(request)
  head.push('cache-control', 'no-store', 'content-type', type, 'content-length', String(bytes))
  if (request.headers.origin !== undefined) head.push(...setOn(reply))
  reply.hijack()
  reply.raw.writeHead(200, head)
  reply.raw.write(start, 'latin1')
  reply.raw.end(rest)
  return reply
}

const cachingOf = ({ auth, cacheSec }: Route['operation']) =>
  `${auth === 'open' ? 'public' : 'private'}, max-age=${cacheSec}`

/** Node writes text together with the header; bytes would need a second write. */
const joined = (body: Buffer): string | Buffer => (body.length <= JOINED_BYTES_MAX ? body.toString('utf8') : body)

/** ETags of bodies; a body that is sent to many callers is hashed once. */
const etags = new WeakMap<Buffer, string>()

function etagOf(body: Buffer): string {
  const known = etags.get(body)
  if (known !== undefined) return known
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  etags.set(body, etag)
  return etag
}

/**
 * Returns the array of an answer that a caller prefers to the answer itself, with a link to the next page; null for
 * callers of the ordinary answer.
 */
function listOf({ operation: { listAs } }: Route, request: FastifyRequest, reply: FastifyReply, body: Buffer) {
  if (listAs === undefined) return null
  void reply.header('vary', 'accept')
  if (!prefers(request.headers.accept, listAs.type)) return null
  const answer = JSON.parse(body.toString('utf8')) as Record<string, unknown>
  const next = answer['next_since']
  if (typeof next === 'number') {
    const url = new URL(request.url, 'http://edge')
    url.searchParams.set('since', String(next))
    addLink(reply, `${url.pathname}${url.search}`, 'next')
  }
  return { type: listAs.type, body: Buffer.from(JSON.stringify(answer[listAs.member])) }
}

/** Sends the reply of a service: a refusal as problem details, a success as the unchanged bytes. */
export function printReply(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { head, body: answer }: RawReply,
  refusals: ReadonlyMap<string, Refusal>,
): FastifyReply {
  const { operation } = route
  if (head.s >= 400) {
    const { code, detail, errors, ...members } = refusalBody.parse(JSON.parse(answer.toString('utf8')))
    const known = refusals.get(code) ?? common.internal
    if (head.s === 503 || head.retry !== undefined) void reply.header('retry-after', String(head.retry ?? 1))
    return sendProblem(request, reply, { ...known, status: head.s }, { detail, errors, members })
  }
  if (head.replayed === true) void reply.header('idempotent-replayed', 'true')
  const { type, body } = listOf(route, request, reply, answer) ??
    tableOf(route, request, reply, answer) ?? { type: JSON_TYPE, body: answer }
  if (operation.cacheSec === undefined) void reply.header('cache-control', 'no-store')
  else {
    const etag = etagOf(body)
    void reply.header('etag', etag).header('cache-control', cachingOf(operation))
    if (isKnown(request, etag)) return reply.code(304).send()
  }
  return reply.code(head.s).header('content-type', type).send(joined(body))
}
