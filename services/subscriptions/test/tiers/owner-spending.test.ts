import { changesNothing, opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { newAgent, newOwner, openHarness, refused, START } from '../harness.ts'

const on = opened(() => openHarness())

/** An owner with a paired agent that has 30,000 Cherry. */
async function paired({ maySpend }: { readonly maySpend: boolean }) {
  on.clock.set(START)
  const [owner, agent] = [newOwner(), newAgent()]
  on.pairings.set(agent.account_id, { owner_id: owner.account_id, maySpend })
  await on.grant(agent.account_id, 30_000)
  const cherry = () => on.ask.readAgentCherry({ agent_id: agent.account_id }, on.as(owner))
  return { owner, agent, agent_id: agent.account_id, cherry }
}
const NOT_YOURS = { status: 404, code: 'not_your_agent' }
const NOT_ALLOWED = { status: 403, code: 'spending_not_allowed' }

test('an owner and its agent read the Cherry and the tier of the agent, and the owner its history', async () => {
  const { owner, agent, agent_id, cherry } = await paired({ maySpend: false })
  const read = {
    agent_id,
    balance: 30_000,
    tier: 0,
    tier_name: 'free',
    tier_ends_at: null,
    owner_may_spend: false,
    computed_at: START,
  }
  expect(await cherry()).toEqual(read)
  expect(await on.ask.readAgentCherry({ agent_id }, on.as(agent))).toEqual(read)
  await on.ask.subscribe({ tier: 1, months: 1 }, on.as(agent))
  expect(await cherry()).toMatchObject({ balance: 20_000, tier: 1, tier_ends_at: '2026-12-21T09:00:00.000Z' })
  const { items } = await on.ask.listHistory({ agent_id }, on.as(owner))
  expect(items.map(({ amount }) => amount)).toEqual([-10_000, 30_000])
  expect(items[0]).toMatchObject({ bought_by: agent_id })
  expect(await on.ask.listHistory({}, on.as(owner))).toMatchObject({ items: [] })
  expect(await on.ask.listHistory({ agent_id }, on.as(agent))).toMatchObject({ items })
})

test('an agent that was never read is opened with its welcome', async () => {
  const [owner, agent] = [newOwner(), newAgent()]
  on.pairings.set(agent.account_id, { owner_id: owner.account_id, maySpend: false })
  expect(await on.ask.readAgentCherry({ agent_id: agent.account_id }, on.as(owner))).toMatchObject({ balance: 10 })
})

test.each([
  ['the owner of another agent', async () => (await paired({ maySpend: true })).owner],
  ['an owner without agents', async () => newOwner()],
  ['another agent', async () => newAgent()],
  ['another agent of the same owner', async () => null],
])('%s reads and spends nothing of an agent', async (_, other) => {
  const { owner, agent_id } = await paired({ maySpend: true })
  const stranger = (await other()) ?? newAgent()
  if (stranger.kind === 'agent') on.pairings.set(stranger.account_id, { owner_id: owner.account_id, maySpend: true })
  const { quote_id } = await on.ask.previewUpgrade({ agent_id }, on.as(owner))
  const as = on.as(stranger)
  const acts = [
    () => on.ask.readAgentCherry({ agent_id }, as),
    () => on.ask.listHistory({ agent_id }, as),
    () => on.ask.previewUpgrade({ agent_id }, as),
    () => on.ask.subscribe({ tier: 2, months: 1, quote_id, agent_id }, as),
    () => on.ask.subscribe({ tier: 2, months: 1, quote_id, agent_id, dry_run: true }, as),
  ]
  await changesNothing(on.stack.databaseOf('subscriptions').superuserUrl, async () => {
    for (const act of acts) expect(await refused(act())).toMatchObject(NOT_YOURS)
  })
})

test('an agent without an owner, and an id of no agent, are nobody’s', async () => {
  const owner = newOwner()
  // An owner's own account is no agent, and gets no welcome.
  for (const { account_id: agent_id } of [newAgent(), newOwner(), owner])
    expect(await refused(on.ask.readAgentCherry({ agent_id }, on.as(owner)))).toMatchObject(NOT_YOURS)
})

test('an owner spends nothing until the agent allows it, and nothing once the agent has taken that back', async () => {
  const { owner, agent_id, cherry } = await paired({ maySpend: false })
  const as = on.as(owner)
  const allow = (maySpend: boolean) => on.pairings.set(agent_id, { owner_id: owner.account_id, maySpend })
  const preview = () => on.ask.previewUpgrade({ tier: 1, months: 1, agent_id }, as)
  const buy = (quote_id: string) => on.ask.subscribe({ tier: 1, months: 1, quote_id, agent_id }, as)
  expect(await refused(preview())).toMatchObject(NOT_ALLOWED)
  allow(true)
  const { quote_id } = await preview()
  allow(false)
  expect(await refused(buy(quote_id))).toMatchObject(NOT_ALLOWED)
  expect(await cherry()).toMatchObject({ balance: 30_000, tier: 0, owner_may_spend: false })
  allow(true)
  expect(await buy(quote_id)).toMatchObject({ charge: 10_000, balance: 20_000 })
  expect(await on.heard('tierChanged', { account_id: agent_id })).toMatchObject([{ tier: 1, cause: 'start' }])
  expect(await cherry()).toMatchObject({ balance: 20_000, tier: 1, owner_may_spend: true })
  // Both can see who bought.
  const seen = { kind: 'subscription', bought_by: owner.account_id }
  const { items } = await on.ask.listHistory({ agent_id }, as)
  expect(items).toMatchObject([seen, { kind: 'adjustment' }])
  expect(items[1]).not.toHaveProperty('bought_by')
  // The owner itself has bought nothing.
  expect(await on.ask.resolveTiers({ account_ids: [owner.account_id] })).toMatchObject({ items: [{ tier: 0 }] })
})

test('concurrent purchases of an owner for its agent pay once, and one without a quote pays nothing', async () => {
  const { owner, agent_id, cherry } = await paired({ maySpend: true })
  const as = on.as(owner)
  const { quote_id } = await on.ask.previewUpgrade({ tier: 1, months: 1, agent_id }, as)
  const buy = () => on.ask.subscribe({ tier: 1, months: 1, quote_id, agent_id }, as)
  const both = await Promise.allSettled([buy(), buy(), buy()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await refused(buy())).toMatchObject({ code: 'quote_stale', reason: 'used' })
  expect(await refused(on.ask.subscribe({ tier: 1, months: 1, agent_id }, as))).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/quote_id' }],
  })
  expect(await cherry()).toMatchObject({ balance: 20_000, tier_ends_at: '2026-12-21T09:00:00.000Z' })
})

test('an owner cannot spend more than the agent has', async () => {
  const { owner, agent_id } = await paired({ maySpend: true })
  const quoted = await on.ask.previewUpgrade({ tier: 2, months: 2, agent_id }, on.as(owner))
  expect(quoted).toMatchObject({ charge: 50_000, balance: 30_000, affordable: false })
  const { quote_id } = quoted
  expect(await refused(on.ask.subscribe({ tier: 2, months: 2, quote_id, agent_id }, on.as(owner)))).toMatchObject({
    code: 'insufficient_cherry',
    balance: 30_000,
    needed: 50_000,
  })
})

test('the tiers are listed with their prices', async () => {
  const { items } = await on.ask.listTiers({})
  expect(items.map(({ tier, cherry_per_month }) => [tier, cherry_per_month])).toEqual([
    [0, 0],
    [1, 10_000],
    [2, 25_000],
  ])
})
