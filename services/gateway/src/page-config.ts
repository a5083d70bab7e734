import { SettingError, type SettingsOf } from '@svc/contract'
import type { gateway } from '@svc/contracts/gateway'
import { deploymentText, parseDeployment } from '@svc/contracts/deployment-file'
import { document, type Document } from '@svc/edge'

/** Chain id while no chain is configured: the id of a local chain, never of a public one. */
const LOCAL_CHAIN_ID = 31_337

/** What pages know about the deployment from the gateway alone, so that they can check what other services answer. */
export interface PageConfig {
  readonly web_base: string
  readonly chain: {
    readonly id: number
    readonly name: string
    readonly explorer: string | null
    /** True on a chain that is known to have no money of value. */
    readonly test: boolean
  }
  /** Factories of vaults, test USDC and the gateway of leg money; null while not configured. */
  readonly factory: string | null
  readonly factory_v2: string | null
  readonly usdc: string | null
  readonly leg_gateway: string | null
  readonly test_venues: readonly string[]
  /** Whether this deployment answers for the wallets of a local chain (`/dev/rpc`). */
  readonly demo_wallet: boolean
  readonly version: string
}

type KnownChain = Omit<PageConfig['chain'], 'id'>
const mainChain = (name: string, explorer: string): KnownChain => ({ name, explorer, test: false })
const testChain = (name: string, explorer: string | null): KnownChain => ({ name, explorer, test: true })

/** Chains that pages know by name. Any other is treated as one with real money. */
const CHAINS: Readonly<Record<number, KnownChain>> = {
  1: mainChain('Ethereum', 'https://etherscan.io'),
  8453: mainChain('Base', 'https://basescan.org'),
  42161: mainChain('Arbitrum One', 'https://arbiscan.io'),
  84532: testChain('Base Sepolia', 'https://sepolia.basescan.org'),
  421614: testChain('Arbitrum Sepolia', 'https://sepolia.arbiscan.io'),
  11155111: testChain('Sepolia', 'https://sepolia.etherscan.io'),
  [LOCAL_CHAIN_ID]: testChain('Local test chain', null),
}

type Settings = Pick<
  SettingsOf<typeof gateway.settings>,
  | 'publicUrl'
  | 'version'
  | 'chainId'
  | 'deploymentFile'
  | 'factoryAddress'
  | 'factoryV2Address'
  | 'usdcAddress'
  | 'legGatewayAddress'
  | 'testVenueTargets'
>

/** Reads the deployment from the gateway's own settings and deployment file. Throws `SettingError`. */
export function pageConfigOf(settings: Settings, demoWallet: boolean): PageConfig {
  const file = settings.deploymentFile === null ? null : parseDeployment(deploymentText(settings.deploymentFile))
  if (settings.chainId !== null && file !== null && settings.chainId !== file.chain_id)
    throw new SettingError(
      `HUB_CHAIN_ID is ${settings.chainId}, but HUB_DEPLOYMENT_FILE is of chain ${file.chain_id}: give the file of chain ${settings.chainId}, or unset one of them.`,
    )
  const id = settings.chainId ?? file?.chain_id ?? LOCAL_CHAIN_ID
  const venue = file?.contracts.venue?.address
  return {
    web_base: new URL(settings.publicUrl).origin,
    chain: { id, ...(CHAINS[id] ?? { name: `Chain ${id}`, explorer: null, test: false }) },
    factory: settings.factoryAddress ?? file?.contracts.factory?.address ?? null,
    factory_v2: settings.factoryV2Address ?? file?.contracts.factory_v2?.address ?? null,
    usdc: file?.contracts.usdc?.address ?? settings.usdcAddress,
    leg_gateway: settings.legGatewayAddress,
    test_venues: settings.testVenueTargets.length > 0 || venue === undefined ? settings.testVenueTargets : [venue],
    demo_wallet: demoWallet,
    version: settings.version,
  }
}

/** Returns the configuration as the pages read it; browsers ask again at each start of a page. */
export const pageConfigDocument = (config: PageConfig): Document =>
  document('/ui/config.json', 'application/json; charset=utf-8', JSON.stringify(config), {
    'cache-control': 'no-cache',
  })
