import type { LegMandate } from '@svc/contracts/mandates/leg'
import { normalizeSignature, typedDataOf, usdSend, userSignedBody } from '@svc/hyperliquid'
import { changesNothing, opened, refusalOf } from '@svc/testing'
import { expect, test } from 'vitest'
import { owner, ownerWallet, signTypedData } from '../rig.ts'
import { CHAIN_ID, pool, startMoneyRig } from './money-rig.ts'

const money = opened(() => startMoneyRig())

/** The owner sends USDC to the pool with the wallet alone. */
async function pay(ownerId: number, amountUsdc: string): Promise<void> {
  money.rig.advance(31_000)
  const nonce = money.rig.clock.now().getTime()
  const scope = { network: 'testnet', signatureChainId: CHAIN_ID, nonce } as const
  const action = usdSend(scope, { destination: pool.address, amountUsdc })
  const signature = normalizeSignature(await signTypedData(ownerWallet(ownerId), typedDataOf(action)))
  await money.rig.post('exchange', JSON.parse(userSignedBody(action, signature ?? expect.fail())) as object)
  await money.read()
}
const legOf = async (public_id: string) => (await money.keeper.readLegWorths({ public_ids: [public_id] })).legs[0]
const own = async (public_id: string) =>
  (await money.keeper.listLegTransfers({})).transfers.filter((row) => row.public_id === public_id)

test('a payment without a row is a return of the stopped leg up to what it owes; the rest is foreign and goes back once a day', async () => {
  const mandate = await money.leg(1, '300')
  const { public_id } = mandate
  money.rig.advance(1_000)
  await money.fund(mandate, '100')
  await money.read()
  money.stop(mandate)
  await pay(1, '150')
  expect(await money.rig.run('takePayments')).toEqual({ done: 1 })
  expect(await money.rig.run('takePayments')).toEqual({ done: 0 })
  expect(await own(public_id)).toMatchObject([
    { kind: 'payment', state: 'delivered_at_venue', amount_usdc: '100', last: false },
  ])
  expect(await legOf(public_id)).toMatchObject({
    value_usdc: '250',
    foreign_usdc: '250',
    left_usdc: '100',
    refundable_usdc: '50',
  })
  money.rig.advance(31_000)
  expect(await money.rig.run('explainLegs')).toEqual({ done: 1, unexplained: 0 })

  const refund = (amount: string) => money.open(mandate, amount, { kind: 'refund' })
  expect((await refusalOf(refund('50.000001'))).code).toBe('leg_transfer_conflict')
  const sent = await money.send(await refund('49'))
  expect(sent).toMatchObject({ kind: 'refund', state: 'delivered' })
  expect((await refusalOf(refund('1'))).detail).toBe('A refund to the address was made within a day.')
  await money.read()
  expect(await legOf(public_id)).toMatchObject({ value_usdc: '299', foreign_usdc: '299', refundable_usdc: '1' })
})

test('a payment to the pool while the mandate works is foreign money, and stops no funding', async () => {
  const mandate = await money.leg(2, '300')
  await pay(2, '20')
  await money.rig.run('takePayments')
  expect(await own(mandate.public_id)).toEqual([])
  expect(await legOf(mandate.public_id)).toMatchObject({
    foreign_usdc: '280',
    refundable_usdc: '20',
    return_begun: false,
  })
  expect(await money.fund(mandate, '10')).toMatchObject({ state: 'delivered' })
})

test('a payment lowers the debt of the address first and credits no vault; until it is paid no leg is bound', async () => {
  const mandate = await money.leg(3, '300')
  const { public_id } = mandate
  money.rig.advance(1_000)
  await money.fund(mandate, '100')
  await money.read()
  money.stop(mandate)
  await money.tell(await money.open(mandate, '100', { kind: 'fallback' }), 'chain_seen')
  await money.as(3).unbindLeg({ public_id })
  const next = money.rig.mandate(3)
  const refused = await refusalOf(money.rig.bind(next, '1'))
  expect(refused).toMatchObject({
    code: 'hub_leg_debt',
    leg_debt_usdc: '100',
    pool_address: pool.address.toLowerCase(),
  })
})

test('a debt is paid by a payment to the pool', async () => {
  const mandate = await money.leg(4, '300')
  const { public_id } = mandate
  money.rig.advance(1_000)
  const delivered = await money.fund(mandate, '100')
  await money.read()
  await money.tell(delivered, 'chain_lost')
  await money.tell(delivered, 'chain_failed', 'MandateStopped')
  await pay(4, '60')
  await money.rig.run('takePayments')
  expect(await legOf(public_id)).toMatchObject({ leg_debt_usdc: '40', left_usdc: '60', refundable_usdc: '0' })
  await pay(4, '60')
  await money.rig.run('takePayments')
  expect(await legOf(public_id)).toMatchObject({
    leg_debt_usdc: '0',
    left_usdc: '100',
    refundable_usdc: '20',
    foreign_usdc: '280',
  })
  expect((await own(public_id)).map(({ kind }) => kind)).toEqual([])
})

