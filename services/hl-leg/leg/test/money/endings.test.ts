import { notWithdrawable } from '@svc/contracts/hl-leg/money'
import { usdSend } from '@svc/hyperliquid'
import { opened, refusalOf } from '@svc/testing'
import { afterEach, expect, test } from 'vitest'
import { owner, ownerWallet, walletOf } from '../rig.ts'
import { hash, pool, startMoneyRig } from './money-rig.ts'

const money = opened(() => startMoneyRig())
afterEach(() => {
  money.rig.venue.control('clear-faults')
  Object.assign(money.rig.chain, { open: true, isAway: false })
})

/** A stopped mandate whose leg got 400 USDC, beside 20 of its owner. */
async function stoppedLeg(ownerId: number) {
  const mandate = await money.leg(ownerId, '20')
  money.rig.advance(1_000)
  await money.fund(mandate, '400')
  await money.read()
  await money.rig.run('explainLegs')
  money.stop(mandate)
  return { mandate, public_id: mandate.public_id }
}
const prepare = (ownerId: number, public_id: string) => money.as(ownerId).prepareLegReturn({ public_id })
const legOf = async (public_id: string) => (await money.keeper.readLegWorths({ public_ids: [public_id] })).legs[0]
const address = (ownerId: number) => ownerWallet(ownerId).address.toLowerCase()
const isAway = { kind: 'status500', endpoint: 'info', count: 1_000 } as const

test('nothing can be withdrawn but money is owed: the leg does not end, and the fix is to move it back', async () => {
  const { mandate, public_id } = await stoppedLeg(1)
  money.moveFromSpot(1, -420)
  money.rig.advance(301_000)
  await money.read()
  await money.rig.run('explainLegs')
  expect(await legOf(public_id)).toMatchObject({ withdrawable_usdc: '0', explained: { flat: true, owed_usdc: '400' } })
  expect(await refusalOf(prepare(1, public_id))).toMatchObject({
    code: 'hub_leg_not_withdrawable',
    owed_usdc: '400',
    withdrawable_usdc: '0',
  })
  expect(notWithdrawable.fix).toContain('Move the money back to the perpetuals account')
  expect((await refusalOf(money.open(mandate, '0', { kind: 'closing' }))).detail).toBe('The leg owes money.')
  money.moveFromSpot(1, 420)
  expect(await prepare(1, public_id)).toMatchObject({ amount_usdc: '400', last: true })
})

test('no return is prepared for an account in another mode, and one is as soon as it is back', async () => {
  const { public_id } = await stoppedLeg(30)
  money.rig.venue.control('mode', { address: address(30), mode: 'unifiedAccount' })
  expect(await refusalOf(prepare(30, public_id))).toMatchObject({ status: 409, code: 'hub_hl_leg_unsupported' })
  money.rig.venue.control('mode', { address: address(30), mode: 'default' })
  expect(await prepare(30, public_id)).toMatchObject({ amount_usdc: '400' })
})

test('a leg ends with nothing only by a flat reading of now that is explained and owes less than 0.01 USDC', async () => {
  const { mandate, public_id } = await stoppedLeg(2)
  const close = () => money.open(mandate, '0', { kind: 'closing' })
  expect((await refusalOf(close())).detail).toBe('The leg owes money.')
  const call = await prepare(2, public_id)
  const signature = await money.sign(mandate, call.typed_data)
  await money.as(2).returnLegMoney({ public_id, nonce: call.nonce, signature })
  // What nothing explains hides whether something is owed.
  const main = money.rig.venue.state.accounts[address(2)]?.dexes[''] ?? expect.fail()
  main.raw = '20.4'
  const { transfers } = await money.keeper.listLegTransfers({})
  const row = transfers.find((one) => one.public_id === public_id && one.kind === 'return') ?? expect.fail()
  await money.tell(row, 'chain_seen')
  money.rig.advance(31_000)
  expect((await refusalOf(close())).detail).toBe('The account is not explained by a reading of now.')
  main.raw = '20'
  money.rig.advance(31_000)
  money.rig.venue.control('mode', { address: address(2), mode: 'unifiedAccount' })
  expect((await refusalOf(close())).detail).toBe('The account is not explained by a reading of now.')
  money.rig.venue.control('mode', { address: address(2), mode: 'default' })
  money.rig.advance(31_000)
  expect(await close()).toMatchObject({ kind: 'closing', amount_usdc: '0', last: true })
})

