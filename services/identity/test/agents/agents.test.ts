import type { AgentPolicy } from '@svc/contracts/identity/policy'
import { openPool, sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { asCaller, newIdempotencyKey, newWallet, openHarness, refused } from '../harness.ts'

const on = opened(() => openHarness())

/** An owner and an agent it has paired. */
const newPair = async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  const { code } = await on.ask.createPairCode({}, { caller: owner.caller })
  await on.ask.pairAgent({ code }, { caller: agent.caller })
  return { owner, agent, agent_id: agent.answer.user_id }
}
const policy: AgentPolicy = {
  accepts_mandates: true,
  max_open_mandates: 2,
  max_budget_usdc: '500',
  per_tx_cap_usdc: '50',
  daily_cap_usdc: '150',
  allowed_markets: ['hl:BTC', 'testvenue'],
  approval_above_usdc: '40',
  daily_cherry_budget: 100,
}

describe('for the Hall', () => {
  test('gallery reads agents with the items that changed in their last 10 changes of policy, and lists all agents', async () => {
    const { owner, agent_id, agent } = await newPair()
    const alone = await on.register()
    for (let change = 1; change <= 11; change += 1)
      await on.ask.replacePolicy({ agent_id, ...policy, max_open_mandates: change * 10 }, { caller: owner.caller })
    const asked = [alone.answer.user_id, 999_999, agent_id, owner.answer.user_id]
    const { agents } = await on.askAsGallery.readHallAgents({ agent_ids: asked })
    expect(agents).toMatchObject([
      { agent_id: alone.answer.user_id, owner_id: null, accepts_mandates: false, policy_changes: [] },
      null,
      {
        agent_id,
        name: 'Scout',
        wallet: agent.account.address,
        owner_id: owner.answer.user_id,
        accepts_mandates: true,
      },
      null,
    ])
    const changes = agents[2]?.policy_changes ?? []
    expect(changes).toHaveLength(10)
    for (const one of changes)
      expect(one).toEqual({
        changed_at: on.clock.now().toISOString(),
        direction: 'widen',
        items: ['max_open_mandates'],
      })
    const ids: number[] = []
    for (let after: number | undefined; ;) {
      const page = await on.askAsGallery.listHallAgents({ limit: 3, ...(after === undefined ? {} : { after }) })
      ids.push(...page.agent_ids)
      after = page.agent_ids.at(-1)
      if (after === undefined) break
    }
    expect(ids).toEqual(expect.arrayContaining([agent_id, alone.answer.user_id]))
    expect(ids).not.toContain(owner.answer.user_id)
    expect(new Set(ids).size).toBe(ids.length)
    const owners = await on.askAsGallery.readHallOwners({ owner_ids: [owner.answer.user_id, agent_id] })
    expect(owners).toEqual({ owners: [{ owner_id: owner.answer.user_id, wallet: owner.account.address }, null] })
  })
})

