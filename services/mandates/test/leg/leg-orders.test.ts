import { mandates } from '@svc/contracts/mandates'
import { sql } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { eventually, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agent, buyCall, CHAIN_ID, owner, startSeededRig, VENUE, type TestMandate } from '../rigs/seeded-rig.ts'
import { connectLeg, filled, legLimits, missed, open, type LegClient } from './leg-calls.ts'

const rig = opened(async () => {
  const started = await startSeededRig({ HUB_APPROVAL_MAX_OPEN: '2' })
  const { leg, close } = await connectLeg(started)
  return {
    ...started,
    leg,
    stop: async () => {
      await close()
      await started.stop()
    },
  }
})
const legOf = (): LegClient => rig.leg
const legMandate = (limits = {}) => rig.newMandate({ limits: { ...legLimits, ...limits } })

const rowsOf = async ({ id }: TestMandate) => ({
  entries: await rig.pool.any(sql.type(z.object({ kind: z.string(), source: z.string(), body: z.any() }))`
    SELECT kind, source, entry->'body' AS body FROM record_entry WHERE mandate_id = ${id} ORDER BY seq`),
  reservations: await rig.pool.any(sql.type(z.object({ order_key: z.string(), reserved: z.string() }))`
    SELECT order_key, reserved FROM leg_reservation WHERE mandate_id = ${id} ORDER BY order_key`),
  refusals: await rig.pool.any(sql.type(z.object({ kind: z.string(), code: z.string() }))`
    SELECT kind, code FROM refusal WHERE mandate_id = ${id} ORDER BY id`),
  approvals: await rig.pool.any(sql.type(z.object({ status: z.string(), kind: z.string() }))`
    SELECT status, kind FROM approval WHERE mandate_id = ${id} ORDER BY seq`),
})

test('an open that passes reserves its notional once, however often it is asked, and its fill counts in its place', async () => {
  const mandate = await legMandate()
  const first = await legOf().judgeLegOrder(open(mandate, '1', '30'))
  expect(first).toMatchObject({ outcome: 'passes', approval: null, judgement: { kind: null } })
  expect(first.usage).toMatchObject({ reserved_usdc: '30', leg_used_usdc: '0', left_usdc: '120' })
  expect(await legOf().judgeLegOrder(open(mandate, '1', '30'))).toEqual(first)
  expect(await legOf().judgeLegOrder(open(mandate, '1', '29'))).toEqual(first)

  const { usage } = await legOf().resolveLegOrder(filled(mandate, '1', '29.5'))
  expect(usage).toMatchObject({ reserved_usdc: '0', leg_used_usdc: '29.5', left_usdc: '120.5' })
  expect((await legOf().resolveLegOrder(filled(mandate, '1', '12'))).usage).toEqual(usage)
  expect((await legOf().resolveLegOrder(missed(mandate, '1'))).usage).toEqual(usage)
  expect((await legOf().judgeLegOrder(open(mandate, '1', '30'))).judgement).toEqual(first.judgement)
  const { entries, reservations } = await rowsOf(mandate)
  expect(reservations).toHaveLength(1)
  expect(entries).toMatchObject([{ kind: 'leg_order', source: 'venue', body: { amount_usdc: '29.5', oid: '77' } }])

  const live = await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
  const detail = await rig.as(agent(21)).readMandate({ public_id: mandate.publicId })
  expect([live.usage, detail.usage]).toEqual([usage, usage])
  // Usage belongs to the day of the reservation, also for a reader that keeps what it read.
  rig.clock.advance(86_400_000)
  const next = await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
  expect(next.usage).toMatchObject({ leg_used_usdc: '0', left_usdc: '150' })
})

