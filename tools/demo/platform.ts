import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chainOf, readDeployment } from '@svc/chain'
import { createAssetPrices } from '@svc/replay-exchange'
import { freePort, readPassword, rpc, ServerProblem, startServers } from '@svc/servers'
import { prepareChain, type LocalChain } from '#dev/chain.ts'
import { devWallets } from '#dev/dev-wallets.ts'
import { VENUE_TOKEN } from '#dev/leg-venue.ts'
import { houseOf, type House } from '#dev/platform.ts'

/** What the demo plays on. `stop` ends it if the demo started it, and leaves it running otherwise. */
interface Found {
  readonly url: string
  stop(): Promise<void>
}

/** A platform that answers, and the wallets of its staff. */
export interface Platform extends Found {
  readonly house: House
}

/** A local chain with the contracts. */
type ChainOfFolder = Pick<LocalChain, 'url' | 'chain' | 'deployment' | 'wallets'>
export type DemoChain = ChainOfFolder & Found

const command = fileURLToPath(new URL('../dev/main.ts', import.meta.url))
const leftRunning = async () => {}

/** Returns the running platform of a data folder, or starts one on a free port, with further options of `npm start`. */
export async function findOrStartPlatform(data: string, more: readonly string[] = []): Promise<Platform> {
  const dataDir = resolve(data)
  const written = addressesIn(dataDir)
  const healthy = written !== null && (await health(written.url).catch(() => null))?.ok === true
  const { url, stop } = healthy ? { url: written.url, stop: leftRunning } : await start(dataDir, more)
  return { url, house: houseIn(dataDir), stop }
}

/** Returns the chain of the platform that runs on a data folder, or starts the chain of the folder. */
export async function findOrStartChain(data: string): Promise<DemoChain> {
  const dataDir = resolve(data)
  const running = await chainOfPlatform(dataDir)
  if (running !== null) return { ...running, stop: leftRunning }
  const written = addressesIn(dataDir)
  if (written !== null && written.chain === null && (await succeeds(health(written.url))))
    throw new ServerProblem(
      'The running platform uses a chain elsewhere (HUB_RPC_URL): name another folder for the demo with --data.',
    )
  console.log('No local chain is running: the demo starts the one of the data folder.')
  const servers = await startServers({ dataDir, postgres: false, nats: false, redis: false, chain: true })
  try {
    if (servers.chain === null) throw new ServerProblem('The chain was not started.')
    return {
      ...(await prepareChain(servers.chain.url, servers.folder, createAssetPrices())),
      stop: () => servers.stop(),
    }
  } catch (error) {
    await servers.stop()
    throw error
  }
}

/** Returns the local chain of the platform that runs on a data folder, or null if none answers. */
export async function chainOfPlatform(data: string): Promise<ChainOfFolder | null> {
  const dataDir = resolve(data)
  const url = addressesIn(dataDir)?.chain ?? null
  if (url === null || !(await succeeds(rpc(url, 'eth_chainId')))) return null
  const deployment = readDeployment(join(dataDir, 'deployment.json'))
  const chain = chainOf({ rpcUrl: url, id: deployment.chain_id })
  return { url, chain, deployment, wallets: await devWallets(url) }
}

/** Returns the venue of the leg of the platform that runs on a data folder, or null if it runs none. */
export function legVenueOf(data: string): { readonly url: string; readonly token: string } | null {
  const dataDir = resolve(data)
  const url = addressesIn(dataDir)?.legVenue ?? null
  const token = readPassword(dataDir, VENUE_TOKEN)
  return url === null || token === null ? null : { url, token }
}

function houseIn(dataDir: string): House {
  return houseOf({
    password: (name) => {
      const password = readPassword(dataDir, name)
      if (password !== null) return password
      throw new ServerProblem(
        `${dataDir} has no secrets of a platform: name the folder that npm start uses with --data.`,
      )
    },
  })
}

/** Returns the addresses that `npm start` wrote into its data folder, or null. */
function addressesIn(
  dataDir: string,
): { readonly url: string; readonly chain: string | null; readonly legVenue: string | null } | null {
  try {
    const {
      url,
      chain = null,
      leg_venue: legVenue = null,
    } = JSON.parse(readFileSync(join(dataDir, 'platform.json'), 'utf8')) as {
      url?: string
      chain?: string | null
      leg_venue?: string | null
    }
    return url === undefined ? null : { url, chain, legVenue }
  } catch {
    return null
  }
}

const health = (url: string) => fetch(new URL('/health', url), { signal: AbortSignal.timeout(2_000) })

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

async function start(dataDir: string, more: readonly string[]): Promise<Found> {
  const port = await freePort()
  console.log('No platform is running: the demo starts one.')
  const child = spawn(process.execPath, [command, '--port', String(port), '--data', dataDir, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SVC_LAUNCHER_PID: String(process.pid) },
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const url = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const ready = /^ready (\S+)/.exec(line)?.[1]
      if (ready !== undefined) found(ready)
    })
    void ended.then(() => failed(new ServerProblem('The platform did not start: see the message above.')))
  })
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
