import type { RowReader } from '@svc/contracts/market-data/answer-rows'
import type { VenueFile } from '@svc/contracts/market-data/venue-file'
import { z } from 'zod'
import type { PublishedName } from './rules/venue.ts'

const CURRENCIES_MAX = 20_000
const CHARS_MAX = 200

const info = z.record(z.string(), z.unknown())
const currency = z.object({ info })
const market = z.object({ base: z.string(), info })

/** Returns one line of text; null for anything else, and for what is longer than a name. */
const nameOf = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.normalize('NFC').replaceAll(/\s+/gu, ' ').trim() : ''
  return text !== '' && text.length <= CHARS_MAX && !/\p{Cc}/u.test(text) ? text : null
}

/** Returns the names that a venue states in ccxt's list of currencies or of markets, by currency. The first name stands. */
export function readNames(
  raw: unknown,
  { list, en, ko }: NonNullable<VenueFile['names']>,
  rows: RowReader,
): ReadonlyMap<string, PublishedName> {
  const named =
    list === 'markets'
      ? rows.members(raw, market).map(([, one]) => [one.base, one.info] as const)
      : rows.members(raw, currency).map(([code, one]) => [code, one.info] as const)
  const found = new Map<string, PublishedName>()
  for (const [code, row] of named.slice(0, CURRENCIES_MAX)) {
    const known = found.get(code)
    const name = known?.name ?? (en === null ? null : nameOf(row[en]))
    const nameKo = known?.nameKo ?? (ko === null ? null : nameOf(row[ko]))
    if (name !== null || nameKo !== null) found.set(code, { name, nameKo })
  }
  return found
}
