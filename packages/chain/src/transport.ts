import { pipeline } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { SettingError } from '@svc/contract'
import { outSpan, unwatched, type Answers, type Watched } from '@svc/service'
import { Agent, type Dispatcher, request as httpRequest } from 'undici'
import { custom, type EIP1193RequestFn, RpcRequestError, type Transport } from 'viem'
import { RpcRefused, RpcUnavailable } from './errors.ts'
import { redactor } from './redact.ts'
import { timeLimit } from './time-limit.ts'

export interface RpcOptions {
  /** Maximum duration of one request including its body. */
  readonly timeoutMs?: number
  /** Number of retries after a temporary failure. */
  readonly retriesMax?: number
  /** Maximum pause before the first retry; it doubles, with jitter, up to `PAUSE_MAX_MS`. */
  readonly pauseMs?: number
  /** Watches the answers of the RPC: a request ends early while it answers nothing at all. */
  readonly watch?: ((of: Pick<Watched, 'dependency' | 'look' | 'outage'>) => Answers) | undefined
}

/** Code of `RpcRefused` for HTTP 413, and for a response that exceeds our limit. */
export const TOO_LARGE = 413
/** JSON-RPC code of "limit exceeded": the span of a log call, and for other methods the rate. */
export const LIMIT_EXCEEDED = -32005
/** JSON-RPC code of "internal error"; some nodes use it for the result of a call, which a retry does not change. */
const INTERNAL = -32603
const EXECUTION = /revert|out ?of ?gas|EVM error/i
const RATE_CODES = new Set([429, -32007])
const RETRIED_STATUS = new Set([408, 429, 500, 502, 503, 504])
/** Statuses with which nodes return JSON-RPC errors; the body of any other status is ignored. */
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

/** A temporary failure, with the pause that the RPC requests. */
class Passing extends Error {
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Returns a transport of JSON-RPC over HTTP with a timeout and bounded retries. No error contains the RPC's address, which
 * often includes its key. Before the first result it verifies that the RPC serves `chainId`.
 *
 * Requests reject with `SettingError` (wrong chain), `RpcUnavailable`, `RpcRefused` (too large), or viem's `RpcRequestError`
 * for an error response. Sent transactions are never retried: the caller looks them up by their hash.
 */
export function rpcTransport(rpcUrl: string, chainId: number, options: RpcOptions = {}): Transport {
  const { timeoutMs = 10_000, retriesMax = 3, pauseMs = 250 } = options
  const redact = redactor(rpcUrl)
  const plainPost = poster(rpcUrl, timeoutMs)
  const answers = options.watch?.({
    dependency: 'chain',
    look: (signal) => plainPost({ method: 'eth_chainId' }, signal),
    outage: (detail) => new RpcUnavailable(`the RPC ${detail}`),
  })
  const { ask } = answers ?? unwatched
  const post: Post = (args, signal) => ask(() => plainPost(args, signal))
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
    const { method } = args
    return outSpan(`chain ${method}`, { 'rpc.system': 'jsonrpc', 'rpc.method': method }, () => repeated(args, signal))
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
    // Without the cause, whose text may contain the address.
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
 * Posts a call, with the timeout for head and body. Uses undici directly, which costs half as much as `fetch`: this matters
 * where a header is read for every block. Follows no redirects.
 */
function poster(rpcUrl: string, timeoutMs: number): Post {
  const { url, headers } = splitCredentials(rpcUrl)
  const sent = { 'content-type': 'application/json', 'accept-encoding': 'gzip', ...headers }
  const dispatcher = new Agent()
  let id = 0
  return async ({ method, params }, signal) => {
    using limit = timeLimit(timeoutMs, signal)
    const response = await httpRequest(url, {
      dispatcher,
      method: 'POST',
      headers: sent,
      body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }),
      signal: limit.signal,
    })
    if (!ANSWER_STATUS.has(response.statusCode)) {
      discard(response)
      throw statusFailure(method, response)
    }
    const answer = answerIn(await textOf(method, response))
    if (answer !== null && (response.statusCode === 200 || answer.error)) return answer
    if (response.statusCode === 200) throw new Passing('the response is not JSON-RPC')
    throw statusFailure(method, response)
  }
}

/** Parses a JSON-RPC response: a result, or an error with code and message. Returns null for any other text. */
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

/** Discards a body; a connection that is still sending one cannot be reused. */
function discard({ body }: Response): void {
  body.on('error', () => {}).destroy()
}

/** Returns the failure that a status without a JSON-RPC response means. */
function statusFailure(method: string, { statusCode, headers }: Response): Error {
  if (statusCode === 413) return new RpcRefused(`${method}: the request is too large`, TOO_LARGE)
  if (!RETRIED_STATUS.has(statusCode))
    return new RpcUnavailable(`${method}: HTTP ${statusCode}; check the address and key in HUB_RPC_URL`)
  const seconds = Number(headers['retry-after'] ?? 0)
  return new Passing(`HTTP ${statusCode}`, Number.isFinite(seconds) ? seconds * 1000 : 0)
}

/** Reads the body up to our limit. */
async function textOf(method: string, response: Response): Promise<string> {
  const { body, headers } = response
  const tooLarge = () => new RpcRefused(`${method}: the answer is above 64 MiB`, TOO_LARGE)
  const announced = headers['content-length']
  const zipped = headers['content-encoding'] === 'gzip'
  // A body is never longer than its announced length.
  if (announced !== undefined && !zipped) {
    if (Number(announced) <= RESPONSE_MAX_BYTES) return body.text()
    discard(response)
    throw tooLarge()
  }
  // The reader receives the failure of the pipeline.
  const plain = zipped ? pipeline(body, createGunzip(), () => {}) : body
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const part of plain as AsyncIterable<Buffer>) {
    bytes += part.length
    // Leaving the loop ends the pipeline.
    if (bytes > RESPONSE_MAX_BYTES) throw tooLarge()
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

/** Moves user and password of an address into the header. */
function splitCredentials(rpcUrl: string): { url: string; headers: Record<string, string> } {
  const url = new URL(rpcUrl)
  const { username, password } = url
  if (username === '' && password === '') return { url: rpcUrl, headers: {} }
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
}
