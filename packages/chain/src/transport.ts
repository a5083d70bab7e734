import { pipeline } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { SettingError } from '@svc/contract'
import { Agent, type Dispatcher, request as httpRequest } from 'undici'
import { custom, type EIP1193RequestFn, RpcRequestError, type Transport } from 'viem'
import { RpcRefused, RpcUnavailable } from './errors.ts'
import { redactor } from './redact.ts'

export interface RpcOptions {
  /** Longest that one request may take, its body included. */
  readonly timeoutMs?: number
  /** Repetitions after a first failure that may pass. */
  readonly retriesMax?: number
  /** Pause before the first repetition at most; it doubles, with jitter, up to `PAUSE_MAX_MS`. */
  readonly pauseMs?: number
}

/** Code of `RpcRefused` for HTTP 413, and for an answer that is larger than we read. */
export const TOO_LARGE = 413
/** JSON-RPC code of "limit exceeded": the span of a log call, and for other methods the rate. */
export const LIMIT_EXCEEDED = -32005
/** JSON-RPC code of "internal error"; some nodes answer with it how a call ended, which repeating does not change. */
const INTERNAL = -32603
const EXECUTION = /revert|out ?of ?gas|EVM error/i
const RATE_CODES = new Set([429, -32007])
const RETRIED_STATUS = new Set([408, 429, 500, 502, 503, 504])
/** Statuses under which nodes answer JSON-RPC errors; the body of any other is not an answer. */
const ANSWER_STATUS = new Set([200, 400, 500])
const PAUSE_MAX_MS = 5_000
const RESPONSE_MAX_BYTES = 64 * 1024 * 1024

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}
type Answer = { readonly result?: unknown; readonly error?: RpcError | null }
type Response = Dispatcher.ResponseData
type Post = (args: { method: string; params?: unknown }, signal?: AbortSignal) => Promise<Answer>