test('gallery learns what an order of a follow may cost now: caps, the day, the approval amount, and the stop', async () => {
  const bus = await rig.stack.nats.connect('gallery')
  const readFollow = async ({ publicId }: TestMandate) =>
    (await clientOf(bus, 'gallery', mandates).readFollowMandates({ public_ids: [publicId, `mdt_${'0'.repeat(32)}`] }))
      .mandates
  try {
    const mandate = await legMandate()
    const [first] = await readFollow(mandate)
    expect(first).toMatchObject({
      public_id: mandate.publicId,
      state: 'working',
      owner_id: mandate.ownerId,
      agent_id: mandate.agentId,
      markets: ['hl:BTC', 'hl:ETH'],
      per_tx_cap_usdc: '50',
      daily_cap_usdc: '150',
      approval_above_usdc: '40',
      open_max_usdc: '40',
      may_close: true,
    })
    for (const key of ['1', '2', '3']) await legOf().judgeLegOrder(open(mandate, key, '40'))
    expect(await readFollow(mandate)).toMatchObject([{ open_max_usdc: '30' }])
    expect(await legOf().judgeLegOrder(open(mandate, '4', '30'))).toMatchObject({ outcome: 'passes' })
    expect(await readFollow(mandate)).toMatchObject([{ open_max_usdc: '0' }])
    await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
    expect(await readFollow(mandate)).toMatchObject([{ state: 'stopped', open_max_usdc: null, may_close: false }])
  } finally {
    await bus.close()
  }
})

test('what was asked with less and comes again with more is judged anew by the same sums', async () => {
  const mandate = await legMandate()
  await legOf().judgeLegOrder(open(mandate, '1', '30'))
  expect((await legOf().judgeLegOrder(open(mandate, '1', '38'))).usage.reserved_usdc).toBe('38')
  expect(await legOf().judgeLegOrder(open(mandate, '1', '51'))).toMatchObject({
    outcome: 'refused',
    judgement: { kind: 'OverPerTxCap', clause: 2 },
    usage: { reserved_usdc: '0' },
  })
  // Nothing was sent for a key that was refused in the end, so it may be let through later.
  expect(await legOf().judgeLegOrder(open(mandate, '1', '20'))).toMatchObject({
    outcome: 'passes',
    usage: { reserved_usdc: '20' },
  })
  expect((await rowsOf(mandate)).reservations).toHaveLength(1)
})

test('an order that comes again after midnight with more counts whole in the day that it is judged by', async () => {
  const mandate = await legMandate()
  const midnight = (Math.floor(rig.clock.now().getTime() / 86_400_000) + 1) * 86_400_000
  rig.clock.set(new Date(midnight - 1))
  const before = await legOf().judgeLegOrder(open(mandate, '1', '1'))
  expect(before.usage).toMatchObject({ reserved_usdc: '1', left_usdc: '149' })
  rig.clock.set(new Date(midnight))
  // What was reserved before midnight stays of its day while it asks for no more.
  expect((await legOf().judgeLegOrder(open(mandate, '1', '1'))).usage).toMatchObject({ reserved_usdc: '0' })
  const again = await legOf().judgeLegOrder(open(mandate, '1', '40'))
  expect(again).toMatchObject({ outcome: 'passes', usage: { reserved_usdc: '40', left_usdc: '110' } })
  for (const key of ['2', '3']) await legOf().judgeLegOrder(open(mandate, key, '40'))
  expect(await legOf().judgeLegOrder(open(mandate, '4', '40'))).toMatchObject({
    outcome: 'refused',
    judgement: { code: 'over_daily_cap' },
  })
  expect((await legOf().resolveLegOrder(filled(mandate, '1', '39'))).usage).toMatchObject({
    leg_used_usdc: '39',
    reserved_usdc: '80',
    left_usdc: '31',
  })
})

test('an approved order that comes again with more than its approval covers waits for another decision', async () => {
  const mandate = await legMandate()
  const held = await legOf().judgeLegOrder(open(mandate, '1', '45'))
  const approval_id = held.approval?.approval_id ?? ''
  await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
  expect((await legOf().judgeLegOrder(open(mandate, '1', '45'))).outcome).toBe('passes')
  expect(await legOf().judgeLegOrder(open(mandate, '1', '45.5'))).toMatchObject({
    outcome: 'passes',
    approval: { approval_id },
    usage: { reserved_usdc: '45.5', held_usdc: '0' },
  })
  const again = await legOf().judgeLegOrder(open(mandate, '1', '46'))
  expect(again).toMatchObject({
    outcome: 'held',
    approval: { status: 'pending', amount_usdc: '46' },
    usage: { reserved_usdc: '0', held_usdc: '46' },
  })
  expect((await legOf().judgeLegOrder(open(mandate, '2', '45'))).approval).toEqual(again.approval)
  const { approvals, entries } = await rowsOf(mandate)
  expect(approvals.map(({ status }) => status)).toEqual(['expired', 'pending'])
  expect(entries.map(({ kind }) => kind).slice(-3)).toEqual([
    'approval_released',
    'approval_expired',
    'approval_requested',
  ])
})

