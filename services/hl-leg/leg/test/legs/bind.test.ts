import { opened, refusalOf } from '@svc/testing'
import { deriveAccount, parseSeed } from '@svc/hyperliquid/signing'
import { describe, expect, test } from 'vitest'
import { agent, owner, ownerWallet, SEED, signTypedData, startRig, walletOf } from '../rig.ts'

const rig = opened(() => startRig())

const keyOf = (publicId: string, epoch: number) =>
  deriveAccount(parseSeed(SEED) ?? new Uint8Array(), 'svc/hl-leg/v1', publicId, epoch).address
const verdictsOf = (refused: Record<string, unknown>) =>
  Object.fromEntries((refused['checks'] as { id: string; verdict: string }[]).map(({ id, verdict }) => [id, verdict]))
const fund = (id: number, amount = '1000') => rig.venue.control('fund', { address: ownerWallet(id).address, amount })

describe('the way to a bound leg', () => {
  test('an owner approves the key with the wallet and binds it; the event and the stored rows say so', async () => {
    const { public_id } = rig.mandate(1)
    const as = rig.as(owner(1))
    expect(await as.readLeg({ public_id })).toMatchObject({ state: 'none', agent_address: null, worth_usdc: null })
    fund(1)
    const offer = await as.prepareApproval({ public_id })
    expect(offer).toMatchObject({
      agent_address: keyOf(public_id, 0).toLowerCase(),
      agent_name: 'svc-leg',
      valid_until: '2026-12-10T10:00:00.000Z',
      post_to: `${rig.venue.url}/exchange`,
      action: { type: 'approveAgent', signatureChainId: '0x7a69', hyperliquidChain: 'Testnet' },
    })
    expect(await as.prepareApproval({ public_id })).toEqual(offer)
    expect(await as.readLeg({ public_id })).toMatchObject({ state: 'proposed' })

    const signature = await signTypedData(ownerWallet(1), offer.typed_data)
    const { leg } = await as.bindLeg({ public_id, signature, nonce: offer.nonce })
    expect(leg).toMatchObject({
      state: 'bound',
      agent_address: keyOf(public_id, 0),
      epoch: 0,
      valid_until: offer.valid_until,
      worth_usdc: '1000',
      foreign_usdc: '1000',
      open_notional_usdc: '0',
      open_notional_max_usdc: '400',
      positions: [],
    })
    expect(leg.checks.every(({ verdict }) => verdict === 'pass')).toBe(true)
    expect(rig.venue.state.agents[keyOf(public_id, 0).toLowerCase()]).toMatchObject({ name: 'svc-leg' })
    expect(await rig.as(agent(1_001)).readLeg({ public_id })).toEqual(leg)

    const again = (await as.bindLeg({ public_id })).leg
    expect({ ...again, checks: [] }).toEqual({ ...leg, checks: [] })
    expect(await rig.eventsOf(public_id)).toEqual([
      expect.objectContaining({
        state: 'bound',
        epoch: 0,
        agent_address: keyOf(public_id, 0).toLowerCase(),
        reason: null,
      }),
    ])
  })

  test('hl-trade learns of the live leg in an account, and of none in any other', async () => {
    const mandate = rig.mandate(6)
    const { public_id } = mandate
    const address = ownerWallet(6).address.toLowerCase()
    const { readLegOfOwner } = rig.from('hl-trade')
    expect(await readLegOfOwner({ network: 'testnet', address })).toEqual({ leg: null })
    await rig.bind(mandate)
    expect(await readLegOfOwner({ network: 'testnet', address })).toEqual({ leg: { public_id, state: 'bound' } })
    expect(await readLegOfOwner({ network: 'mainnet', address })).toEqual({ leg: null })
  })

  test('an owner who posts the approval without us binds without a signature', async () => {
    const { public_id } = rig.mandate(2)
    const as = rig.as(owner(2))
    fund(2)
    const { typed_data, action, nonce } = await as.prepareApproval({ public_id })
    const refused = await refusalOf(as.bindLeg({ public_id }))
    expect([refused.code, verdictsOf(refused)['approval_listed']]).toEqual(['hub_hl_leg_not_ready', 'pending'])
    const hex = await signTypedData(ownerWallet(2), typed_data)
    const signature = { r: hex.slice(0, 66), s: `0x${hex.slice(66, 130)}`, v: Number.parseInt(hex.slice(130), 16) }
    await rig.post('exchange', { action, nonce, signature })
    expect((await as.bindLeg({ public_id })).leg.state).toBe('bound')
  })

  test('a key stays bound while the next one was served and is not approved', async () => {
    const mandate = rig.mandate(5)
    const { agent_address } = await rig.bind(mandate)
    const as = rig.as(owner(5))
    const next = await as.prepareApproval({ public_id: mandate.public_id })
    expect(next.agent_address).toBe(keyOf(mandate.public_id, 1).toLowerCase())
    expect((await as.bindLeg({ public_id: mandate.public_id })).leg).toMatchObject({ agent_address, epoch: 0 })
  })

  test('the answer to a relayed approval is lost: the same bytes are sent again and the leg is bound', async () => {
    const mandate = rig.mandate(3)
    rig.venue.control('fault', { kind: 'drop', endpoint: 'exchange', type: 'approveAgent' })
    expect((await rig.bind(mandate)).state).toBe('bound')
  })

  test('after the release the owner revokes the key, and the account is free for a leg of another mandate', async () => {
    const mandate = rig.mandate(4)
    await rig.bind(mandate)
    rig.mandates.known.set(mandate.public_id, { ...mandate, state: 'stopped' })
    const as = rig.as(owner(4))
    const { leg, revoke } = await as.unbindLeg({ public_id: mandate.public_id })
    expect(leg).toMatchObject({ state: 'released', worth_usdc: null })
    expect((await as.unbindLeg({ public_id: mandate.public_id })).leg.state).toBe('released')
    const hex = await signTypedData(ownerWallet(4), revoke.typed_data)
    const signature = { r: hex.slice(0, 66), s: `0x${hex.slice(66, 130)}`, v: Number.parseInt(hex.slice(130), 16) }
    const posted = await rig.post('exchange', { action: revoke.action, nonce: revoke.nonce, signature })
    expect(posted).toMatchObject({ status: 'ok' })
    expect((await refusalOf(as.bindLeg({ public_id: mandate.public_id }))).code).toBe('hub_wrong_state')
    const second = rig.mandate(4)
    rig.advance(10_000)
    expect((await rig.bind(second)).state).toBe('bound')
    expect((await rig.eventsOf(mandate.public_id)).map(({ state }) => state)).toEqual(['bound', 'released'])
  })
})

