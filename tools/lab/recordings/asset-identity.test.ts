import type { AssetInstance } from '@svc/market-data/assets/rules/asset-claims'
import { groupSameAssets } from '@svc/market-data/assets/rules/asset-identity'
import { CURATED_ASSETS } from '@svc/market-data/assets/rules/curated-assets'
import { describe, expect, test } from 'vitest'
import { readMarketLists } from './market-lists.ts'

const replayDir = process.env['MARKET_REPLAY_DIR'] ?? ''

/** Returns one instance per venue and base, all against one quote: the hardest case for telling assets apart. */
function instances(): AssetInstance[] {
  const byBase = new Map<string, AssetInstance>()
  for (const { exchange, base, name } of readMarketLists(replayDir)) {
    const id = `${exchange} ${base}`
    byBase.set(id, { id, exchange, base, quote: 'USDT', name, priceUsd: null, contracts: [] })
  }
  return [...byBase.values()]
}

/** Assets that share a ticker in the recordings, as the venues' own names and the assets' histories show. */
const collisions = [
  ['META', 'Metadium', 'MetaDAO'],
  ['STRK', 'Strike', 'Starknet Token'],
] as const

describe.skipIf(replayDir === '')('asset identity over the recorded market lists', () => {
  test('venues with colliding tickers give no false pair: only curated assets pair, and no name contradicts', () => {
    const all = instances()
    const { groups, conflicts } = groupSameAssets(all)
    const venues = new Set(all.map(({ exchange }) => exchange))
    const shared = new Set(conflicts.map(({ base }) => base)).size + groups.length
    console.log(
      `${venues.size} venues, ${all.length} assets, ${shared} shared tickers, ${groups.length} proven the same`,
    )
    expect(venues.size).toBe(8)
    expect(shared).toBeGreaterThan(500)
    expect(groups.length).toBeGreaterThan(250)
    for (const { base, basis, evidence, members } of groups) {
      expect(basis).toHaveLength(1)
      expect(evidence.map(({ source }) => source)).toEqual([`curated list: ${CURATED_ASSETS.get(base)?.source}`])
      const words = CURATED_ASSETS.get(base)?.words ?? []
      for (const { name } of members) {
        const plain = name?.toLowerCase().replace(/[^a-z0-9]/g, '') ?? null
        expect(
          plain === null || plain === base.toLowerCase() || words.some((word) => plain.includes(word)),
          `${base} ${name}`,
        ).toBe(true)
      }
    }
  })

  test.each(collisions)(
    '%s is %s at one venue and %s at another: told as a conflict, never paired',
    (base, one, other) => {
      const all = instances()
      const names = all.filter((instance) => instance.base === base).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining([one, other]))
      const { groups, conflicts } = groupSameAssets(all)
      expect(groups.some((group) => group.base === base)).toBe(false)
      expect(conflicts.find((conflict) => conflict.base === base)).toMatchObject({ reason: 'no_proof' })
    },
  )

  test('no curated asset that both naming venues list is refused for its name', () => {
    const { conflicts } = groupSameAssets(instances())
    expect(conflicts.filter(({ reason }) => reason === 'name_differs').map(({ base }) => base)).toEqual([])
  })
})