test('a return ends the leg only if its reading is explained', async () => {
  const { public_id } = await stoppedLeg(3)
  const main = money.rig.venue.state.accounts[address(3)]?.dexes[''] ?? expect.fail()
  main.raw = '419.5'
  expect(await prepare(3, public_id)).toMatchObject({ amount_usdc: '399.5', last: false })
  main.raw = '420'
  expect(await prepare(3, public_id)).toMatchObject({ amount_usdc: '400', last: true })
})

test('after the end of the leg on the chain nothing is prepared and nothing is relayed', async () => {
  const { mandate, public_id } = await stoppedLeg(4)
  const call = await prepare(4, public_id)
  const signature = await money.sign(mandate, call.typed_data)
  money.rig.chain.open = false
  const send = () => money.as(4).returnLegMoney({ public_id, nonce: call.nonce, signature })
  expect((await refusalOf(prepare(4, public_id))).code).toBe('hub_leg_nothing_to_return')
  expect((await refusalOf(send())).code).toBe('hub_leg_nothing_to_return')
  money.rig.chain.isAway = true
  await expect(prepare(4, public_id)).rejects.toMatchObject({ name: 'Outage' })
  await expect(send()).rejects.toMatchObject({ name: 'Outage' })
  expect(money.ledger(4)).toHaveLength(1)
})

test('a return that arrives after the end of the leg goes back to its payer once, and is credited never', async () => {
  const { mandate, public_id } = await stoppedLeg(5)
  const call = await prepare(5, public_id)
  const signature = await money.sign(mandate, call.typed_data)
  await money.as(5).returnLegMoney({ public_id, nonce: call.nonce, signature })
  const { transfers } = await money.keeper.listLegTransfers({})
  const row = transfers.find((one) => one.public_id === public_id && one.kind === 'return') ?? expect.fail()
  expect(await money.tell(row, 'chain_failed', 'NoLeg')).toMatchObject({ open: true })
  expect(await legOf(public_id)).toMatchObject({ refundable_usdc: '0' })
  expect(await money.tell(row, 'chain_ended', 'NoLeg')).toMatchObject({ state: 'cancelled', open: false })
  expect((await refusalOf(money.tell(row, 'chain_seen'))).code).toBe('leg_transfer_conflict')
  expect(await money.tell(row, 'chain_ended', 'NoLeg')).toMatchObject({ state: 'cancelled' })
  expect(await legOf(public_id)).toMatchObject({ refundable_usdc: '400' })
  const sent = await money.send(await money.open(mandate, '400', { kind: 'refund' }))
  expect(sent).toMatchObject({ kind: 'refund', state: 'delivered' })
  expect(await legOf(public_id)).toMatchObject({ refundable_usdc: '0' })
  expect(Number(money.rig.venue.state.accounts[address(5)]?.dexes['']?.raw)).toBe(420)
  money.rig.advance(301_000)
  await money.read()
  await money.rig.run('explainLegs')
  expect((await money.as(5).readLegMoney({ public_id })).equation).toMatchObject({ holds: true })
})

test('what was credited is never refunded', async () => {
  const { mandate, public_id } = await stoppedLeg(6)
  const call = await prepare(6, public_id)
  await money.as(6).returnLegMoney({
    public_id,
    nonce: call.nonce,
    signature: await money.sign(mandate, call.typed_data),
  })
  const { transfers } = await money.keeper.listLegTransfers({})
  const row = transfers.find((one) => one.public_id === public_id && one.kind === 'return') ?? expect.fail()
  await money.tell(row, 'chain_seen')
  expect((await refusalOf(money.tell(row, 'chain_ended'))).code).toBe('leg_transfer_conflict')
  expect(await legOf(public_id)).toMatchObject({ refundable_usdc: '0' })
})

