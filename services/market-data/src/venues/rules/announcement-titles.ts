import type { TitleForm } from '@svc/contracts/market-data/venue-file'

/** What a title says: of which assets or pairs, in the venue's own tickers, what, and from when. */
export interface Notice {
  readonly meaning: TitleForm['meaning']
  readonly bases: readonly string[]
  readonly pairs: readonly (readonly [base: string, quote: string])[]
  /** Begin of the stated day in the venue's time zone, milliseconds; null if the title states none. */
  readonly effectiveAt: number | null
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** More names in one title are not a title that we understand. */
const NAMES_MAX = 50

const TICKER = '[A-Z0-9]{1,20}'
const PAIR = new RegExp(`^(${TICKER})/([A-Z0-9]{2,10})$`)
const BASE = new RegExp(`^${TICKER}$`)
/** A name with its ticker behind it: `Maker (MKR)`, `아이콘(ICX)`. */
const NAMED = new RegExp(`^[^()]{1,60}\\((${TICKER})\\)$`)
const SEPARATOR = /\s*,\s*(?:and\s+)?|\s+(?:&|and)\s+/

/**
 * Returns what a title says; null if it fits no form, or if one of the names in it is not read with certainty: half an
 * understanding of a title is none.
 */
export function readTitle(
  title: string,
  forms: readonly TitleForm[],
  at: { readonly publishedAt: number | null; readonly utcOffsetHours: number },
): Notice | null {
  for (const { pattern, meaning } of forms) {
    const groups = pattern.exec(title)?.groups
    if (groups === undefined) continue
    const names = (groups['list'] ?? '').trim().split(SEPARATOR)
    if (names.length > NAMES_MAX) return null
    const bases: string[] = []
    const pairs: (readonly [string, string])[] = []
    for (const name of names) {
      const [, base, quote] = PAIR.exec(name) ?? []
      const ticker = BASE.test(name) ? name : NAMED.exec(name)?.[1]
      if (base !== undefined && quote !== undefined) pairs.push([base, quote])
      else if (ticker !== undefined) bases.push(ticker)
      else return null
    }
    return { meaning, bases, pairs, effectiveAt: effectiveOf(groups, at) }
  }
  return null
}

/** A day without a year is the first such day that is not before the publication. */
function effectiveOf(
  groups: Readonly<Record<string, string | undefined>>,
  { publishedAt, utcOffsetHours }: { readonly publishedAt: number | null; readonly utcOffsetHours: number },
): number | null {
  const [year, month, day] = numbersIn(groups['date'])
  if (year !== undefined) return dayOf(year, month, day, utcOffsetHours)
  const [shortMonth, shortDay] = numbersIn(groups['day'])
  if (shortMonth === undefined || publishedAt === null) return null
  const published = new Date(publishedAt + utcOffsetHours * HOUR_MS).getUTCFullYear()
  const candidates = [published, published + 1].map((one) => dayOf(one, shortMonth, shortDay, utcOffsetHours))
  return candidates.find((one) => one !== null && one > publishedAt - DAY_MS) ?? null
}

const numbersIn = (text: string | undefined) => (text ?? '').split(/[-/]/).filter(Boolean).map(Number)

/** Returns the begin of a day; null if it does not exist. */
function dayOf(year: number, month = 0, day = 0, utcOffsetHours = 0): number | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.getTime() - utcOffsetHours * HOUR_MS : null
}
