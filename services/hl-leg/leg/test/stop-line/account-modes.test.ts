import { setTimeout as pause } from 'node:timers/promises'
import { opened } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readLeg } from '#legs/store/legs.ts'
import { unexplainedOf } from '#readings/store/ledger.ts'
import { storedReading } from '#readings/store/readings.ts'
import { startRig } from '../rig.ts'
import { Scene, type BoundLeg } from './scene.ts'

const rig = opened(() => startRig({ environment: { HUB_STOP_LINE_DRY_RUN: '0' } }))
let scene: Scene
beforeAll(async () => {
  scene = new Scene(rig)
  await rig.run('readMarkets')
})
beforeEach(() => {
  rig.venue.control('clear-faults')
  rig.mandates.asked.length = 0
  for (const leg of scene.legs) leg.mandate = { ...leg.mandate, limits: { ...leg.mandate.limits, stop_line_usdc: '0' } }
  scene.mark('BTC', '60000')
})

/** Runs the worker half a minute later; the two seconds between its readings pass at once. */
async function tick(): Promise<Readonly<Record<string, unknown>>> {
  rig.advance(30_000)
  const running = rig.run('stopLine')
  const done = running.then(
    () => true,
    () => true,
  )
  while (!(await Promise.race([done, pause(100, false)]))) rig.advance(500)
  return { ...(await running) }
}
const stateOf = async ({ publicId }: BoundLeg) => (await readLeg(rig.pool, publicId))?.state
const setMode = ({ wallet }: BoundLeg, mode: string) => rig.venue.control('mode', { address: wallet.address, mode })
const unexplained = async ({ publicId }: BoundLeg) => (await unexplainedOf(rig.pool, [publicId])).get(publicId)
const mainOf = ({ wallet }: BoundLeg) =>
  rig.venue.state.accounts[wallet.address.toLowerCase()]?.dexes[''] ?? expect.fail()

/** A leg with 0.05 BTC, which a run has read. */
async function trading(line = '480'): Promise<BoundLeg> {
  const leg = await scene.bind(line)
  await scene.trade(leg, 'BTC', 0.05)
  expect(await tick()).toMatchObject({ crossed: 0, done: 0 })
  return leg
}

test('a change of the mode fires nothing: the leg is unsupported at once, its worth is withheld and its owner is told', async () => {
  const leg = await trading()
  const before = [await scrapeHere()]
  setMode(leg, 'unifiedAccount')
  expect(await tick()).toMatchObject({ crossed: 0, done: 0 })
  expect(await stateOf(leg)).toBe('unsupported')
  await expectFires('LegUnsupported', { before, after: [await scrapeHere()] })
  expect((await rig.eventsOf(leg.publicId)).at(-1)).toMatchObject({ state: 'unsupported' })
  expect(await tick()).toMatchObject({ crossed: 0, done: 0 })
  expect(scene.position(leg, 'BTC')).toBe(0.05)
  const [standing] = (await rig.from('keeper').readLegWorths({ public_ids: [leg.publicId], for_mark: true })).legs
  expect(standing).toMatchObject({ withheld_reason: 'leg_unsupported' })
})

test('in an account of another mode the explained cash and the positions still fire, and the positions are closed', async () => {
  const leg = await trading()
  setMode(leg, 'unifiedAccount')
  await tick()
  scene.mark('BTC', '59000')
  expect(await tick()).toMatchObject({ crossed: 1, done: 1 })
  expect(scene.position(leg, 'BTC')).toBe(0)
  expect(scene.toldStops()).toMatchObject([{ public_id: leg.publicId, caused_by: null }])
})

test('an account that comes back to the standard mode is bound again by the next survey', async () => {
  const leg = await trading('0')
  setMode(leg, 'unifiedAccount')
  await tick()
  setMode(leg, 'default')
  await rig.from('keeper').readLegWorths({ public_ids: [leg.publicId], for_mark: true })
  await rig.run('watchApprovals')
  expect(await stateOf(leg)).toBe('bound')
  await tick()
  expect(await unexplained(leg)).toBeUndefined()
})

test('cash that nothing explains is left out in both directions, and delays no crossing that the positions show', async () => {
  const leg = await trading()
  const main = mainOf(leg)
  const { raw } = main
  for (const change of [-500, 500]) {
    main.raw = String(Number(raw) + change)
    expect(await tick()).toMatchObject({ crossed: 0, done: 0 })
    expect(await unexplained(leg)).toBeInstanceOf(Date)
    expect(Number((await storedReading(rig.pool, leg.publicId))?.accountValue)).toBeLessThan(2_100)
  }
  scene.mark('BTC', '59000')
  expect(await tick()).toMatchObject({ crossed: 1, done: 1 })
  expect(scene.position(leg, 'BTC')).toBe(0)
})

test('money that the owner moved away fires, and the reason says so', async () => {
  const leg = await trading()
  const account = rig.venue.state.accounts[leg.wallet.address.toLowerCase()] ?? expect.fail()
  const main = mainOf(leg)
  // All of the owner's own money and 100 of what the mandate is worth beyond it.
  leg.mandate = { ...leg.mandate, limits: { ...leg.mandate.limits, stop_line_usdc: '480' } }
  scene.mark('BTC', '70000')
  await tick()
  main.raw = String(Number(main.raw) - 2_550)
  const time = rig.clock.now().getTime()
  const delta = { type: 'accountClassTransfer', usdc: '2550', toPerp: false }
  account.ledger.push({ time, hash: `0x${'ab'.repeat(32)}`, delta } as never)
  expect(await tick()).toMatchObject({ crossed: 1 })
  expect(scene.toldStops()).toMatchObject([{ public_id: leg.publicId, caused_by: 'owner_moved_money' }])
})

test('where neither budget nor venue tell the mode, a crossing that cash and positions show counts', async () => {
  const leg = await trading()
  scene.mark('BTC', '59000')
  rig.venue.control('fault', { kind: 'status500', endpoint: 'info', type: 'userAbstraction', count: 100 })
  expect(await tick()).toMatchObject({ crossed: 1, done: 1 })
  expect(scene.position(leg, 'BTC')).toBe(0)
})

test('legs that stay unexplained for five minutes page once, and many at once page for the venue', async () => {
  rig.advance(600_000)
  await rig.run('readLegs')
  const legs = [await trading('0'), await trading('0'), await trading('0')]
  for (const leg of legs) mainOf(leg).raw = String(Number(mainOf(leg).raw) + 77)
  rig.advance(31_000)
  expect(await rig.run('readLegs')).toMatchObject({ told: 0 })
  rig.advance(299_000)
  expect(await rig.run('readLegs')).toMatchObject({ told: 0 })
  const before = [await scrapeHere()]
  rig.advance(31_000)
  expect(await rig.run('readLegs')).toMatchObject({ told: 3 })
  const after = [await scrapeHere()]
  await expectFires('LegUnexplained', { before, after })
  await expectFires('VenueChanged', { before, after })
  rig.advance(31_000)
  expect(await rig.run('readLegs')).toMatchObject({ told: 0 })
  for (const leg of legs) mainOf(leg).raw = String(Number(mainOf(leg).raw) - 77)
  rig.advance(31_000)
  await rig.run('readLegs')
  for (const leg of legs) expect(await unexplained(leg)).toBeUndefined()
})