test('at the deadline the vault gets what the account holds of the leg, never more than it has out, and the owner owes it', async () => {
  const { mandate, public_id } = await stoppedLeg(7)
  // The vault lost the other 250, so that what is owed beyond the 150 is no profit.
  money.rig.mandates.known.set(public_id, { ...mandate, vault: { ...money.vault, profit_usdc: '-400' } })
  expect((await money.open(mandate, '150', { kind: 'fallback' })).amount_usdc).toBe('150')
  expect(await legOf(public_id)).toMatchObject({ leg_debt_usdc: '150' })
})

test('at the deadline an unsupported account and one that cannot be read end by their last explained reading', async () => {
  const [unified, unread] = [await stoppedLeg(8), await stoppedLeg(9)]
  money.rig.venue.control('mode', { address: address(8), mode: 'unifiedAccount' })
  const main = money.rig.venue.state.accounts[address(8)]?.dexes[''] ?? expect.fail()
  main.raw = '0'
  expect(await money.open(unified.mandate, '400', { kind: 'fallback' })).toMatchObject({ amount_usdc: '400' })
  expect(await legOf(unified.public_id)).toMatchObject({ state: 'unsupported', withheld_reason: 'leg_unsupported' })
  money.rig.venue.control('fault', isAway)
  expect(await money.open(unread.mandate, '400', { kind: 'fallback' })).toMatchObject({ amount_usdc: '400' })
})

test('a leg of which no reading was ever explained ends by its last mark, and without one it does not end', async () => {
  const mandate = await money.leg(10, '20')
  money.rig.advance(1_000)
  await money.fund(mandate, '400')
  money.stop(mandate)
  money.rig.venue.control('fault', isAway)
  expect((await refusalOf(money.open(mandate, '400', { kind: 'fallback' }))).detail).toBe(
    'Neither an explained reading nor a mark of the leg is known.',
  )
  expect(await money.open(mandate, '400', { kind: 'fallback', marked_usdc: '399.5' })).toMatchObject({
    amount_usdc: '399.5',
  })
})

test('what the owner moved away and keeps is stored with the end of the leg', async () => {
  const { mandate, public_id } = await stoppedLeg(11)
  money.moveFromSpot(11, -300)
  money.rig.advance(31_000)
  expect(await money.open(mandate, '400', { kind: 'fallback' })).toMatchObject({ amount_usdc: '120' })
  expect(await money.as(11).readLegMoney({ public_id })).toMatchObject({
    leg_debt_usdc: '120',
    kept_by_owner_usdc: '280',
    owed_usdc: '280',
  })
})

/** A stopped leg that got 400 USDC beside 20 of its owner, and made 100 of them. */
async function stoppedGain(ownerId: number) {
  const leg = await stoppedLeg(ownerId)
  const account = money.rig.venue.state.accounts[address(ownerId)]
  const main = account?.dexes[''] ?? expect.fail()
  const time = money.rig.clock.now().getTime()
  const delta = { type: 'funding', coin: 'BTC', usdc: '100', szi: '-1', fundingRate: '0.0001', nSamples: null }
  account?.funding.push({ time, hash: hash(time), delta } as never)
  main.raw = String(Number(main.raw) + 100)
  money.rig.advance(31_000)
  return leg
}

/** Ways in which the 100 that the leg made stay with its owner. */
const WAYS: Readonly<Record<string, (ownerId: number) => Promise<unknown>>> = {
  'letting the time pass': () => Promise.resolve(),
  'a withdrawal': async (ownerId) => {
    const account = money.rig.venue.state.accounts[address(ownerId)]
    const main = account?.dexes[''] ?? expect.fail()
    main.raw = String(Number(main.raw) - 100)
    const [time, nonce] = [money.rig.clock.now().getTime(), 1]
    account?.ledger.push({ time, hash: hash(time), delta: { type: 'withdraw', usdc: '99', nonce, fee: '1' } } as never)
  },
  'a transfer to spot': async (ownerId) => money.moveFromSpot(ownerId, -100),
  'a payment to another account': (ownerId) =>
    money.rig.act(
      ownerWallet(ownerId),
      usdSend(money.rig.scope(), { destination: walletOf(9_001).address, amountUsdc: '100' }),
    ),
}

