import { randomUUID } from 'node:crypto'
import { findOperatorVault } from '#operators/store/operators.ts'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { admin, agent, owner, startGalleryRig } from '../rig.ts'
import { computeHall, knowAgents, newOperator, standAt, type KnownAgents } from '../sellers.ts'

const rig = opened(() => startGalleryRig())
let known: KnownAgents
let problems: { pointer: string; code: string; detail: string }[] = []

beforeAll(() => {
  known = knowAgents(rig)
  rig.peers.mandates.answers['previewDraft'] = ({ limits }: { limits: object }) => ({
    limits,
    chain_id: 31_337,
    problems,
    policy_item: null,
    clauses: [],
  })
})

const cited = [
  {
    url: 'https://example.com/record',
    source_name: 'Example',
    as_of_date: '2026-11-01',
    claim_text: '200 days live, 99 % adherence',
  },
]
const template = {
  type: 'strategy_template' as const,
  title: 'Basis, quietly',
  summary: 'Small trades at the test venue.',
  price_model: 'free' as const,
  template: { markets: ['testvenue'] },
  editable_params: [
    { key: 'per_tx_cap_usdc', title: 'Per trade', unit: 'usdc', min: '1', max: '10', step: '1', default: '5' } as const,
  ],
  cited,
}
const signals = (vaultId?: string) => ({
  type: 'signal_subscription' as const,
  title: 'Signals',
  summary: 'A few a week.',
  price_model: 'free' as const,
  ...(vaultId === undefined ? {} : { ref_vault_id: vaultId }),
})
/** The most that each member may hold, in letters of three bytes. */
const largest = {
  ...template,
  title: '가'.repeat(80),
  summary: '가'.repeat(500),
  template: {
    markets: Array.from({ length: 32 }, (_, at) => `hl:abcdefghijklmnop:${String(at).padStart(32, 'X')}`),
    per_tx_cap_usdc: '10',
  },
  editable_params: (
    [
      ['per_tx_cap_usdc', 'usdc', '10', '15'],
      ['daily_cap_usdc', 'usdc', '15', '50'],
      ['stop_line_usdc', 'usdc', '1', '40'],
      ['approval_above_usdc', 'usdc', '1', '10'],
      ['days', 'days', '1', '170'],
      ['fee_bps', 'bps', '0', '3000'],
      ['close_if_silent_minutes', 'minutes', '15', '10080'],
    ] as const
  ).map(([key, unit, min, max]) => ({ key, unit, title: '가'.repeat(80), min, max, step: '1', default: min })),
  cited: Array.from({ length: 5 }, () => ({
    url: `https://example.com/${'a'.repeat(280)}`,
    source_name: '가'.repeat(80),
    as_of_date: '2026-11-01',
    claim_text: `${'가'.repeat(200)} days live adherence signals slippage followers violations rank`,
  })),
}
let agents = 100
const freshAgent = () => (agents += 1)
const publishAs = (id: number, input: object, options = {}) => rig.as(agent(id), options).publishListing(input as never)
const published = async (id: number, input: object = template) => (await publishAs(id, input)).listing
const read = (listing_id: string) => rig.as(null).readListing({ listing_id })

