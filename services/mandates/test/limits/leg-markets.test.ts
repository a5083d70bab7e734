import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, refusalOf } from '@svc/testing'
import type { RunningService } from '@svc/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { legMarketOf, startLegPeer, type LegWorld } from '../leg-peer.ts'
import { bodyAt, owner, startLifeRig, type LifeRig } from '../rigs/life-rig.ts'

const folder = mkdtempSync(join(tmpdir(), 'switches-'))
const turn = (name: 'HUB_HL_LEG_ENABLED' | 'HUB_LEG_FUNDING', text: string) => writeFileSync(join(folder, name), text)
const environment = { HUB_TEST_VENUE_TARGETS: `0x${'4'.repeat(40)}`, SVC_SWITCHES_DIR: folder }
const world: LegWorld = { items: [], seeded: true, isAway: true }
const me = owner(1)
let rig: LifeRig
let peer: RunningService
beforeAll(async () => {
  turn('HUB_HL_LEG_ENABLED', 'on')
  turn('HUB_LEG_FUNDING', 'test')
  rig = await startLifeRig({ environment })
  peer = await startLegPeer(rig.stack, world)
})
afterAll(async () => {
  await peer?.stop()
  await rig?.stop()
  rmSync(folder, { recursive: true })
})

const marketsNow = async () => {
  const { items } = await rig.as(null).listMarkets({})
  return items.filter(({ market_id }) => market_id.startsWith('hl:'))
}
const statuses = async () =>
  Object.fromEntries((await marketsNow()).map(({ market_id, status }) => [market_id, status]))
/** Lets the job that follows hl-leg run until the markets are as expected. */
async function followed(expected: Record<string, string>): Promise<void> {
  await eventually(async () => {
    rig.clock.advance(30_000)
    return JSON.stringify(await statuses()) === JSON.stringify(expected)
  })
}
const leg = { markets: ['hl:BTC'], hl_leg: true }
const create = (changed: Record<string, unknown>) => rig.as(me).createMandate(bodyAt(rig, changed) as never)
const problems = async (changed: Record<string, unknown>) => {
  const refusal = await refusalOf(create(changed))
  return refusal.errors?.map(({ pointer, code }) => `${pointer} ${code}`)
}

test('before hl-leg has ever listed its markets, four are planned', async () => {
  const planned = { 'hl:BTC': 'planned', 'hl:ETH': 'planned', 'hl:SOL': 'planned', 'hl:xyz:XYZ100': 'planned' }
  rig.clock.advance(60_000)
  expect(await statuses()).toEqual(planned)
  world.isAway = false
  await followed(planned)
})

test('markets are those that hl-leg lists, on paper at the testnet, enforced by the guard', async () => {
  world.items = [legMarketOf('BTC'), legMarketOf('xyz:XYZ100')]
  await followed({ 'hl:BTC': 'paper', 'hl:xyz:XYZ100': 'paper' })
  expect((await marketsNow())[0]).toEqual({
    market_id: 'hl:BTC',
    title: 'BTC perpetual',
    venue: 'hyperliquid',
    status: 'paper',
    enforced_by: 'guard',
    calls: [],
    exit_adapter: 'hl',
    min_order_usdc: '10',
  })
})

test('a draft with a leg gets the budget as that of the leg, and reads the stored list while hl-leg is away', async () => {
  world.isAway = true
  const { mandate } = await create({ ...leg, close_if_silent_minutes: 90 })
  expect(mandate.limits).toMatchObject({ hl_leg: true, leg_budget_usdc: '500', close_if_silent_minutes: 90 })
  const both = { markets: ['testvenue', 'hl:xyz:XYZ100'], hl_leg: true, leg_budget_usdc: '6' }
  expect((await create(both)).mandate.limits).toMatchObject({ leg_budget_usdc: '6', close_if_silent_minutes: null })
  const { public_id } = mandate
  const corrected = await rig
    .as(me)
    .correctMandate({ ...bodyAt(rig, { ...leg, budget_usdc: '200' }), public_id } as never)
  expect(corrected.mandate.limits).toMatchObject({ leg_budget_usdc: '200', close_if_silent_minutes: null })
  await rig.restart(environment)
  expect(await statuses()).toEqual({ 'hl:BTC': 'paper', 'hl:xyz:XYZ100': 'paper' })
  const noted = await rig.as(me).draftFromNote({ note: '200 usdc on hl:BTC', save: true })
  expect(noted).toMatchObject({ draft: { hl_leg: true, leg_budget_usdc: '200' }, public_id: expect.any(String) })
})

