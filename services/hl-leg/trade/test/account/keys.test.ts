import { RefusalError } from '@svc/contract'
import type { OwnStatusView } from '@svc/contracts/hl-trade/account'
import { approveAgent, revokeAgent } from '@svc/hyperliquid'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isLegBound } from '#account/leg-bound.ts'
import { openOrderSigner } from '#account/open-order-signer.ts'
import { ownAccountOf, type OwnAccount } from '#account/own-account.ts'
import { principalOf } from '#account/principal-of.ts'
import { askSurvey, linkOf } from '#account/store/own-accounts.ts'
import { surveyLink } from '#account/survey-link.ts'
import { offerWebKey } from '#account/wallet-offers.ts'
import { agent, owner, ownerWallet, signTypedData, startTradeRig, TRADE_SEED, walletOf } from '../rig.ts'

const rig = opened(() => startTradeRig())
const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000

type Offer = NonNullable<OwnStatusView['approvals']['order_key']>
const status = (id: number) => rig.as(owner(id)).readOwnStatus({})
const failing = ({ checks }: OwnStatusView) => checks.flatMap(({ id, ok }) => (ok === true ? [] : [id]))
const linked = async (id: number): Promise<Offer> => {
  rig.fund(id)
  return given((await rig.link(id)).approvals.order_key)
}
function given<T>(value: T | null): T {
  if (value === null) throw new Error('nothing was answered')
  return value
}
function refusedCode(call: () => unknown): string | null {
  try {
    call()
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal.code
    throw error
  }
  return null
}
const accountOf = async (id: number): Promise<OwnAccount> => given(await ownAccountOf(rig.context, id))
const survey = async (ms = HALF_HOUR_MS) => {
  rig.advance(ms)
  return rig.run('watchOrderKeys')
}
const posts = () => (rig.venue.control('counts', {}) as Record<string, number>)['exchange approveAgent'] ?? 0
/** Approves a key under a name by hand, as the owner may at any time. */
const approve = (id: number, name: string, key: number) =>
  rig.act(
    ownerWallet(id),
    approveAgent(rig.scope(), {
      address: walletOf(key).address,
      name,
      validUntilMs: rig.clock.now().getTime() + 30 * DAY_MS,
    }),
  )

