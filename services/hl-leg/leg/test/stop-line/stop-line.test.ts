import { setTimeout as pause } from 'node:timers/promises'
import { SettingError } from '@svc/contract'
import { eventually, opened } from '@svc/testing'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { barOf } from '#legs/store/open-bars.ts'
import { jobs } from '#jobs.ts'
import { storedReading } from '#readings/store/readings.ts'
import { openClosings } from '#stop-line/store/closings.ts'
import { startRig } from '../rig.ts'
import { Scene, type BoundLeg } from './scene.ts'

const rig = opened(() =>
  startRig({ environment: { HUB_STOP_LINE_DRY_RUN: '0', HUB_STOP_LINE_TRANSIENT_PAGE_TICKS: '3' } }),
)
let scene: Scene
beforeAll(async () => {
  scene = new Scene(rig)
  await rig.run('readMarkets')
})
beforeEach(() => {
  rig.venue.control('clear-faults')
  rig.mandates.asked.length = 0
  for (const leg of scene.legs) leg.mandate = { ...leg.mandate, limits: { ...leg.mandate.limits, stop_line_usdc: '0' } }
  for (const [coin, price] of [
    ['BTC', '60000'],
    ['ETH', '3000'],
    ['xyz:TSLA', '325.5'],
  ] as const) {
    rig.venue.control('book', { coin, policy: 'refill', ladder: {} })
    scene.mark(coin, price)
  }
})

/** Runs the worker half a minute later; the two seconds between its readings pass at once. */
async function tick(): Promise<Readonly<Record<string, unknown>>> {
  rig.advance(30_000)
  const running = rig.run('stopLine')
  const done = running.then(
    () => true,
    () => true,
  )
  // A slow answer of the venue is no late one: its limits pass by this clock.
  while (!(await Promise.race([done, pause(100, false)]))) rig.advance(500)
  return { ...(await running) }
}

/** A leg whose account lost more than the line allows: 0.05 BTC long, and the price 1,000 lower. */
async function fallen(line = '480'): Promise<BoundLeg> {
  const leg = await scene.bind(line)
  await scene.trade(leg, 'BTC', 0.05)
  scene.mark('BTC', '59000')
  return leg
}

const stopped = (leg: BoundLeg) => scene.toldStops().filter(({ public_id }) => public_id === leg.publicId)

test('while the leg is off and none is bound the worker reports that there is nothing to close', async () => {
  await rig.restart({ HUB_HL_LEG_ENABLED: '0' })
  expect(await tick()).toMatchObject({ done: 0, report: 'nothing to close', legs: 0, oldest_reading_at: null })
  await rig.restart({})
})

test('at the line all positions of all dexes are closed whole, the mandate is stopped once, and the owner is told at what price', async () => {
  const leg = await scene.bind('450')
  await scene.moveTo('xyz', leg, '500')
  await scene.trade(leg, 'BTC', 0.05)
  await scene.trade(leg, 'ETH', -0.5)
  await scene.trade(leg, 'xyz:TSLA', 1)
  expect(await tick()).toMatchObject({ done: 0, crossed: 0, unread: 0 })
  scene.mark('BTC', '59000')
  expect(await tick()).toMatchObject({ done: 3, crossed: 1 })
  for (const coin of ['BTC', 'ETH', 'xyz:TSLA']) expect([coin, scene.position(leg, coin)]).toEqual([coin, 0])
  const [told] = stopped(leg)
  expect(Number(told?.worth_usdc)).toBeLessThanOrEqual(450)
  expect(told).toMatchObject({ stop_line_usdc: '450' })
  expect(told?.closed.map(({ market, side, size }) => [market, side, size]).toSorted()).toEqual([
    ['hl:BTC', 'sell', '0.05'],
    ['hl:ETH', 'buy', '0.5'],
    ['hl:xyz:TSLA', 'sell', '1'],
  ])
  expect(await tick()).toMatchObject({ done: 0, crossed: 0 })
  expect(stopped(leg)).toHaveLength(1)
  expect(await openClosings(rig.pool)).toEqual([])
})