/** A stop of a long position, which may rest before there is one. */
const stopOf = (price: string) => ({
  side: 'sell',
  size: '1',
  price: String(Number(price) * 0.9),
  reduce_only: true,
  trigger: { price, kind: 'sl' },
})

describe('an account that is not ready', () => {
  let resting = 60
  const refusedFor = async (id: number) => {
    const { public_id } = rig.mandate(id)
    const refused = await refusalOf(rig.as(owner(id)).prepareApproval({ public_id }))
    expect(refused).toMatchObject({ status: 409, code: 'hub_hl_leg_not_ready' })
    return refused
  }

  test('an address that the venue never saw cannot approve, and the house opens it only for a funded vault', async () => {
    expect(verdictsOf(await refusedFor(10))).toMatchObject({ known_at_venue: 'fail', account_mode: 'unknown' })
    await rig.restart({ HUB_LEG_FUNDING: 'test' })
    const { public_id } = rig.mandate(11, {
      vault: {
        address: `0x${'ab'.repeat(20)}`,
        chain_id: 31337,
        version: 2,
        accounted_usdc: '100',
        leg_out_usdc: '0',
        leg_open: false,
        vault_worth_usdc: null,
        worth_at: null,
      },
    })
    const refused = await refusalOf(rig.as(owner(11)).prepareApproval({ public_id }))
    expect(refused['retry_at']).toBe(new Date(rig.clock.now().getTime() + 60_000).toISOString())
    await rig.restart({})
  })

  test.each([
    ['a limit order', { coin: 'SOL', side: 'buy', price: '120', size: '1' }],
    ['a stop without a position', { coin: 'SOL', ...stopOf('140') }],
    [
      'a profit to take without a position',
      { coin: 'BTC', ...stopOf('70000'), trigger: { price: '70000', kind: 'tp' } },
    ],
    ['a stop on a dex without collateral', { coin: 'xyz:TSLA', ...stopOf('300') }],
  ])('an account in which %s rests is not flat', async (_, order) => {
    const id = (resting += 1)
    fund(id)
    rig.venue.control('rest', { address: ownerWallet(id).address, ...order })
    expect(verdictsOf(await refusedFor(id))).toMatchObject({ account_flat: 'fail', account_mode: 'pass' })
  })

  test('a unified account, an open position and a full list of keys each fail their check', async () => {
    fund(12)
    rig.venue.control('mode', { address: ownerWallet(12).address, mode: 'unifiedAccount' })
    expect(verdictsOf(await refusedFor(12))).toMatchObject({ account_mode: 'fail', known_at_venue: 'pass' })
    fund(13)
    await rig.trade(ownerWallet(13), { asset: 0, side: 'buy', price: '61000', size: '0.001' })
    expect(verdictsOf(await refusedFor(13))).toMatchObject({ account_flat: 'fail', account_mode: 'pass' })
    fund(14)
    for (const n of [1, 2, 3])
      rig.venue.state.agents[walletOf(700 + n).address.toLowerCase()] = {
        user: ownerWallet(14).address.toLowerCase(),
        name: `bot-${n}`,
        validUntil: rig.clock.now().getTime() + 86_400_000,
      }
    expect(verdictsOf(await refusedFor(14))).toMatchObject({ agent_slot: 'fail', foreign_agents: 'warn' })
  })

  test('a clock that differs from the venue by more than five seconds stops approvals', async () => {
    fund(15)
    rig.advance(180_000)
    rig.venue.control('time', { now_ms: rig.clock.now().getTime() + 8_000 })
    expect(verdictsOf(await refusedFor(15))).toMatchObject({ clock: 'fail' })
    rig.advance(180_000)
  })
})