test('activity, statement and Record strip show what orders of the leg filled', async () => {
  const mandate = await rig.newMandate({ limits: legLimits, ownerId: 31, agentId: 41 })
  await legOf().judgeLegOrder(open(mandate, '1', '30'))
  await legOf().resolveLegOrder(filled(mandate, '1', '29', { fee_usdc: '0.02' }))
  await legOf().resolveLegOrder(filled(mandate, '2', '29.5', { opening: false, side: 'sell', fee_usdc: '-0.005' }))
  await legOf().judgeLegOrder(open(mandate, '3', '30'))
  await legOf().resolveLegOrder(missed(mandate, '3'))
  await legOf().resolveLegOrder(filled(mandate, '4', '5', { opening: false, as: 'owner' }))
  const { items } = await rig.as(agent(41)).listActivity({ agent_id: 41, limit: 10 })
  expect(items.map(({ kind, body }) => [kind, body['amount_usdc']])).toEqual([
    ['leg_order', '5'],
    ['leg_order', '29.5'],
    ['leg_order', '29'],
  ])
  const statement = await rig.as(owner(31)).readStatement({ public_id: mandate.publicId })
  expect(statement).toMatchObject({ leg_orders: 3, leg_filled_usdc: '63.5', leg_fees_usdc: '0.0285' })
  expect(await rig.as(owner(31)).readOwnStatement({})).toMatchObject({
    totals: { leg_orders: 3, leg_filled_usdc: '63.5', leg_fees_usdc: '0.0285', violations: 0 },
  })
  const { items: bookings } = await rig.as(owner(31)).listBookings({ public_id: mandate.publicId })
  expect(bookings.map(({ kind, lot, fee_usdc, result_usdc }) => [kind, lot, fee_usdc, result_usdc])).toEqual([
    ['leg_buy', 1, '0.02', null],
    ['leg_sell', 1, '-0.005', '0.5'],
    ['leg_buy', null, '0.0135', null],
  ])
  const hallOf = async () => (await rig.as(owner(31)).readStrip({ agent_id: 41 })).hall?.trades
  expect(await hallOf()).toBe(2)

  // What an order holds is of the daily cap, and no money of the vault.
  await legOf().judgeLegOrder(open(mandate, '6', '45'))
  const { items: balances } = await rig.as(agent(41)).readBalances({ agent_id: 41 })
  expect(balances).toMatchObject([{ idle_in_vaults: '500', reserved: '0' }])

  await legOf().resolveLegOrder(filled(mandate, '5', '7'))
  expect(await rig.as(owner(31)).readStatement({ public_id: mandate.publicId })).toMatchObject({ violations: 1 })
  expect(await rig.as(owner(31)).readStrip({ agent_id: 41 })).toMatchObject({
    limits: { mandates: 1, mandates_kept_inside_limits: 0 },
  })
})

test('calls of the vault, fills, reservations and held items are one sum, by which calls are judged too', async () => {
  const mandate = await legMandate({ markets: ['testvenue', ...legLimits.markets] })
  for (const [key, usdc] of [
    ['1', '40'],
    ['2', '40'],
    ['3', '30'],
  ] as const)
    await legOf().judgeLegOrder(open(mandate, key, usdc))
  await legOf().resolveLegOrder(filled(mandate, '1', '40'))
  const held = await legOf().judgeLegOrder(open(mandate, '4', '41', { market: 'hl:ETH' }))
  expect(held).toMatchObject({
    outcome: 'refused',
    judgement: { kind: 'OverDailyCap', code: 'over_daily_cap', clause: 3, limit: '150', max_passing_amount_usdc: '40' },
  })
  const call = { public_id: mandate.publicId, target: VENUE, data: buyCall(1), amount_usdc: '40.000001' }
  const { judgement } = await rig.as(agent(21)).simulateExecution(call)
  expect(judgement).toMatchObject({ kind: 'server_guard', code: 'daily_cap_used_by_leg', clause: 3 })
  expect(judgement.verdicts[2]).toMatchObject({ used: '110', headroom: '40', enforced_by: 'guard' })

  await rig.tell({ vault: mandate.vault, tx: `0x${'ab'.repeat(32)}`, amount: 20_000_000n, at: rig.clock.now() })
  const usageOf = async () => (await rig.as(owner(11)).readLive({ public_id: mandate.publicId })).usage
  await eventually(async () => (await usageOf())?.used_usdc === '20')
  expect(await usageOf()).toMatchObject({ leg_used_usdc: '40', reserved_usdc: '70', left_usdc: '20' })
  expect((await legOf().judgeLegOrder(open(mandate, '5', '21'))).judgement.code).toBe('over_daily_cap')
  expect((await legOf().judgeLegOrder(open(mandate, '5', '20'))).outcome).toBe('passes')
})