test.for(Object.keys(WAYS).map((way, at) => [way, 40 + at] as const))(
  'profit that the owner keeps by %s costs the same fee as its return, which is owed like the rest',
  async ([way, ownerId]) => {
    const { mandate, public_id } = await stoppedGain(ownerId)
    await WAYS[way]?.(ownerId)
    money.rig.advance(31_000)
    expect(await money.open(mandate, '400', { kind: 'fallback' })).toMatchObject({ amount_usdc: '400' })
    // The vault made nothing and takes no fee; of the 100 that the leg made it would have taken 10 %.
    expect(await money.as(ownerId).readLegMoney({ public_id })).toMatchObject({
      owed_usdc: '100',
      fee_owed_usdc: '10',
      leg_debt_usdc: '410',
    })
    expect(await debtOf(ownerId)).toMatchObject({
      changes: [{ cause: 'fallback', amount_usdc: '410', fee_usdc: '10' }],
    })
    expect(await legOf(public_id)).toMatchObject({ ended_owed_usdc: '100' })
    expect(await money.rig.endsOf(public_id)).toMatchObject([
      { given_back_usdc: '400', owed_usdc: '100', fee_owed_usdc: '10' },
    ])
  },
)

const debtOf = async (ownerId: number) => {
  const { items } = await money.rig.as({ ...owner(900), roles: ['admin'] }).listLegDebts({ limit: 100 })
  return items.find(({ owner_address }) => owner_address.toLowerCase() === address(ownerId))
}

test('profit that is paid to the pool while the mandate works comes back as foreign money and is still owed', async () => {
  const { mandate, public_id } = await stoppedGain(50)
  await money.read()
  money.rig.mandates.known.set(public_id, mandate)
  const paid = usdSend(money.rig.scope(), { destination: pool.address, amountUsdc: '100' })
  expect(await money.rig.act(ownerWallet(50), paid)).toMatchObject({ status: 'ok' })
  await money.read()
  expect(await money.rig.run('takePayments')).toEqual({ done: 1 })
  expect(await legOf(public_id)).toMatchObject({ refundable_usdc: '100' })
  money.stop(mandate)
  money.rig.advance(31_000)
  await money.open(mandate, '400', { kind: 'fallback' })
  expect(await money.as(50).readLegMoney({ public_id })).toMatchObject({ owed_usdc: '100', fee_owed_usdc: '10' })
})

test('what the owner returned before the end counts for the fee, and so does a loss elsewhere in the vault', async () => {
  const owed = async (ownerId: number, profit_usdc: string) => {
    const { mandate, public_id } = await stoppedGain(ownerId)
    money.moveFromSpot(ownerId, -100)
    money.rig.advance(31_000)
    const call = await prepare(ownerId, public_id)
    expect(call).toMatchObject({ amount_usdc: '420', last: false })
    const signature = await money.sign(mandate, call.typed_data)
    await money.as(ownerId).returnLegMoney({ public_id, nonce: call.nonce, signature })
    const { transfers } = await money.keeper.listLegTransfers({})
    await money.tell(transfers.find((one) => one.public_id === public_id) ?? expect.fail(), 'chain_seen')
    money.rig.mandates.known.set(public_id, { ...mandate, vault: { ...money.vault, profit_usdc } })
    money.rig.advance(31_000)
    expect(await money.open(mandate, '0', { kind: 'fallback' })).toMatchObject({ amount_usdc: '0' })
    return money.as(ownerId).readLegMoney({ public_id })
  }
  // The vault took 2 of the 20 that came back.
  expect(await owed(51, '20')).toMatchObject({ owed_usdc: '80', kept_by_owner_usdc: '80', fee_owed_usdc: '8' })
  expect(await owed(52, '-70')).toMatchObject({ owed_usdc: '80', fee_owed_usdc: '1' })
})
