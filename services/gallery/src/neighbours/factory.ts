import { readDeployment } from '@svc/chain'
import type { SettingsOf } from '@svc/contract'
import type { gallerySettings } from '@svc/contracts/gallery/settings'

/** The chain on which mandates get their vaults. */
export interface Factory {
  readonly chainId: number
}

/** Reads the chain of the vault factory from the settings; null without a factory. Throws `SettingError`. */
export function factoryOf(
  settings: Pick<SettingsOf<typeof gallerySettings>, 'chainId' | 'factoryAddress' | 'deploymentFile'>,
): Factory | null {
  const file = settings.deploymentFile === null ? null : readDeployment(settings.deploymentFile)
  const chainId = settings.chainId ?? file?.chain_id ?? null
  const address = settings.factoryAddress ?? file?.contracts.factory?.address ?? null
  return chainId === null || address === null ? null : { chainId }
}
