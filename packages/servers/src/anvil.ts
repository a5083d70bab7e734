import { createRequire } from 'node:module'
import { ServerProblem } from './problem.ts'
import { createServer, type Server } from './server.ts'

/** Id of no public chain: a signature for it is worthless elsewhere. */
export const LOCAL_CHAIN_ID = 31_337

export interface AnvilOptions {
  readonly port: number
  readonly logFile: string
  /** Folder for the state of older blocks that does not fit into memory. */
  readonly cacheDir: string
  /** Origin of the one page that a browser lets ask this node; default: no page of another server. */
  readonly pageOrigin?: string
  /** Returns further arguments at each start, for example `--load-state FILE`. */
  readonly args?: () => readonly string[]
  readonly explain?: (log: string) => string | null
  readonly onExit?: () => void
}

/**
 * Starts anvil, an Ethereum node for one machine, on the loopback interface with chain id 31337. Each transaction
 * gets its own block; the ten accounts of its public test mnemonic have 10,000 ETH each. anvil stores nothing.
 */
export async function startAnvil(options: AnvilOptions): Promise<Server> {
  const { port, logFile, cacheDir, args = () => [], explain, onExit } = options
  const binary = anvilBinary()
  const url = `http://127.0.0.1:${port}`
  // By default any page that somebody opens on this machine could have the unlocked wallets sign.
  const { pageOrigin = url } = options
  const server = createServer({
    name: 'anvil',
    url,
    port,
    logFile,
    get command() {
      const place = [
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        '--cache-path',
        cacheDir,
        '--allow-origin',
        pageOrigin,
      ]
      return [binary, '--silent', '--chain-id', String(LOCAL_CHAIN_ID), ...place, ...args()]
    },
    deathSignal: 'TERM',
    stopSignal: 'SIGTERM',
    ready: () =>
      rpc(url, 'eth_chainId').then(
        (id) => Number(id) === LOCAL_CHAIN_ID,
        () => false,
      ),
    ...(explain === undefined ? {} : { explain }),
    ...(onExit === undefined ? {} : { onExit }),
  })
  await server.start()
  return server
}

const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin' }
const machines: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Returns the path of the native binary; npm's wrapper loses signals and exit codes. */
function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${machines[process.arch]}`
  try {
    const wrapper = import.meta.resolve('@foundry-rs/anvil/package.json')
    return createRequire(wrapper).resolve(`${name}/bin/anvil`)
  } catch {
    throw new ServerProblem(
      `anvil is not installed for ${process.platform}-${process.arch} (${name}): run npm ci with optional dependencies, or give the RPC of a chain in HUB_RPC_URL.`,
    )
  }
}

const rpcTimeoutMs = 300_000

/** Sends a JSON-RPC call. Rejects with the message of an error answer, or after 30 seconds without an answer. */
export async function rpc(url: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(rpcTimeoutMs),
  })
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}
