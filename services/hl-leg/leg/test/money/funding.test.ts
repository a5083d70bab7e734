import { opened, refusalOf } from '@svc/testing'
import { expectFires, scrapeHere } from '@svc/testing/alerts'
import { usdSend, userSignedBody } from '@svc/hyperliquid'
import { expect, test } from 'vitest'
import { sendPoolTransfer } from '#money/operations/send-pool-transfer.ts'
import { CLAIM_MS } from '#money/send-transfer.ts'
import { callFrom, dyingContext } from '../orders/dying.ts'
import { ownerWallet, walletOf } from '../rig.ts'
import { CHAIN_ID, startMoneyRig } from './money-rig.ts'

const money = opened(() => startMoneyRig())

test('a funding goes from its decision to the account of the owner, each step stored before it is sent', async () => {
  const mandate = await money.leg(1)
  const opened_ = await money.open(mandate, '100')
  expect(opened_).toMatchObject({ state: 'planned', nonce: null })
  expect((await refusalOf(money.send(opened_))).code).toBe('leg_transfer_conflict')
  expect(await money.tell(opened_, 'chain_sent')).toMatchObject({ state: 'on_chain' })
  const confirmed = await money.tell(opened_, 'chain_seen')
  expect(confirmed).toMatchObject({ state: 'confirmed', nonce: money.rig.clock.now().getTime() })
  expect(await money.send(confirmed)).toMatchObject({ state: 'delivered', open: false })
  expect(money.ledger(1)).toMatchObject([{ usdc: '100', destination: ownerWallet(1).address.toLowerCase() }])
  const { steps, body } = await money.stored(opened_)
  expect(steps).toEqual([
    'opened: planned',
    'chain_sent: on_chain',
    'chain_seen: confirmed',
    'venue_signed: sent',
    'venue_landed: delivered',
  ])
  expect(body).toBe(await money.bytes(confirmed))
})

test('leg money is no foreign money, and a reading counts it from the entry of the venue on', async () => {
  const mandate = await money.leg(2, '300')
  const { public_id } = mandate
  money.rig.advance(1_000)
  await money.fund(mandate, '100')
  const [early] = (await money.keeper.readLegWorths({ public_ids: [public_id] })).legs
  expect(early).toMatchObject({ value_usdc: '300', foreign_usdc: '300', delivered_usdc: '0', lent_owner_usdc: '100' })
  await money.read()
  const [leg] = (await money.keeper.readLegWorths({ public_ids: [public_id] })).legs
  expect(leg).toMatchObject({
    value_usdc: '400',
    foreign_usdc: '300',
    delivered_usdc: '100',
    left_usdc: '0',
    withheld_reason: null,
    ready: true,
    open_transfers: 0,
  })
  expect(await money.as(2).readLegMoney({ public_id })).toMatchObject({
    venue_estimate_usdc: '100',
    foreign_usdc: '300',
    lent_usdc: '100',
    moving: [],
    paid_out_usdc: '0',
  })
})

test('gallery learns the equity of a leg for follows: money of the vault alone once it was funded, and positions', async () => {
  const mandate = await money.leg(20, '300')
  const { public_id } = mandate
  const read = async (now = false) =>
    (await money.rig.from('gallery').readFollowLegs({ public_ids: [public_id, `mdt_${'0'.repeat(32)}`], now })).legs
  const before = { public_id, state: 'bound', network: 'testnet', value_usdc: '300', equity_usdc: null, funded: false }
  expect(await read(true)).toMatchObject([{ ...before, positions: [] }])
  money.rig.advance(1_000)
  await money.fund(mandate, '100')
  expect(await read()).toMatchObject([before])
  await money.read()
  expect(await read()).toMatchObject([{ value_usdc: '400', equity_usdc: '100', funded: true, positions: [] }])
  money.rig.advance(1_000)
  await money.rig.trade(ownerWallet(20), { asset: 0, side: 'buy', price: '63000', size: '0.001' })
  expect(await read(true)).toMatchObject([{ positions: [] }])
  money.rig.advance(20_001)
  const [fresh] = await read(true)
  expect(fresh).toMatchObject({ positions: [{ market: 'hl:BTC', size: '0.001' }] })
  expect(Number(fresh?.equity_usdc)).toBeCloseTo(100, 0)
})

