import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { admit } from './admission.ts'
import { control, type Rig } from './control.ts'
import { FaultBoard, type Fault, spoil } from './faults.ts'
import { followSource, type PriceSource, publishedAt } from './follow.ts'
import { answerInfo, Unreadable } from './info.ts'
import { now, type State } from './state.ts'
import { spend } from './weights.ts'
import { readEnvelope, signerOf } from './wire.ts'
import { completed, newWorld } from './world.ts'

export type RigNetwork = 'mainnet' | 'testnet'

/** A network of the venue that listens on 127.0.0.1. */
export interface VenueRig {
  /** Base address; the endpoints are `/info` and `/exchange`. */
  readonly url: string
  /** Runs a command of the control plane in this process; over HTTP it is `POST /_rig/<name>` with the token. */
  control(name: string, body?: unknown): unknown
  readonly controlToken: string
  readonly state: State
  close(): Promise<void>
}

const BODY_MAX_BYTES = 1024 * 1024

/** Starts one network of the venue. `state` is taken over; without it a new world without money begins. */
export async function startVenueRig(
  options: {
    readonly network?: RigNetwork
    readonly port?: number
    readonly state?: State
    readonly token?: string
    /** Moves the prices of its markets, but of those that the control plane pinned. Without it prices stay. */
    readonly prices?: PriceSource
    /** Called after each action and each command over HTTP; what passes with time is not told. */
    readonly onChange?: () => void
  } = {},
): Promise<VenueRig> {
  const network = options.network ?? 'testnet'
  const rig: Rig = {
    state: options.state === undefined ? newWorld() : completed(options.state),
    faults: new FaultBoard(),
    counts: {},
    budget: { limit: null, minute: 0, used: 0 },
    restore: (state) => {
      rig.state = completed(structuredClone(state))
    },
  }
  const follow = following(rig, options.prices)
  const token = options.token ?? randomBytes(24).toString('base64url')
  const served: Served = {
    rig,
    network,
    token,
    prices: options.prices,
    follow,
    onChange: options.onChange ?? (() => {}),
  }
  const server = createServer(
    (request, response) => void handle(served, request, response).catch(() => response.destroy()),
  )
  await listen(server, options.port ?? 0)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    control: (name, body) => {
      follow()
      return control(rig, name, body)
    },
    controlToken: token,
    get state() {
      return rig.state
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns what brings the prices of the rig up to its clock; it has nothing to do until the next ones are published. */
function following(rig: Rig, source: PriceSource | undefined): () => void {
  let done = { state: rig.state, at: Number.NaN }
  return () => {
    if (source === undefined) return
    const at = publishedAt(rig.state)
    if (done.at === at && done.state === rig.state) return
    followSource(rig.state, source, at)
    done = { state: rig.state, at }
  }
}

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

interface Served {
  readonly rig: Rig
  readonly network: RigNetwork
  readonly token: string
  readonly prices: PriceSource | undefined
  readonly follow: () => void
  readonly onChange: () => void
}

async function handle(served: Served, request: IncomingMessage, response: ServerResponse) {
  const { rig, network, token, prices, follow, onChange } = served
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  const body = await bodyOf(request)
  // Pages of any origin may ask the venue; the control plane needs a header that they may not send.
  response.setHeader('access-control-allow-origin', '*')
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-headers', 'content-type')
    return send(response, 204, '')
  }
  if (request.method !== 'POST') return send(response, 405, 'Method Not Allowed')
  follow()
  if (path.startsWith('/_rig/')) {
    const given = { name: path.slice(6), token: request.headers['x-rig-token'] ?? '', body }
    const [status, text] = runCommand(rig, token, given)
    if (status === 200) onChange()
    return send(response, status, text, status === 200 ? 'application/json' : 'text/plain')
  }
  if (path !== '/info' && path !== '/exchange') return send(response, 404, 'Not Found')
  const endpoint = path === '/info' ? 'info' : 'exchange'
  if (!/^application\/([\w.+-]+\+)?json\b/.test(request.headers['content-type'] ?? ''))
    return send(response, 415, 'Expected request with `Content-Type: application/json`')
  const parsed = parse(body)
  if (parsed === undefined) return send(response, 400, 'Failed to parse the request body as JSON')
  const { type, dex } = kindOf(parsed)
  count(rig, `${endpoint} ${type}`)
  if (!spend(rig.budget, now(rig.state), { endpoint, type, body: parsed }))
    return send(response, 429, 'null', 'application/json')
  const fault = rig.faults.take(endpoint, type, dex)
  if (fault !== null && (await before(fault, response))) return
  const answer = endpoint === 'info' ? askInfo(rig, parsed, prices) : await exchange(rig, network, parsed)
  if (endpoint === 'exchange') onChange()
  if (fault?.kind === 'drop') return response.destroy()
  if (answer === UNREADABLE) return send(response, 422, 'Failed to deserialize the JSON body into the target type')
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(fault === null ? JSON.stringify(answer) : spoil(answer, fault))
}

const UNREADABLE = Symbol('unreadable')

function askInfo(rig: Rig, body: unknown, prices: PriceSource | undefined): unknown {
  try {
    return answerInfo(rig.state, body, prices)
  } catch (error) {
    if (error instanceof Unreadable) return UNREADABLE
    throw error
  }
}

/** Recovers the signer, then admits and acts in one synchronous step, so that requests cannot interleave. */
async function exchange(rig: Rig, network: RigNetwork, body: unknown): Promise<unknown> {
  const read = readEnvelope(body)
  if (read === null) return UNREADABLE
  const chain = read.action['hyperliquidChain']
  if (read.kind === 'user' && chain !== (network === 'mainnet' ? 'Mainnet' : 'Testnet'))
    return { status: 'err', response: `Invalid hyperliquidChain: ${String(chain)}` }
  const signer = await signerOf(read, network)
  return admit(rig.state, read, signer)
}

/** Does what a fault does before the request is looked at; true if that was the whole answer. */
async function before(fault: Fault, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'status429':
      send(response, 429, 'null', 'application/json')
      return true
    case 'status500':
    case 'missing-dex':
      send(response, 500, 'null', 'application/json')
      return true
    case 'html502':
      send(response, 502, '<html><body>502 Bad Gateway</body></html>', 'text/html')
      return true
    case 'refuse':
      send(response, 200, JSON.stringify({ status: 'err', response: fault.text }), 'application/json')
      return true
    case 'hang':
      return true
    case 'delay':
      // A rig that was closed meanwhile does not wait for it.
      await delay(fault.ms, undefined, { ref: false })
      return false
    default:
      return false
  }
}

function runCommand(rig: Rig, token: string, given: { name: string; token: unknown; body: string }): [number, string] {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(String(given.token)), digest(token))) return [401, 'x-rig-token is missing or wrong']
  try {
    return [200, JSON.stringify(control(rig, given.name, given.body === '' ? {} : JSON.parse(given.body)))]
  } catch (error) {
    return [400, error instanceof Error ? error.message : 'bad command']
  }
}

const kindOf = (body: unknown): { type: string; dex: string } => {
  const member = (of: unknown, key: string) =>
    typeof of === 'object' && of !== null ? Reflect.get(of, key) : undefined
  const type: unknown = member(body, 'type') ?? member(member(body, 'action'), 'type')
  const dex: unknown = member(body, 'dex')
  return { type: typeof type === 'string' ? type : '', dex: typeof dex === 'string' ? dex : '' }
}

function count(rig: Rig, key: string): void {
  rig.counts[key] = (rig.counts[key] ?? 0) + 1
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type }).end(text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += (chunk as Buffer).toString()
    if (text.length > BODY_MAX_BYTES) throw new Error('body too large')
  }
  return text
}
