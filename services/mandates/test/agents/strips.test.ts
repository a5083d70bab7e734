import { eventually, opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { admin, agent, startSeededRig, txHash } from '../rigs/seeded-rig.ts'

const DAY_MS = 86_400_000

const rig = opened(() => startSeededRig())

const stripOf = (agent_id: number) => rig.as(agent(agent_id)).readStrip({ agent_id })
const spend = (vault: string, amount: bigint, tx = txHash(), told: object = {}) =>
  rig.tell({ vault, tx, amount, at: rig.clock.now(), ...told })

describe('a Record strip', () => {
  test('of an agent without activity has zeros instead of null', async () => {
    expect(await stripOf(70)).toMatchObject({
      agent_id: 70,
      ladder: { level: 'Newcomer', verified_claims: 0 },
      hall: { ranked: false, days_live: 0, trades: 0, days_needed: 14, trades_needed: 10 },
      limits: { refusals_taken: 0, mandates: 0, mandates_kept_inside_limits: 0, reports_contradicting_chain: 0 },
      work: { task_market_claims: 0, knowledge_claims: 0 },
      paper: null,
      posting_tier: 1,
    })
  })

  test('counts trades, refusals, mandates kept inside their limits and paid claims', async () => {
    const kept = await rig.newMandate({ agentId: 71 })
    const broken = await rig.newMandate({ agentId: 71 })
    await rig.newMandate({ agentId: 71, vaultless: true })
    await rig.newMandate({ agentId: 72 })
    await spend(kept.vault, 5_000_000n)
    await spend(kept.vault, 6_000_000n)
    // Above the approval amount, and nobody approved it.
    await spend(broken.vault, 45_000_000n)
    await rig.as(agent(71)).reportRefusal({
      public_id: kept.publicId,
      kind: 'OverDailyCap',
      attempted: {},
      occurred_at: rig.clock.now().toISOString(),
    } as never)
    await rig.tellCherry({ account_id: 71, amount: 5, transfer_id: 9_001, kind: 'mining_reward' })
    await rig.tellCherry({ account_id: 71, amount: -3, transfer_id: 9_002 })
    await eventually(async () => {
      const { limits, hall, work } = await stripOf(71)
      return limits?.mandates_kept_inside_limits === 1 && hall?.trades === 3 && work?.knowledge_claims === 1
    })
    expect(await stripOf(71)).toMatchObject({
      ladder: { level: 'Scout', verified_claims: 1, next_level: 'Builder', claims_to_next: 4 },
      hall: { trades: 3, trades_needed: 7 },
      limits: { refusals_taken: 1, mandates: 2, mandates_kept_inside_limits: 1, reports_contradicting_chain: 0 },
    })
    expect(await stripOf(72)).toMatchObject({ limits: { mandates: 1, mandates_kept_inside_limits: 1 } })
  })

  test('does not count a trade and a violation that a reorganisation removed', async () => {
    const { vault } = await rig.newMandate({ agentId: 73 })
    const tx = txHash()
    await spend(vault, 45_000_000n, tx)
    await eventually(async () => (await stripOf(73)).limits?.mandates_kept_inside_limits === 0)
    await spend(vault, 45_000_000n, tx, { revision: 2, canonical: false })
    await eventually(async () => (await stripOf(73)).limits?.mandates_kept_inside_limits === 1)
    expect((await stripOf(73)).hall?.trades).toBe(0)
  })

  test('counts a violation that the agent reported', async () => {
    const { publicId } = await rig.newMandate({ agentId: 74 })
    const reported = await rig.as(agent(74), 'broken-1').reportEvent({
      public_id: publicId,
      kind: 'buy',
      market: 'testvenue',
      side: 'buy',
      amount_usdc: '120',
      occurred_at: rig.clock.now().toISOString(),
      note: 'too much',
    } as never)
    expect(reported).toMatchObject({ violation: true })
    expect((await stripOf(74)).limits).toMatchObject({ mandates: 1, mandates_kept_inside_limits: 0 })
  })

  test('counts a reported violation until the chain shows its transaction, of which the chain decides', async () => {
    const { publicId, vault } = await rig.newMandate({ agentId: 79 })
    const tx = txHash()
    const reported = await rig.as(agent(79), 'early-1').reportEvent({
      public_id: publicId,
      kind: 'buy',
      amount_usdc: '120',
      tx_hash: tx,
      occurred_at: rig.clock.now().toISOString(),
    } as never)
    expect(reported).toMatchObject({ violation: true, annotates: null })
    expect((await stripOf(79)).limits?.mandates_kept_inside_limits).toBe(0)
    await spend(vault, 1_000_000n, tx)
    await eventually(async () => (await stripOf(79)).limits?.mandates_kept_inside_limits === 1)
    await spend(vault, 1_000_000n, tx, { revision: 2, canonical: false })
    await eventually(async () => (await stripOf(79)).limits?.mandates_kept_inside_limits === 0)
  })

  test('ranks an agent after 14 days since its first vault and 10 trades', async () => {
    const { vault } = await rig.newMandate({ agentId: 75 })
    for (let n = 0; n < 10; n++) await spend(vault, 1_000_000n)
    await eventually(async () => (await stripOf(75)).hall?.trades === 10)
    expect((await stripOf(75)).hall).toMatchObject({ ranked: false, days_live: 0, days_needed: 14, trades_needed: 0 })
    rig.clock.advance(14 * DAY_MS - 1)
    expect((await stripOf(75)).hall).toMatchObject({ ranked: false, days_live: 13, days_needed: 1 })
    rig.clock.advance(1)
    expect((await stripOf(75)).hall).toMatchObject({ ranked: true, rank: null, days_live: 14, days_needed: 0 })
  })

  test('counts work once that an admin verified, with who verified it and when', async () => {
    const claim = {
      agent_id: 76,
      kind: 'task_market' as const,
      ref: 'task 4711',
      evidence_url: 'https://example.org/4711',
    }
    const stored = await rig.as(admin(5), 'claim-1').verifyClaim(claim)
    const verified_at = rig.clock.now().toISOString()
    expect(stored).toMatchObject({ ok: true, claim: { ...claim, verified_by: 5, verified_at } })
    expect(await rig.as(admin(5), 'claim-1').verifyClaim(claim)).toEqual(stored)
    const { claim_id } = stored.claim
    for (const agent_id of [76, 77])
      expect(await refusalOf(rig.as(admin(6)).verifyClaim({ ...claim, agent_id }))).toMatchObject({
        status: 409,
        code: 'claim_exists',
        claim_id,
        claimed_by: 76,
      })
    await rig.as(admin(5)).verifyClaim({ ...claim, kind: 'knowledge_graph' })
    expect(await refusalOf(rig.as(admin(5)).verifyClaim({ ...claim, agent_id: 900 }))).toMatchObject({
      code: 'unknown_agent',
    })
    expect(await stripOf(76)).toMatchObject({
      ladder: { level: 'Scout', verified_claims: 2 },
      work: { task_market_claims: 1, knowledge_claims: 1 },
    })
    expect((await stripOf(77)).ladder).toMatchObject({ verified_claims: 0 })
  })

  test('has the rank of the Hall, and null for that part alone while the Hall cannot be read', async () => {
    const standing = { agent_id: 78, ranked: true, rank: 2, days_live: 30, days_needed: 0, trades_needed: 0 }
    rig.world.standings = new Map([[78, standing]])
    const { agent_id: _id, ...shown } = standing
    expect((await stripOf(78)).hall).toEqual({ ...shown, trades: 0 })
    rig.world.standings = null
    expect(await stripOf(78)).toMatchObject({ hall: null, ladder: { level: 'Newcomer' }, limits: { mandates: 0 } })
    rig.world.standings = new Map()
  })

  test('has null for a tier that cannot be read', async () => {
    rig.world.tier = null
    expect(await stripOf(70)).toMatchObject({ posting_tier: null, ladder: { level: 'Newcomer' } })
    rig.world.tier = 1
  })

  test('of an unknown agent is refused', async () => {
    expect(await refusalOf(stripOf(900))).toMatchObject({ status: 404, code: 'unknown_agent' })
  })
})

describe('Record strips', () => {
  test('are returned in the requested order, once each and without the tier; unknown ids are listed', async () => {
    const answer = await rig.as(agent(70)).readStrips({ ids: '72,900,70,72,901' })
    expect(answer.items.map(({ agent_id }) => agent_id)).toEqual([72, 70])
    expect(answer.unknown_ids).toEqual([900, 901])
    for (const item of answer.items) expect(item).not.toHaveProperty('posting_tier')
    const { posting_tier: _tier, computed_at: _at, ...alone } = await stripOf(72)
    expect(answer.items[0]).toEqual(alone)
  })

  test.each([
    '',
    '1,',
    '1,,2',
    'one',
    '0',
    '-1',
    '1.5',
    '9999999999999999',
    Array.from({ length: 51 }, (_, n) => n + 1).join(','),
  ])('reject the ids %j', async (ids) => {
    expect(await refusalOf(rig.as(agent(70)).readStrips({ ids }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
    })
  })

  test('accept 50 ids', async () => {
    const ids = Array.from({ length: 50 }, (_, n) => 100 + n).join(',')
    expect((await rig.as(agent(70)).readStrips({ ids })).items).toHaveLength(50)
  })
})
