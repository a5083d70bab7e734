import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketObservation } from '@svc/market-data/crisis/rules/crisis-market'
import { recordedSpot2023 } from '../recordings/market-lists.ts'
import type { Replay } from './replay.ts'

const DAY_MS = 86_400_000
/** The list of markets that shows who was delisted was recorded on this day. */
const LISTED_AT = Date.parse('2023-04-10T00:00:00.000Z')

interface Notice {
  readonly base: string
  readonly atMs: number
  readonly endsAt: number
}

function notices(replayDir: string): Notice[] {
  const table = readFileSync(join(replayDir, 'delistings/binance_spot_delistings.tsv'), 'utf8')
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, announced = '', effective = '', , base = ''] = line.split('\t')
      const [atMs, endsAt] = [Number(announced), Date.parse(`${effective}T00:00:00.000Z`)]
      return base === '' || Number.isNaN(endsAt) ? [] : [{ base, atMs, endsAt }]
    })
    .filter(({ endsAt }) => endsAt < LISTED_AT)
    .toSorted((a, b) => a.atMs - b.atMs)
}

/**
 * A venue's announcements of delistings, day by day, over all assets that it listed: those of its market list of April 2023
 * and those announced before. A notice is true if its asset is not in that list.
 */
export function noticeReplay(replayDir: string): Replay {
  const told = notices(replayDir)
  const trading = recordedSpot2023(replayDir)
  const bases = [...new Set([...trading, ...told.map(({ base }) => base)])].toSorted()
  const first = Math.floor((told[0]?.atMs ?? LISTED_AT) / DAY_MS) - 1
  const steps = Array.from({ length: LISTED_AT / DAY_MS - first }, (_, place): MarketObservation[] => {
    const from = (first + place) * DAY_MS
    const newest = told.findLast(({ atMs }) => atMs >= from && atMs < from + DAY_MS)?.atMs ?? from
    const inForce = Map.groupBy(
      told.filter(({ atMs, endsAt }) => atMs <= newest && endsAt >= from),
      ({ base }) => base,
    )
    return bases.map((base) => ({
      id: base,
      group: 'binance',
      atMs: newest,
      priceUsd: null,
      candlePrices: null,
      book: null,
      trades: null,
      halted: null,
      peggedToUsd: false,
      referencePriceUsd: null,
      flags: inForce.has(base) ? [{ flag: 'announcement', meaning: 'delisting_announced' }] : [],
    }))
  })
  return {
    name: 'announcements of delistings, Binance',
    kind: 'stress',
    only: 'official_notice',
    from: new Date((first + 1) * DAY_MS).toISOString(),
    to: new Date(LISTED_AT).toISOString(),
    pairs: bases.length,
    stepMinutes: 1_440,
    inDanger: new Set(told.flatMap(({ base }) => (trading.has(base) ? [] : [base]))),
    steps,
  }
}