test('a stop line fires with one side of the book empty, and again until the position is gone', async () => {
  const leg = await fallen()
  rig.venue.control('book', { coin: 'BTC', bids: [], policy: 'taken' })
  expect(await tick()).toMatchObject({ crossed: 1, done: 1 })
  expect(scene.position(leg, 'BTC')).toBe(0.05)
  expect(stopped(leg)).toMatchObject([{ closed: [] }])
  // A thin book takes a part, the next run the rest.
  rig.venue.control('book', { coin: 'BTC', bids: [{ px: '58900', sz: '0.02' }] })
  await tick()
  expect(scene.position(leg, 'BTC')).toBe(0.03)
  rig.venue.control('book', { coin: 'BTC', bids: [{ px: '58800', sz: '5' }] })
  await tick()
  expect(scene.position(leg, 'BTC')).toBe(0)
  expect(stopped(leg)).toHaveLength(1)
})

test('one reading below the line bars opens and closes nothing; a second one above it allows them again', async () => {
  const leg = await fallen()
  const running = rig.run('stopLine')
  await eventually(async () => expect(await barOf(rig.pool, leg.publicId)).toBe('stop_line'))
  scene.mark('BTC', '60000')
  rig.advance(2_000)
  expect(await running).toMatchObject({ done: 0, crossed: 1 })
  expect(await barOf(rig.pool, leg.publicId)).toBeNull()
  expect(scene.position(leg, 'BTC')).toBe(0.05)
  expect(stopped(leg)).toEqual([])
  await scene.trade(leg, 'BTC', -0.05)
})

test('a bar of a run that died between its two readings ends with the next reading above the line', async () => {
  const leg = await fallen()
  const killed = new AbortController()
  const running = jobs.stopLine(rig.context)(killed.signal)
  await eventually(async () => expect(await barOf(rig.pool, leg.publicId)).toBe('stop_line'))
  killed.abort()
  await expect(running).rejects.toThrow('the run ended before the second reading')
  scene.mark('BTC', '60000')
  await tick()
  expect(await barOf(rig.pool, leg.publicId)).toBeNull()
  await scene.trade(leg, 'BTC', -0.05)
})

test('money that somebody pays in hides no crossing, also while the ledger of the venue fails, and is in no stored reading meanwhile', async () => {
  const leg = await fallen()
  rig.venue.control('fund', { address: leg.wallet.address, amount: '500' })
  const ledger = { endpoint: 'info', type: 'userNonFundingLedgerUpdates' }
  rig.venue.control('fault', { kind: 'status500', ...ledger, count: 10 })
  expect(await tick()).toMatchObject({ crossed: 1, done: 1 })
  expect(Number((await storedReading(rig.pool, leg.publicId))?.accountValue ?? 0)).toBeLessThan(2_100)
  rig.venue.control('clear-faults')
  expect(scene.position(leg, 'BTC')).toBe(0)
})

describe('while the venue fails', () => {
  test('a leg of which one dex does not answer is not judged, and the others are closed', async () => {
    const [blind, seen] = [await scene.bind('480'), await fallen()]
    await scene.trade(blind, 'BTC', 0.001)
    rig.advance(60_000)
    rig.venue.control('fault', {
      kind: 'missing-dex',
      endpoint: 'info',
      type: 'clearinghouseState',
      dex: 'xyz',
      count: 1,
    })
    const { unread, crossed } = await tick()
    expect([unread, crossed]).toEqual([1, expect.any(Number)])
    await tick()
    expect(scene.position(seen, 'BTC')).toBe(0)
    expect(scene.position(blind, 'BTC')).toBe(0.001)
    await scene.trade(blind, 'BTC', -0.001)
  })

  test.each(['status429', 'status500', 'drop', 'hang'] as const)(
    'a close that meets %s is repeated until the account is flat, and the account is never turned round',
    async (kind) => {
      const leg = await fallen()
      rig.venue.control('fault', { kind, endpoint: 'exchange', type: 'order', count: 1 })
      await tick()
      await tick()
      expect(scene.position(leg, 'BTC')).toBe(0)
      expect(stopped(leg)).toHaveLength(1)
    },
  )

  test('a close is priced around the mark if the book does not answer', async () => {
    const leg = await fallen()
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'l2Book', count: 1 })
    await tick()
    expect(scene.position(leg, 'BTC')).toBe(0)
  })
})

