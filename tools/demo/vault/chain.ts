import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chainOf, readDeployment } from '@svc/chain'
import { rpc, ServerProblem, startServers } from '@svc/servers'
import { prepareChain, type LocalChain } from '#dev/chain.ts'
import { devWallets } from '#dev/dev-wallets.ts'

/** A local chain with the contracts, for as long as the demo needs it. */
export interface DemoChain extends Pick<LocalChain, 'url' | 'chain' | 'deployment' | 'wallets'> {
  /** Ends it when it was started for this; leaves a running one alone. */
  stop(): Promise<void>
}

/** The chain of the platform that runs on a data folder, else the folder's chain, started for this. */
export async function findOrStartChain(data: string): Promise<DemoChain> {
  const dataDir = resolve(data)
  const running = await chainOfPlatform(dataDir)
  if (running !== null) return { ...running, stop: async () => {} }
  if (await answers(platformOf(dataDir)))
    throw new ServerProblem(
      'The platform that runs uses a chain elsewhere (HUB_RPC_URL): give the demo a folder of its own with --data.',
    )
  console.log('No local chain is running: starting the one of the data folder for the demo.')
  const servers = await startServers({ dataDir, postgres: false, nats: false, redis: false, chain: true })
  try {
    if (servers.chain === null) throw new ServerProblem('The chain was not started.')
    return { ...(await prepareChain(servers.chain.url, servers.folder)), stop: () => servers.stop() }
  } catch (error) {
    await servers.stop()
    throw error
  }
}

/** The local chain of the platform that runs on a data folder; null when none answers. */
export async function chainOfPlatform(data: string): Promise<Omit<DemoChain, 'stop'> | null> {
  const dataDir = resolve(data)
  const url = platformOf(dataDir)?.chain ?? null
  if (url === null || !(await worked(rpc(url, 'eth_chainId')))) return null
  const deployment = readDeployment(join(dataDir, 'deployment.json'))
  return {
    url,
    chain: chainOf({ rpcUrl: url, id: deployment.chain_id }),
    deployment,
    wallets: await devWallets(url),
  }
}

interface Written {
  readonly url: string
  readonly chain: string | null
}

/** Whether a platform that uses a chain elsewhere answers. */
async function answers(written: Written | null): Promise<boolean> {
  if (written === null || written.chain !== null) return false
  return worked(fetch(new URL('/health', written.url), { signal: AbortSignal.timeout(2_000) }))
}

function platformOf(dataDir: string): Written | null {
  try {
    const { url, chain = null } = JSON.parse(readFileSync(join(dataDir, 'platform.json'), 'utf8')) as Partial<Written>
    return url === undefined ? null : { url, chain }
  } catch {
    return null
  }
}

const worked = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  )
