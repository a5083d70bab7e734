import type { keeperSettings } from '@svc/contracts/keeper/settings'
import type { SettingsOf } from '@svc/contract'

type Paymaster = Pick<SettingsOf<typeof keeperSettings>, 'paymasterUrl' | 'paymasterKey' | 'paymasterMethod'>

/** Returns what a start says about the settings of a paymaster, which is not active; null if none is set. */
export function paymasterNote({ paymasterUrl, paymasterKey, paymasterMethod }: Paymaster): string | null {
  if (paymasterUrl !== null)
    return 'SVC_PAYMASTER_URL is set, but sponsoring gas is not active: no transaction is sponsored'
  if (paymasterMethod !== null || paymasterKey !== null)
    return 'a paymaster needs SVC_PAYMASTER_URL, which is not set: no transaction is sponsored'
  return null
}