describe('policy', () => {
  test('the owner replaces the whole policy, and the last 10 changes name who, when, before and after', async () => {
    const { owner, agent, agent_id } = await newPair()
    const written = {
      ...policy,
      max_budget_usdc: '500.50',
      daily_cap_usdc: '150.0',
      allowed_markets: ['testvenue', 'hl:BTC'],
    }
    on.clock.advance(1_000)
    const first = await on.ask.replacePolicy({ agent_id, ...written }, { caller: owner.caller })
    const stored = { ...policy, max_budget_usdc: '500.5' }
    const now = on.clock.now().toISOString()
    expect(first).toMatchObject({ ok: true, direction: 'tighten', agent_id, policy: stored, updated_at: now })
    expect(first.changes[0]).toMatchObject({
      changed_at: now,
      changed_by: { owner_id: owner.answer.user_id, wallet: owner.account.address },
      cause: 'replaced',
      direction: 'tighten',
      before: { accepts_mandates: true, max_budget_usdc: null },
      after: stored,
    })
    for (let change = 1; change <= 11; change += 1)
      await on.ask.replacePolicy({ agent_id, ...policy, max_open_mandates: change * 10 }, { caller: owner.caller })
    const read = await on.ask.readPolicy({ agent_id }, { caller: agent.caller })
    expect(read.changes.map(({ after }) => after.max_open_mandates)).toEqual([110, 100, 90, 80, 70, 60, 50, 40, 30, 20])
    expect(read.policy.max_open_mandates).toBe(110)
    expect(await on.heard('policyChanged', { agent_id, direction: 'mixed' })).toBe(1)
    expect(await on.ask.readPolicy({ agent_id }, { caller: owner.caller })).toEqual(read)
  })

  test('an equal policy changes nothing and stores no change', async () => {
    const { owner, agent_id } = await newPair()
    const first = await on.ask.replacePolicy({ agent_id, ...policy }, { caller: owner.caller })
    on.clock.advance(1_000)
    const again = await on.ask.replacePolicy(
      { agent_id, ...policy, max_budget_usdc: '500.000000' },
      { caller: owner.caller },
    )
    expect(again).toEqual({ ...first, direction: null })
  })

  test('concurrent changes store one row each, and each begins where another ended', async () => {
    const { owner, agent_id } = await newPair()
    await Promise.all(
      [1, 2, 3, 4, 5].map(async (max_open_mandates) =>
        on.ask.replacePolicy({ agent_id, ...policy, max_open_mandates }, { caller: owner.caller }),
      ),
    )
    const { changes } = await on.ask.readPolicy({ agent_id }, { caller: owner.caller })
    expect(changes).toHaveLength(6)
    for (const [index, change] of changes.slice(0, -1).entries())
      expect(change.before).toEqual(changes[index + 1]?.after)
  })

  test('nobody but the paired owner replaces a policy, and nobody else reads it', async () => {
    const { agent_id } = await newPair()
    const [stranger, other] = [await on.signIn(), await newPair()]
    for (const { caller } of [stranger, other.owner]) {
      expect(await refused(on.ask.replacePolicy({ agent_id, ...policy }, { caller }))).toMatchObject({
        status: 404,
        code: 'not_your_agent',
      })
      expect(await refused(on.ask.readPolicy({ agent_id }, { caller }))).toMatchObject({ code: 'not_your_agent' })
      expect(await refused(on.ask.readAgent({ agent_id }, { caller }))).toMatchObject({ code: 'not_your_agent' })
    }
    expect(await refused(on.ask.readPolicy({ agent_id }, { caller: other.agent.caller }))).toMatchObject({
      code: 'not_your_agent',
    })
    expect(await refused(on.ask.readAgent({ agent_id: 999_999 }, { caller: stranger.caller }))).toMatchObject({
      status: 404,
      code: 'not_your_agent',
    })
  })

  test('an agent that nobody paired accepts no mandates, and its owner account on the same wallet cannot open it', async () => {
    const account = newWallet()
    const [agent, owner] = [await on.register(account), await on.signIn(account)]
    const agent_id = agent.answer.user_id
    const read = await on.ask.readPolicy({ agent_id }, { caller: agent.caller })
    expect(read).toMatchObject({ policy: { accepts_mandates: false }, updated_at: null, changes: [] })
    expect(await refused(on.ask.replacePolicy({ agent_id, ...policy }, { caller: owner.caller }))).toMatchObject({
      code: 'not_your_agent',
    })
  })

  test.each([
    ['a missing item', { daily_cherry_budget: undefined }, '/daily_cherry_budget'],
    ['an unknown item', { stop_line_usdc: '1' }, '/stop_line_usdc'],
    ['a float', { max_budget_usdc: 500 }, '/max_budget_usdc'],
    ['a negative amount', { per_tx_cap_usdc: '-1' }, '/per_tx_cap_usdc'],
    ['an exponent', { daily_cap_usdc: '1e3' }, '/daily_cap_usdc'],
    ['seven decimals', { approval_above_usdc: '0.0000001' }, '/approval_above_usdc'],
    ['more than a vault holds', { max_budget_usdc: '340282366920938463463374607431769' }, '/max_budget_usdc'],
    ['half a mandate', { max_open_mandates: 1.5 }, '/max_open_mandates'],
    ['a market twice', { allowed_markets: ['testvenue', 'testvenue'] }, '/allowed_markets'],
    ['no market id', { allowed_markets: ['Test Venue'] }, '/allowed_markets/0'],
  ])('%s is named and changes nothing', async (_what, change, pointer) => {
    const { owner, agent_id } = await newPair()
    const input = { agent_id, ...policy, ...change }
    expect(await refused(on.ask.replacePolicy(input as never, { caller: owner.caller }))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      pointers: [pointer],
    })
    expect((await on.ask.readPolicy({ agent_id }, { caller: owner.caller })).changes).toHaveLength(1)
  })
})

