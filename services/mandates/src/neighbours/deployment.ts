import { readDeployment } from '@svc/chain'
import { SettingError, type SettingsOf } from '@svc/contract'
import { getAddress, type Address } from 'viem'
import type { mandatesSettings } from '@svc/contracts/mandates/settings'

/** Chain id that terms name while no chain is configured: that of a local chain, never a public one. */
const LOCAL_CHAIN_ID = 31_337

/** Where mandates live: the chain and the contracts that count. */
export interface Place {
  readonly chainId: number
  /**
   * Null while none is configured, or no USDC, without which a factory makes no vault: then terms name the zero address
   * and must be signed again later.
   */
  readonly factory: Address | null
  readonly usdc: Address | null
  readonly venues: readonly Address[]
  /** Whether positions at the test venue can be priced. */
  readonly venueAdapter: boolean
}

/** Reads the place from the settings and the deployment file. Throws `SettingError`. */
export function placeOf(settings: SettingsOf<typeof mandatesSettings>): Place {
  const deployment = settings.deploymentFile === null ? null : readDeployment(settings.deploymentFile)
  const given = (text: string | null): Address | null => (text === null ? null : getAddress(text))
  const { chainId } = settings
  if (chainId !== null && deployment !== null && chainId !== deployment.chain_id)
    throw new SettingError(
      `HUB_CHAIN_ID is ${chainId}, but HUB_DEPLOYMENT_FILE is of chain ${deployment.chain_id}: give the file of chain ${chainId}, or unset one of them.`,
    )
  const listed = settings.testVenueTargets.map((target) => getAddress(target))
  const deployed = deployment?.contracts.venue?.address
  const usdc = deployment?.contracts.usdc?.address ?? given(settings.usdcAddress)
  const factory = given(settings.factoryAddress) ?? deployment?.contracts.factory?.address ?? null
  return {
    chainId: chainId ?? deployment?.chain_id ?? LOCAL_CHAIN_ID,
    factory: usdc === null ? null : factory,
    usdc,
    venues: listed.length > 0 || deployed === undefined ? listed : [deployed],
    venueAdapter: listed.length > 0,
  }
}
