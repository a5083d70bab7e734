import { hlLeg } from '@svc/contracts/hl-leg'
import type { LegState } from '@svc/contracts/hl-leg/refusals'
import { emit, openPool, sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agent, owner, startRig, walletOf, type TestMandate } from '../seeded-rig.ts'
import { startLegPeer } from '../leg-peer.ts'
import { connectLeg, legLimits, open } from './leg-calls.ts'

const rig = opened(async () => {
  const started = await startRig()
  const { leg, close } = await connectLeg(started)
  const peer = await startLegPeer(started.stack, { items: [], seeded: true, isAway: false })
  const legPool = await openPool(started.stack.databaseOf('hl-leg').url)
  return {
    ...started,
    leg,
    legPool,
    stop: async () => {
      await close()
      await peer.stop()
      await legPool.end()
      await started.stop()
    },
  }
})
const legMandate = (limits = {}) => rig.newMandate({ limits: { ...legLimits, stopLine: 400_000_000n, ...limits } })
const detailOf = ({ publicId }: TestMandate) => rig.as(owner(11)).readMandate({ public_id: publicId })
const alertsOf = async ({ publicId }: TestMandate) =>
  (await rig.as(owner(11)).listAlerts({ limit: 100 })).items.filter(({ mandate_id }) => mandate_id === publicId)
const kindsOf = ({ id }: TestMandate) =>
  rig.pool.anyFirst(sql.type(z.object({ kind: z.string() }))`
    SELECT kind FROM record_entry WHERE mandate_id = ${id} ORDER BY seq`)

const crossing = (mandate: TestMandate) => ({
  public_id: mandate.publicId,
  worth_usdc: '399.5',
  stop_line_usdc: '400',
  read_at: '2026-11-21T10:00:00.000Z',
  closed: [{ market: 'hl:BTC', side: 'sell' as const, size: '0.01', average_price: '29500.5' }],
})

test('the stop line of the leg stops the mandate in its record once, and tells the owner what was closed', async () => {
  const mandate = await legMandate()
  expect(await rig.leg.stopForLine(crossing(mandate))).toEqual({ ok: true, state: 'stopped' })
  expect(await rig.leg.stopForLine({ ...crossing(mandate), worth_usdc: '1' })).toEqual({ ok: true, state: 'stopped' })
  const { progress, stopped_in_record_at, chain_state } = await detailOf(mandate)
  expect(progress.state_cause).toBe('stopped_by_stop_line')
  expect(stopped_in_record_at).not.toBeNull()
  expect(chain_state?.open_until_stopped).toBe(true)
  expect(await kindsOf(mandate)).toEqual(['leg_stop_line', 'state_changed'])
  const alerts = await alertsOf(mandate)
  expect(alerts.map(({ kind, severity }) => [kind, severity])).toEqual([['stop_line_fired', 'critical']])
  expect(alerts[0]?.text).toContain('sell 0.01 hl:BTC at 29500.5')
  expect(alerts[0]?.text).toContain(`/hub/mandates/${mandate.publicId}/stop-call`)
  expect(alerts[0]?.text).toContain('399.5 USDC')
})

test('after the stop line the agent may only close, until the owner stops the mandate too', async () => {
  const mandate = await legMandate()
  await rig.leg.stopForLine(crossing(mandate))
  const ask = (key: string, opening: boolean) => rig.leg.judgeLegOrder(open(mandate, key, '10', { opening }))
  expect((await ask('1', true)).judgement).toMatchObject({
    kind: 'MandateStopped',
    code: 'stopped_by_stop_line',
    clause: 7,
  })
  expect((await ask('2', false)).outcome).toBe('passes')
  const read = () => rig.leg.readLegMandate({ public_id: mandate.publicId, account_id: 11, as: 'owner' })
  expect((await read()).mandate.stop_cause).toBe('stopped_by_stop_line')
  await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
  await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
  expect((await ask('3', false)).judgement.code).toBe('stopped_in_record')
  expect((await read()).mandate.stop_cause).toBe('stopped_in_record')
  expect((await kindsOf(mandate)).filter((kind) => kind === 'stopped_in_record')).toHaveLength(1)
})

test('a mandate that its owner has stopped stays stopped by the owner, who is told what the stop line closed', async () => {
  const mandate = await legMandate()
  await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
  expect(await rig.leg.stopForLine({ ...crossing(mandate), closed: [] })).toEqual({ ok: true, state: 'stopped' })
  expect((await detailOf(mandate)).progress.state_cause).toBe('stopped_in_record')
  expect((await alertsOf(mandate)).map(({ kind }) => kind)).toEqual(['stop_line_fired'])
  const nobody = { ...mandate, publicId: `mdt_${'0'.repeat(32)}` }
  await expect(rig.leg.stopForLine(crossing(nobody))).rejects.toMatchObject({ body: { code: 'unknown_mandate' } })
})