test('the venue drops the answer after it sent: the transfer is found in the ledger and not sent twice', async () => {
  const mandate = await money.leg(3)
  money.rig.venue.control('fault', { kind: 'drop', endpoint: 'exchange', type: 'usdSend' })
  const opened_ = await money.open(mandate, '50')
  const sent = await money.send(await money.tell(opened_, 'chain_seen'))
  expect(sent).toMatchObject({ state: 'sent', open: true })
  await money.rig.run('followTransfers')
  expect(await money.row(sent)).toMatchObject({ state: 'delivered' })
  expect(money.ledger(3)).toHaveLength(1)
})

test('bytes that never arrived are sent again unchanged until they do', async () => {
  const mandate = await money.leg(4)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  for (const kind of ['status429', 'status500', 'html502', 'truncated'] as const) {
    money.rig.venue.control('fault', { kind, endpoint: 'exchange', type: 'usdSend' })
    if (kind === 'status429') expect(await money.send(confirmed)).toMatchObject({ state: 'sent' })
    else await money.rig.run('followTransfers')
  }
  const { body } = await money.stored(confirmed)
  await money.rig.run('followTransfers')
  await money.rig.run('followTransfers')
  expect(await money.row(confirmed)).toMatchObject({ state: 'delivered' })
  expect((await money.stored(confirmed)).body).toBe(body)
  expect(money.ledger(4)).toHaveLength(1)
})

test('a duplicate nonce means that an earlier copy landed', async () => {
  const mandate = await money.leg(5)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  await money.rig.post('exchange', JSON.parse(await money.bytes(confirmed)) as object)
  expect(await money.send(confirmed)).toMatchObject({ state: 'delivered' })
  expect(money.ledger(5)).toHaveLength(1)
})

test('a refusal of a copy ends no transfer while the fate of another copy is unknown, even after its process has ended', async () => {
  const mandate = await money.leg(16)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  const body = await money.bytes(confirmed)
  money.rig.venue.control('fault', { kind: 'status500', endpoint: 'exchange', type: 'usdSend' })
  // It ends right after it sent: the row, the claim, the bytes, the copy for both releases, the venue.
  const { context, ended } = dyingContext(money.rig.context, 6)
  const call = callFrom(money.rig, context, { caller: null, from: 'keeper' })
  await Promise.race([sendPoolTransfer(context)({ transfer_id: confirmed.transfer_id, body }, call), ended])
  money.rig.advance(CLAIM_MS)
  money.rig.venue.control('fault', { kind: 'refuse', endpoint: 'exchange', type: 'usdSend' })
  expect(await money.send(confirmed)).toMatchObject({ state: 'sent' })
  // The first copy arrives late.
  await money.rig.post('exchange', JSON.parse(body) as object)
  await money.rig.run('followTransfers')
  expect(await money.row(confirmed)).toMatchObject({ state: 'delivered' })
  expect(money.ledger(16)).toHaveLength(1)
})

test('a reading that holds leg money whose transfer does not say so yet counts in no mark', async () => {
  const mandate = await money.leg(17, '300')
  const reasonOf = async () =>
    (await money.keeper.readLegWorths({ public_ids: [mandate.public_id] })).legs.map((leg) => leg.withheld_reason)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  money.rig.venue.control('fault', { kind: 'drop', endpoint: 'exchange', type: 'usdSend' })
  expect(await money.send(confirmed)).toMatchObject({ state: 'sent' })
  await money.read()
  expect(await reasonOf()).toEqual(['leg_payment_unbooked'])
  await money.rig.run('followTransfers')
  expect(await reasonOf()).toEqual([null])
})

test('a second signature is not sent: the stored bytes count', async () => {
  const mandate = await money.leg(6)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  const first = await money.send(confirmed)
  const other = { ...confirmed, nonce: (confirmed.nonce ?? 0) + 5 }
  const again = await money.keeper.sendPoolTransfer({
    transfer_id: confirmed.transfer_id,
    body: await money.bytes(other),
  })
  expect(again.transfer).toEqual(first)
  expect(money.ledger(6)).toHaveLength(1)
})