test('an admin writes off a debt once, with who, when and why; then the account can have a leg again and nothing counts as lent', async () => {
  const mandate = await money.leg(5, '300')
  money.rig.advance(1_000)
  await money.fund(mandate, '100')
  await money.read()
  money.stop(mandate)
  await money.tell(await money.open(mandate, '100', { kind: 'fallback' }), 'chain_seen')
  await money.as(5).unbindLeg({ public_id: mandate.public_id })
  const admin = { ...owner(900), roles: ['admin' as const] }
  const asAdmin = (key?: string) => money.rig.as(admin, key === undefined ? {} : { idempotencyKey: key })
  const debtOf = async () => (await asAdmin().listLegDebts({})).items.find((one) => one.owner_address === owner_address)
  const owner_address = ownerWallet(5).address
  const fallback = { cause: 'fallback', amount_usdc: '100', public_id: mandate.public_id, admin_id: null, reason: null }
  expect(await debtOf()).toMatchObject({ network: 'testnet', leg_debt_usdc: '100', changes: [fallback] })

  const off = { owner_address, amount_usdc: '100', reason: 'lost in an incident at the venue' }
  expect(await refusalOf(asAdmin().writeOffLegDebt({ ...off, amount_usdc: '99.999999' }))).toMatchObject({
    code: 'leg_debt_changed',
    leg_debt_usdc: '100',
  })
  expect(await debtOf()).toMatchObject({ leg_debt_usdc: '100' })
  const rehearsed = await changesNothing(money.rig.stack.databaseOf('hl-leg').superuserUrl, () =>
    asAdmin('off').writeOffLegDebt({ ...off, dry_run: true }),
  )
  expect(rehearsed).toMatchObject({ ok: true, dry_run: true, owner_address, written_off_usdc: '100' })

  const [first, again] = await Promise.all(
    [1, 2].map(() =>
      asAdmin('off')
        .writeOffLegDebt(off)
        .catch(() => null),
    ),
  )
  expect(first ?? again).toMatchObject({ ok: true, owner_address, written_off_usdc: '100' })
  expect(await asAdmin('off').writeOffLegDebt(off)).toEqual(first ?? again)
  expect((await refusalOf(asAdmin('other').writeOffLegDebt(off))).code).toBe('leg_debt_none')
  expect(await debtOf()).toMatchObject({
    leg_debt_usdc: '0',
    changes: [
      { cause: 'written_off', amount_usdc: '-100', admin_id: 900, reason: off.reason, at: (first ?? again)?.at },
      fallback,
    ],
  })
  const next = money.rig.mandate(5)
  expect(await money.rig.bind(next, '1')).toMatchObject({ state: 'bound' })
  expect(await legOf(next.public_id)).toMatchObject({ leg_debt_usdc: '0', lent_owner_usdc: '0' })
  const page = await asAdmin().listLegDebts({ limit: 1 })
  expect([page.items.length, page.next_cursor]).toEqual([1, page.items[0]?.owner_address])
  const rest = await asAdmin().listLegDebts({ cursor: page.next_cursor ?? '' })
  expect(rest.items.map((one) => one.owner_address)).not.toContain(page.next_cursor)
})

test('the house opens an account that the venue does not know: once for an address, 1 USDC, at most 20 a day', async () => {
  const asked = async (ownerId: number) => {
    const mandate = money.rig.mandate(ownerId, { vault: money.vault })
    const refused = await refusalOf(money.as(ownerId).prepareApproval({ public_id: mandate.public_id }))
    expect(refused).toMatchObject({ code: 'hub_hl_leg_not_ready', retry_at: expect.any(String) })
    return mandate
  }
  const activate = (mandate: LegMandate, amount = '1') =>
    money.open(mandate, amount, { kind: 'activation', vault: null, chain_id: null })
  const mandate = await asked(40)
  const { public_id } = mandate
  expect(await legOf(public_id)).toMatchObject({ activation_asked: true })
  expect((await refusalOf(activate(mandate, '2'))).detail).toBe('An activation sends 1 USDC.')
  expect(await money.send(await activate(mandate))).toMatchObject({ state: 'delivered', open: false })
  expect(money.ledger(40)).toMatchObject([{ usdc: '1' }])
  expect((await refusalOf(activate(mandate))).code).toBe('leg_transfer_conflict')
  const { typed_data, nonce } = await money.as(40).prepareApproval({ public_id })
  const signature = await money.sign(mandate, typed_data)
  await money.as(40).bindLeg({ public_id, signature, nonce })
  expect(await legOf(public_id)).toMatchObject({ ready: true, foreign_usdc: '1', return_begun: false })
  expect(await money.fund(mandate, '10')).toMatchObject({ state: 'delivered' })

  const known = money.rig.mandate(61, { vault: money.vault })
  money.rig.venue.control('fund', { address: ownerWallet(61).address, amount: '5' })
  await money.as(61).prepareApproval({ public_id: known.public_id })
  expect(await legOf(known.public_id)).toMatchObject({ activation_asked: false })
  expect((await refusalOf(activate(known))).detail).toBe('The venue knows the account, or was not asked yet.')

  for (let ownerId = 41; ownerId < 60; ownerId += 1) await activate(await asked(ownerId))
  expect((await refusalOf(activate(await asked(60)))).detail).toBe('20 accounts were activated today.')
})
