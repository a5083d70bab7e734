import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { usdcText } from '@svc/limits'
import type { Reading } from '@svc/venue/rules/reading'
import { usdcUnitsDown } from '@svc/venue/rules/usdc-units'
import { worthOf } from '#readings/rules/worth.ts'

/**
 * Returns the lower worth of a mandate now, USDC, at least zero: its vault, and its leg with or without foreign money,
 * whichever is less. Money on its way counts nothing. Null while the worth of the vault is unknown.
 */
export function worthLow(
  { vault }: LegMandate,
  reading: Reading,
  { foreign, exitBps }: { readonly foreign: string | null; readonly exitBps: number },
): string | null {
  const { lower } = worthOf(reading, foreign === null ? 0n : usdcUnitsDown(foreign), exitBps)
  const inVault = vault === null ? '0' : vault.vault_worth_usdc
  if (inVault === null) return null
  const worth = usdcUnits(inVault) + lower
  return usdcText(worth < 0n ? 0n : worth)
}