describe('publishing', () => {
  test('an operator publishes a template; what is recorded stands next to what is cited', async () => {
    const id = freshAgent()
    await newOperator(rig, id)
    await standAt(rig, id, { violations: 0 })
    const listing = await published(id)
    expect(listing).toMatchObject({
      type: 'strategy_template',
      status: 'live',
      seller: { agent_id: id, operator: null, ranked: true, rank: 3 },
      recorded: { days_live: 40, adherence_pct: 97.5, signals_30d: null, followers: null, follow_gap_bps_median: null },
      template: { markets: ['testvenue'], per_tx_cap_usdc: '5', stop_line_usdc: '40' },
      signals_head: null,
    })
    expect(listing.cited[0]).toMatchObject({
      ...cited[0],
      stale: false,
      cited_vs_recorded: [
        { figure: 'days_live', cited: 200, recorded: 40 },
        { figure: 'adherence_pct', cited: 99, recorded: 97.5 },
      ],
    })
    const { earlier, computed_at, stale, ...same } = await read(listing.listing_id)
    expect(same).toEqual(listing)
    expect({ earlier, computed_at, stale }).toEqual({
      earlier: [],
      computed_at: rig.clock.now().toISOString(),
      stale: false,
    })
  })

  test('an owner publishes for a paired agent, by its id or by its vault, and for no other', async () => {
    const [id, ownerId] = [freshAgent(), 71]
    known.owners.set(id, ownerId)
    const { vault_id } = await newOperator(rig, id)
    const asOwner = rig.as(owner(ownerId))
    expect((await asOwner.publishListing({ ...template, agent_id: id })).listing.seller.agent_id).toBe(id)
    expect((await asOwner.publishListing(signals(vault_id))).listing.ref_vault_id).toBe(vault_id)
    expect(await refusalOf(asOwner.publishListing(template))).toMatchObject({
      code: 'invalid_listing',
      errors: [{ pointer: '/agent_id', code: 'required' }],
    })
    for (const input of [{ ...template, agent_id: freshAgent() }, signals(`opv_${'z'.repeat(20)}`)])
      expect(await refusalOf(asOwner.publishListing(input))).toMatchObject({ status: 403, code: 'not_on_allowlist' })
    expect(await refusalOf(publishAs(id, { ...template, agent_id: id + 1 }))).toMatchObject({ code: 'invalid_listing' })
  })

  test('a ranked agent publishes templates, and becomes an operator by its first free signal listing', async () => {
    const id = freshAgent()
    expect(await refusalOf(publishAs(id, template))).toMatchObject({ status: 403, code: 'not_on_allowlist' })
    await standAt(rig, id, { owners: 0, principal: '0' })
    expect(await published(id)).toMatchObject({ status: 'live', ref_vault_id: null })
    expect(await refusalOf(publishAs(id, signals()))).toMatchObject({
      code: 'not_on_allowlist',
      detail: expect.stringContaining('25 USDC'),
    })
    await standAt(rig, id)
    const { ref_vault_id, seller } = await published(id, signals())
    expect(seller.operator).toMatchObject({ title: 'Signals', kind: 'signal', house: false })
    expect(await findOperatorVault(rig.pool, ref_vault_id ?? '')).toMatchObject({ agent_id: id, source: 'listing' })
    const paid = { ...signals(ref_vault_id ?? ''), price_model: 'paid_read', price_cherry: 2 }
    expect(await refusalOf(publishAs(id, paid))).toMatchObject({ code: 'not_on_allowlist' })
    expect(await refusalOf(publishAs(id, signals()))).toMatchObject({
      code: 'invalid_listing',
      errors: [{ pointer: '/ref_vault_id', code: 'required' }],
    })
  })

  test('a template that mandates would not draft is refused with its fields', async () => {
    const id = freshAgent()
    await newOperator(rig, id)
    problems = [{ pointer: '/markets/0', code: 'unknown_market', detail: 'is not a market of GET /hub/markets' }]
    expect(await refusalOf(publishAs(id, template))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/template/markets/0', code: 'unknown_market' }],
    })
    problems = []
    expect(await refusalOf(publishAs(id, { ...template, editable_params: [] }))).toMatchObject({
      errors: [{ pointer: '/editable_params', code: 'required' }],
    })
  })

  test('two tabs publish one vault at once: one listing, the other is told which', async () => {
    const id = freshAgent()
    const { vault_id } = await newOperator(rig, id)
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => publishAs(id, signals(vault_id))))
    const stored = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value.listing.listing_id : []))
    expect(stored).toHaveLength(1)
    expect(await refusalOf(publishAs(id, signals(vault_id)))).toMatchObject({
      status: 409,
      code: 'vault_taken',
      listing_id: stored[0],
    })
  })

  test('a ranked agent that publishes in two tabs becomes one operator', async () => {
    const id = freshAgent()
    await standAt(rig, id)
    await Promise.allSettled([1, 2, 3].map(() => publishAs(id, signals())))
    const { items } = await rig.as(admin(1)).listOperatorEntries({})
    expect(items.filter(({ agent_id }) => agent_id === id)).toHaveLength(1)
  })

  test('a retry with the same Idempotency-Key publishes once; with another body it is refused', async () => {
    const id = freshAgent()
    await newOperator(rig, id)
    const options = { idempotencyKey: randomUUID() }
    const first = await publishAs(id, template, options)
    expect(await publishAs(id, template, options)).toEqual(first)
    const changed = { ...template, cited: [{ ...cited[0], claim_text: '900 days live' }] }
    expect(await refusalOf(publishAs(id, changed, options))).toMatchObject({
      status: 422,
      code: 'idempotency_mismatch',
    })
    const { items } = await rig.as(null).listListings({ limit: 50 })
    expect(items.filter(({ seller }) => seller.agent_id === id)).toHaveLength(1)
  })

  test('a seller has at most 50 listings, and a page of the largest ones fits one message', async () => {
    const id = freshAgent()
    await newOperator(rig, id)
    const { listing_id } = await published(id, largest)
    await rig.pool.query(sql.unsafe`
      WITH more AS (
        INSERT INTO listing (id, type, seller_agent_id, title, summary, price_model, body, published_at)
        SELECT 'lst_' || lpad(n::text, 20, '0'), type, seller_agent_id, title, summary, price_model, body, published_at
        FROM listing, generate_series(1, 49) AS n WHERE id = ${listing_id} RETURNING id, published_at)
      INSERT INTO listing_status SELECT id, 1, 'live', 'published', published_at FROM more`)
    expect(await refusalOf(publishAs(id, template))).toMatchObject({ code: 'listing_limit', limit: 50 })
    expect((await rig.as(null).listListings({ limit: 50 })).items).toHaveLength(50)
    await rig.as(agent(id)).withdrawListing({ listing_id })
    expect((await published(id)).status).toBe('live')
  })
})

