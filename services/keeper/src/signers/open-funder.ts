import { SettingError, type SettingsOf } from '@svc/contract'
import type { keeperSettings } from '@svc/contracts/keeper/settings'
import { getAddress, isAddressEqual } from 'viem'
import { cdpSigner } from './cdp-signer.ts'
import { devSigner } from './dev-signer.ts'
import type { Signer } from './signer.ts'

type Settings = SettingsOf<typeof keeperSettings>

/**
 * Returns the account that pays gas drips: of SVC_GAS_DRIP_DEV_KEY, of HUB_GAS_DRIP_FUNDER_WALLET at Coinbase CDP, or the one
 * that marks. Null if no such account is configured. Rejects with `SettingError` if drips are on and a setting is missing, and
 * for a key that does not fit.
 */
export async function openFunder(settings: Settings, mark: Signer | null): Promise<Signer | null> {
  const { rpcUrl, dripDevKey, dripFunderWallet, markSigner, markDevKey } = settings
  if (rpcUrl === null) return null
  const wallet = dripFunderWallet === null ? null : getAddress(dripFunderWallet)
  if (dripDevKey !== null) {
    const signer = await devSigner(rpcUrl, dripDevKey, { switch: 'SVC_GAS_DRIP_DEV_KEY', key: 'SVC_GAS_DRIP_DEV_KEY' })
    if (wallet === null || isAddressEqual(wallet, signer.address)) return signer
    throw new SettingError(
      `SVC_GAS_DRIP_DEV_KEY belongs to ${signer.address}, and HUB_GAS_DRIP_FUNDER_WALLET is ${wallet}: give the key of that address.`,
    )
  }
  const marks = mark ?? (markSigner === 'dev' ? await devSigner(rpcUrl, markDevKey) : null)
  if (marks !== null && (wallet === null || isAddressEqual(wallet, marks.address))) return marks
  return custodialFunder(settings, wallet ?? settings.cdpAddress)
}

/** Returns an account at Coinbase CDP. With a setting missing: null, or `SettingError` while drips are on. */
async function custodialFunder(settings: Settings, wallet: string | null): Promise<Signer | null> {
  const { cdpUrl: url, cdpApiKeyId: apiKeyId, cdpApiKeySecret: apiKeySecret, cdpWalletSecret: walletSecret } = settings
  if (wallet !== null && apiKeyId !== null && apiKeySecret !== null && walletSecret !== null)
    return cdpSigner({ address: getAddress(wallet), url, apiKeyId, apiKeySecret, walletSecret })
  if (!settings.dripEnabled) return null
  throw new SettingError(
    wallet === null
      ? 'HUB_GAS_DRIP_ENABLED=1 needs HUB_GAS_DRIP_FUNDER_WALLET or SVC_KEEPER_CDP_ADDRESS, the account that pays.'
      : 'HUB_GAS_DRIP_ENABLED=1 needs CDP_API_KEY_ID, CDP_API_KEY_SECRET and CDP_WALLET_SECRET of the account that pays, or SVC_GAS_DRIP_DEV_KEY with an anvil of this machine.',
  )
}
