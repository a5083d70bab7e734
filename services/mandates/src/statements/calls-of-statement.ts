import { usdcText } from '@svc/limits'
import type { Context } from '#context.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { callText } from '#limits/call-text.ts'
import { contractMarkets } from '#limits/market-catalogue.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { IsoWeek } from './rules/iso-week.ts'
import type { StatedCall } from './statement-rows.ts'
import { callsOfWeek } from './store/statements.ts'

/** Returns the first `max` executed calls of a week, each with what it meant by the present catalogue. */
export async function callsOfStatement(
  { pool, deployment }: Pick<Context, 'pool' | 'deployment'>,
  mandate: Mandate,
  week: IsoWeek,
  max: number,
): Promise<readonly StatedCall[]> {
  const vault = await vaultOfMandate(pool, mandate.id)
  if (vault === null) return []
  const calls = await callsOfWeek(pool, vault, week, max)
  const markets = contractMarkets(deployment)
  return calls.map(({ at, target, data, spent, received }) => ({
    at,
    text: data === null ? null : callText({ target, data }, markets),
    moved_usdc: usdcText(received - spent),
  }))
}