describe('an approval', () => {
  test('is served again for a minute, then under another nonce, on the chain of the deployment for 170 days', async () => {
    const offer = await linked(1)
    expect(offer).toMatchObject({
      agent_name: 'svc-trade',
      valid_until: new Date(rig.clock.now().getTime() + 170 * DAY_MS).toISOString(),
      served_until: new Date(rig.clock.now().getTime() + 600_000).toISOString(),
      action: { type: 'approveAgent', signatureChainId: '0x7a69', hyperliquidChain: 'Testnet' },
    })
    expect((await status(1)).approvals.order_key).toEqual(offer)
    rig.advance(60_001)
    const next = given((await status(1)).approvals.order_key)
    expect([next.agent_address, next.nonce > offer.nonce]).toEqual([offer.agent_address, true])
    rig.advance(540_000)
    const signature = await signTypedData(ownerWallet(1), offer.typed_data)
    const late = { signature, nonce: offer.nonce }
    expect((await refusalOf(rig.as(owner(1)).relayApproval(late))).code).toBe('own_offer_stale')
    const good = { signature: await signTypedData(ownerWallet(1), next.typed_data), nonce: next.nonce }
    expect(await rig.as(owner(1)).relayApproval(good)).toMatchObject({ ok: true, kind: 'order_key' })
  })

  test('is relayed for the right signature only: nothing leaves for any other', async () => {
    const { typed_data, nonce } = await linked(2)
    const as = rig.as(owner(2))
    const code = async (input: { signature: unknown; nonce: number }) =>
      (await refusalOf(as.relayApproval(input as never))).code
    const signature = await signTypedData(ownerWallet(2), typed_data)
    const before = posts()
    expect(await code({ signature, nonce: nonce + 1_000 })).toBe('own_offer_stale')
    expect(await code({ signature: await signTypedData(ownerWallet(3), typed_data), nonce })).toBe(
      'own_signature_invalid',
    )
    const mainnet = { ...typed_data, message: { ...typed_data.message, hyperliquidChain: 'Mainnet' } }
    expect(await code({ signature: await signTypedData(ownerWallet(2), mainnet), nonce })).toBe('own_signature_invalid')
    const altered = `${signature.slice(0, 20)}${signature[20] === '0' ? '1' : '0'}${signature.slice(21)}`
    expect(await code({ signature: altered, nonce })).toBe('own_signature_invalid')
    expect(await code({ signature: `0x${'00'.repeat(200)}`, nonce })).toBe('own_signature_invalid')
    expect(await code({ signature: { r: '0x1', s: '0x2', v: 5 }, nonce })).toBe('own_signature_invalid')
    // The nonce of another owner's offer is none of ours.
    rig.advance(5)
    const other = await linked(4)
    expect(await code({ signature, nonce: other.nonce })).toBe('own_offer_stale')
    expect((await refusalOf(rig.as(owner(5)).relayApproval({ signature, nonce }))).code).toBe('account_not_linked')
    expect([posts(), (await accountOf(2)).orderKey.state]).toEqual([before, 'offered'])
  })

  test('is sent again as the same bytes when its answer was lost, and once more by the same call: approved once', async () => {
    const { typed_data, nonce, agent_address } = await linked(6)
    const as = rig.as(owner(6))
    const signature = await signTypedData(ownerWallet(6), typed_data)
    rig.venue.control('fault', { kind: 'drop', endpoint: 'exchange', type: 'approveAgent' })
    expect(await as.relayApproval({ signature, nonce })).toMatchObject({ ok: true })
    expect(await as.relayApproval({ signature, nonce })).toMatchObject({ ok: true })
    expect(rig.venue.state.usedAgents.filter((used) => used === agent_address)).toHaveLength(1)
    expect((await as.verifyApprovals({})).order_key).toMatchObject({ state: 'enabled', epoch: 0 })
  })

  test('that left no answer at all is relayed by the next call with the bytes of the first', async () => {
    const { typed_data, nonce } = await linked(7)
    const as = rig.as(owner(7))
    const signature = await signTypedData(ownerWallet(7), typed_data)
    rig.venue.control('fault', { kind: 'status500', endpoint: 'exchange', count: 3 })
    await expect(as.relayApproval({ signature, nonce })).rejects.toMatchObject({ name: 'Outage' })
    await rig.restart({})
    // Another form of the same signature changes nothing: what was stored first is what is sent.
    const parts = {
      r: signature.slice(0, 66),
      s: `0x${signature.slice(66, 130)}`,
      v: Number.parseInt(signature.slice(130), 16),
    }
    expect(await as.relayApproval({ signature: parts, nonce })).toMatchObject({ ok: true })
    expect((await as.verifyApprovals({})).order_key.state).toBe('enabled')
  })

  test('that the venue rejects answers its words, and the next key has the next epoch', async () => {
    const { typed_data, nonce, agent_address } = await linked(8)
    const as = rig.as(owner(8))
    rig.venue.state.usedAgents.push(agent_address)
    const signature = await signTypedData(ownerWallet(8), typed_data)
    expect(await refusalOf(as.relayApproval({ signature, nonce }))).toMatchObject({
      code: 'own_action_rejected',
      reason: 'Extra agent already used.',
    })
    const next = await status(8)
    expect(next.order_key).toMatchObject({ state: 'offered', epoch: 1 })
    expect(next.approvals.order_key?.agent_address).not.toBe(agent_address)
  })

  test('posted by the wallet itself enables the key as well', async () => {
    const { typed_data, action, nonce } = await linked(9)
    const hex = await signTypedData(ownerWallet(9), typed_data)
    const signature = { r: hex.slice(0, 66), s: `0x${hex.slice(66, 130)}`, v: Number.parseInt(hex.slice(130), 16) }
    expect((await rig.as(owner(9)).verifyApprovals({})).order_key.state).toBe('offered')
    await rig.post('exchange', { action, nonce, signature })
    expect((await rig.as(owner(9)).verifyApprovals({})).order_key.state).toBe('enabled')
  })

  test("of the browser's own key lasts a day; a mistyped address and the wallet itself get none", async () => {
    await rig.enable(10)
    const as = rig.as(owner(10))
    const key = walletOf(70_010).address
    const { approvals } = await as.readOwnStatus({ web_address: key })
    const offer = given(approvals.web_key)
    expect(offer).toMatchObject({
      agent_name: 'svc-web',
      agent_address: key.toLowerCase(),
      valid_until: new Date(rig.clock.now().getTime() + DAY_MS).toISOString(),
    })
    const signature = await signTypedData(ownerWallet(10), offer.typed_data)
    expect(await as.relayApproval({ signature, nonce: offer.nonce })).toMatchObject({ kind: 'web_key' })
    expect(rig.venue.state.agents[key.toLowerCase()]).toMatchObject({ name: 'svc-web' })
    for (const web_address of [`0x${'aB'.repeat(20)}`, `0x${'00'.repeat(20)}`, ownerWallet(10).address])
      expect(await refusalOf(as.readOwnStatus({ web_address }))).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/web_address' }],
      })
  })
})