test('a refused order is a refusal of the record, once a minute for the same order and reason', async () => {
  const mandate = await legMandate()
  const ask = () => legOf().judgeLegOrder(open(mandate, '1', '50.5'))
  const refused = await ask()
  expect(refused).toMatchObject({
    outcome: 'refused',
    approval: null,
    judgement: { kind: 'OverPerTxCap', limit: '50' },
  })
  await ask()
  expect((await rowsOf(mandate)).refusals).toEqual([{ kind: 'OverPerTxCap', code: 'over_per_tx_cap' }])
  rig.clock.advance(60_001)
  await ask()
  const { refusals, entries, reservations } = await rowsOf(mandate)
  expect(refusals).toHaveLength(2)
  expect(reservations).toEqual([])
  expect(entries[0]).toMatchObject({
    kind: 'refused',
    body: { kind: 'OverPerTxCap', clause: 2, market: 'hl:BTC', side: 'buy', amount_usdc: '50.5' },
  })
})

test('a dry run writes nothing: no item, no reservation, no refusal', async () => {
  const mandate = await legMandate()
  const dry = { dry_run: true }
  expect((await legOf().judgeLegOrder(open(mandate, '1', '30', dry))).outcome).toBe('passes')
  expect(await legOf().judgeLegOrder(open(mandate, '1', '45', dry))).toMatchObject({ outcome: 'held', approval: null })
  expect((await legOf().judgeLegOrder(open(mandate, '1', '60', dry))).outcome).toBe('refused')
  expect(await rowsOf(mandate)).toEqual({ entries: [], reservations: [], refusals: [], approvals: [] })
})

test('an open above the approval amount waits for the owner, and the approved order uses its item once', async () => {
  const mandate = await legMandate()
  const held = await legOf().judgeLegOrder(open(mandate, '1', '45'))
  expect(held).toMatchObject({
    outcome: 'held',
    judgement: { code: 'approval_required', clause: 6 },
    approval: {
      kind: 'leg_order',
      status: 'pending',
      target: `0x${'0'.repeat(40)}`,
      data: '0x',
      amount_usdc: '45',
      order: { market: 'hl:BTC', side: 'buy', amount_usdc: '45', reduce_only: false },
    },
    usage: { held_usdc: '45', left_usdc: '105' },
  })
  expect((await legOf().judgeLegOrder(open(mandate, '2', '45'))).approval).toEqual(held.approval)
  const approval_id = held.approval?.approval_id ?? ''
  await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
  // At most 2 % above what the owner saw.
  const dry = { dry_run: true }
  expect(await legOf().judgeLegOrder(open(mandate, '1', '45.900001', dry))).toMatchObject({
    outcome: 'held',
    approval: null,
  })
  expect(await legOf().judgeLegOrder(open(mandate, '1', '45.9', dry))).toMatchObject({
    outcome: 'passes',
    approval: { approval_id, status: 'approved' },
  })
  const passed = await legOf().judgeLegOrder(open(mandate, '1', '45.9'))
  expect(passed).toMatchObject({ outcome: 'passes', approval: { approval_id, status: 'used', used_tx_hash: null } })
  expect(passed.usage).toMatchObject({ held_usdc: '0', reserved_usdc: '45.9' })
  expect(await legOf().judgeLegOrder(open(mandate, '1', '45.9'))).toEqual(passed)
  // The same order under another key needs a decision of its own.
  expect((await legOf().judgeLegOrder(open(mandate, '2', '45'))).outcome).toBe('held')
  await legOf().resolveLegOrder(filled(mandate, '1', '45'))
  const { entries } = await rowsOf(mandate)
  expect(entries.map(({ kind }) => kind)).toEqual([
    'approval_requested',
    'approval_approved',
    'approval_used',
    'approval_requested',
    'leg_order',
  ])
  expect(entries[1]?.body).toMatchObject({ market: 'hl:BTC', side: 'buy' })
  expect(entries[4]?.body).toMatchObject({ approval_id })
})