describe('refusals', () => {
  test('a switched-off leg, a missing seed and a foreign mandate', async () => {
    const { public_id } = rig.mandate(20)
    await rig.restart({ HUB_HL_LEG_ENABLED: '0' })
    const as = rig.as(owner(20))
    for (const call of [as.readLeg, as.prepareApproval, as.bindLeg, as.unbindLeg])
      expect((await refusalOf(call({ public_id }))).code).toBe('hub_feature_disabled')
    expect((await refusalOf(as.readExitKit({ public_id }))).code).toBe('hub_hl_leg_none')
    await rig.restart({ HUB_HL_LEG_SEED: undefined })
    for (const call of [as.prepareApproval, as.bindLeg])
      await expect(call({ public_id })).rejects.toMatchObject({ reason: 'not_configured' })
    await rig.restart({})
    const stranger = rig.as(owner(21))
    for (const call of [
      stranger.readLeg,
      stranger.prepareApproval,
      stranger.bindLeg,
      stranger.unbindLeg,
      stranger.readExitKit,
    ])
      expect((await refusalOf(call({ public_id }))).code).toBe('unknown_mandate')
  })

  test('a mandate that is a draft, that is over, or that names no market of the venue', async () => {
    const as = rig.as(owner(22))
    const draft = rig.mandate(22, { state: 'draft' }).public_id
    for (const call of [as.prepareApproval, as.bindLeg])
      expect(await refusalOf(call({ public_id: draft }))).toMatchObject({
        code: 'hub_wrong_state',
        allowed: ['signed', 'working', 'paused'],
      })
    const { limits } = rig.mandate(22)
    const plain = rig.mandate(22, { limits: { ...limits, hl_leg: false } }).public_id
    for (const call of [as.prepareApproval, as.bindLeg])
      expect((await refusalOf(call({ public_id: plain }))).code).toBe('hub_hl_leg_not_in_mandate')
    const open = rig.mandate(22).public_id
    for (const call of [as.bindLeg, as.unbindLeg])
      expect((await refusalOf(call({ public_id: open }))).code).toBe('hub_hl_leg_none')
  })

  test('an account has one leg: another mandate of the owner is refused at approve-call and at bind', async () => {
    const first = rig.mandate(23)
    const second = rig.mandate(23)
    fund(23)
    const as = rig.as(owner(23))
    const early = await as.prepareApproval({ public_id: second.public_id })
    await rig.bind(first)
    expect((await refusalOf(as.prepareApproval({ public_id: second.public_id }))).code).toBe('hub_hl_leg_owner_busy')
    const signature = await signTypedData(ownerWallet(23), early.typed_data)
    const late = as.bindLeg({ public_id: second.public_id, signature, nonce: early.nonce })
    expect((await refusalOf(late)).code).toBe('hub_hl_leg_owner_busy')
  })

  test('a signature that is late, altered, of another wallet, of a contract, or for another nonce', async () => {
    const { public_id } = rig.mandate(24)
    const as = rig.as(owner(24))
    fund(24)
    const { typed_data, nonce } = await as.prepareApproval({ public_id })
    const signature = await signTypedData(ownerWallet(24), typed_data)
    const code = async (given: object) => (await refusalOf(as.bindLeg({ public_id, ...given }))).code
    expect(await code({ signature, nonce: nonce + 1 })).toBe('hub_hl_leg_approval_stale')
    expect(await code({ signature })).toBe('hub_hl_leg_approval_stale')
    const foreign = await signTypedData(ownerWallet(25), typed_data)
    expect(await code({ signature: foreign, nonce })).toBe('hub_hl_leg_signature_invalid')
    const altered = await signTypedData(ownerWallet(24), {
      ...typed_data,
      message: { ...typed_data.message, agentAddress: walletOf(9).address },
    })
    expect(await code({ signature: altered, nonce })).toBe('hub_hl_leg_signature_invalid')
    expect(await code({ signature: '0x1234', nonce })).toBe('hub_hl_leg_signature_invalid')
    expect(await code({ signature: `${signature}${'00'.repeat(64)}`, nonce })).toBe('owner_wallet_unsupported')
    rig.advance(10 * 60_000 + 1)
    expect(await code({ signature, nonce })).toBe('hub_hl_leg_approval_stale')
  })

  test('a key that the venue has seen is rejected with its words, and the next approval has the next epoch', async () => {
    const { public_id } = rig.mandate(26)
    const as = rig.as(owner(26))
    fund(26)
    const { typed_data, nonce } = await as.prepareApproval({ public_id })
    rig.venue.state.usedAgents.push(keyOf(public_id, 0).toLowerCase())
    const signature = await signTypedData(ownerWallet(26), typed_data)
    expect(await refusalOf(as.bindLeg({ public_id, signature, nonce }))).toMatchObject({
      code: 'hub_hl_leg_approval_rejected',
      reason: 'Extra agent already used.',
    })
    expect((await as.prepareApproval({ public_id })).agent_address).toBe(keyOf(public_id, 1).toLowerCase())
  })

  test('a leg is released only when its mandate is over and no money is out', async () => {
    const mandate = rig.mandate(27)
    await rig.bind(mandate)
    const as = rig.as(owner(27))
    expect(await refusalOf(as.unbindLeg({ public_id: mandate.public_id }))).toMatchObject({
      code: 'hub_mandate_not_closed',
      state: 'working',
    })
    const vault = {
      address: `0x${'ab'.repeat(20)}`,
      chain_id: 31337,
      version: 2 as const,
      accounted_usdc: '100',
      leg_out_usdc: '50',
      leg_open: true,
      vault_worth_usdc: null,
      worth_at: null,
    }
    rig.mandates.known.set(mandate.public_id, { ...mandate, state: 'ended', vault })
    const { public_id } = mandate
    expect((await refusalOf(as.unbindLeg({ public_id }))).code).toBe('hub_hl_leg_money_out')
  })

  test('a spent budget refuses approvals with the time to repeat at', async () => {
    const { public_id } = rig.mandate(28)
    const as = rig.as(owner(28))
    fund(28)
    const { typed_data, nonce } = await as.prepareApproval({ public_id })
    const signature = await signTypedData(ownerWallet(28), typed_data)
    await rig.restart({ SVC_VENUE_WEIGHT_MINUTE: '300' })
    for (const call of [() => as.prepareApproval({ public_id }), () => as.bindLeg({ public_id, signature, nonce })])
      await expect(call()).rejects.toMatchObject({ name: 'Outage', reason: 'venue_budget' })
    await rig.restart({})
  })

  test('of two mandates of an owner that two processes bind at the same time, at most one gets the account', async () => {
    const mandates = [rig.mandate(30), rig.mandate(30)]
    fund(30)
    await rig.second()
    const as = rig.as(owner(30))
    const bind = async ({ public_id }: { public_id: string }) => {
      const { typed_data, nonce } = await as.prepareApproval({ public_id })
      return as.bindLeg({ public_id, signature: await signTypedData(ownerWallet(30), typed_data), nonce })
    }
    const results = await Promise.allSettled(mandates.map(bind))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    const states = await Promise.all(mandates.map(async ({ public_id }) => (await as.readLeg({ public_id })).state))
    expect(states.filter((state) => state === 'bound').length).toBeLessThanOrEqual(1)
  })
})