describe('agents', () => {
  test('an agent reads itself, and its owner reads all paired agents', async () => {
    const { owner, agent, agent_id } = await newPair()
    const second = await on.register()
    const { code } = await on.ask.createPairCode({}, { caller: owner.caller })
    await on.ask.pairAgent({ code }, { caller: second.caller })
    const own = await on.ask.readOwnAgent({}, { caller: agent.caller })
    expect(own).toMatchObject({
      account_id: agent_id,
      kind: 'agent',
      wallet: agent.account.address,
      agent: {
        agent_id,
        name: 'Scout',
        wallet: agent.account.address,
        owner: { owner_id: owner.answer.user_id, wallet: owner.account.address },
        policy: { accepts_mandates: true },
        last_seen_at: null,
        channel: null,
      },
      paired_agents: [],
      agent_keys: { count: 1 },
    })
    const all = await on.ask.readOwnAgent({}, { caller: owner.caller })
    expect(all).toMatchObject({ kind: 'owner', agent: null, agent_keys: { count: 2 } })
    expect(all.paired_agents.map((one) => one.agent_id)).toEqual([agent_id, second.answer.user_id])
    expect((await on.ask.listAgents({}, { caller: owner.caller })).items).toEqual(all.paired_agents)
    expect((await on.ask.listAgents({}, { caller: agent.caller })).items).toEqual([own.agent])
    expect((await on.ask.listAgents({}, { caller: (await on.signIn()).caller })).items).toEqual([])
  })

  test('the mandates of the agent or owner are included, and null while they cannot be read', async () => {
    const { owner, agent, agent_id } = await newPair()
    const brief = (digit: string, account_id: number) => ({
      account_id,
      public_id: `mdt_${digit.repeat(32)}`,
      name: 'Weekend basis',
      state: 'working' as const,
      accepted: true,
      changed_at: on.clock.now().toISOString(),
    })
    on.world.mandates = [brief('1', agent_id), brief('2', owner.answer.user_id), brief('3', 999_999)]
    const idsOf = async (caller: typeof owner.caller) =>
      (await on.ask.readOwnAgent({}, { caller })).mandates?.map(({ public_id }) => public_id)
    expect(await idsOf(agent.caller)).toEqual([`mdt_${'1'.repeat(32)}`])
    expect(await idsOf(owner.caller)).toEqual([`mdt_${'2'.repeat(32)}`])
    const without = await on.withoutMandates(() => on.ask.readOwnAgent({}, { caller: agent.caller }))
    expect(without).toMatchObject({ mandates: null, agent: { agent_id }, agent_keys: { count: 1 } })
    on.world.mandates = []
    expect(await idsOf(agent.caller)).toEqual([])
  })

  test('only live keys are counted, not revoked or expired ones', async () => {
    const { owner, agent, agent_id } = await newPair()
    const expires_at = new Date(on.clock.now().getTime() + 1_000).toISOString()
    await on.ask.createKey({ name: 'short', expires_at }, { caller: agent.caller })
    const third = await on.ask.createKey({ name: 'third' }, { caller: agent.caller })
    const seenBy = async (caller: typeof owner.caller) => {
      const { agent_keys, keys } = await on.ask.readAgent({ agent_id }, { caller })
      return [agent_keys.count, keys.map(({ name }) => name).toSorted()]
    }
    expect(await seenBy(owner.caller)).toEqual([3, ['first key', 'short', 'third']])
    await on.ask.revokeKey({ key_id: third.key_id }, { caller: agent.caller })
    on.clock.advance(1_000)
    expect(await seenBy(agent.caller)).toEqual([1, ['first key']])
  })

  test('an unreadable count of keys is null, and the rest is answered', async () => {
    const { owner, agent_id } = await newPair()
    const superuser = await openPool(on.stack.databaseOf('identity').superuserUrl, { size: 1 })
    try {
      await superuser.transaction(async (tx) => {
        // Nobody reads the table while this lock is held; the service gives up after its lock timeout.
        await tx.query(sql.unsafe`LOCK TABLE identity.api_keys IN ACCESS EXCLUSIVE MODE`)
        const own = await on.ask.readOwnAgent({}, { caller: owner.caller })
        expect(own.agent_keys).toEqual({ count: null })
        expect(own.paired_agents).toMatchObject([{ agent_id, agent_keys: { count: null } }])
      })
    } finally {
      await superuser.end()
    }
    expect((await on.ask.readOwnAgent({}, { caller: owner.caller })).agent_keys).toEqual({ count: 1 })
  })

  test('gallery finds the agents of wallets in any case; a wallet without an agent is left out', async () => {
    const [agent, owner] = [await on.register(), await on.signIn()]
    const { address } = agent.account
    const { agents } = await on.askAsGallery.findAgentsByWallet({
      wallets: [address.toLowerCase(), owner.account.address],
    })
    expect(agents).toEqual([{ agent_id: agent.answer.user_id, wallet: address, name: 'Scout' }])
  })

  test('mandates reads many agents in one call, in the requested order; null for an unknown agent', async () => {
    const { owner, agent, agent_id } = await newPair()
    const alone = await on.register()
    await on.ask.replacePolicy({ agent_id, ...policy }, { caller: owner.caller })
    const { agents } = await on.askAsMandates.readAgents({
      agent_ids: [alone.answer.user_id, 999_999, agent_id, owner.answer.user_id],
    })
    expect(agents).toEqual([
      expect.objectContaining({ agent_id: alone.answer.user_id, owner: null, last_seen_at: null }),
      null,
      {
        agent_id,
        name: 'Scout',
        wallet: agent.account.address,
        owner_may_spend: false,
        owner: { owner_id: owner.answer.user_id, wallet: owner.account.address },
        policy,
        access_ends_at: null,
        last_seen_at: null,
        channel: null,
      },
      null,
    ])
    expect(agents[0]?.policy.accepts_mandates).toBe(false)
  })

  test('the access of an agent ends with its last key that may write, and not while one never expires', async () => {
    const { agent, agent_id } = await newPair()
    const accessEndsAt = async () =>
      (await on.askAsMandates.readAgents({ agent_ids: [agent_id] })).agents[0]?.access_ends_at
    const hoursAhead = (hours: number) => new Date(on.clock.now().getTime() + hours * 3_600_000).toISOString()
    const [soon, later] = [hoursAhead(1), hoursAhead(2)]
    const newKey = (expires_at: string, scopes: ('read' | 'write')[]) =>
      on.ask.createKey({ expires_at, scopes }, { caller: agent.caller })
    await newKey(soon, ['read', 'write'])
    await newKey(later, ['write'])
    await newKey(hoursAhead(3), ['read'])
    const { items } = await on.ask.listKeys({}, { caller: agent.caller })
    expect(await accessEndsAt()).toBeNull()
    const endless = items.find(({ expires_at }) => expires_at === null)
    await on.ask.revokeKey({ key_id: endless?.key_id ?? '' }, { caller: agent.caller })
    expect(await accessEndsAt()).toBe(later)
    on.clock.advance(2 * 3_600_000)
    expect(await accessEndsAt()).toBeNull()
  })

  test('a party is the accounts of a wallet, the agents paired with them and their wallets, seen from any of them', async () => {
    const account = newWallet()
    const { owner, agent, agent_id } = await newPair()
    const [sameWallet, agentsOwner] = [await on.register(owner.account), await on.signIn(agent.account)]
    const second = await on.register(account)
    const { code } = await on.ask.createPairCode({}, { caller: agentsOwner.caller })
    await on.ask.pairAgent({ code }, { caller: second.caller })
    const party = [owner, agent, sameWallet, agentsOwner, second].map(({ answer }) => answer.user_id)
    const stranger = await newPair()
    for (const account_id of party) {
      const { account_ids } = await on.askAsMining.relatedAccounts({ account_id })
      expect(account_ids).toEqual(party.toSorted((a, b) => a - b))
      expect(account_ids).not.toContain(stranger.agent_id)
    }
    expect(party).toContain(agent_id)
    expect((await on.askAsMining.relatedAccounts({ account_id: 999_999 })).account_ids).toEqual([])
  })
})

