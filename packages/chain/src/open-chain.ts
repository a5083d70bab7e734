import { SettingError, type SettingsOf } from '@svc/contract'
import { type chainSettings, GETLOGS_SPAN_CAP } from '@svc/contracts/common/chain-settings'
import { type Address, getAddress } from 'viem'
import { type Chain, chainOf } from './chain.ts'
import { type DeployedName, type Deployment, readDeployment } from './deployment/file.ts'
import type { RpcOptions } from './transport.ts'

type ChainSettings = SettingsOf<typeof chainSettings>

/**
 * Opens the chain that the settings name; returns null without `HUB_RPC_URL`. Reads the deployment file but makes no
 * request: a service starts while its RPC is unavailable, and the first read checks the chain id. `checkContracts` checks
 * the addresses. Throws `SettingError`.
 */
export function openChain(settings: ChainSettings, rpc: RpcOptions = {}): Chain | null {
  const { rpcUrl, deploymentFile } = settings
  const deployment = deploymentFile === null ? null : readDeployment(deploymentFile)
  if (rpcUrl === null) return null
  const inFile = (name: DeployedName): Address | null => deployment?.contracts[name]?.address ?? null
  const given = (text: string | null): Address | null => (text === null ? null : getAddress(text))
  return chainOf({
    ...rpc,
    rpcUrl,
    id: chainIdOf(settings, deployment),
    confirmations: settings.confirmations,
    logLimits: { span: clampedSpan(settings), addresses: settings.getLogsMaxAddresses },
    addresses: {
      factory: given(settings.factoryAddress) ?? inFile('factory'),
      factoryV2: given(settings.factoryV2Address) ?? inFile('factory_v2'),
      usdc: inFile('usdc') ?? given(settings.usdcAddress),
      // These two come from their own settings only, because their defaults disable the features that need them.
      legGateway: given(settings.legGatewayAddress),
      testVenues: settings.testVenueTargets.map((target) => getAddress(target)),
    },
    deployment,
  })
}

function chainIdOf({ chainId }: ChainSettings, deployment: Deployment | null): number {
  const inFile = deployment?.chain_id ?? null
  if (chainId !== null && inFile !== null && chainId !== inFile)
    throw new SettingError(
      `HUB_CHAIN_ID is ${chainId}, but HUB_DEPLOYMENT_FILE is of chain ${inFile}: give the file of chain ${chainId}, or unset one of them.`,
    )
  const id = chainId ?? inFile
  if (id === null)
    throw new SettingError(
      'HUB_CHAIN_ID is required with HUB_RPC_URL: give the id of the chain that the RPC serves, or a HUB_DEPLOYMENT_FILE, which names it.',
    )
  return id
}

/** Returns the maximum blocks of one log call: `HUB_GETLOGS_MAX_SPAN`, capped at 200 unless `HUB_GETLOGS_ALLOW_LARGE_SPAN` is on. */
function clampedSpan({ getLogsMaxSpan, getLogsAllowLargeSpan }: ChainSettings): number {
  return getLogsAllowLargeSpan ? getLogsMaxSpan : Math.min(getLogsMaxSpan, GETLOGS_SPAN_CAP)
}
