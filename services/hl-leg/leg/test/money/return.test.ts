import { changesNothing, opened, refusalOf } from '@svc/testing'
import { keccak256, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { ownerWallet, signTypedData, walletOf } from '../rig.ts'
import { startMoneyRig } from './money-rig.ts'

const money = opened(() => startMoneyRig())
/** A reading of the venue takes of its weight. */
const SPENT_ON_READING = ['venue_weight']
const prepare = (ownerId: number, public_id: string) => money.as(ownerId).prepareLegReturn({ public_id })

/** A stopped mandate whose leg got 100 USDC, beside 300 of its owner. */
async function stoppedLeg(ownerId: number) {
  const mandate = await money.leg(ownerId, '300')
  money.rig.advance(1_000)
  const funding = await money.fund(mandate, '100')
  await money.read()
  money.stop(mandate)
  return { mandate, funding, public_id: mandate.public_id }
}

test('the owner signs the return and the money goes to the pool, to the last micro-dollar, and back to the vault', async () => {
  const { mandate, public_id } = await stoppedLeg(1)
  const { superuserUrl } = money.rig.stack.databaseOf('hl-leg')
  const first = await prepare(1, public_id)
  const rehearsed = await changesNothing(
    superuserUrl,
    () => money.as(1).prepareLegReturn({ public_id, dry_run: true }),
    SPENT_ON_READING,
  )
  expect(rehearsed).toMatchObject({ dry_run: true, amount_usdc: first.amount_usdc, last: true })
  const unstored = { public_id, nonce: rehearsed.nonce, signature: await money.sign(mandate, rehearsed.typed_data) }
  expect((await refusalOf(money.as(1).returnLegMoney(unstored))).code).toBe('hub_leg_return_void')
  const call = await prepare(1, public_id)
  expect(call).toMatchObject({
    amount_usdc: '100',
    last: true,
    typed_data: { primaryType: 'HyperliquidTransaction:UsdSend', message: { amount: '100' } },
  })
  const signature = await money.sign(mandate, call.typed_data)
  const dry = await changesNothing(superuserUrl, () =>
    money.as(1).returnLegMoney({ public_id, nonce: call.nonce, signature, dry_run: true }),
  )
  expect(dry).toMatchObject({ dry_run: true, state: 'planned', amount_usdc: '100', venue_hash: null })
  const answer = await money.as(1).returnLegMoney({ public_id, nonce: call.nonce, signature })
  expect(answer).toMatchObject({ ok: true, state: 'delivered_at_venue', amount_usdc: '100' })
  const { transfers } = await money.keeper.listLegTransfers({})
  const row = transfers.find(({ transfer_id }) => transfer_id === answer.transfer_id) ?? expect.fail()
  expect(row.ref).toBe(keccak256(stringToHex(String(answer.venue_hash))))
  expect(await money.as(1).readLegMoney({ public_id })).toMatchObject({
    moving: [{ direction: 'back', amount_usdc: '100', state: 'delivered_at_venue' }],
  })
  expect(await money.tell(row, 'chain_sent')).toMatchObject({ state: 'on_chain' })
  expect(await money.tell(row, 'chain_seen')).toMatchObject({ state: 'confirmed', open: false })
  await money.read()
  const [leg] = (await money.keeper.readLegWorths({ public_ids: [public_id] })).legs
  expect(leg).toMatchObject({
    value_usdc: '300',
    foreign_usdc: '300',
    delivered_usdc: '100',
    left_usdc: '100',
    last_sent: true,
  })
  expect(await money.as(1).readLegMoney({ public_id })).toMatchObject({
    paid_out_usdc: '100',
    lent_usdc: '0',
    moving: [],
  })
  expect((await refusalOf(prepare(1, public_id))).code).toBe('hub_leg_nothing_to_return')
  expect((await money.stored(row)).steps).toEqual([
    'opened: planned',
    'venue_signed: sent',
    'venue_landed: delivered_at_venue',
    'chain_sent: on_chain',
    'chain_seen: confirmed',
  ])
})

test('a signature as {r, s, v} is accepted, and a repeated return answers the same without a second transfer', async () => {
  const { mandate, public_id } = await stoppedLeg(2)
  const call = await prepare(2, public_id)
  const hex = await money.sign(mandate, call.typed_data)
  const signature = { r: hex.slice(0, 66), s: `0x${hex.slice(66, 130)}`, v: Number.parseInt(hex.slice(130), 16) - 27 }
  const first = await money.as(2).returnLegMoney({ public_id, nonce: call.nonce, signature })
  expect(await money.as(2).returnLegMoney({ public_id, nonce: call.nonce, signature: hex })).toEqual(first)
  expect(money.ledger(2)).toHaveLength(2)
})

test('the venue drops the answer: the return is found in the ledger and not sent twice', async () => {
  const { mandate, public_id } = await stoppedLeg(3)
  const call = await prepare(3, public_id)
  const signature = await money.sign(mandate, call.typed_data)
  money.rig.venue.control('fault', { kind: 'drop', endpoint: 'exchange', type: 'usdSend' })
  const sent = await money.as(3).returnLegMoney({ public_id, nonce: call.nonce, signature })
  expect(sent).toMatchObject({ state: 'sent', venue_hash: null })
  expect((await refusalOf(prepare(3, public_id))).code).toBe('hub_leg_return_moving')
  await money.rig.run('followTransfers')
  expect(await money.as(3).returnLegMoney({ public_id, nonce: call.nonce, signature })).toMatchObject({
    state: 'delivered_at_venue',
  })
  expect(money.ledger(3)).toHaveLength(2)
})

test('a new call voids the former one; its signature, one of another wallet, network or text moves nothing', async () => {
  const { mandate, public_id } = await stoppedLeg(4)
  const former = await prepare(4, public_id)
  const call = await prepare(4, public_id)
  const send = (nonce: number, signature: string | { r: string; s: string; v: number }) =>
    refusalOf(money.as(4).returnLegMoney({ public_id, nonce, signature }))
  expect((await send(former.nonce, await money.sign(mandate, former.typed_data))).code).toBe('hub_leg_return_void')
  expect((await send(call.nonce + 9, await money.sign(mandate, call.typed_data))).code).toBe('hub_leg_return_void')
  const { typed_data } = call
  const other = (changed: object) => ({ ...typed_data, message: { ...typed_data.message, ...changed } })
  const wrong = [
    await signTypedData(walletOf(31), typed_data),
    await signTypedData(ownerWallet(4), other({ hyperliquidChain: 'Mainnet' })),
    await signTypedData(ownerWallet(4), other({ amount: '100.0' })),
    await signTypedData(ownerWallet(4), other({ destination: ownerWallet(4).address.toLowerCase() })),
    await money.sign(mandate, former.typed_data),
    `0x${'11'.repeat(64)}`,
    '0x',
  ]
  for (const signature of wrong) expect((await send(call.nonce, signature)).code).toBe('hub_leg_signature_invalid')
  expect((await send(call.nonce, { r: '0x1', s: '0x2', v: 27 })).code).toBe('hub_leg_signature_invalid')
  expect(money.ledger(4)).toHaveLength(1)
  const signature = await money.sign(mandate, typed_data)
  expect(await money.as(4).returnLegMoney({ public_id, nonce: call.nonce, signature })).toMatchObject({ ok: true })
})

test('a return that the venue refuses moves nothing and can be called again', async () => {
  const { mandate, public_id } = await stoppedLeg(5)
  const call = await prepare(5, public_id)
  const signature = await money.sign(mandate, call.typed_data)
  money.rig.venue.control('fault', {
    kind: 'refuse',
    endpoint: 'exchange',
    type: 'usdSend',
    text: 'Insufficient balance for withdrawal.',
  })
  const refused = await refusalOf(money.as(5).returnLegMoney({ public_id, nonce: call.nonce, signature }))
  expect(refused).toMatchObject({ code: 'hub_leg_return_refused', reason: 'Insufficient balance for withdrawal.' })
  expect((await prepare(5, public_id)).amount_usdc).toBe('100')
})

test('an open mandate, one of somebody else and a deployment without funding return nothing', async () => {
  const mandate = await money.leg(6)
  const { public_id } = mandate
  const signature = `0x${'11'.repeat(65)}`
  expect(await refusalOf(prepare(6, public_id))).toMatchObject({ code: 'hub_mandate_not_closed', state: 'working' })
  expect((await refusalOf(money.as(6).returnLegMoney({ public_id, nonce: 1, signature }))).code).toBe(
    'hub_mandate_not_closed',
  )
  expect((await refusalOf(prepare(7, public_id))).code).toBe('unknown_mandate')
  expect((await refusalOf(money.as(7).returnLegMoney({ public_id, nonce: 1, signature }))).code).toBe('unknown_mandate')
  expect((await refusalOf(money.as(7).readLegMoney({ public_id }))).code).toBe('unknown_mandate')
  money.stop(mandate)
  expect((await refusalOf(prepare(6, public_id))).code).toBe('hub_leg_nothing_to_return')
})

test('positions are closed first; one that cannot be closed, and an order without an answer, keep the return back', async () => {
  const { public_id } = await stoppedLeg(8)
  money.rig.mandates.answers['resolveLegOrder'] = () => ({ ok: true, usage: null })
  await money.rig.trade(ownerWallet(8), { asset: 0, side: 'buy', price: '60300', size: '0.001' })
  money.rig.venue.control('fault', { kind: 'refuse', endpoint: 'exchange', type: 'order', count: 10 })
  expect(await refusalOf(prepare(8, public_id))).toMatchObject({ code: 'hub_leg_positions_open', markets: ['hl:BTC'] })
  money.rig.venue.control('clear-faults')
  money.rig.venue.control('fault', { kind: 'status500', endpoint: 'exchange', type: 'order', count: 10 })
  expect((await refusalOf(prepare(8, public_id))).code).toBe('hub_leg_orders_unresolved')
  money.rig.venue.control('clear-faults')
  money.rig.advance(1_000)
  await money.rig.run('resolveOrders')
  const call = await prepare(8, public_id)
  expect(Number(call.amount_usdc)).toBeLessThan(100)
  expect(Number(call.amount_usdc)).toBeGreaterThan(99)
})

test('a position that the return closed is not shown any more, and each that is shown tells when it was read', async () => {
  const { public_id } = await stoppedLeg(12)
  money.rig.mandates.answers['resolveLegOrder'] = () => ({ ok: true, usage: null })
  await money.rig.trade(ownerWallet(12), { asset: 0, side: 'buy', price: '60300', size: '0.001' })
  money.rig.advance(1_000)
  await money.read()
  const open = await money.as(12).readLeg({ public_id })
  expect(open.positions).toMatchObject([{ market: 'hl:BTC', size: '0.001', read_at: open.worth_read_at }])
  money.rig.advance(1_000)
  await prepare(12, public_id)
  const closed = await money.as(12).readLeg({ public_id })
  expect(closed).toMatchObject({ positions: [], open_notional_usdc: '0' })
  expect(Date.parse(closed.worth_read_at ?? '')).toBeGreaterThan(Date.parse(open.worth_read_at ?? ''))
})

test('after the deadline the vault gets what the leg was worth, and the owner owes it to the house', async () => {
  const { mandate, public_id } = await stoppedLeg(9)
  const call = await prepare(9, public_id)
  const fallback = await money.open(mandate, '100', { kind: 'fallback' })
  expect(fallback).toMatchObject({ state: 'planned', last: true, ref: keccak256(stringToHex(`fallback:${public_id}`)) })
  const signature = await money.sign(mandate, call.typed_data)
  expect((await refusalOf(money.as(9).returnLegMoney({ public_id, nonce: call.nonce, signature }))).code).toBe(
    'hub_leg_return_void',
  )
  expect(await money.tell(fallback, 'chain_seen')).toMatchObject({ state: 'confirmed' })
  expect(await refusalOf(prepare(9, public_id))).toMatchObject({ code: 'hub_leg_debt', leg_debt_usdc: '100' })
  expect(await money.as(9).readLegMoney({ public_id })).toMatchObject({ leg_debt_usdc: '100', paid_out_usdc: '100' })
})

test('with the funding switched off the routes of leg money answer that the feature is disabled', async () => {
  const { public_id } = await money.leg(10)
  await money.rig.restart({ HUB_LEG_FUNDING: 'off' })
  const signature = `0x${'11'.repeat(65)}`
  expect((await refusalOf(prepare(10, public_id))).code).toBe('hub_feature_disabled')
  expect((await refusalOf(money.as(10).readLegMoney({ public_id }))).code).toBe('hub_feature_disabled')
  expect((await refusalOf(money.as(10).returnLegMoney({ public_id, nonce: 1, signature }))).code).toBe(
    'hub_feature_disabled',
  )
})
