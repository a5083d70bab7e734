import { createHash } from 'node:crypto'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { BUILDER, owner, ownerWallet, startTradeRig, walletOf } from '../rig.ts'

const rig = opened(() => startTradeRig())

/** Asks for a message as an owner and signs it with a wallet. */
const challenge = async (ownerId: number, wallet = ownerWallet(ownerId)) => {
  const { message } = await rig.as(owner(ownerId)).challengeLink({ wallet_address: wallet.address })
  return { message, signature: await wallet.signMessage({ message }) }
}
const walletNow = async (ownerId: number) => (await rig.as(owner(ownerId)).readOwnStatus({})).wallet
const linksEver = () =>
  rig.pool.oneFirst(sql.type(z.object({ count: z.number() }))`SELECT count(*)::integer AS count FROM own_account`)

test('an owner links an account, approves the order key and the builder fee with the wallet, and may trade', async () => {
  const as = rig.as(owner(1))
  expect(await as.readOwnStatus({})).toMatchObject({
    network: 'testnet',
    wallet: null,
    can_trade: false,
    order_key: { state: 'none', address: null },
    approvals: { order_key: null, builder_fee: null, web_key: null },
  })
  const enabled = await rig.enable(1)
  expect(enabled).toMatchObject({
    ok: true,
    wallet: ownerWallet(1).address,
    refused: null,
    can_trade: true,
    order_key: { state: 'enabled', epoch: 0, valid_until: '2027-05-12T15:00:00.000Z' },
    builder_fee: { configured: true, approved: true, max_fee: 100, read_at: '2026-11-23T15:00:00.000Z' },
    approvals: { order_key: null, builder_fee: null, web_key: null },
  })
  expect(enabled.checks).toEqual(
    [
      'linked',
      'wallet_ok',
      'key_approved',
      'key_matches_seed',
      'builder_fee_approved',
      'not_leg_bound',
      'live_trading',
    ].map((id) => ({ id, ok: true, verdict: 'pass', detail: expect.any(String), fix: null })),
  )
})

test('the terms are open, versioned and named by the hash of their text, which linking accepts and no other', async () => {
  const { version, text, hash } = await rig.as(null).readOwnTerms({})
  expect([version, hash]).toEqual([1, `0x${createHash('sha256').update(text).digest('hex')}`])
  rig.fund(2)
  const { signature } = await challenge(2)
  const as = rig.as(owner(2))
  const other = `0x${'ab'.repeat(32)}`
  expect((await refusalOf(as.linkOwnAccount({ signature, terms_hash: other }))).code).toBe('own_terms_changed')
  expect((await as.linkOwnAccount({ signature, terms_hash: hash })).wallet).toBe(ownerWallet(2).address)
})

describe('a wallet whose account cannot be traded from here is refused with its reason and its fix', () => {
  const cases: readonly [number, string, () => unknown, RegExp][] = [
    [10, 'unknown_at_venue', () => undefined, /Send at least 5 USDC/],
    [
      11,
      'sub_account',
      () => rig.venue.control('role', { address: ownerWallet(11).address, role: 'subAccount' }),
      /master/,
    ],
    [12, 'vault', () => rig.venue.control('role', { address: ownerWallet(12).address, role: 'vault' }), /own/],
    [14, 'unified_account', () => setMode(14, 'unifiedAccount'), /standard mode/],
    [15, 'portfolio_margin', () => setMode(15, 'portfolioMargin'), /standard mode/],
  ]
  const setMode = (id: number, mode: string) => rig.venue.control('mode', { address: ownerWallet(id).address, mode })
  test.each(cases)('owner %i: %s', async (id, reason, make, fix) => {
    if (reason !== 'unknown_at_venue') rig.fund(id)
    make()
    const { signature } = await challenge(id)
    const refused = await refusalOf(rig.as(owner(id)).linkOwnAccount({ signature }))
    expect(refused).toMatchObject({ status: 409, code: 'own_wallet_refused', reason })
    expect(refused['how_to_fix']).toMatch(fix)
    expect(await walletNow(id)).toBeNull()
  })

  test('the key of another account, whose owner is told to link the account itself', async () => {
    const key = walletOf(77_001)
    rig.venue.state.agents[key.address.toLowerCase()] = {
      user: ownerWallet(1).address.toLowerCase(),
      name: 'mine',
      validUntil: rig.clock.now().getTime() + 86_400_000,
    }
    const { signature } = await challenge(16, key)
    const refused = await refusalOf(rig.as(owner(16)).linkOwnAccount({ signature }))
    expect(refused).toMatchObject({ code: 'own_wallet_refused', reason: 'agent' })
  })

  test('and once that is put right the same signature links it', async () => {
    rig.fund(17)
    setMode(17, 'unifiedAccount')
    const { signature } = await challenge(17)
    const as = rig.as(owner(17))
    expect((await refusalOf(as.linkOwnAccount({ signature }))).code).toBe('own_wallet_refused')
    setMode(17, 'default')
    expect((await as.linkOwnAccount({ signature })).wallet).toBe(ownerWallet(17).address)
  })
})

