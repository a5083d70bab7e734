import { ok, refuse } from '@svc/contract'
import { gallery } from '@svc/contracts/gallery'
import { hlLeg } from '@svc/contracts/hl-leg'
import { legRefusals, type LegState } from '@svc/contracts/hl-leg/refusals'
import { mandates } from '@svc/contracts/mandates'
import type { OwnStatement } from '@svc/contracts/mandates/statements'
import { emit, openPool, sql } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { eventually, opened, startPeer } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { announceRules } from '#leg/jobs/announce-rules.ts'
import { agent, owner, startSeededRig, walletOf, type TestMandate } from '../rigs/seeded-rig.ts'
import { startLegPeer, type LegWorld } from '../leg-peer.ts'
import { connectLeg, filled, legLimits, open } from './leg-calls.ts'

const world: LegWorld = { items: [], seeded: true, isAway: false }
const rig = opened(async () => {
  const started = await startSeededRig()
  const { leg, close } = await connectLeg(started)
  const peer = await startLegPeer(started.stack, world)
  const legPool = await openPool(started.stack.databaseOf('hl-leg').url)
  const followPeer = await startPeer(started.stack, gallery, { emits: true })
  const followPool = await openPool(started.stack.databaseOf('gallery').url)
  return {
    ...started,
    leg,
    legPool,
    followPool,
    stop: async () => {
      await close()
      await peer.stop()
      await legPool.end()
      await followPeer.stop()
      await followPool.end()
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

test('filled orders of the agent are trades of the Hall, refused ones refusals, and a fill of more than the judged size a violation', async () => {
  const mandate = await legMandate()
  const bus = await rig.stack.nats.connect('gallery')
  await rig.leg.judgeLegOrder(open(mandate, '1', '30'))
  await rig.leg.resolveLegOrder(filled(mandate, '1', '40', { filled_size: '0.0011' }))
  await rig.leg.resolveLegOrder(filled(mandate, '2', '5', { opening: false, as: 'owner' }))
  await rig.leg.judgeLegOrder(open(mandate, '3', '51'))
  const items = [{ public_id: mandate.publicId, from_day: null }]
  const { mandates: found } = await clientOf(bus, 'gallery', mandates).readHallFacts({ items })
  expect(found).toMatchObject([
    { trades_total: 1, days: [{ day: '2026-11-21', trades: 1, violations: 1, refusals: { OverPerTxCap: 1 } }] },
  ])
  await bus.close()
})

test('a day on which others traded in the account keeps the highest count that hl-leg told of it', async () => {
  const mandate = await legMandate()
  const bus = await rig.stack.nats.connect('gallery')
  const facts = () =>
    clientOf(bus, 'gallery', mandates).readHallFacts({ items: [{ public_id: mandate.publicId, from_day: null }] })
  const days = async () => (await facts()).mandates[0]?.days.map(({ day, foreign_fills }) => [day, foreign_fills])
  const tell = (day: string, fills: number) =>
    rig.legPool.transaction((tx) =>
      emit(tx, hlLeg.events.foreignFillsCounted, { public_id: mandate.publicId, day, fills }),
    )
  await tell('2026-11-20', 3)
  await tell('2026-11-20', 2)
  await tell('2026-11-21', 1)
  const expected = [
    ['2026-11-20', 3],
    ['2026-11-21', 1],
  ]
  await eventually(async () => expect(await days()).toEqual(expected))
  expect((await facts()).mandates[0]).toMatchObject({ hl_leg: true })
  await bus.close()
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

test('a stop line that money which the owner moved away has reached says so, in the record and to the owner', async () => {
  const mandate = await legMandate()
  await rig.leg.stopForLine({ ...crossing(mandate), caused_by: 'owner_moved_money' })
  const { steps } = await rig.as(owner(11)).readRecord({ public_id: mandate.publicId })
  expect(steps.find(({ kind }) => kind === 'leg_stop_line')?.body).toMatchObject({ caused_by: 'owner_moved_money' })
  expect((await alertsOf(mandate))[0]?.text).toContain('You moved money of the leg out of the account')
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

test('an owner whose leg money is out is told once that the leg is switched off, until it is on again', async () => {
  const mandate = await legMandate()
  const since = rig.clock.now().toISOString()
  const switched = (off: boolean) =>
    rig.legPool.transaction((tx) =>
      emit(tx, hlLeg.events.legSwitched, {
        public_id: mandate.publicId,
        owner_id: mandate.ownerId,
        off,
        since,
        at: rig.clock.now().toISOString(),
      }),
    )
  await switched(true)
  await switched(true)
  await eventually(async () => (await alertsOf(mandate)).length > 0)
  await switched(false)
  await eventually(async () => (await alertsOf(mandate)).every(({ resolved_at }) => resolved_at !== null))
  const alerts = await alertsOf(mandate)
  expect(alerts.map(({ kind, severity }) => [kind, severity])).toEqual([['leg_money_out_while_off', 'warning']])
  expect(alerts[0]?.text).toContain('hl-leg/exit-kit')
})

test('a leg that the house ended is once in the record and in the statement of the week, with what stays owed', async () => {
  const [mandate, next] = [await legMandate(), await legMandate()]
  const figures = {
    given_back_usdc: '400',
    owed_usdc: '100.5',
    kept_by_owner_usdc: '80',
    fee_owed_usdc: '10.05',
  }
  const at = rig.clock.now().toISOString()
  const ended = ({ publicId, ownerId }: TestMandate, told: typeof figures) =>
    rig.legPool.transaction((tx) =>
      emit(tx, hlLeg.events.legEnded, { public_id: publicId, owner_id: ownerId, at, ...told }),
    )
  await ended(mandate, figures)
  await ended(mandate, figures)
  await ended(next, { ...figures, owed_usdc: '0', kept_by_owner_usdc: '0', fee_owed_usdc: '0' })
  const endsOf = async ({ publicId }: TestMandate) =>
    (await rig.as(owner(11)).readRecord({ public_id: publicId })).steps.filter(({ kind }) => kind === 'leg_ended')
  await eventually(async () => expect([await endsOf(next), await endsOf(mandate)].flat().length).toBeGreaterThan(1))
  expect(await endsOf(mandate)).toMatchObject([{ source: 'server', body: { ...figures, ended_at: at } }])
  const alerts = (await alertsOf(mandate)).filter(({ kind }) => kind === 'leg_ended_by_house')
  expect(alerts).toMatchObject([{ severity: 'critical', text: expect.stringContaining(figures.given_back_usdc) }])
  expect(await rig.as(owner(11)).readStatement({ public_id: mandate.publicId })).toMatchObject({
    leg_owed_usdc: '100.5',
    leg_kept_by_owner_usdc: '80',
    leg_fee_owed_usdc: '10.05',
  })
  const { totals } = (await rig.as(owner(11)).readOwnStatement({})) as OwnStatement
  expect(totals).toMatchObject({ leg_owed_usdc: '100.5', leg_fee_owed_usdc: '10.05' })
})

test('an owner whose mandate follows a listing no more is told once, with the reason', async () => {
  const mandate = await legMandate()
  const ended = (follow: string) =>
    rig.followPool.transaction((tx) =>
      emit(tx, gallery.events.followEnded, {
        follow_id: `fol_${follow.padStart(20, '0')}`,
        public_id: mandate.publicId,
        owner_id: mandate.ownerId,
        listing_id: `lst_${'0'.repeat(20)}`,
        listing_title: 'Slow trend',
        reason: 'listing_withdrawn',
        at: rig.clock.now().toISOString(),
      }),
    )
  await ended('1')
  await ended('1')
  await ended('2')
  await eventually(async () => (await alertsOf(mandate)).length > 1)
  const alerts = await alertsOf(mandate)
  expect(alerts.map(({ kind, severity }) => [kind, severity])).toEqual([
    ['follow_ended', 'warning'],
    ['follow_ended', 'warning'],
  ])
  expect(alerts[0]?.text).toContain('"Slow trend": the listing was withdrawn')
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

const estimate = {
  market: 'hl:BTC',
  side: 'buy' as const,
  opening: true,
  size: '0.001',
  worst_price: '30000',
  notional_usdc: '30',
  loss_usdc: '1.5',
  fills: {
    filled_size: '0.001',
    average_price: '29000',
    notional_usdc: '29',
    fee_usdc: '0.01305',
    slippage_bps: 4,
    unfilled_size: '0',
  },
  liquidation_price: '14650',
  stop_line_loss_usdc: '0.05',
  mark_price: '28990',
  read_at: '2026-11-21T10:00:00.000Z',
}

test('simulate judges an order of the leg at its estimate, and writes nothing', async () => {
  const mandate = await legMandate({ stopLine: 0n })
  const asked: unknown[] = []
  world.simulateLegOrder = async (input) => {
    asked.push(input)
    return ok(200, estimate)
  }
  const order = { public_id: mandate.publicId, market: 'hl:BTC', side: 'buy' as const, amount_usdc: '30' }
  for (const who of [agent(21), owner(11)])
    expect(await rig.as(who).simulateExecution({ ...order, max_slippage: '0.01' })).toMatchObject({
      passes: true,
      chain: null,
      judgement: { kind: null, max_passing_amount_usdc: '40' },
      leg: { estimate, missing: null },
    })
  expect(asked[0]).toEqual({ ...order, max_slippage: '0.01' })
  world.simulateLegOrder = async () => ok(200, { ...estimate, notional_usdc: '51' })
  const over = await rig.as(agent(21)).simulateExecution({ ...order, amount_usdc: undefined, size: '0.0017' } as never)
  expect(over).toMatchObject({ passes: false, judgement: { kind: 'OverPerTxCap', attempted: '51' } })
  world.simulateLegOrder = async () => ok(200, { ...estimate, opening: false, notional_usdc: '5100' })
  expect((await rig.as(agent(21)).simulateExecution(order)).passes).toBe(true)
  expect(await kindsOf(mandate)).toEqual([])
})

test('simulate uses the newest stored worth for the stop line, and says what no estimate means', async () => {
  const mandate = await legMandate()
  const order = { public_id: mandate.publicId, market: 'hl:ETH', side: 'sell' as const, amount_usdc: '30' }
  const ask = () => rig.as(agent(21)).simulateExecution(order)
  world.simulateLegOrder = async () => ok(200, estimate)
  expect((await ask()).judgement.code).toBe('worth_unknown')
  await rig.pool.query(sql.unsafe`
    INSERT INTO worth (mandate_id, at, worth, vault_worth, source, block_number)
    VALUES (${mandate.id}, ${rig.clock.now().toISOString()}, 401500000, 401500000, 'keeper', 5)`)
  expect((await ask()).judgement).toMatchObject({ code: 'stop_line_would_be_reached', clause: 7 })
  world.simulateLegOrder = async () => refuse(legRefusals.none)
  expect(await ask()).toMatchObject({
    passes: false,
    judgement: { kind: null },
    leg: { estimate: null, missing: { code: 'hub_hl_leg_none' } },
  })
  world.isAway = true
  expect((await ask()).leg?.missing?.code).toBe('temporarily_unavailable')
  world.isAway = false
})

test.each([
  ['/side', { amount_usdc: '1' }],
  ['/amount_usdc', { side: 'buy' }],
  ['/amount_usdc', { side: 'buy', amount_usdc: '1', size: '1' }],
  ['/size', { market: 'testvenue', size: '1' }],
  ['/max_slippage', { market: 'testvenue', amount_usdc: '1', max_slippage: '0.1' }],
  ['/amount_usdc', { market: 'testvenue' }],
])('simulate names %s of %j as the field to correct', async (pointer, change) => {
  const mandate = await legMandate()
  const input = { public_id: mandate.publicId, market: 'hl:BTC', ...change }
  await expect(rig.as(agent(21)).simulateExecution(input as never)).rejects.toMatchObject({
    body: { code: 'invalid_request', errors: [{ pointer }] },
  })
})

test('a mandate that was signed in the first edition is told in its record, once, at which price orders of the leg count', async () => {
  const [former, present, unlegged] = [await legMandate(), await legMandate(), await rig.newMandate({})]
  const sign = async ({ id }: TestMandate, edition: number, market: string) => {
    // Signed terms are never changed: a later signature is another row.
    await rig.pool.query(sql.unsafe`
      INSERT INTO signed_terms (mandate_id, n, terms_hash, chain_id, factory, signature, terms, clauses, edition, signed_at)
      SELECT mandate_id, n + 1, terms_hash, chain_id, factory, signature,
        jsonb_set(terms, '{markets}', jsonb_build_array(jsonb_build_object('id', ${market}::text, 'title', 'x', 'calls', '[]'::jsonb))),
        clauses, ${edition}, signed_at
      FROM signed_terms WHERE mandate_id = ${id}`)
  }
  await sign(former, 1, 'hl:BTC')
  await sign(present, 2, 'hl:BTC')
  await sign(unlegged, 1, 'testvenue')
  const announce = () => announceRules(rig)(AbortSignal.timeout(600_000))
  expect(await announce()).toMatchObject({ done: 1 })
  expect(await announce()).toMatchObject({ done: 0 })
  const { steps } = await rig.as(owner(11)).readRecord({ public_id: former.publicId })
  expect(steps.at(-1)).toMatchObject({
    kind: 'rule_announced',
    source: 'server',
    body: { rule: 'reference_price', clauses: [2, 3, 6] },
  })
  for (const other of [present, unlegged]) expect(await kindsOf(other)).not.toContain('rule_announced')
})