/** Failure that may pass; carries how long the RPC asks to wait. */
class Passing extends Error {
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * JSON-RPC over HTTP with a timeout, bounded repetitions and no secret in any error: the address of an RPC often is
 * its key. Before its first answer it makes sure that the RPC serves `chainId`.
 *
 * Rejects with `SettingError` (wrong chain), `RpcUnavailable`, `RpcRefused` (too large), or viem's `RpcRequestError` for
 * an error answer. Sent transactions are never repeated: the caller looks them up by their hash.
 */
export function rpcTransport(rpcUrl: string, chainId: number, options: RpcOptions = {}): Transport {
  const { timeoutMs = 10_000, retriesMax = 3, pauseMs = 250 } = options
  const redact = redactor(rpcUrl)
  const post = poster(rpcUrl, timeoutMs)
  const repeated = async (args: { method: string; params?: unknown }, signal?: AbortSignal): Promise<unknown> => {
    const triesMax = args.method.startsWith('eth_send') ? 1 : 1 + retriesMax
    for (let tries = 1; ; tries++) {
      try {
        return await once(post, args, redact, signal)
      } catch (error) {
        if (!(error instanceof Passing)) throw error
        if (tries >= triesMax) throw new RpcUnavailable(`${args.method}: ${error.message}, tried ${tries} times`)
        const waitMs = Math.max(error.retryAfterMs, Math.random() * pauseMs * 2 ** (tries - 1))
        await pause(Math.min(waitMs, PAUSE_MAX_MS), undefined, signal === undefined ? {} : { signal })
      }
    }
  }
  let rightChain = false
  const request = async (args: { method: string; params?: unknown }, { signal }: { signal?: AbortSignal } = {}) => {
    if (!rightChain) {
      const served = Number(await repeated({ method: 'eth_chainId' }, signal))
      if (served !== chainId)
        throw new SettingError(
          `HUB_RPC_URL serves chain ${served}, but chain ${chainId} is expected: correct HUB_RPC_URL, or HUB_CHAIN_ID or the deployment file.`,
        )
      rightChain = true
    }
    return repeated(args, signal)
  }
  return (config) => ({ ...custom({ request })(config), request: request as EIP1193RequestFn })
}

async function once(
  post: Post,
  args: { method: string; params?: unknown },
  redact: (text: string) => string,
  signal?: AbortSignal,
): Promise<unknown> {
  const answer = await post(args, signal).catch((error: unknown) => {
    signal?.throwIfAborted()
    if (error instanceof Passing || error instanceof RpcRefused || error instanceof RpcUnavailable) throw error
    // The cause is left out: its text may hold the address.
    throw new Passing(reasonOf(error))
  })
  const { error, result } = answer
  if (error === undefined || error === null) return result
  if (RATE_CODES.has(error.code) || (error.code === LIMIT_EXCEEDED && args.method !== 'eth_getLogs'))
    throw new Passing(`the RPC limits the rate (code ${error.code})`)
  if (error.code === INTERNAL && error.data === undefined && !EXECUTION.test(error.message))
    throw new Passing('the RPC has an internal error')
  const safe = JSON.parse(
    redact(JSON.stringify({ code: error.code, message: error.message, data: error.data })),
  ) as RpcError
  throw new RpcRequestError({ body: { method: args.method }, error: safe, url: 'HUB_RPC_URL' })
}

function reasonOf(error: unknown): string {
  let cause: unknown = error
  for (let depth = 0; cause instanceof Error && depth < 8; depth++, cause = cause.cause) {
    if (cause.name === 'TimeoutError') return 'no answer in time'
    const code: unknown = Reflect.get(cause, 'code')
    if (typeof code === 'string' && /^[A-Z_]+$/.test(code)) return code
  }
  return 'no answer'
}

/**
 * Posts a call, with the timeout over head and body. undici's own interface costs half of what `fetch` does, which is
 * felt where a header is read for every block; it follows no redirect.
 */
function poster(rpcUrl: string, timeoutMs: number): Post {
  const { url, headers } = splitCredentials(rpcUrl)
  const sent = { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...headers }
  const dispatcher = new Agent()
  let id = 0
  return async ({ method, params }, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await httpRequest(url, {
      dispatcher,
      method: 'POST',
      headers: sent,
      body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (!ANSWER_STATUS.has(response.statusCode)) {
      discard(response)
      throw statusFailure(method, response)
    }
    const answer = answerIn(await textOf(method, response))
    if (answer !== null && (response.statusCode === 200 || answer.error)) return answer
    if (response.statusCode === 200) throw new Passing('the answer is not JSON-RPC')
    throw statusFailure(method, response)
  }
}

/** The answer that a text is: a result, or an error with code and message. Null for anything else. */
function answerIn(text: string): Answer | null {
  let answer: Answer | null
  try {
    answer = JSON.parse(text) as Answer | null
  } catch {
    return null
  }
  if (typeof answer !== 'object' || answer === null) return null
  const { error } = answer
  if (error === undefined || error === null) return 'result' in answer ? answer : null
  return typeof error.code === 'number' && typeof error.message === 'string' ? answer : null
}

/** Leaves a body unread; a connection that still sends one is of no further use. */
function discard({ body }: Response): void {
  body.on('error', () => {}).destroy()
}

/** What a status means that brings no JSON-RPC answer. */
function statusFailure(method: string, { statusCode, headers }: Response): Error {
  if (statusCode === 413) return new RpcRefused(`${method}: the request is too large`, TOO_LARGE)
  if (!RETRIED_STATUS.has(statusCode))
    return new RpcUnavailable(`${method}: HTTP ${statusCode}; check the address and key in HUB_RPC_URL`)
  const seconds = Number(headers['retry-after'] ?? 0)
  return new Passing(`HTTP ${statusCode}`, Number.isFinite(seconds) ? seconds * 1000 : 0)
}

/** The body, of which no more is read than we take. */
async function textOf(method: string, response: Response): Promise<string> {
  const { body, headers } = response
  const tooLarge = () => new RpcRefused(`${method}: the answer is above 64 MiB`, TOO_LARGE)
  const announced = headers['content-length']
  const zipped = headers['content-encoding'] === 'gzip'
  // A body is never longer than it was announced.
  if (announced !== undefined && !zipped) {
    if (Number(announced) <= RESPONSE_MAX_BYTES) return body.text()
    discard(response)
    throw tooLarge()
  }
  // How a failed pipeline ends is told to whoever reads it.
  const plain = zipped ? pipeline(body, createGunzip(), () => {}) : body
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of plain as AsyncIterable<Buffer>) {
    bytes += part.length
    // Leaving the loop ends the rest.
    if (bytes > RESPONSE_MAX_BYTES) throw tooLarge()
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

/** User and password of an address go into the header. */
function splitCredentials(rpcUrl: string): { url: string; headers: Record<string, string> } {
  const url = new URL(rpcUrl)
  const { username, password } = url
  if (username === '' && password === '') return { url: rpcUrl, headers: {} }
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