test('an order missed whole gives its approval back until that expires', async () => {
  const mandate = await legMandate()
  const held = await legOf().judgeLegOrder(open(mandate, '1', '45'))
  const approval_id = held.approval?.approval_id ?? ''
  await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
  await legOf().judgeLegOrder(open(mandate, '1', '45'))
  const { usage } = await legOf().resolveLegOrder(missed(mandate, '1'))
  expect(usage).toMatchObject({ reserved_usdc: '0', leg_used_usdc: '0', held_usdc: '45' })
  expect((await rowsOf(mandate)).entries.at(-1)).toMatchObject({ kind: 'approval_released', body: { approval_id } })
  const again = await legOf().judgeLegOrder(open(mandate, '2', '45'))
  expect(again).toMatchObject({ outcome: 'passes', approval: { approval_id, status: 'used' } })
  rig.clock.advance(25 * 3_600_000)
  await legOf().resolveLegOrder(missed(mandate, '2'))
  expect((await rowsOf(mandate)).approvals).toEqual([{ status: 'expired', kind: 'leg_order' }])
})

test('a declined order is refused as the owner’s word, and no more orders wait than the owner may be asked at once', async () => {
  const mandate = await legMandate()
  const asked = (size: string) => ({
    request: {
      market: 'hl:BTC',
      side: 'buy' as const,
      amount_usdc: null,
      size,
      reduce_only: false,
      max_slippage: '0.01',
    },
  })
  const held = await legOf().judgeLegOrder(open(mandate, '1', '45', asked('0.1')))
  const approval_id = held.approval?.approval_id ?? ''
  await rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'decline' })
  expect(await legOf().judgeLegOrder(open(mandate, '1', '45', asked('0.1')))).toMatchObject({
    outcome: 'refused',
    judgement: { kind: 'owner_declined', code: 'owner_declined', clause: 6, source: 'owner' },
  })
  await legOf().judgeLegOrder(open(mandate, '2', '41', asked('0.2')))
  await legOf().judgeLegOrder(open(mandate, '3', '41', asked('0.3')))
  await expect(legOf().judgeLegOrder(open(mandate, '4', '41', asked('0.4')))).rejects.toMatchObject({
    body: { code: 'rate_limited' },
  })
})

test('a close reserves nothing and needs no approval; only a pause or an owner’s stop refuses the agent’s', async () => {
  const mandate = await legMandate()
  const close = (key: string) => open(mandate, key, '400', { opening: false, market: 'hl:SOL', side: 'sell' })
  expect((await legOf().judgeLegOrder(close('1'))).outcome).toBe('passes')
  await legOf().resolveLegOrder(filled(mandate, '1', '400', { opening: false, side: 'sell' }))
  expect((await rowsOf(mandate)).reservations).toEqual([{ order_key: '1', reserved: '0' }])
  await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
  expect(await legOf().judgeLegOrder(close('2'))).toMatchObject({
    outcome: 'refused',
    judgement: { kind: 'MandateStopped', code: 'stopped_in_record' },
  })
  const byOwner = { ...close('3'), as: 'owner' as const, account_id: 11 }
  expect(await legOf().judgeLegOrder(byOwner)).toMatchObject({ outcome: 'passes', usage: { leg_used_usdc: '0' } })
  expect((await legOf().judgeLegOrder({ ...byOwner, opening: true })).judgement.code).toBe('owner_only_reduces')
})

test('while the owner has paused the mandate, every order of the agent is refused', async () => {
  const mandate = await legMandate()
  await rig.tellAgentSet({ vault: mandate.vault, agent: `0x${'0'.repeat(40)}`, block: 100, revision: 1 })
  const read = { public_id: mandate.publicId, account_id: 11, as: 'owner' as const }
  await eventually(async () => (await legOf().readLegMandate(read)).mandate.state === 'paused')
  for (const opening of [true, false])
    expect((await legOf().judgeLegOrder(open(mandate, '1', '10', { opening }))).judgement).toMatchObject({
      kind: 'MandateStopped',
      code: 'mandate_paused',
    })
})

