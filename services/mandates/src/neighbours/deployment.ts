import { readDeployment } from '@svc/chain'
import { SettingError, type SettingsOf } from '@svc/contract'
import { getAddress, zeroAddress, type Address } from 'viem'
import type { Limits } from '@svc/limits'
import { MAIN_CHAIN_IDS } from '@svc/contracts/common/drip-settings'
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
  /** Factory of vaults that fund a leg; null while it, its leg gateway or its USDC is not configured. */
  readonly factoryV2: Address | null
  /** The gateway that vaults of the v2 factory pin; the zero address while none is configured. */
  readonly legGateway: Address
  readonly usdc: Address | null
  /** The deployed USDC, which anybody gets from its faucet; null on a main network and for a token of others. */
  readonly playMoney: Address | null
  readonly venues: readonly Address[]
  /** Whether positions at the test venue can be priced. */
  readonly venueAdapter: boolean
  /** Names of what the test venue trades; empty if none is known. */
  readonly venueInstruments: readonly string[]
}

/** The chain and the factory for which the terms of one mandate are signed. */
export interface VaultDeployment extends Pick<Deployment, 'chainId' | 'factory' | 'usdc' | 'legGateway'> {
  /** Version of the vaults that the factory creates; vaults of version 2 fund a leg. */
  readonly version: 1 | 2
}

/** Returns the deployment for a mandate: the v2 factory for a mandate with a leg while vaults fund legs, else the v1 factory. */
export function deploymentFor(
  { chainId, usdc, factory, factoryV2, legGateway }: Deployment,
  { hlLeg }: Pick<Limits, 'hlLeg'>,
  legFunding: boolean,
): VaultDeployment {
  return hlLeg && legFunding
    ? { version: 2, chainId, usdc, factory: factoryV2, legGateway }
    : { version: 1, chainId, usdc, factory, legGateway: zeroAddress }
}

/** Returns the deployment for a mandate with the switches as they are now. */
export const presentDeployment = (
  { deployment, settings }: { readonly deployment: Deployment; readonly settings: LegSwitches },
  { limits }: { readonly limits: Pick<Limits, 'hlLeg'> },
): VaultDeployment => deploymentFor(deployment, limits, legFundingOn(settings))

type LegSwitches = Pick<SettingsOf<typeof mandatesSettings>, 'hlLegEnabled' | 'legFunding'>

/** Returns true while vaults may send money to the leg, which requires the leg. */
export const legFundingOn = ({ hlLegEnabled, legFunding }: LegSwitches): boolean =>
  hlLegEnabled && legFunding === 'test'

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
  const deployedUsdc = file?.contracts.usdc?.address ?? null
  const usdc = deployedUsdc ?? given(settings.usdcAddress)
  const factory = given(settings.factoryAddress) ?? file?.contracts.factory?.address ?? null
  const factoryV2 = given(settings.factoryV2Address) ?? file?.contracts.factory_v2?.address ?? null
  const legGateway = given(settings.legGatewayAddress)
  const id = chainId ?? file?.chain_id ?? LOCAL_CHAIN_ID
  return {
    chainId: id,
    factory: usdc === null ? null : factory,
    factoryV2: usdc === null || legGateway === null ? null : factoryV2,
    legGateway: legGateway ?? zeroAddress,
    usdc,
    playMoney: MAIN_CHAIN_IDS.has(id) ? null : deployedUsdc,
    venues: listed.length > 0 || deployed === undefined ? listed : [deployed],
    venueAdapter: listed.length > 0,
    venueInstruments: settings.testVenueInstruments,
  }
}