describe('scopes of a key', () => {
  test('the paired owner grants and removes tx, which takes effect at once', async () => {
    const { owner, agent, agent_id } = await newPair()
    const key_id = agent.caller.key_id ?? ''
    const granted = await on.ask.setKeyScopes(
      { agent_id, key_id, scopes: ['tx', 'read', 'write'] },
      { caller: owner.caller, idempotencyKey: newIdempotencyKey() },
    )
    expect(granted).toEqual({ ok: true, agent_id, key_id, scopes: ['read', 'write', 'tx'] })
    expect((await on.resolveKey(agent.answer.api_key))?.scopes).toEqual(['read', 'write', 'tx'])
    const trader = asCaller(await on.resolveKey(agent.answer.api_key))
    const made = await on.ask.createKey({}, { caller: trader })
    expect(made.scopes).toEqual(['read', 'write'])
    await on.ask.setKeyScopes({ agent_id, key_id, scopes: ['read'] }, { caller: owner.caller })
    await on.ask.setKeyScopes({ agent_id, key_id, scopes: ['read'] }, { caller: owner.caller })
    expect((await on.resolveKey(agent.answer.api_key))?.scopes).toEqual(['read'])
    const told = { account_id: agent_id, key_id, changed_by: owner.answer.user_id }
    await eventually(async () => expect(await on.heard('keyScopesChanged', told)).toBe(2))
  })

  test('another owner, a key of another agent and a revoked key are refused', async () => {
    const { owner, agent, agent_id } = await newPair()
    const other = await newPair()
    const key_id = agent.caller.key_id ?? ''
    expect(
      await refused(on.ask.setKeyScopes({ agent_id, key_id, scopes: ['tx'] }, { caller: other.owner.caller })),
    ).toMatchObject({ status: 404, code: 'not_your_agent' })
    const foreign = other.agent.caller.key_id ?? ''
    const revoked = await on.ask.createKey({}, { caller: agent.caller })
    await on.ask.revokeKey({ key_id: revoked.key_id }, { caller: agent.caller })
    for (const gone of [foreign, revoked.key_id, `key_${'0'.repeat(16)}`])
      expect(
        await refused(on.ask.setKeyScopes({ agent_id, key_id: gone, scopes: ['tx'] }, { caller: owner.caller })),
      ).toMatchObject({ status: 404, code: 'unknown_agent_key' })
    expect((await on.resolveKey(other.agent.answer.api_key))?.scopes).toEqual(['read', 'write'])
    for (const scopes of [[], ['tx', 'tx'], ['admin']])
      expect(
        await refused(on.ask.setKeyScopes({ agent_id, key_id, scopes } as never, { caller: owner.caller })),
      ).toMatchObject({ status: 400 })
  })
})