test('bytes of another amount, owner, nonce, signer or with another member are refused, and nothing is sent', async () => {
  const mandate = await money.leg(7)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  const good = await money.bytes(confirmed)
  const stranger = walletOf(31)
  const bodies = [
    await money.bytes({ ...confirmed, amount_usdc: '51' }),
    await money.bytes({ ...confirmed, owner_address: stranger.address.toLowerCase() }),
    await money.bytes({ ...confirmed, nonce: 1 }),
    userSignedBody(
      usdSend(
        { network: 'testnet', signatureChainId: CHAIN_ID, nonce: confirmed.nonce ?? 0 },
        { destination: confirmed.owner_address as `0x${string}`, amountUsdc: '50' },
      ),
      { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, v: 27 },
    ),
    good.replace('{"action"', '{"vaultAddress":null,"action"'),
    'no json',
  ]
  for (const body of bodies)
    expect((await refusalOf(money.keeper.sendPoolTransfer({ transfer_id: confirmed.transfer_id, body }))).code).toBe(
      'leg_transfer_conflict',
    )
  expect(money.ledger(7)).toHaveLength(0)
})

test('a funding that the venue refused is given back to its vault, once', async () => {
  const mandate = await money.leg(8)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  money.rig.venue.control('fault', {
    kind: 'refuse',
    endpoint: 'exchange',
    type: 'usdSend',
    text: 'Insufficient balance for withdrawal.',
  })
  expect(await money.send(confirmed)).toMatchObject({ state: 'turned_back', open: false })
  await money.send(confirmed)
  const { transfers } = await money.keeper.listLegTransfers({})
  const back = transfers.filter(({ public_id }) => public_id === mandate.public_id)
  expect(back).toMatchObject([{ kind: 'turn_back', state: 'planned', amount_usdc: '50', last: false }])
  expect(money.ledger(8)).toHaveLength(0)
  const given = await money.tell(back[0] ?? expect.fail(), 'chain_seen')
  expect(given).toMatchObject({ state: 'confirmed', open: false })
  expect(await money.as(8).readLegMoney({ public_id: mandate.public_id })).toMatchObject({
    lent_usdc: '0',
    paid_out_usdc: '0',
  })
})

test('bytes that were never admitted are turned back only after their nonce left its window', async () => {
  const mandate = await money.leg(9)
  const confirmed = await money.tell(await money.open(mandate, '50'), 'chain_seen')
  money.rig.venue.control('fault', { kind: 'status500', endpoint: 'exchange', type: 'usdSend', count: 10 })
  await money.send(confirmed)
  money.rig.advance(2 * 86_400_000)
  await money.rig.run('followTransfers')
  expect(await money.row(confirmed)).toMatchObject({ state: 'sent' })
  money.rig.advance(2 * 3_600_000)
  await money.rig.run('followTransfers')
  expect(await money.row(confirmed)).toMatchObject({ state: 'turned_back', reason: 'never executed at the venue' })
  money.rig.venue.control('clear-faults')
})

test('replaced blocks take fundLeg away after the pool sent: unbacked, then backed again or a debt of the owner', async () => {
  const mandate = await money.leg(10)
  const delivered = await money.fund(mandate, '50')
  expect(await money.tell(delivered, 'chain_lost')).toMatchObject({ state: 'unbacked', open: true })
  expect(await money.tell(delivered, 'chain_sent')).toMatchObject({ state: 'unbacked' })
  expect(await money.tell(delivered, 'chain_seen')).toMatchObject({ state: 'delivered' })
  await money.tell(delivered, 'chain_lost')
  expect(await money.tell(delivered, 'chain_failed', 'MandateStopped')).toMatchObject({
    state: 'leg_debt',
    open: false,
  })
  const [leg] = (await money.keeper.readLegWorths({ public_ids: [mandate.public_id] })).legs
  expect(leg).toMatchObject({ leg_debt_usdc: '50', lent_owner_usdc: '50' })
  const refused = await refusalOf(money.open(mandate, '10'))
  expect(refused).toMatchObject({ code: 'leg_transfer_conflict', detail: 'The account owes the house.' })
  expect(money.ledger(10)).toHaveLength(1)
})

