import { refuse } from '@svc/contract'
import { notATarget, type TargetHistory } from '@svc/contracts/market-data-research'
import { miningRefusals } from '@svc/contracts/mining'
import { RemoteRefusal } from '@svc/service'
import type { Context } from './context.ts'

const passedOn = [miningRefusals.unknownPair, notATarget]

/** The history of a caller's target; what market-data refuses is refused in the same words. */
export async function historyOfTarget(
  context: Context,
  accountId: number,
  pair: { readonly exchange: string; readonly symbol: string },
  days: number,
): Promise<TargetHistory> {
  try {
    return await context.readHistory(accountId, pair.exchange, pair.symbol, days)
  } catch (error) {
    const refused = error instanceof RemoteRefusal ? passedOn.find(({ code }) => code === error.body.code) : undefined
    if (refused !== undefined) refuse(refused)
    throw error
  }
}