describe('activity', () => {
  const at = (ms = 0) => new Date(on.clock.now().getTime() + ms).toISOString()
  const seenAt = async (agent_id: number) => {
    const { agents } = await on.askAsMandates.readAgents({ agent_ids: [agent_id] })
    return [agents[0]?.last_seen_at ?? null, agents[0]?.channel ?? null]
  }

  test('the activity of an agent is stored at most once in 30 seconds, with its channel', async () => {
    const { answer } = await on.register()
    const account_id = answer.user_id
    const note = async (channel: 'http' | 'mcp', when: string) =>
      (await on.ask.noteActivity({ seen: [{ account_id, channel, at: when }] })).noted
    const first = at()
    expect(await note('http', first)).toBe(1)
    expect(await note('mcp', at(29_999))).toBe(0)
    expect(await seenAt(account_id)).toEqual([first, 'http'])
    on.clock.advance(30_000)
    expect(await note('mcp', at())).toBe(1)
    expect(await seenAt(account_id)).toEqual([at(), 'mcp'])
    expect(await note('http', first)).toBe(0)
  })

  test('a time in the future is stored as now; owners and unknown accounts are ignored; the newest of several times is stored', async () => {
    const [agent, owner] = [await on.register(), await on.signIn()]
    const { noted } = await on.ask.noteActivity({
      seen: [
        { account_id: agent.answer.user_id, channel: 'http', at: at(-5_000) },
        { account_id: agent.answer.user_id, channel: 'mcp', at: at(86_400_000) },
        { account_id: owner.answer.user_id, channel: 'http', at: at() },
        { account_id: 999_999, channel: 'http', at: at() },
      ],
    })
    expect(noted).toBe(1)
    expect(await seenAt(agent.answer.user_id)).toEqual([at(), 'mcp'])
  })

  test('two gateways that store the activity of the same agents at once do not deadlock', async () => {
    const agents = await Promise.all(Array.from({ length: 8 }, () => on.register()))
    const seen = agents.map(({ answer }) => ({ account_id: answer.user_id, channel: 'http' as const, at: at() }))
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => on.ask.noteActivity({ seen: turn % 2 === 0 ? seen : seen.toReversed() })),
    )
    expect(answers.reduce((sum, { noted }) => sum + noted, 0)).toBe(8)
  })
})
