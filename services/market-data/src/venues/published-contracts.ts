import type { RowReader } from '@svc/contracts/market-data/answer-rows'
import type { VenueFile } from '@svc/contracts/market-data/venue-file'
import { z } from 'zod'
import type { PublishedContract } from './rules/venue.ts'

const CURRENCIES_MAX = 20_000
const NETWORKS_MAX = 50
const CHAIN_CHARS_MAX = 64
const ADDRESS_CHARS_MAX = 512

const row = z.record(z.string(), z.unknown())
const network = z.object({ info: row })
const currency = z.object({ networks: z.record(z.string(), z.unknown()).nullish() })
const market = z.object({ base: z.string(), info: row })

const text = (value: unknown, max: number): string | null =>
  typeof value === 'string' && value !== '' && value.length <= max ? value : null

/**
 * Returns the contracts that a venue states in ccxt's list of currencies or of markets, by currency. Rows without an address
 * are coins of a chain. Texts that are too long are left out.
 */
export function readContracts(
  raw: unknown,
  exchange: string,
  where: NonNullable<VenueFile['contracts']>,
  rows: RowReader,
): ReadonlyMap<string, readonly PublishedContract[]> {
  const source = `${exchange} ${where.source}`
  const found = new Map<string, PublishedContract[]>()
  for (const [code, info] of rowsOf(raw, where.list, rows)) {
    const address = text(info[where.address], ADDRESS_CHARS_MAX)
    const chain = where.chain === null ? null : text(info[where.chain], CHAIN_CHARS_MAX)
    if (address === null || (where.chain !== null && chain === null)) continue
    const known = found.get(code) ?? []
    found.set(code, known)
    if (known.length < NETWORKS_MAX && !known.some((one) => one.chain === chain && one.address === address))
      known.push({ chain, address, source })
  }
  return found
}

function rowsOf(
  raw: unknown,
  list: 'currencies' | 'markets',
  rows: RowReader,
): (readonly [code: string, z.output<typeof row>])[] {
  if (list === 'markets') return rows.members(raw, market).map(([, { base, info }]) => [base, info] as const)
  return rows
    .members(raw, currency)
    .slice(0, CURRENCIES_MAX)
    .flatMap(([code, { networks }]) =>
      Object.values(networks ?? {}).flatMap((one) => {
        const { success, data } = network.safeParse(one)
        return success ? [[code, data.info] as const] : []
      }),
    )
}
