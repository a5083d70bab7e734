import { refuse } from '@svc/contract'
import { notATarget, type TargetHistory } from '@svc/contracts/market-data/research'
import { miningRefusals } from '@svc/contracts/mining/refusals'
import type { Research } from '@svc/contracts/research-reports/research'
import { RemoteRefusal } from '@svc/service'
import type { Context } from '#context.ts'
import { researchOf } from './rules/research.ts'

const passedOn = [miningRefusals.unknownPair, notATarget]

/** Returns the history of a caller's target; passes on refusals of market-data. */
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

/** Returns the research about a caller's target. */
export async function researchOfTarget(
  context: Context,
  accountId: number,
  pair: { readonly exchange: string; readonly symbol: string },
  days: number,
): Promise<Research> {
  return researchFrom(context, await historyOfTarget(context, accountId, pair, days), days)
}

/** Returns the research about a history, with what the chain says about the approved contract. */
export async function researchFrom(context: Context, history: TargetHistory, days: number): Promise<Research> {
  const { contract } = history
  return researchOf(history, days, contract === null ? null : await context.readOnchain(contract))
}