test('positions that are left run after run end the job with an error, which names the mandate', async () => {
  const leg = await fallen()
  rig.venue.control('book', { coin: 'BTC', bids: [], policy: 'taken' })
  for (let run = 1; run < 3; run += 1) await tick()
  await expect(tick()).rejects.toThrow(`${leg.publicId}: positions are left after 3 runs`)
  rig.venue.control('book', { coin: 'BTC', bids: [{ px: '58900', sz: '5' }] })
  await tick()
  expect(scene.position(leg, 'BTC')).toBe(0)
})

test('with a key that the venue forgot the close is tried, and the job ends with its words until somebody acts', async () => {
  const leg = await fallen()
  const [agent] =
    Object.entries(rig.venue.state.agents).find(([, { user }]) => user === leg.wallet.address.toLowerCase()) ?? []
  rig.venue.control('prune', { agent })
  await expect(tick()).rejects.toThrow(`${leg.publicId}: User or API Wallet`)
  await scene.trade(leg, 'BTC', -0.05)
  await tick()
  expect(await openClosings(rig.pool)).toEqual([])
})

test('an owner who closes by hand meanwhile is not traded against', async () => {
  const leg = await fallen()
  rig.venue.control('book', { coin: 'BTC', bids: [], policy: 'taken' })
  await tick()
  rig.venue.control('book', { coin: 'BTC', policy: 'refill', ladder: {} })
  await scene.trade(leg, 'BTC', -0.05)
  await tick()
  expect(scene.position(leg, 'BTC')).toBe(0)
  expect(await openClosings(rig.pool)).toEqual([])
})

test('two processes that run at once close a position once and never turn it round', async () => {
  const leg = await fallen()
  const second = await rig.second()
  const both = Promise.all([rig.run('stopLine'), jobs.stopLine(second)(AbortSignal.timeout(600_000))])
  const done = both.then(() => true)
  // A slow answer of the venue is no late one: its limits pass by this clock.
  while (!(await Promise.race([done, pause(100, false)]))) rig.advance(500)
  expect(scene.position(leg, 'BTC')).toBe(0)
  const fills = rig.venue.state.accounts[leg.wallet.address.toLowerCase()]?.fills ?? []
  expect(fills.filter(({ side }) => side === 'A').reduce((sum, { sz }) => sum + Number(sz), 0)).toBeCloseTo(0.05, 9)
})

test('a run that dies with a close at the venue leaves it to the next one, which tells mandates of the stop', async () => {
  const leg = await fallen()
  rig.mandates.answers['stopForLine'] = () => {
    throw new Error('killed here')
  }
  await expect(tick()).rejects.toThrow()
  expect(scene.position(leg, 'BTC')).toBe(0)
  expect(await openClosings(rig.pool)).toMatchObject([{ publicId: leg.publicId, toldAt: null }])
  scene.acknowledgeStops()
  rig.mandates.asked.length = 0
  await tick()
  expect(stopped(leg)).toMatchObject([{ closed: [{ market: 'hl:BTC', side: 'sell', size: '0.05' }] }])
  expect(await openClosings(rig.pool)).toEqual([])
})