test('an order let through before the owner’s stop does not open after it', async () => {
  const mandate = await legMandate()
  await legOf().judgeLegOrder(open(mandate, '1', '30'))
  await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
  const again = await legOf().judgeLegOrder(open(mandate, '1', '30'))
  expect(again).toMatchObject({ outcome: 'refused', judgement: { code: 'stopped_in_record' } })
})

test('bad fills above 2 % of the budget a UTC day end the agent’s opens of that day, and nothing of the owner’s', async () => {
  const mandate = await legMandate()
  const worse = async (key: string, bad_fill_usdc: string, as: 'agent' | 'owner' = 'agent') => {
    await legOf().judgeLegOrder(open(mandate, key, '10'))
    await legOf().resolveLegOrder(filled(mandate, key, '10', { bad_fill_usdc, as }))
  }
  await worse('1', '9')
  await worse('2', '70', 'owner')
  await worse('3', '1')
  expect((await legOf().judgeLegOrder(open(mandate, '4', '10'))).outcome).toBe('passes')
  await worse('5', '0.000001')
  expect(await legOf().judgeLegOrder(open(mandate, '6', '10'))).toMatchObject({
    outcome: 'refused',
    judgement: {
      kind: 'server_guard',
      code: 'over_slippage_budget',
      clause: null,
      limit: '10',
      attempted: '10.000001',
    },
  })
  expect((await legOf().judgeLegOrder(open(mandate, '7', '10', { opening: false }))).outcome).toBe('passes')
  rig.clock.advance(86_400_000)
  expect((await legOf().judgeLegOrder(open(mandate, '8', '10'))).outcome).toBe('passes')
})

test('a fill counts at its own notional; one of more than the judged size is a violation that the owner is told of', async () => {
  const mandate = await legMandate()
  await legOf().judgeLegOrder(open(mandate, '1', '30', { side: 'sell' }))
  // Above its reference price: its size was judged, so that it only uses more of the day.
  await legOf().resolveLegOrder(filled(mandate, '1', '31', { side: 'sell' }))
  await legOf().judgeLegOrder(open(mandate, '2', '30'))
  const { usage } = await legOf().resolveLegOrder(filled(mandate, '2', '31', { filled_size: '0.00100001' }))
  expect(usage.leg_used_usdc).toBe('62')
  expect((await rowsOf(mandate)).entries.map(({ kind }) => kind)).toEqual(['leg_order', 'leg_order', 'violation'])
  const { items } = await rig.as(owner(11)).listAlerts({ open: '1', limit: 50 })
  const alerts = items.filter(({ mandate_id }) => mandate_id === mandate.publicId)
  expect(alerts.map(({ kind, severity }) => [kind, severity])).toEqual([['leg_fill_above_judgement', 'critical']])
})

test('nobody judges, reads or resolves for a mandate that is not the account’s', async () => {
  const mandate = await legMandate()
  const unknown = { body: { code: 'unknown_mandate' } }
  await expect(legOf().judgeLegOrder(open(mandate, '1', '10', { account_id: 22 }))).rejects.toMatchObject(unknown)
  await expect(legOf().judgeLegOrder(open(mandate, '1', '10', { as: 'owner' }))).rejects.toMatchObject(unknown)
  const nobody = { ...mandate, publicId: `mdt_${'0'.repeat(32)}` }
  await expect(legOf().resolveLegOrder(missed(nobody, '1'))).rejects.toMatchObject(unknown)
  const read = { public_id: mandate.publicId, account_id: 22, as: 'agent' as const }
  await expect(legOf().readLegMandate(read)).rejects.toMatchObject(unknown)
})

