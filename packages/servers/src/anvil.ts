import { createRequire } from 'node:module'
import { ServerProblem } from './problem.ts'
import { createServer, type Server } from './server.ts'

/** Id of a chain that is nobody's public chain: what is signed for it is worth nothing anywhere else. */
export const LOCAL_CHAIN_ID = 31_337

export interface AnvilOptions {
  readonly port: number
  readonly logFile: string
  /** Added to the command line, for example `--load-state FILE`. Asked at each start. */
  readonly args?: () => readonly string[]
  readonly onExit?: () => void
}

/**
 * Starts anvil, an Ethereum node for one machine, on the loopback interface with chain id 31337. Each transaction
 * is a block of its own; the ten accounts of its public test mnemonic hold 10,000 ETH each. Keeps nothing by itself.
 */
export async function startAnvil({ port, logFile, args = () => [], onExit }: AnvilOptions): Promise<Server> {
  const binary = anvilBinary()
  const url = `http://127.0.0.1:${port}`
  const server = createServer({
    name: 'anvil',
    url,
    port,
    logFile,
    get command() {
      const fixed = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(LOCAL_CHAIN_ID), '--silent']
      return [binary, ...fixed, '--preserve-historical-states', ...args()]
    },
    deathSignal: 'TERM',
    stopSignal: 'SIGTERM',
    ready: () => answers(url),
    ...(onExit === undefined ? {} : { onExit }),
  })
  await server.start()
  return server
}

const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin' }
const machines: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The native binary: npm's wrapper around it would lose signals and exit codes. */
function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${machines[process.arch]}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
    return createRequire(wrapper).resolve(`${name}/bin/anvil`)
  } catch {
    throw new ServerProblem(
      `anvil was not installed for ${process.platform}-${process.arch} (${name}): run npm ci with optional dependencies, or give the address of a chain in HUB_RPC_URL.`,
    )
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await chainIdAt(url)) === LOCAL_CHAIN_ID
  } catch {
    return false
  }
}

/** Chain id that an RPC reports. Rejects when there is no answer within two seconds. */
async function chainIdAt(url: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    signal: AbortSignal.timeout(2_000),
  })
  const { result } = (await response.json()) as { result?: unknown }
  return Number(result)
}
