import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REGULATED_VENUES, type RegulatedList } from '@svc/market-data/assets/rules/regulated-venues'
import { z } from 'zod'

/** A market list of the past. Two dates enclose the day on which it was recorded. */
const datedList = z.object({
  venue: z.enum([...REGULATED_VENUES.map(({ id }) => id), 'binance']),
  recordedFrom: z.iso.date(),
  recordedUntil: z.iso.date(),
  source: z.string(),
  bases: z.string().transform((text) => text.split(' ')),
})
export type DatedList = z.output<typeof datedList>

/** A list of the past counts in a sample if it was recorded before the snapshot, and at most two years before. */
export const PAST_LIST_AGE_MAX_MS = 730 * 86_400_000

/** Codes of the venues in ccxt's unified form, as the adapters return them. */
const unified: Partial<Record<DatedList['venue'], Readonly<Record<string, string>>>> = {
  coinbase: { CGLD: 'CELO', GNT: 'GLM' },
  kraken: { XBT: 'BTC', XDG: 'DOGE', REPV2: 'REP', REP: 'REPV1', LUNA: 'LUNC', LUNA2: 'LUNA', UST: 'USTC' },
}

/** Returns the dated market lists that were found, in unified codes. */
export function readDatedLists(): DatedList[] {
  const stored = z
    .array(datedList)
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'market-lists.json'), 'utf8')))
  return stored.map((list) => ({ ...list, bases: list.bases.map((base) => unified[list.venue]?.[base] ?? base) }))
}

const endOf = ({ recordedUntil }: DatedList) => Date.parse(`${recordedUntil}T23:59:59Z`)

/** Returns the lists of regulated venues, each dated by the end of the last day on which it can have been recorded. */
export const regulatedListsOf = (lists: readonly DatedList[]): RegulatedList[] =>
  lists.flatMap((list) =>
    list.venue === 'binance' ? [] : [{ venue: list.venue, readAt: endOf(list), bases: new Set(list.bases) }],
  )

/** Returns the base assets that traded at the spot venue by the newest list before the snapshot; null without such a list. */
export function spotBasesBefore(lists: readonly DatedList[], snapshotMs: number): ReadonlySet<string> | null {
  const newest = lists
    .filter((list) => list.venue === 'binance' && endOf(list) < snapshotMs)
    .toSorted((a, b) => endOf(b) - endOf(a))[0]
  return newest === undefined ? null : new Set(newest.bases)
}
