import { feeds } from '@svc/contracts/subscriptions/feed-catalogue'
import { eventually } from '@svc/testing'
import { expect, it } from 'vitest'
import { startNeighbours, type Neighbours } from '../neighbours.ts'
import { account, MINUTE, startRig, type Rig } from '../rig.ts'

/** Assets in each list of one look. */
interface Look {
  readonly two: readonly string[]
  readonly multi: readonly string[]
  readonly reel: readonly string[]
  /** Assets of which only published contracts prove that they are the same. */
  readonly published: readonly string[]
}

async function look(rig: Rig): Promise<Look> {
  const as = { caller: account(2) }
  await rig.run('matchArbitrage')
  const [two, multi, reel] = await Promise.all([
    rig.client.listArbitrage({ limit: 100 }, as),
    rig.client.listArbitrageMulti({ limit: 100 }, as),
    rig.client.listArbitrageReel({ limit: 100 }, as),
  ])
  const isPublished = ({ evidence }: (typeof two.items)[number]) =>
    evidence.every(({ source }) => !source.startsWith('curated list'))
  const assetsOf = (items: readonly { readonly asset: string }[]) => items.map(({ asset }) => asset)
  return {
    two: assetsOf(two.items),
    multi: assetsOf(multi.items),
    reel: assetsOf(reel.items),
    published: assetsOf(two.items.filter(isPublished)),
  }
}

/** Rows stand in all three lists in nine of ten looks, and opportunities come and go. */
function expectLife(looks: readonly Look[]): void {
  const alive = looks.filter(({ two, multi, reel }) => two.length > 0 && multi.length > 0 && reel.length > 0)
  expect(alive.length / looks.length).toBeGreaterThanOrEqual(0.9)
  const assets = new Set(looks.flatMap(({ two }) => two))
  expect(assets.size).toBeGreaterThanOrEqual(6)
  const gone = [...assets].filter((asset) => {
    const last = looks.findLastIndex(({ two }) => two.includes(asset))
    return last < looks.length - 1
  })
  expect(gone.length).toBeGreaterThanOrEqual(3)
  expect(looks.some(({ published }) => published.length > 0)).toBe(true)
}

/** Feeds tell each pass with both sides of every opportunity, and whether each pair of it is in a crisis. */
async function expectFeeds(neighbours: Neighbours, passes: number): Promise<void> {
  await eventually(() => neighbours.told('arbitrage_3cex').length === passes)
  const two = neighbours.told('arbitrage_2cex').map((item) => feeds.arbitrage_2cex.data.parse(item))
  const three = neighbours.told('arbitrage_3cex').map((item) => feeds.arbitrage_3cex.data.parse(item))
  const pairs = [...two.flatMap(({ items }) => items), ...three.flatMap(({ items }) => items)]
  expect(pairs.length).toBeGreaterThan(passes)
  for (const one of pairs) {
    const legs = 'legs' in one ? one.legs : [one.buy, one.sell]
    expect(new Set(legs.map(({ exchange }) => exchange)).size).toBeGreaterThanOrEqual(2)
    for (const leg of legs) expect(leg.alerts).not.toBeNull()
  }
}

it('a newcomer to the replay market finds arbitrage of two and of three exchanges, judged crises and the lowest grades', async () => {
  const rig = await startRig({ tokens: 60, lively: true }, ['binance', 'gate', 'kucoin', 'mexc'])
  const neighbours = await startNeighbours(rig.stack)
  const caller = { caller: account(2) }
  try {
    const looks: Look[] = []
    for (let minute = 0; minute < 6; minute += 1) {
      await rig.minutes(1)
      await rig.run('watchCrisis')
      looks.push(await look(rig))
    }
    const two = await rig.client.listArbitrage({}, caller)
    expect(two).toMatchObject({ source: 'replay', pending: false })
    expect(two.items.length).toBeGreaterThan(0)
    for (const one of two.items.slice(0, 3)) {
      expect(Number(one.profit)).toBeGreaterThan(0)
      // The curated list proves the asset; a name or a price does not.
      expect(one.identity.length).toBeGreaterThan(0)
    }
    const multi = await rig.client.listArbitrageMulti({}, caller)
    expect(multi.items.some((one) => new Set(one.legs.map((leg) => leg.exchange)).size >= 3)).toBe(true)
    for (let n = 0; n < 9; n += 1) {
      rig.exchange.clock.advance(3 * MINUTE)
      for (const job of ['listMarkets', 'observeMarkets', 'watchCrisis'] as const) await rig.run(job)
      looks.push(await look(rig))
    }
    expectLife(looks)
    const crises = await rig.client.listCrisisAlerts({})
    // A made-up market has a crisis on some days only; that there is none now was judged.
    expect(crises).toMatchObject({ source: 'replay', stale: false })
    await expectFeeds(neighbours, looks.length)
    for (let read = 1; read > 0;) read = await rig.run('readCandles')
    await rig.minutes(2)
    await eventually(async () => {
      const { tokens } = await rig.client.listRiskBottom({ percent: 5 }, caller)
      expect(tokens.length).toBeGreaterThan(0)
    })
  } finally {
    await neighbours.stop()
    await rig.stop()
  }
})