describe('a published listing', () => {
  test('cannot be edited: other claims are another listing, which names the earlier one', async () => {
    const id = freshAgent()
    await newOperator(rig, id)
    const first = await published(id)
    await rig.as(agent(id)).withdrawListing({ listing_id: first.listing_id })
    rig.clock.advance(60_000)
    const second = await published(id, { ...template, cited: [{ ...cited[0], claim_text: '900 days live' }] })
    expect((await read(first.listing_id)).cited).toEqual(first.cited)
    expect((await read(second.listing_id)).earlier).toEqual([
      { listing_id: first.listing_id, published_at: first.published_at, cited_hash: first.cited_hash },
    ])
    expect(second.cited_hash).not.toBe(first.cited_hash)
    const { context } = rig
    for (const statement of [
      sql.unsafe`UPDATE listing SET body = '{}' WHERE id = ${first.listing_id}`,
      sql.unsafe`DELETE FROM listing_status WHERE listing_id = ${first.listing_id}`,
    ])
      await expect(context.pool.query(statement)).rejects.toThrow()
  })

  test('is withdrawn by its seller or the owner of the seller, any number of times, and its vault is free', async () => {
    const [id, ownerId] = [freshAgent(), 72]
    known.owners.set(id, ownerId)
    const { vault_id } = await newOperator(rig, id)
    const { listing_id } = await published(id, signals(vault_id))
    for (const stranger of [agent(freshAgent()), owner(73)])
      expect(await refusalOf(rig.as(stranger).withdrawListing({ listing_id }))).toMatchObject({
        status: 403,
        code: 'not_your_listing',
      })
    const first = await rig.as(agent(id)).withdrawListing({ listing_id })
    expect(first.listing).toMatchObject({ status: 'withdrawn', status_reason: 'withdrawn by the seller' })
    rig.clock.advance(1_000)
    expect(await rig.as(owner(ownerId)).withdrawListing({ listing_id })).toEqual(first)
    expect(await published(id, signals(vault_id))).toMatchObject({ status: 'live', ref_vault_id: vault_id })
    const unknown = { listing_id: `lst_${'z'.repeat(20)}` }
    expect(await refusalOf(rig.as(agent(id)).withdrawListing(unknown))).toMatchObject({ code: 'unknown_listing' })
    expect(await refusalOf(rig.as(null).readListing(unknown))).toMatchObject({ status: 404, code: 'unknown_listing' })
  })

  test('is withdrawn at once when its operator ends, and its row follows', async () => {
    const id = freshAgent()
    const { vault_id, operator_id } = await newOperator(rig, id)
    const { listing_id } = await published(id, signals(vault_id))
    await rig.as(admin(1)).removeOperator({ operator_id })
    expect(await read(listing_id)).toMatchObject({ status: 'withdrawn', status_reason: 'its operator has ended' })
    expect((await rig.run('tendListings')).done).toBeGreaterThan(0)
    const states = await rig.pool.any(
      sql.unsafe`SELECT status FROM listing_status WHERE listing_id = ${listing_id} ORDER BY seq`,
    )
    expect(states).toEqual([{ status: 'live' }, { status: 'withdrawn' }])
    expect((await rig.run('tendListings')).done).toBe(0)
  })

  test('is suspended by a violation or a lost rank and restored by a good record; a withdrawal is for ever', async () => {
    const id = freshAgent()
    await standAt(rig, id)
    const { listing_id } = await published(id)
    const statusAfter = async () => {
      await rig.run('tendListings')
      return (await read(listing_id)).status
    }
    await standAt(rig, id, { violations: 1 })
    expect(await statusAfter()).toBe('suspended')
    expect((await rig.as(null).listListings({})).items.map((one) => one.listing_id)).not.toContain(listing_id)
    await standAt(rig, id)
    expect(await statusAfter()).toBe('live')
    await standAt(rig, id, { ranked: false })
    expect(await statusAfter()).toBe('suspended')
    await rig.as(agent(id)).withdrawListing({ listing_id })
    await standAt(rig, id)
    expect(await statusAfter()).toBe('withdrawn')
  })

  test('stays as it is while the record of its seller is unknown or the Hall is stale', async () => {
    const id = freshAgent()
    await standAt(rig, id)
    const { listing_id } = await published(id)
    await standAt(rig, id, { violations: 1, rowIsGood: false })
    await rig.run('tendListings')
    expect((await read(listing_id)).status).toBe('live')
    await standAt(rig, id, { violations: 1 })
    rig.clock.advance(601_000)
    await rig.run('tendListings')
    expect(await read(listing_id)).toMatchObject({ status: 'live', stale: true })
    await computeHall(rig)
    await rig.run('tendListings')
    expect((await read(listing_id)).status).toBe('suspended')
  })
})

test('the list is paged newest first and by type, and a made-up cursor is refused', async () => {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: { items: { listing_id: string }[]; next_cursor: string | null } = await rig
      .as(null)
      .listListings({ limit: 50, ...(cursor === null ? {} : { cursor }) })
    ids.push(...page.items.map(({ listing_id }) => listing_id))
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(new Set(ids).size).toBe(ids.length)
  const first = await rig.as(null).listListings({ limit: 2 })
  const second = await rig.as(null).listListings({ limit: 2, cursor: first.next_cursor ?? '' })
  expect([...first.items, ...second.items].map(({ listing_id }) => listing_id)).toEqual(ids.slice(0, 4))
  const subscriptions = await rig.as(null).listListings({ type: 'signal_subscription', limit: 50 })
  expect(subscriptions.items.every(({ type }) => type === 'signal_subscription')).toBe(true)
  expect(subscriptions.items.length).toBeGreaterThan(0)
  expect(await refusalOf(rig.as(null).listListings({ cursor: 'bm8' }))).toMatchObject({ code: 'invalid_request' })
})