test('a transfer that did not move withholds the mark', async () => {
  const mandate = await money.leg(11)
  await money.tell(await money.open(mandate, '50'), 'chain_sent')
  money.rig.advance(121_000)
  const [leg] = (await money.keeper.readLegWorths({ public_ids: [mandate.public_id] })).legs
  expect(leg).toMatchObject({ stuck: true, withheld_reason: 'leg_transfer_stuck' })
})

test('a leg has one funding at a time, and lending has its bounds', async () => {
  const mandate = await money.leg(12)
  const opened_ = await money.open(mandate, '50')
  expect((await refusalOf(money.open(mandate, '50'))).detail).toBe('A transfer of the leg is open.')
  await money.tell(opened_, 'chain_failed', 'refused')
  expect(await money.row(opened_)).toMatchObject({ state: 'cancelled', reason: 'refused' })
  expect((await refusalOf(money.open(mandate, '1000.000001'))).detail).toBe('SVC_LEG_OWNER_MAX_USDC is reached.')
})

test('the bound of lending is that of the party of the owner, whichever of its accounts has the leg', async () => {
  const [first, second] = [await money.leg(30), await money.leg(31)]
  for (const account of [30, 31]) money.rig.identity.parties.set(account, [30, 31, 1_030])
  await money.fund(first, '700')
  const lent = async () =>
    (await money.keeper.readLegWorths({ public_ids: [second.public_id] })).legs[0]?.lent_owner_usdc
  expect((await refusalOf(money.open(second, '300.000001'))).detail).toBe('SVC_LEG_OWNER_MAX_USDC is reached.')
  // keeper plans the next one with what the party has.
  expect(await lent()).toBe('700')
  money.rig.identity.isAway = true
  expect((await refusalOf(money.open(second, '300'))).detail).toBe('The accounts of the owner are not known now.')
  money.rig.identity.isAway = false
  expect(await money.open(second, '300')).toMatchObject({ state: 'planned' })
  expect(await lent()).toBe('1000')
})

test('a step that contradicts what is known is refused, and the transfer stays as it was', async () => {
  const opened_ = await money.open(await money.leg(13), '50')
  expect((await refusalOf(money.tell(opened_, 'chain_lost'))).code).toBe('leg_transfer_conflict')
  await money.tell(opened_, 'chain_failed', 'refused')
  expect((await refusalOf(money.tell(opened_, 'chain_seen'))).code).toBe('leg_transfer_conflict')
  expect(await money.row(opened_)).toMatchObject({ state: 'cancelled', open: false })
})

test('switched off with money out, every run raises an alarm, and each owner is told once for each time it is off', async () => {
  const [funded, idle] = [await money.leg(14), await money.leg(15)]
  const { public_id } = funded
  await money.fund(funded, '50')
  const told = async () => (await money.rig.switchesOf(public_id)).map(({ off }) => off)
  expect(await money.rig.run('watchSwitches')).toEqual({ done: 0 })
  const on = await scrapeHere()
  for (const [off, before] of [
    [{ HUB_LEG_FUNDING: 'off' }, []],
    [{ HUB_LEG_FUNDING: 'test', HUB_HL_LEG_ENABLED: '0' }, [true, false]],
  ] as const) {
    await money.rig.restart(off)
    const first = await money.rig.run('watchSwitches')
    expect(first).toEqual({ done: expect.any(Number), out: expect.any(Number) })
    if (before.length === 0) await expectFires('LegMoneyOutWhileOff', { before: [on], after: [await scrapeHere()] })
    expect(await money.rig.run('watchSwitches')).toEqual({ ...first, done: 0 })
    expect(await told()).toEqual([...before, true])
    await money.rig.restart({ HUB_LEG_FUNDING: 'test', HUB_HL_LEG_ENABLED: '1' })
    money.rig.advance(1_000)
    expect((await money.rig.run('watchSwitches')).done).toBe(first.done)
    expect(await money.rig.run('watchSwitches')).toEqual({ done: 0 })
    expect(await told()).toEqual([...before, true, false])
  }
  const since = new Set((await money.rig.switchesOf(public_id)).map((one) => one.since))
  expect(since.size).toBe(2)
  expect(await money.rig.switchesOf(idle.public_id)).toEqual([])
})
