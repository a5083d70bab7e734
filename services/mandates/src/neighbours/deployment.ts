import { readDeployment } from '@svc/chain'
import { SettingError, type SettingsOf } from '@svc/contract'
import { getAddress, type Address } from 'viem'
import type { mandatesSettings } from '@svc/contracts/mandates/settings'

/** Chain id in the terms while no chain is configured: the id of a local chain, never of a public one. */
const LOCAL_CHAIN_ID = 31_337

/** The chain and the contracts that mandates are made for. */
export interface Deployment {
  readonly chainId: number
  /**
   * Null while no factory or no USDC is configured; a factory needs USDC to create vaults. Terms then name the zero address
   * and must be signed again later.
   */
  readonly factory: Address | null
  readonly usdc: Address | null
  readonly venues: readonly Address[]
  /** Whether positions at the test venue can be priced. */
  readonly venueAdapter: boolean
}

/** Reads the deployment from the settings and the deployment file. Throws `SettingError`. */
export function deploymentOf(settings: SettingsOf<typeof mandatesSettings>): Deployment {
  const file = settings.deploymentFile === null ? null : readDeployment(settings.deploymentFile)
  const given = (text: string | null): Address | null => (text === null ? null : getAddress(text))
  const { chainId } = settings
  if (chainId !== null && file !== null && chainId !== file.chain_id)
    throw new SettingError(
      `HUB_CHAIN_ID is ${chainId}, but HUB_DEPLOYMENT_FILE is of chain ${file.chain_id}: give the file of chain ${chainId}, or unset one of them.`,
    )
  const listed = settings.testVenueTargets.map((target) => getAddress(target))
  const deployed = file?.contracts.venue?.address
  const usdc = file?.contracts.usdc?.address ?? given(settings.usdcAddress)
  const factory = given(settings.factoryAddress) ?? file?.contracts.factory?.address ?? null
  return {
    chainId: chainId ?? file?.chain_id ?? LOCAL_CHAIN_ID,
    factory: usdc === null ? null : factory,
    usdc,
    venues: listed.length > 0 || deployed === undefined ? listed : [deployed],
    venueAdapter: listed.length > 0,
  }
}