test.each<[string, Record<string, unknown>, string]>([
  ['without its leg switched on', { markets: ['hl:BTC'] }, '/markets/0 needs_leg'],
  ['below the minimum', { ...leg, leg_budget_usdc: '5.999999' }, '/leg_budget_usdc too_small'],
  ['above the budget', { ...leg, leg_budget_usdc: '500.000001' }, '/leg_budget_usdc too_large'],
  ['unset beside a contract', { ...leg, markets: ['testvenue', 'hl:BTC'] }, '/leg_budget_usdc required'],
  ['of a mandate without a leg', { leg_budget_usdc: '6' }, '/leg_budget_usdc needs_leg'],
  ['whose agent may be silent, without a leg', { close_if_silent_minutes: 60 }, '/close_if_silent_minutes needs_leg'],
  ['whose market the venue does not list', { ...leg, markets: ['hl:DOGE'] }, '/markets/0 unknown_market'],
  ['without a market of the leg', { hl_leg: true }, '/hl_leg needs_leg_market'],
])('a leg budget or market %s is rejected with its field', async (_name, changed, expected) => {
  expect(await problems(changed)).toEqual([expected])
})

test('a mandate with a leg ends at most 170 days ahead', async () => {
  const ahead = (seconds: number) =>
    new Date(Math.floor(rig.clock.now().getTime() / 1000) * 1000 + (170 * 86_400 + seconds) * 1000).toISOString()
  expect(await problems({ ...leg, ends_at: ahead(1) })).toEqual(['/ends_at too_late'])
  expect((await create({ ...leg, ends_at: ahead(0) })).mandate.limits.hl_leg).toBe(true)
  expect((await create({ ends_at: ahead(1) })).mandate.limits.hl_leg).toBe(false)
})

test('without leg funding a leg has no budget and needs a market of a contract', async () => {
  turn('HUB_LEG_FUNDING', 'tset')
  await eventually(async () => (await problems(leg))?.join() === '/markets needs_contract_market')
  const both = { ...leg, markets: ['testvenue', 'hl:BTC'] }
  expect(await problems({ ...both, leg_budget_usdc: '6' })).toEqual(['/leg_budget_usdc leg_funding_off'])
  const { mandate } = await create({ ...both, agent_id: 7 })
  expect(mandate.limits.leg_budget_usdc).toBe('0')
  const terms = await rig.as(me).readTerms({ public_id: mandate.public_id })
  expect(terms).toMatchObject({ typed_data: { message: { legBudget: '0', legGateway: `0x${'0'.repeat(40)}` } } })
  expect(terms.clauses[2]?.text).toContain('Opening orders at the leg count toward the same cap')
})

test('markets are planned while the leg is off, hl-leg has no seed, or has not answered for a day', async () => {
  const planned = { 'hl:BTC': 'planned', 'hl:xyz:XYZ100': 'planned' }
  turn('HUB_HL_LEG_ENABLED', 'off')
  await eventually(async () => JSON.stringify(await statuses()) === JSON.stringify(planned))
  turn('HUB_HL_LEG_ENABLED', 'on')
  await eventually(async () => (await statuses())['hl:BTC'] === 'paper')
  world.isAway = false
  world.seeded = false
  await followed(planned)
  expect(await problems(leg)).toContain('/markets/0 market_planned')
  world.seeded = true
  await followed({ 'hl:BTC': 'paper', 'hl:xyz:XYZ100': 'paper' })
  world.isAway = true
  // An answer that was on its way is stored at the time of its arrival.
  await eventually(async () => {
    rig.clock.advance(86_400_000)
    expect(await statuses()).toEqual(planned)
  })
})

test('markets are live on the main network', async () => {
  await rig.restart({ ...environment, HUB_HL_NETWORK: 'mainnet' })
  world.isAway = false
  await followed({ 'hl:BTC': 'live', 'hl:xyz:XYZ100': 'live' })
  expect((await marketsNow()).every(({ enforced_by }) => enforced_by === 'guard')).toBe(true)
})
