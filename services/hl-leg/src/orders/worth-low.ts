import { usdcUnits } from '@svc/contracts/common/usdc'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import type { Context } from '#context.ts'
import type { Reading } from '#readings/rules/reading.ts'
import { usdcUnitsDown } from '#readings/rules/usdc-units.ts'
import { worthOf } from '#readings/rules/worth.ts'
import { foreignOf } from '#readings/store/ledger.ts'

/**
 * Returns the lower worth of a mandate now, in micro-dollars: its vault, and its leg with or without foreign money,
 * whichever is less. Money on its way counts nothing. Null while the worth of the vault is unknown.
 */
export async function worthLow(
  { pool, settings }: Pick<Context, 'pool' | 'settings'>,
  { public_id, vault }: LegMandate,
  reading: Reading,
): Promise<bigint | null> {
  const foreign = (await foreignOf(pool, [public_id])).get(public_id)
  const { lower } = worthOf(reading, foreign === undefined ? 0n : usdcUnitsDown(foreign), settings.exitBps)
  if (vault === null) return lower
  return vault.vault_worth_usdc === null ? null : usdcUnits(vault.vault_worth_usdc) + lower
}