test('the positions of a mandate whose agent is silent are closed, its state stays, and it opens nothing', async () => {
  const leg = await scene.bind('0')
  await scene.trade(leg, 'ETH', 0.5)
  leg.mandate = { ...leg.mandate, limits: { ...leg.mandate.limits, close_if_silent_minutes: 15 } }
  expect(await tick()).toMatchObject({ silent: 0 })
  rig.advance(20 * 60_000)
  // A process that starts after a restore or an outage knows no silence yet.
  await rig.restart({})
  expect(await tick()).toMatchObject({ silent: 0, done: 0 })
  leg.mandate = { ...leg.mandate, agent_acted_at: rig.clock.now().toISOString() }
  rig.advance(14 * 60_000)
  expect(await tick()).toMatchObject({ silent: 0 })
  expect(await tick()).toMatchObject({ silent: 1, done: 1 })
  expect(scene.position(leg, 'ETH')).toBe(0)
  expect(await barOf(rig.pool, leg.publicId)).toBe('agent_silent')
  expect(stopped(leg)).toEqual([])
  rig.advance(60 * 60_000)
  expect(await tick()).toMatchObject({ silent: 0, done: 0 })
})

test('the positions of a mandate that is over are closed run after run while its leg is open on the chain, and nobody is told of a stop line', async () => {
  const leg = await scene.bind('480')
  await scene.trade(leg, 'ETH', 0.5)
  const { vault } = leg.mandate
  leg.mandate = { ...leg.mandate, state: 'ended' }
  expect(await tick()).toMatchObject({ over: 0, done: 0 })
  leg.mandate = { ...leg.mandate, vault: vault === null ? null : { ...vault, leg_out_usdc: '100', leg_open: true } }
  await rig.restart({ HUB_STOP_LINE_DRY_RUN: '1' })
  expect(await tick()).toMatchObject({ over: 1, done: 0 })
  expect(scene.position(leg, 'ETH')).toBe(0.5)
  await rig.restart({})
  rig.venue.control('book', { coin: 'ETH', policy: 'taken', bids: [{ px: '2999', sz: '0.2' }] })
  expect(await tick()).toMatchObject({ over: 1, done: 1 })
  expect(scene.position(leg, 'ETH')).toBeCloseTo(0.3, 6)
  rig.venue.control('book', { coin: 'ETH', policy: 'refill', ladder: {} })
  expect(await tick()).toMatchObject({ over: 1, done: 1 })
  expect(scene.position(leg, 'ETH')).toBe(0)
  expect(await tick()).toMatchObject({ over: 0, done: 0 })
  expect(stopped(leg)).toEqual([])
  expect(await openClosings(rig.pool)).toEqual([])
})

test('a dry run reads, reports and sends nothing, and tells mandates that the line is not in force', async () => {
  const leg = await fallen()
  await rig.restart({ HUB_STOP_LINE_DRY_RUN: '1' })
  expect(await tick()).toMatchObject({ done: 0, crossed: 1 })
  expect(scene.position(leg, 'BTC')).toBe(0.05)
  expect(stopped(leg)).toEqual([])
  expect(rig.mandates.asked.findLast(({ operation }) => operation === 'noteWorker')?.input).toEqual({
    worker: 'stopLine',
    live: false,
    every_sec: 30,
  })
  await rig.restart({})
  await tick()
  expect(scene.position(leg, 'BTC')).toBe(0)
})

test('a leg that is switched off while it has a position is closed at the line all the same', async () => {
  const leg = await fallen()
  await rig.restart({ HUB_HL_LEG_ENABLED: '0' })
  await tick()
  expect(scene.position(leg, 'BTC')).toBe(0)
  expect(stopped(leg)).toHaveLength(1)
})

test('without a seed the worker refuses to start', async () => {
  await rig.restart({ HUB_HL_LEG_SEED: undefined })
  await expect(rig.run('stopLine')).rejects.toThrow(SettingError)
  await rig.restart({})
})
