import { usdcText } from '@svc/limits'
import type { Context } from '#context.ts'
import { vaultOfMandate } from '#books/store/vaults.ts'
import { callText } from '#limits/call-text.ts'
import type { Mandate } from '#mandate/rules/mandate.ts'
import type { IsoWeek } from './rules/iso-week.ts'
import type { StatedCall } from './statement-rows.ts'
import { callsOfWeek } from './store/statements.ts'

/** Returns the first `max` executed calls of a week, each with what it meant by the present catalogue. */
export async function callsOfStatement(
  { pool, catalogue }: Pick<Context, 'pool' | 'catalogue'>,
  mandate: Mandate,
  { week, now }: { readonly week: IsoWeek; readonly now: Date },
  max: number,
): Promise<readonly StatedCall[]> {
  const vault = await vaultOfMandate(pool, mandate.id)
  if (vault === null) return []
  const [calls, markets] = [await callsOfWeek(pool, vault, week, max), await catalogue.marketsAt(now)]
  return calls.map(({ at, target, data, spent, received }) => ({
    at,
    text: data === null ? null : callText({ target, data }, markets),
    moved_usdc: usdcText(received - spent),
  }))
}
