import { marketData } from '@svc/contracts/market-data'
import { clientOf } from '@svc/service'
import { expect } from 'vitest'
import { z } from 'zod'
import { account, type Rig } from '../rig.ts'

/** What an answer says of a pair; answers that lack a member say nothing there. */
interface Said {
  readonly lifecycle?: string | null
  readonly outlook?: string | null
  readonly alerts?: readonly { readonly rule: string; readonly opened_at: string }[] | null
  readonly recent_alerts?: readonly { readonly rule: string; readonly closed_at: string }[] | null
}
/** Operations of this service that answer with the alerts of pairs; a new one has to be asked below, or the test fails. */
const speaking = Object.values(marketData.operations)
  .filter(({ success }) =>
    JSON.stringify(
      z.toJSONSchema(z.object(success), { io: 'output', unrepresentable: 'any', reused: 'inline' }),
    ).includes('"alerts":'),
  )
  .map(({ key }) => key)

/** Asks every operation that names pairs, each so that it names this one if it can. */
export async function askAll(rig: Rig, exchange: string, symbol: string): Promise<Record<string, unknown>> {
  const token_id = tokenIdOf(exchange, symbol)
  const [client, asset] = [rig.client, symbol.split('/')[0] ?? '']
  const paid = { caller: account(2) }
  const reports = await rig.stack.nats.connect('research-reports')
  const pair = { exchange, symbol, account_id: 7, days: 1 }
  const asked: Record<string, () => Promise<unknown>> = {
    readBoard: async () => [
      await client.readBoard({ exchange, q: symbol }),
      await client.readBoard({ exchange, q: symbol, fields: 'price' }),
    ],
    searchTokens: () => client.searchTokens({ q: symbol, limit: 100 }),
    explainToken: () => client.explainToken({ token_id }, paid),
    readTokenHistory: () => client.readTokenHistory({ token_id }, paid),
    listRiskBottom: () => client.listRiskBottom({ percent: 50, limit: 100 }, paid),
    listTargets: () => client.listTargets({}, paid),
    readTargets: () =>
      clientOf(reports, 'research-reports', marketData).readTargets({ account_id: paid.caller.account_id }),
    listArbitrage: () => client.listArbitrage({ asset, rejected: 'true' }, paid),
    listArbitrageReel: () => client.listArbitrageReel({ asset }, paid),
    listArbitrageMulti: () => client.listArbitrageMulti({ asset }, paid),
    readTargetHistory: () => clientOf(reports, 'research-reports', marketData).readTargetHistory(pair),
  }
  try {
    expect(Object.keys(asked).toSorted()).toEqual(speaking.toSorted())
    return Object.fromEntries(
      await Promise.all(Object.entries(asked).map(async ([key, ask]) => [key, await ask()] as const)),
    )
  } finally {
    await reports.close()
  }
}

const tokenIdOf = (exchange: string, symbol: string) => `${exchange}_${symbol.replace('/', '_')}`.toLowerCase()

/** Returns every object in an answer that names the pair and says something of its market. */
export function namings(answer: unknown, exchange: string, symbol: string): Said[] {
  if (typeof answer !== 'object' || answer === null) return []
  const { token_id, exchange: at, symbol: of, alerts } = answer as Record<string, unknown>
  const names = token_id === tokenIdOf(exchange, symbol) || (at === exchange && of === symbol)
  // The pair's identity beside the answer's facts, as `pair` of a history, has no alerts: contracts say where that may be.
  const own = names && alerts !== undefined ? [answer as Said] : []
  return [...own, ...Object.values(answer).flatMap((member) => namings(member, exchange, symbol))]
}