test('hl-leg reads limits, markets, vault and the newest act of the agent, and a list leaves out what is unknown', async () => {
  const mandate = await legMandate()
  const read = (as: 'owner' | 'agent', account_id: number) =>
    legOf().readLegMandate({ public_id: mandate.publicId, account_id, as })
  const { mandate: seen } = await read('owner', 11)
  expect(seen).toMatchObject({
    state: 'working',
    owner_id: 11,
    agent_id: 21,
    limits: { hl_leg: true, daily_cap_usdc: '150' },
    markets: [{ market_id: 'hl:BTC' }, { market_id: 'hl:ETH' }],
    stop_cause: null,
    stopped_at: null,
    agent_acted_at: null,
    vault: { address: mandate.vault, version: 1, accounted_usdc: '500', leg_out_usdc: '0', leg_open: false },
  })
  // No call is listed, so the books say what the vault is worth.
  expect(seen.vault).toMatchObject({ vault_worth_usdc: '500', worth_at: null, profit_usdc: '0' })
  const acted = rig.clock.now().toISOString()
  // An act is noted beside the reading: whether this very answer has it, is left open.
  await read('agent', 21)
  rig.clock.advance(59_000)
  expect((await read('agent', 21)).mandate.agent_acted_at).toBe(acted)
  rig.clock.advance(1_000)
  await read('agent', 21)
  expect((await read('owner', 11)).mandate.agent_acted_at).toBe(rig.clock.now().toISOString())
  await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
  const other = await legMandate()
  const { mandates: list } = await legOf().listLegMandates({
    public_ids: [other.publicId, mandate.publicId, `mdt_${'0'.repeat(32)}`],
  })
  expect(new Set(list.map(({ public_id }) => public_id))).toEqual(new Set([other.publicId, mandate.publicId]))
  expect(list.find(({ public_id }) => public_id === mandate.publicId)).toMatchObject({
    state: 'stopped',
    stop_cause: 'stopped_in_record',
    stopped_at: rig.clock.now().toISOString(),
  })
})

test('the trading side sees the mandates between an owner and an agent, the working ones first, and no other', async () => {
  const mandate = await legMandate()
  const stopped = await legMandate()
  await rig.as(owner(11)).stopMandate({ public_id: stopped.publicId })
  const bus = await rig.stack.nats.connect('hl-trade')
  const list = (owner_id: number, agent_id: number) =>
    clientOf(bus, 'hl-trade', mandates).listAgentMandates({ owner_id, agent_id })
  const { mandates: seen } = await list(11, 21)
  const one = (publicId: string) => seen.find(({ public_id }) => public_id === publicId)
  expect(one(mandate.publicId)).toEqual({
    public_id: mandate.publicId,
    state: 'working',
    per_tx_cap_usdc: '50',
    markets: legLimits.markets,
  })
  expect(one(stopped.publicId)?.state).toBe('stopped')
  expect(seen.findLastIndex(({ state }) => state === 'working')).toBeLessThan(
    seen.findIndex(({ state }) => state === 'stopped'),
  )
  expect(await list(11, 22)).toEqual({ mandates: [] })
  expect(await list(12, 21)).toEqual({ mandates: [] })
  await bus.close()
})

test('the worth of a vault with positions is that of the newest mark, with what came and went in later blocks', async () => {
  const mandate = await legMandate({ markets: ['testvenue', 'hl:BTC'] })
  const vaultOf = async () =>
    (await legOf().readLegMandate({ public_id: mandate.publicId, account_id: 11, as: 'owner' })).mandate.vault
  expect(await vaultOf()).toMatchObject({ vault_worth_usdc: null, worth_at: null, profit_usdc: null })
  const at = rig.clock.now().toISOString()
  await rig.pool.query(sql.unsafe`
    INSERT INTO worth (mandate_id, at, vault_worth, positions_worth, source, block_number, withheld_reason)
    VALUES (${mandate.id}, ${at}, 300000000, 150000000, 'keeper', 90, 'leg_unexplained')`)
  expect(await vaultOf()).toMatchObject({ vault_worth_usdc: '450', worth_at: at, profit_usdc: '-50' })
  const moves = [
    ['Deposited', 80, 10],
    ['Deposited', 91, 7],
    ['LegFunded', 95, 100],
    ['LegReturned', 96, 20],
    ['Withdrawn', 97, 2],
  ] as const
  for (const [name, block, usdc] of moves)
    await rig.pool.query(sql.unsafe`
      INSERT INTO chain_fact (chain_id, tx_hash, log_ordinal, log_index, vault, name, args, block_number, block_hash,
        block_time, revision, canonical)
      VALUES (${CHAIN_ID}, ${`0x${mandate.publicId}${block}`}, 0, 0, ${mandate.vault.toLowerCase()}, ${name},
        ${JSON.stringify({ amount: `${usdc}000000` })}::jsonb, ${block}, '0x', ${at}, 1, true)`)
  expect(await vaultOf()).toMatchObject({ vault_worth_usdc: '375' })
})