test('however many approvals an owner asks for, the newest sixty and those that were relayed are kept', async () => {
  await rig.enable(11)
  const link = given(await linkOf(rig.pool, 'testnet', 11))
  for (let n = 0; n < 65; n += 1)
    await offerWebKey(rig.context, link, walletOf(71_000 + n).address.toLowerCase() as Address)
  const kept = await rig.pool.any(sql.type(z.object({ kind: z.string(), count: z.number() }))`
    SELECT kind, count(*)::integer AS count FROM wallet_offer WHERE link_id = ${link.linkId} GROUP BY kind ORDER BY kind`)
  expect(kept).toEqual([
    { kind: 'builder_fee', count: 1 },
    { kind: 'order_key', count: 1 },
    { kind: 'web_key', count: 60 },
  ])
})

describe('an enabled key', () => {
  test('that its owner revokes is noticed, and may be followed by the key of the next epoch', async () => {
    await rig.enable(20)
    await rig.act(ownerWallet(20), revokeAgent(rig.scope(), 'svc-trade'))
    expect((await status(20)).order_key.state).toBe('enabled')
    await askSurvey(rig.pool, (await accountOf(20)).linkId)
    await rig.run('watchOrderKeys')
    const lost = await status(20)
    expect([lost.order_key.state, failing(lost), lost.can_trade]).toEqual(['revoked', ['key_approved'], false])
    const account = await accountOf(20)
    expect(refusedCode(() => openOrderSigner(rig.context, account))).toBe('account_not_linked')
    rig.advance(10_000)
    expect((await rig.enable(20)).order_key).toMatchObject({ state: 'enabled', epoch: 1 })
  })

  test('that is approved while an older look at the venue is still being written stays enabled', async () => {
    const { typed_data, nonce } = await linked(27)
    const before = await linkOf(rig.pool, 'testnet', 27)
    const [read, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { ask } = rig.context.venue
    // The list of keys is read now, and what it says is stored after the owner has approved.
    const asked = async (...question: Parameters<typeof ask>) => {
      const answer = await ask(...question)
      if (question[1] !== 'extraAgents') return answer
      read.resolve()
      await late.promise
      return answer
    }
    const venue = { ...rig.context.venue, ask: asked } as typeof rig.context.venue
    const survey27 = surveyLink({ ...rig.context, venue }, 'relays', given(before))
    await read.promise
    const as = rig.as(owner(27))
    await as.relayApproval({ signature: await signTypedData(ownerWallet(27), typed_data), nonce })
    expect((await as.verifyApprovals({})).order_key.state).toBe('enabled')
    late.resolve()
    await survey27
    expect((await status(27)).order_key.state).toBe('enabled')
  })

  test('whose name another key took is noticed', async () => {
    await rig.enable(21)
    await approve(21, 'svc-trade', 70_021)
    await survey()
    expect((await status(21)).order_key.state).toBe('revoked')
  })

  test('that ends is expired at once, without a job', async () => {
    await rig.enable(22)
    rig.advance(170 * DAY_MS)
    expect((await status(22)).order_key.state).toBe('expired')
    await survey()
    expect((await accountOf(22)).orderKey.state).toBe('expired')
    expect((await rig.enable(22)).order_key).toMatchObject({ state: 'enabled', epoch: 1 })
  })

  test('of an account that becomes unified does not trade until the mode is standard again', async () => {
    await rig.enable(23)
    const mode = (to: string) => rig.venue.control('mode', { address: ownerWallet(23).address, mode: to })
    mode('unifiedAccount')
    await survey()
    const refused = await status(23)
    expect(refused).toMatchObject({ refused: 'unified_account', can_trade: false, order_key: { state: 'enabled' } })
    expect(failing(refused)).toEqual(['wallet_ok'])
    mode('default')
    expect(await rig.as(owner(23)).verifyApprovals({})).toMatchObject({ refused: null, can_trade: true })
  })

  test('of another seed is orphaned: it signs nothing, and the next epoch of the new seed is offered', async () => {
    const before = await rig.enable(24)
    await rig.restart({ SVC_TRADE_AGENT_SEED: '44'.repeat(32) })
    const orphaned = await status(24)
    expect([orphaned.order_key, failing(orphaned)]).toEqual([
      { ...before.order_key, state: 'orphaned' },
      ['key_matches_seed'],
    ])
    expect(orphaned.approvals.order_key?.agent_address).not.toBe(before.order_key.address?.toLowerCase())
    const account = await accountOf(24)
    expect(refusedCode(() => openOrderSigner(rig.context, account))).toBe('account_not_linked')
    expect((await survey()).done).toBeGreaterThan(0)
    expect((await rig.enable(24)).order_key).toMatchObject({ state: 'enabled', epoch: 1 })
    await rig.restart({ SVC_TRADE_AGENT_SEED: undefined })
    const without = await status(24)
    expect([without.order_key.state, without.approvals.order_key]).toEqual(['orphaned', null])
    expect(without.checks.find(({ id }) => id === 'key_matches_seed')?.fix).toContain('SVC_TRADE_AGENT_SEED')
    await rig.restart({ SVC_TRADE_AGENT_SEED: TRADE_SEED })
  })

  test('stays when the venue does not answer: nothing is concluded from silence', async () => {
    await rig.enable(25)
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', count: 1_000 })
    const report = await survey()
    rig.venue.control('clear-faults', {})
    expect(report).toMatchObject({ surveyed: 0 })
    expect((await status(25)).order_key.state).toBe('enabled')
  })

  test('signs orders that pay the builder, under nonces of which no two processes draw the same', async () => {
    await rig.enable(26)
    const account = await accountOf(26)
    const contexts = [rig.context, await rig.second()]
    const signed = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        rig.pool.transaction((tx) =>
          openOrderSigner(contexts[n % 2] ?? rig.context, account).signOrder(tx, {
            asset: 0,
            side: 'buy',
            price: '61000',
            size: '0.001',
            reduceOnly: false,
            cloid: `0x${(n + 1).toString(16).padStart(32, '0')}`,
          }),
        ),
      ),
    )
    expect(new Set(signed.map(({ nonce }) => nonce)).size).toBe(12)
    const answer = await rig.context.venue.send('orders', {
      signer: account.orderKey.address ?? '',
      body: signed[0]?.body ?? '',
    })
    expect(answer).toMatchObject({ kind: 'accepted', orders: [{ kind: 'filled' }] })
    expect(rig.venue.state.accounts[account.wallet]?.fills.at(-1)).toHaveProperty('builderFee')
  })
})

