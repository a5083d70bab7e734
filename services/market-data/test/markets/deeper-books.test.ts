import { opened } from '@svc/testing'
import { expect, it } from 'vitest'
import { account, MINUTE, startRig } from '../rig.ts'

const caller = { caller: account(1) }
const VENUES = ['binance', 'gate', 'kucoin']
const rig = opened(() => startRig({ tokens: 30 }, VENUES))

/** Dollars on both sides within 2 % of a pair's mid, as the venue's whole book has them. */
function truth(exchange: string): number {
  const at = rig.clock.now().getTime()
  const listing = rig.exchange.feed
    .listings(exchange, at)
    .find(({ market }) => market.base === 'BTC' && market.quote === 'USDT')
  if (listing === undefined) throw new Error(`${exchange} has no BTC/USDT`)
  return 2 * rig.exchange.feed.liquidity(listing.market, at).depthQuote
}

/** A round of the books of all pairs, with the deeper ones. */
async function round(): Promise<void> {
  rig.exchange.clock.advance(6 * MINUTE)
  for (const job of ['listMarkets', 'rotateBooks', 'deepenBooks', 'observeMarkets', 'computeBoard'] as const)
    await rig.run(job)
}

const rowsOf = async () => {
  const { tokens } = await rig.client.readBoard({ limit: 100 })
  return new Map(tokens.filter(({ symbol }) => symbol === 'BTC/USDT').map((row) => [row.exchange, row]))
}

it('the depth of a liquid pair is whole where a venue returns deeper books, and a lower bound elsewhere', async () => {
  await round()
  const states = () => VENUES.map((exchange) => rig.context.market.of(exchange).deeper.size)
  const [binance = 0, , kucoin] = states()
  expect(binance).toBeGreaterThan(3)
  expect(kucoin).toBe(0)
  for (let more = 0; more < 3; more += 1) await round()
  const rows = await rowsOf()
  for (const exchange of ['binance', 'gate']) {
    expect(rows.get(exchange), exchange).toMatchObject({ depth_is_lower_bound: false, gpa_is_lower_bound: false })
    expect(Math.abs(Math.log((rows.get(exchange)?.depth_2pct_usd ?? 0) / truth(exchange)))).toBeLessThan(0.5)
  }
  expect(rows.get('kucoin')).toMatchObject({ depth_is_lower_bound: true })
  expect(rows.get('kucoin')?.depth_2pct_usd).toBeLessThan(truth('kucoin') / 2)
})

it('a scan has the depth of the deeper book of its minute, and the pair keeps it in the observation', async () => {
  await rig.client.addTarget({ exchange: 'binance', symbol: 'BTC/USDT' }, caller)
  rig.exchange.clock.advance(5 * MINUTE)
  await rig.run('observeMarkets')
  await rig.run('deepenBooks')
  const scanned = async () => {
    for (let run = 0; run < 2; run += 1) {
      await rig.run('scanTargets')
      await rig.context.scanning.settled(600_000)
    }
    await rig.run('scanTargets')
    const { targets } = await rig.client.listTargets({}, caller)
    return targets[0]?.scan
  }
  const whole = await scanned()
  expect(whole).toMatchObject({ status: 'ok', depth_is_lower_bound: false })
  expect(whole?.depth_2pct_usd).toBeGreaterThan(truth('binance') / 2)
  const [kept] = [...rig.context.market.of('binance').instances.values()].filter(({ symbol }) => symbol === 'BTC/USDT')
  expect(rig.context.market.of('binance').books.get(kept?.instance_id ?? 0)).toMatchObject({ truncated: false })
  rig.exchange.clock.advance(2 * MINUTE)
  // A book that ended inside the band says nothing new: the depth of the deeper book stands, with its minute.
  const later = await scanned()
  const { depth_2pct_usd, depth_at, depth_bands } = whole ?? {}
  expect(later).toMatchObject({ status: 'ok', depth_is_lower_bound: false, depth_2pct_usd, depth_at, depth_bands })
  expect(Date.parse(later?.at ?? '') - Date.parse(depth_at ?? '')).toBe(2 * MINUTE)
  expect(depth_bands?.map(({ band_pct }) => band_pct)).toEqual([0.1, 0.5, 1, 2])
  const bids = depth_bands?.map(({ bid_usd }) => bid_usd) ?? []
  expect(bids.toSorted((a, b) => a - b)).toEqual(bids)
  expect(depth_bands?.some(({ is_lower_bound }) => is_lower_bound)).toBe(false)
})

it('deeper books leave the rotation its allowance, and a missing allowance is no failure of the venue', async () => {
  // Nine in ten pairs ask for the largest book: their cost is a multiple of the allowance.
  const context = await rig.newContext({ MARKET_LOCAL_BUDGET_FACTOR: '1', MARKET_OUTGOING_ADDRESS: 'narrow' })
  await rig.run('listMarkets', context)
  await rig.run('observeMarkets', context)
  await rig.run('rotateBooks', context)
  const state = context.market.of('binance')
  for (const { instance_id } of state.instances.values())
    state.deeper.set(instance_id, { levels: 4_000, askedAt: 0, newest: null })
  const read = await rig.run('deepenBooks', context)
  expect(read).toBeLessThan(state.instances.size)
  expect(state.nextDeeperAt).toBeGreaterThan(rig.clock.now().getTime())
  expect(context.errors.take().filter(({ kind }) => kind === 'budget')).toEqual([])
  rig.exchange.clock.advance(6 * MINUTE)
  expect(await rig.run('rotateBooks', context)).toBeGreaterThan(10)
  const asked = { priority: 'priority', signal: AbortSignal.timeout(600_000) } as const
  expect(await context.venues.get('binance')?.adapter.books(['BTC/USDT'], asked)).toHaveLength(1)
})
