import { SettingError, type SettingsOf } from '@svc/contract'
import type { keeperSettings } from '@svc/contracts/keeper/settings'
import { getAddress } from 'viem'
import { cdpSigner } from './cdp-signer.ts'
import { devSigner } from './dev-signer.ts'
import type { Signer } from './signer.ts'

/**
 * Returns the signer that the settings name; null in a dry run. Rejects with `SettingError`: for a missing setting, and for
 * the dev signer at any other than a local node, even in a dry run.
 */
export async function openSigner(settings: SettingsOf<typeof keeperSettings>): Promise<Signer | null> {
  const { rpcUrl, markDryRun, markSigner } = settings
  if (markSigner === 'dev') {
    const signer = await devSigner(rpcUrl, settings.markDevKey)
    return markDryRun ? null : signer
  }
  if (markDryRun) return null
  if (rpcUrl === null) throw new SettingError('HUB_KEEPER_MARK_DRY_RUN=0 needs HUB_RPC_URL.')
  return cdpSigner({
    address: getAddress(required('SVC_KEEPER_CDP_ADDRESS', settings.cdpAddress)),
    url: settings.cdpUrl,
    apiKeyId: required('CDP_API_KEY_ID', settings.cdpApiKeyId),
    apiKeySecret: required('CDP_API_KEY_SECRET', settings.cdpApiKeySecret),
    walletSecret: required('CDP_WALLET_SECRET', settings.cdpWalletSecret),
  })
}

function required(name: string, value: string | null): string {
  if (value === null) throw new SettingError(`HUB_KEEPER_MARK_DRY_RUN=0 with HUB_KEEPER_MARK_SIGNER=cdp needs ${name}.`)
  return value
}