describe('what else decides', () => {
  test('a leg in the account, live trading switched off, no builder: each is a check of its own', async () => {
    await rig.enable(30)
    rig.legs.set(ownerWallet(30).address.toLowerCase(), 'mdt_0123456789abcdef0123456789abcdef')
    expect(await isLegBound(rig.context, ownerWallet(30).address)).toBe(true)
    expect(failing(await status(30))).toEqual(['not_leg_bound'])
    rig.peers.leg.isAway = true
    expect((await status(30)).checks.find(({ id }) => id === 'not_leg_bound')?.ok).toBeNull()
    rig.peers.leg.isAway = false
    rig.legs.clear()
    await rig.restart({ SVC_LIVE_TRADING_ENABLED: '0', SVC_BUILDER_ADDRESS: undefined })
    expect(failing(await status(30))).toEqual(['builder_fee_approved', 'live_trading'])
    expect(await rig.as(owner(30)).recordBuilderFee({})).toEqual({
      ok: true,
      configured: false,
      approved: false,
      max_fee: null,
      read_at: null,
    })
    expect((await rig.as({ ...owner(3), roles: ['admin'] }).countBuilderFees({})).approved).toBe(0)
    await rig.restart({})
    expect(failing(await status(30))).toEqual([])
  })

  test('the status is told while the venue is away, without a new key; relaying and verifying wait for it', async () => {
    rig.fund(31)
    rig.venue.control('clear-faults', {})
    const offer = await linked(31)
    const { answers } = rig.peers.leg
    const spend = answers['spendVenueWeight'] as never
    answers['spendVenueWeight'] = () => ({ retry_at: new Date(rig.clock.now().getTime() + 5_000).toISOString() })
    expect((await status(31)).wallet).toBe(ownerWallet(31).address)
    const as = rig.as(owner(31))
    const signature = await signTypedData(ownerWallet(31), offer.typed_data)
    for (const call of [
      () => as.verifyApprovals({}),
      () => as.recordBuilderFee({}),
      () => as.relayApproval({ signature, nonce: offer.nonce }),
    ])
      await expect(call()).rejects.toMatchObject({ name: 'Outage', reason: 'venue_budget' })
    rig.advance(HALF_HOUR_MS)
    expect(await rig.run('watchOrderKeys')).toMatchObject({ surveyed: 0, failed: 0 })
    answers['spendVenueWeight'] = spend
    rig.advance(5_001)
    expect((await rig.run('watchOrderKeys'))['surveyed']).toBeGreaterThan(0)
    expect((await refusalOf(rig.as(owner(32)).verifyApprovals({}))).code).toBe('account_not_linked')
  })

  test('an owner trades for itself, an agent for its paired owner, and an agent without one for nobody', async () => {
    rig.pairs.set(1_040, 40)
    expect(await principalOf(rig.context, owner(40))).toEqual({ ownerId: 40, agentId: null })
    expect(await principalOf(rig.context, agent(1_040))).toEqual({ ownerId: 40, agentId: 1_040 })
    expect(await principalOf(rig.context, agent(1_041))).toEqual({ refusal: 'agent_not_paired' })
    expect(await ownAccountOf(rig.context, 40)).toBeNull()
  })
})
