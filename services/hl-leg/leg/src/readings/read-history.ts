import type { AnswerTo } from '@svc/hyperliquid'
import type { Address } from 'viem'
import type { Context } from '#context.ts'
import type { WeightClass } from '@svc/venue/rules/weights'
import { onReadDexes } from './rules/history.ts'

/** The venue answers at most so many rows; a longer history is read in pages. */
const FILLS_MAX = 2_000
const FUNDINGS_MAX = 500
const PAGES_MAX = 10

/** Executions and fundings of an account on the dexes that are read. */
export interface ReadHistory {
  readonly fills: readonly AnswerTo<'userFillsByTime'>[number][]
  readonly fundings: readonly (AnswerTo<'userFunding'>[number]['delta'] & { readonly time: number })[]
}

/**
 * Reads the executions and fundings of an account on the dexes that are read, from `since` to `until` of the venue's clock, both
 * included. Returns null if they are more than can be read. Rejects with an outage.
 */
export async function readHistory(
  { venue, settings }: Pick<Context, 'venue' | 'settings'>,
  by: WeightClass,
  user: Address,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<ReadHistory | null> {
  const [fills, fundings] = await Promise.all([
    wholeSpan(since, FILLS_MAX, (startTime) => venue.ask(by, 'userFillsByTime', { user, startTime })),
    wholeSpan(since, FUNDINGS_MAX, (startTime) => venue.ask(by, 'userFunding', { user, startTime })),
  ])
  if (fills === null || fundings === null) return null
  const upTo = <T extends { readonly time: number }>(rows: readonly T[]) => rows.filter(({ time }) => time <= until)
  const paid = upTo(fundings).map(({ time, delta }) => ({ time, ...delta }))
  return onReadDexes({ fills: upTo(fills), fundings: paid }, settings.dexes)
}

/** Reads rows page by page, each once; null if they are more than the pages hold. */
async function wholeSpan<T extends { readonly time: number }>(
  since: number,
  pageRows: number,
  ask: (startTime: number) => Promise<readonly T[]>,
): Promise<readonly T[] | null> {
  const found = new Map<string, T>()
  let startTime = since
  for (let page = 0; page < PAGES_MAX; page++) {
    const rows = await ask(startTime)
    for (const row of rows) found.set(JSON.stringify(row), row)
    if (rows.length < pageRows) return [...found.values()]
    const last = Math.max(...rows.map(({ time }) => time))
    if (last === startTime) return null
    startTime = last
  }
  return null
}