describe('bad input links nothing', () => {
  const codeOf = async (id: number, signature: string) =>
    (await refusalOf(rig.as(owner(id)).linkOwnAccount({ signature }))).code

  test('a mistyped address gets no message', async () => {
    const wallet_address = `0x${'Ab'.repeat(20)}`
    expect(await refusalOf(rig.as(owner(20)).challengeLink({ wallet_address }))).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/wallet_address' }],
    })
  })

  test('the signature of another wallet, an altered one, one of another account, a used and an expired one', async () => {
    rig.fund(21)
    const before = await linksEver()
    const { message, signature } = await challenge(21)
    expect(await codeOf(21, await ownerWallet(22).signMessage({ message }))).toBe('link_signature_invalid')
    expect(
      await codeOf(21, `${signature.slice(0, 40)}${signature[40] === '0' ? '1' : '0'}${signature.slice(41)}`),
    ).toBe('link_signature_invalid')
    expect(await codeOf(21, `0x${'00'.repeat(65)}`)).toBe('link_signature_invalid')
    expect(await codeOf(22, signature)).toBe('link_nonce_unknown')
    expect(await linksEver()).toBe(before)
    expect((await rig.as(owner(21)).linkOwnAccount({ signature })).wallet).toBe(ownerWallet(21).address)
    expect(await codeOf(21, signature)).toBe('link_nonce_unknown')
    rig.fund(23)
    const late = await challenge(23)
    rig.advance(300_001)
    expect(await codeOf(23, late.signature)).toBe('link_nonce_unknown')
    expect(await walletNow(23)).toBeNull()
  })

  test('a wallet signs for one account: whoever comes second is refused, and of two at once one is linked', async () => {
    await rig.link(2)
    const { signature } = await challenge(24, ownerWallet(2))
    expect(await codeOf(24, signature)).toBe('own_wallet_taken')
    rig.fund(25)
    const both = await Promise.all([challenge(25), challenge(26, ownerWallet(25))])
    const results = await Promise.allSettled(
      [25, 26].map((id, n) => rig.as(owner(id)).linkOwnAccount({ signature: both[n]?.signature ?? '' })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('of two calls with one signature at the same time at most one closes the message', async () => {
    rig.fund(27)
    const { signature } = await challenge(27)
    const as = rig.as(owner(27))
    const results = await Promise.allSettled([as.linkOwnAccount({ signature }), as.linkOwnAccount({ signature })])
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await walletNow(27)).toBe(ownerWallet(27).address)
  })
})

describe('the linked wallet', () => {
  test('stays with its key when it is linked again', async () => {
    await rig.enable(30)
    const before = await rig.as(owner(30)).readOwnStatus({})
    const again = await rig.link(30)
    expect({ ...again, ok: undefined }).toEqual({ ...before, ok: undefined })
  })

  test('gives way to another wallet of the owner with a key of its own, and is then free for another account', async () => {
    const first = await rig.enable(31)
    rig.fund(32)
    const second = await rig.link(31, ownerWallet(32))
    expect(second).toMatchObject({
      wallet: ownerWallet(32).address,
      can_trade: false,
      order_key: { state: 'offered', epoch: 0 },
    })
    expect(second.order_key.address).not.toBe(first.order_key.address)
    expect((await rig.link(32, ownerWallet(31))).wallet).toBe(ownerWallet(31).address)
    expect(await walletNow(31)).toBe(ownerWallet(32).address)
  })

  test('stays while a live order of it is not resolved, and may be replaced afterwards', async () => {
    await rig.enable(34)
    rig.fund(35)
    const as = rig.as(owner(34))
    const order = { market: 'hl:BTC', side: 'buy', amount_usdc: '60', mode: 'live' } as const
    const { confirm_id } = await as.prepareOrder(order)
    const { signature } = await challenge(34, ownerWallet(35))
    expect((await refusalOf(as.linkOwnAccount({ signature }))).code).toBe('own_orders_open')
    expect(await walletNow(34)).toBe(ownerWallet(34).address)
    expect(await as.executeOrder({ confirm_id: confirm_id ?? '' })).toMatchObject({ order: { status: 'filled' } })
    expect((await rig.link(34, ownerWallet(35))).wallet).toBe(ownerWallet(35).address)
  })

  test('is not linked while the venue is away or the weight of requests is spent, and the signature stays good', async () => {
    rig.fund(33)
    const { signature } = await challenge(33)
    const as = rig.as(owner(33))
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', count: 1 })
    await expect(as.linkOwnAccount({ signature })).rejects.toMatchObject({ name: 'Outage' })
    const { answers } = rig.peers.leg
    const spend = answers['spendVenueWeight']
    answers['spendVenueWeight'] = () => ({ retry_at: new Date(rig.clock.now().getTime() + 5_000).toISOString() })
    await expect(as.linkOwnAccount({ signature })).rejects.toMatchObject({ name: 'Outage', reason: 'venue_budget' })
    answers['spendVenueWeight'] = spend as never
    rig.advance(5_001)
    expect(await walletNow(33)).toBeNull()
    expect((await as.linkOwnAccount({ signature })).wallet).toBe(ownerWallet(33).address)
  })
})

describe('the builder fee', () => {
  test('is approved when the venue says so, and never before', async () => {
    const as = rig.as(owner(40))
    expect((await refusalOf(as.recordBuilderFee({}))).code).toBe('account_not_linked')
    rig.fund(40)
    const { approvals } = await rig.link(40)
    expect(await as.readBuilderFeeStatus({})).toEqual({
      configured: true,
      approved: false,
      max_fee: null,
      read_at: null,
    })
    expect(await as.recordBuilderFee({})).toMatchObject({ approved: false, max_fee: 0 })
    expect(approvals.builder_fee?.action).toMatchObject({ type: 'approveBuilderFee', maxFeeRate: '0.1%' })
    const account = rig.venue.state.accounts[ownerWallet(40).address.toLowerCase()]
    if (account !== undefined) account.builders[BUILDER.address.toLowerCase()] = 99
    expect(await as.recordBuilderFee({})).toMatchObject({ approved: false, max_fee: 99 })
    if (account !== undefined) account.builders[BUILDER.address.toLowerCase()] = 100
    const now = rig.clock.now().toISOString()
    expect(await as.recordBuilderFee({})).toEqual({
      ok: true,
      configured: true,
      approved: true,
      max_fee: 100,
      read_at: now,
    })
    expect(await as.readBuilderFeeStatus({})).toEqual({ configured: true, approved: true, max_fee: 100, read_at: now })
  })

  test('is counted for admins by what was last read of each linked account', async () => {
    const admin = rig.as({ ...owner(3), roles: ['admin'] })
    const { approved } = await admin.countBuilderFees({})
    await rig.enable(41)
    expect(await admin.countBuilderFees({})).toEqual({
      approved: approved + 1,
      computed_at: rig.clock.now().toISOString(),
    })
  })
})

test('an intent is stored and nothing is ordered; of an owner the newest 200 are kept', async () => {
  const as = rig.as(owner(50))
  const intent = { market: 'hl:BTC', side: 'buy', amount_usdc: '12.5', note: 'after the close' } as const
  // The watch of the venue asks for its status meanwhile.
  const sent = () =>
    Object.keys(rig.venue.control('counts', {}) as object).filter((name) => name.startsWith('exchange '))
  const before = sent()
  const recorded = await as.recordIntent(intent)
  expect(recorded).toMatchObject({ ok: true, recorded_at: rig.clock.now().toISOString() })
  for (const amount_usdc of ['0', '0.0'])
    expect((await refusalOf(as.recordIntent({ ...intent, amount_usdc }))).code).toBe('invalid_request')
  await rig.pool.query(sql.unsafe`
    INSERT INTO own_intent SELECT 'int_' || lpad(to_hex(n), 32, '0'), 50, 'hl:ETH', 'sell', 1, NULL, ${rig.clock.now().toISOString()}
    FROM generate_series(1, 200) n`)
  rig.advance(60_000)
  const { intent_id } = await as.recordIntent(intent)
  const rows = await rig.pool.any(sql.type(z.object({ intent_id: z.string(), amount: z.string() }))`
    SELECT intent_id, amount::text FROM own_intent WHERE owner_id = 50`)
  expect(rows).toHaveLength(200)
  expect(rows).toContainEqual({ intent_id, amount: '12500000' })
  expect(sent()).toEqual(before)
})