test('silence of an agent is counted from its newest request that names the mandate, by the minute', async () => {
  const mandate = await legMandate()
  const acted = async () =>
    (await rig.leg.readLegMandate({ public_id: mandate.publicId, account_id: 11, as: 'owner' })).mandate.agent_acted_at
  await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
  await rig
    .as(agent(22))
    .readLive({ public_id: mandate.publicId })
    .catch(() => null)
  expect(await acted()).toBeNull()
  await rig.as(agent(21)).readLive({ public_id: mandate.publicId })
  const first = rig.clock.now().toISOString()
  rig.clock.advance(59_000)
  await rig.as(agent(21)).readRecord({ public_id: mandate.publicId, since: '0' })
  expect(await acted()).toBe(first)
  rig.clock.advance(1_000)
  // A request that is refused names the mandate as well.
  const call = { public_id: mandate.publicId, target: `0x${'1'.repeat(40)}`, data: '0x', approve_amount_usdc: '1' }
  await rig
    .as(agent(21))
    .prepareExecution(call)
    .catch(() => null)
  expect(await acted()).toBe(rig.clock.now().toISOString())
})

/** hl-leg tells of a leg; returns once the reads show it. */
async function tell(mandate: TestMandate, state: LegState, change: { valid_until?: string; epoch?: number } = {}) {
  rig.clock.advance(1_000)
  const at = rig.clock.now().toISOString()
  await rig.legPool.transaction((tx) =>
    emit(tx, hlLeg.events.legChanged, {
      public_id: mandate.publicId,
      owner_id: mandate.ownerId,
      state,
      network: 'testnet',
      owner_address: walletOf(11).toLowerCase(),
      agent_address: `0x${'1'.repeat(40)}`,
      epoch: 0,
      valid_until: '2027-01-08T00:00:00.000Z',
      reason: null,
      at,
      ...change,
    }),
  )
  await eventually(async () => (await liveOf(mandate)).leg?.changed_at === at)
}
const liveOf = ({ publicId }: TestMandate) => rig.as(owner(11)).readLive({ public_id: publicId })

test('detail and live show the leg as hl-leg told of it last', async () => {
  const mandate = await legMandate()
  expect((await liveOf(mandate)).leg).toBeNull()
  await tell(mandate, 'proposed')
  await tell(mandate, 'bound', { epoch: 3 })
  const { leg } = await liveOf(mandate)
  expect(leg).toEqual({
    state: 'bound',
    network: 'testnet',
    agent_address: `0x${'1'.repeat(40)}`,
    epoch: 3,
    valid_until: '2027-01-08T00:00:00.000Z',
    changed_at: rig.clock.now().toISOString(),
  })
  expect((await detailOf(mandate)).leg).toEqual(leg)
  expect(await alertsOf(mandate)).toEqual([])
})

test('the owner is told once that a leg is revoked, expired, orphaned or unsupported, and again when that happens again', async () => {
  const states = ['revoked', 'expired', 'orphaned', 'unsupported'] as const
  await Promise.all(
    states.map(async (state) => {
      const mandate = await legMandate()
      await tell(mandate, 'bound')
      await tell(mandate, state)
      await tell(mandate, state)
      const told = await alertsOf(mandate)
      expect(told.map(({ kind, severity, resolved_at }) => [kind, severity, resolved_at])).toEqual([
        ['leg_not_bound', 'critical', null],
      ])
      await tell(mandate, 'bound')
      expect((await alertsOf(mandate))[0]?.resolved_at).not.toBeNull()
      await tell(mandate, state)
      expect(await alertsOf(mandate)).toHaveLength(2)
    }),
  )
})

test('the owner is told a week before an approval ends early, once for each end', async () => {
  const mandate = await legMandate()
  const ends = async () => (await alertsOf(mandate)).filter(({ kind }) => kind === 'leg_approval_ends')
  await tell(mandate, 'bound', { valid_until: '2026-12-20T00:00:00.000Z' })
  expect(await ends()).toEqual([])
  rig.clock.advance(Date.parse('2026-12-12T23:00:00.000Z') - rig.clock.now().getTime())
  await eventually(async () => (rig.clock.advance(600_000), (await ends()).length === 1))
  expect((await ends())[0]).toMatchObject({
    severity: 'warning',
    ends_at: '2026-12-20T00:00:00.000Z',
    resolved_at: null,
  })
  // Told again, and then with an end that is early as well and near.
  await tell(mandate, 'bound', { valid_until: '2026-12-20T00:00:00.000Z' })
  expect(await ends()).toHaveLength(1)
  await tell(mandate, 'bound', { valid_until: '2026-12-18T00:00:00.000Z' })
  expect((await ends()).map(({ ends_at, resolved_at }) => [ends_at, resolved_at === null])).toEqual([
    ['2026-12-18T00:00:00.000Z', true],
    ['2026-12-20T00:00:00.000Z', false],
  ])
  await tell(mandate, 'bound')
  expect((await ends()).every(({ resolved_at }) => resolved_at !== null)).toBe(true)
})
