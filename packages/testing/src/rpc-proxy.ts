import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import {
  addressesOf,
  answerAt,
  asksForHead,
  namesHead,
  spanOf,
  type LogsFilter,
  type RpcAnswer,
  type RpcCall,
} from './rpc-calls.ts'
import {
  faultsOf,
  type ActiveFault,
  type CallFaults,
  type FaultKind,
  type ForgedAnswer,
  type RpcFault,
} from './rpc-faults.ts'

/** A call that passed through the proxy. */
export interface SeenCall {
  readonly method: string
  readonly params: readonly unknown[]
  /** Blocks and addresses of an eth_getLogs; null for other methods. */
  readonly span: number | null
  readonly addresses: number | null
  /** Faults that changed its answer. */
  readonly faults: readonly FaultKind[]
}

export interface RpcFaultProxy {
  readonly url: string
  /** Switches a fault on, in addition to others; the returned function switches it off. */
  inject(fault: RpcFault): () => void
  /** Switches every fault off. */
  heal(): void
  /** Returns the calls since the start or the last `forget`, oldest first, at most 100,000. */
  seen(method?: string): readonly SeenCall[]
  forget(): void
  stop(): Promise<void>
}

/** Ends the whole HTTP request with all calls of its batch; status null closes the connection. */
class HttpFault extends Error {
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number | null, headers: Readonly<Record<string, string>> = {}) {
    super(`HTTP ${status}`)
    this.status = status
    this.headers = headers
  }
}

const SEEN_MAX = 100_000
const UPSTREAM_TIMEOUT_MS = 300_000

/** Starts an HTTP JSON-RPC proxy in front of `upstream` that answers like a faulty provider on demand. */
export async function rpcFaultProxy(upstream: string): Promise<RpcFaultProxy> {
  let active: ActiveFault[] = []
  let calls: SeenCall[] = []

  const forward = async ({ id, method, params = [] }: RpcCall, to = upstream): Promise<RpcAnswer> => {
    const response = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(UPSTREAM_TIMEOUT_MS),
    })
    return (await response.json()) as RpcAnswer
  }
  const headNumber = async () => Number((await forward({ id: 0, method: 'eth_blockNumber' })).result)

  const answer = async (call: RpcCall): Promise<RpcAnswer> => {
    const { method, params = [] } = call
    const filter = method === 'eth_getLogs' ? (params[0] as LogsFilter) : null
    const span = filter === null ? null : spanOf(filter, namesHead(filter) ? await headNumber() : 0)
    const addresses = filter === null ? null : addressesOf(filter)
    const faults = faultsOf(active, method)
    if (calls.length < SEEN_MAX) calls.push({ method, params, span, addresses, faults: faults.applied })

    const slow = faults.take('slow')
    if (slow !== null) await delay(slow.fault.ms)
    await faults.take('held')?.fault.until
    failHttp(faults, addresses ?? 0)
    const error = rpcError(faults, call, span ?? 0)
    if (error !== null) return { error }

    const elsewhere = faults.take('elsewhere')
    if (elsewhere !== null) return forward(call, elsewhere.fault.url)
    const reorg = faults.take('reorg', ({ before = 'eth_getLogs' }, { headerRead }) => headerRead && before === method)
    if (reorg !== null) await forward({ id: 0, method: 'anvil_reorg', params: [reorg.fault.depth, []] })
    const behind = faults.take('head-behind')
    const given =
      behind === null
        ? await forward(call)
        : await answerAt(Math.max(0, (await headNumber()) - behind.fault.blocks), call, forward)
    if (method.startsWith('eth_getBlockBy')) for (const one of active) one.headerRead = true
    return given.error === undefined ? { result: twisted(faults, call, given.result) } : given
  }

  const server = createServer((request, response) => {
    void respond(response, async () => {
      const body = JSON.parse(await text(request)) as RpcCall | RpcCall[]
      const one = async (call: RpcCall) => ({ ...(await answer(call)), jsonrpc: '2.0', id: call.id })
      return Array.isArray(body) ? Promise.all(body.map(one)) : one(body)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inject: (fault) => {
      const entry: ActiveFault = {
        fault,
        waits: fault.after ?? 0,
        left: fault.times ?? Infinity,
        headerRead: false,
        receipts: new Map(),
      }
      active = [...active, entry]
      return () => {
        active = active.filter((one) => one !== entry)
      }
    },
    heal: () => {
      active = []
    },
    seen: (method) => calls.filter((call) => method === undefined || call.method === method),
    forget: () => {
      calls = []
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function respond(response: ServerResponse, answers: () => Promise<unknown>): Promise<void> {
  try {
    const body = JSON.stringify(await answers())
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  } catch (error) {
    // Also if the chain behind the proxy does not answer.
    if (!(error instanceof HttpFault) || error.status === null) response.destroy()
    else
      response
        .writeHead(error.status, { 'content-type': 'text/html', ...error.headers })
        .end(`<h1>${error.status}</h1>`)
  }
}

function failHttp(faults: CallFaults, addresses: number): void {
  if (faults.take('dropped') !== null) throw new HttpFault(null)
  const limited = faults.take('rate-limited')
  if (limited !== null) throw new HttpFault(429, { 'retry-after': String(limited.fault.retryAfterSeconds) })
  const failing = faults.take('http-status')
  if (failing !== null) throw new HttpFault(failing.fault.status)
  if (faults.take('addresses-above', ({ count }) => addresses > count) !== null) throw new HttpFault(413)
}

function rpcError(faults: CallFaults, call: RpcCall, span: number): NonNullable<RpcAnswer['error']> | null {
  const long = faults.take('span-above', ({ blocks }) => span > blocks)
  if (long !== null) return { code: -32_005, message: `block range is too large, at most ${long.fault.blocks} blocks` }
  const error = faults.take('rpc-error')
  if (error !== null) return { code: error.fault.code, message: error.fault.message }
  return asksForHead(call) && faults.take('head-fails') !== null
    ? { code: -32_603, message: 'the head of the chain is not available' }
    : null
}

type Block = { readonly hash: string }
type Log = { readonly blockHash: string }

/** Returns a good result as the active faults change it. */
function twisted(faults: CallFaults, { params = [] }: RpcCall, result: unknown): unknown {
  const stale = faults.take('receipt-stale')
  if (stale !== null) {
    const first = stale.receipts.get(params[0]) ?? result
    if (first !== null) stale.receipts.set(params[0], first)
    return first
  }
  if (result === null) return null
  if (faults.take('header-hash-wrong') !== null)
    return { ...(result as Block), hash: otherHash((result as Block).hash) }
  if (faults.take('logs-missing') !== null) return []
  if (faults.take('logs-duplicated') !== null) return (result as Log[]).flatMap((log) => [log, log])
  if (faults.take('log-hash-wrong') !== null)
    return (result as Log[]).map((log) => ({ ...log, blockHash: otherHash(log.blockHash) }))
  const forged = faults.take('receipt-forged') ?? faults.take('logs-forged') ?? faults.take('transaction-forged')
  if (forged !== null)
    return Array.isArray(result) ? result.map(forged.fault.forge) : forged.fault.forge(result as ForgedAnswer)
  return faults.take('receipt-missing') === null ? result : null
}

/** Returns a hash with its last byte inverted. */
function otherHash(hash: string): string {
  return `${hash.slice(0, -2)}${(255 - Number.parseInt(hash.slice(-2), 16)).toString(16).padStart(2, '0')}`
}
