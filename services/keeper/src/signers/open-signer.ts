import { SettingError, type SettingsOf } from '@svc/contract'
import type { keeperSettings } from '@svc/contracts/keeper/settings'
import { getAddress } from 'viem'
import { cdpSigner } from './cdp-signer.ts'
import { devSigner } from './dev-signer.ts'
import type { Signer } from './signer.ts'

type Settings = SettingsOf<typeof keeperSettings>

/** The signers of the two switches; null in the dry run of each. */
export interface Signers {
  /** Signs marks and settlements. */
  readonly mark: Signer | null
  /** Signs fundings of legs. */
  readonly leg: Signer | null
}

/**
 * Returns the signers that the settings name. Rejects with `SettingError`: for a missing setting, and for the dev signer at
 * any other than a local node, even in a dry run.
 */
export async function openSigners(settings: Settings): Promise<Signers> {
  const { markDryRun, moverDryRun, markSigner } = settings
  const legSigner = settings.legKeeperSigner ?? markSigner
  const mark = await openSigner(settings, markSigner, markDryRun ? null : 'HUB_KEEPER_MARK_DRY_RUN=0')
  if (legSigner === markSigner && mark !== null) return { mark, leg: moverDryRun ? null : mark }
  return { mark, leg: await openSigner(settings, legSigner, moverDryRun ? null : 'HUB_LEG_MOVER_DRY_RUN=0') }
}

/** Returns the signer of a word; null without a switch that requires it. */
async function openSigner(settings: Settings, word: 'cdp' | 'dev', because: string | null): Promise<Signer | null> {
  const { rpcUrl } = settings
  if (word === 'dev') {
    const signer = await devSigner(rpcUrl, settings.markDevKey)
    return because === null ? null : signer
  }
  if (because === null) return null
  if (rpcUrl === null) throw new SettingError(`${because} needs HUB_RPC_URL.`)
  const required = (name: string, value: string | null): string => {
    if (value === null) throw new SettingError(`${because} with HUB_KEEPER_MARK_SIGNER=cdp needs ${name}.`)
    return value
  }
  return cdpSigner({
    address: getAddress(required('SVC_KEEPER_CDP_ADDRESS', settings.cdpAddress)),
    url: settings.cdpUrl,
    apiKeyId: required('CDP_API_KEY_ID', settings.cdpApiKeyId),
    apiKeySecret: required('CDP_API_KEY_SECRET', settings.cdpApiKeySecret),
    walletSecret: required('CDP_WALLET_SECRET', settings.cdpWalletSecret),
  })
}
