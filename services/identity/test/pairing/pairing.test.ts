import { openPool, sql } from '@svc/postgres'
import { Outage } from '@svc/service'
import { opened } from '@svc/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { newIdempotencyKey, newWallet, openHarness, refused, type Harness } from '../harness.ts'

const MINUTE = 60_000
const on = opened(() => openHarness())

/** Runs a statement as the superuser in the schema of identity. */
const asSuperuser = async <T>(work: (pool: Awaited<ReturnType<typeof openPool>>) => Promise<T>): Promise<T> => {
  const pool = await openPool(on.stack.databaseOf('identity').superuserUrl, { size: 1 })
  try {
    await pool.query(sql.unsafe`SET search_path TO identity`)
    return await work(pool)
  } finally {
    await pool.end()
  }
}
const newCode = async (owner: Awaited<ReturnType<Harness['signIn']>>) =>
  (await on.ask.createPairCode({}, { caller: owner.caller })).code
/** A code of the right form that nobody made. */
const inventedCode = () => `0000-${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`

test('a pair code has the documented form, lives 15 minutes and comes with instructions for the owner', async () => {
  const owner = await on.signIn()
  const answer = await on.ask.createPairCode({}, { caller: owner.caller })
  expect(answer).toMatchObject({
    ok: true,
    expires_at: new Date(on.clock.now().getTime() + 15 * MINUTE).toISOString(),
    ttl_seconds: 900,
  })
  expect(answer.code).toMatch(/^[0-9B-DF-HJKMNP-TV-Z]{4}-[0-9B-DF-HJKMNP-TV-Z]{4}$/)
  expect(answer.instruction).toContain(answer.code)
})

test('an agent key makes no pair code, whatever its scopes', async () => {
  const { caller } = await on.register()
  for (const scopes of [['read'], ['read', 'write', 'tx']] as const)
    expect(await refused(on.ask.createPairCode({}, { caller: { ...caller, scopes } }))).toMatchObject({
      status: 403,
      code: 'scope_denied',
    })
})

test('sending the code pairs the agent, opens its policy and publishes both', async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  const answer = await on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller })
  expect(answer).toMatchObject({
    ok: true,
    owner: { owner_id: owner.answer.user_id, wallet: owner.account.address },
    agent_id: agent.answer.user_id,
    agent_wallet: agent.account.address,
    wallet_ready: true,
    accepts_mandates: true,
  })
  expect(answer.next).toContain(`/hub/agents/${agent.answer.user_id}/offers`)
  expect(answer).not.toHaveProperty('wallet_steps')
  expect(
    await on.heard('agentPaired', {
      agent_id: agent.answer.user_id,
      owner_id: owner.answer.user_id,
      agent_wallet: agent.account.address,
      owner_wallet: owner.account.address,
    }),
  ).toBe(1)
  expect(await on.heard('policyChanged', { agent_id: agent.answer.user_id, direction: 'widen' })).toBe(1)
  const { policy, changes } = await on.ask.readPolicy({ agent_id: agent.answer.user_id }, { caller: agent.caller })
  expect(policy).toMatchObject({ accepts_mandates: true, max_budget_usdc: null, allowed_markets: null })
  expect(changes).toMatchObject([
    {
      cause: 'paired',
      direction: 'widen',
      changed_by: { owner_id: owner.answer.user_id, wallet: owner.account.address },
      before: { accepts_mandates: false },
      after: { accepts_mandates: true },
    },
  ])
})

test('a code is accepted in any case, without its dash, and with letters that look like digits', async () => {
  const owner = await on.signIn()
  const code = await newCode(owner)
  const typed = code.replace('-', '').toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')
  expect((await on.ask.pairAgent({ code: typed }, { caller: (await on.register()).caller })).ok).toBe(true)
})

test('an agent on the wallet of its owner is paired, and the answer says that its wallet is not ready', async () => {
  const account = newWallet()
  const [owner, agent] = [await on.signIn(account), await on.register(account)]
  const answer = await on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller })
  expect(answer.wallet_ready).toBe(false)
  expect(answer.wallet_steps?.[0]).toContain('another wallet')
})

test('a used, an expired and an invented code are answered alike', async () => {
  const owner = await on.signIn()
  const [used, expired] = [await newCode(owner), await newCode(owner)]
  await on.ask.pairAgent({ code: used }, { caller: (await on.register()).caller })
  const agent = await on.register()
  on.clock.advance(15 * MINUTE)
  const answers = []
  for (const code of [used, expired, inventedCode()])
    answers.push(await refused(on.ask.pairAgent({ code }, { caller: agent.caller })))
  expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' })
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
})

test('a code is valid until its last millisecond', async () => {
  const owner = await on.signIn()
  const code = await newCode(owner)
  on.clock.advance(15 * MINUTE - 1)
  expect((await on.ask.pairAgent({ code }, { caller: (await on.register()).caller })).ok).toBe(true)
})

test.each(['', '7KQ2-M9X', '7KQ2_M9XD', 'AEUA-AEUA', '7KQ2 M9XD', '７KQ2-M9XD'])(
  'what cannot be a code, "%s", is a bad input and counts as no attempt',
  async (code) => {
    const { caller } = await on.register()
    for (let attempt = 0; attempt < 6; attempt += 1)
      expect(await refused(on.ask.pairAgent({ code }, { caller }))).toMatchObject({
        status: 400,
        code: 'invalid_request',
        pointers: ['/code'],
      })
  },
)

test('of two agents that send one code at once, exactly one is paired', async () => {
  const owner = await on.signIn()
  const agents = await Promise.all(Array.from({ length: 6 }, () => on.register()))
  const code = await newCode(owner)
  const outcomes = await Promise.allSettled(agents.map(({ caller }) => on.ask.pairAgent({ code }, { caller })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const views = await Promise.all(
    agents.map(async ({ answer, caller }) => on.ask.readAgent({ agent_id: answer.user_id }, { caller })),
  )
  expect(views.filter((view) => view.owner !== null)).toHaveLength(1)
})

test('an agent that sends codes of two owners at once gets one owner permanently', async () => {
  const [one, other] = [await on.signIn(), await on.signIn()]
  const codes = [await newCode(one), await newCode(other)]
  const { caller } = await on.register()
  const outcomes = await Promise.allSettled(codes.map((code) => on.ask.pairAgent({ code }, { caller })))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const winner = outcomes[0]?.status === 'fulfilled' ? one : other
  const view = await on.ask.readAgent({ agent_id: caller.account_id }, { caller })
  expect(view.owner?.owner_id).toBe(winner.answer.user_id)
})

test('an agent with another owner is refused, and the code stays valid for another agent', async () => {
  const [one, other] = [await on.signIn(), await on.signIn()]
  const agent = await on.register()
  await on.ask.pairAgent({ code: await newCode(one) }, { caller: agent.caller })
  const code = await newCode(other)
  for (let attempt = 0; attempt < 6; attempt += 1)
    expect(await refused(on.ask.pairAgent({ code }, { caller: agent.caller }))).toMatchObject({
      status: 409,
      code: 'wrong_status',
    })
  expect((await on.ask.pairAgent({ code }, { caller: (await on.register()).caller })).ok).toBe(true)
})

test('another code of its owner opens the policy of an agent again', async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  const agent_id = agent.answer.user_id
  await on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller })
  const { policy } = await on.ask.readPolicy({ agent_id }, { caller: owner.caller })
  await on.ask.replacePolicy(
    { agent_id, ...policy, accepts_mandates: false, max_budget_usdc: '5' },
    { caller: owner.caller },
  )
  expect((await on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller })).accepts_mandates).toBe(true)
  const opened = await on.ask.readPolicy({ agent_id }, { caller: owner.caller })
  expect(opened.policy).toEqual({ ...policy, accepts_mandates: true, max_budget_usdc: '5' })
  expect(opened.changes.map(({ cause, direction }) => [cause, direction])).toEqual([
    ['paired', 'widen'],
    ['replaced', 'tighten'],
    ['paired', 'widen'],
  ])
  expect(await on.heard('agentPaired', { agent_id })).toBe(1)
})

test('an owner may spend the Cherry of its agent only if the agent says so with a code, until it takes that back', async () => {
  const [owner, agent, other] = [await on.signIn(), await on.register(), await on.register()]
  const agent_id = agent.answer.user_id
  const maySpend = async () =>
    (await on.askAsSubscriptions.readAgents({ agent_ids: [agent_id] })).agents[0]?.owner_may_spend
  const pair = async (more: object) =>
    on.ask.pairAgent({ code: await newCode(owner), ...more }, { caller: agent.caller })
  const revoke = (caller: typeof owner.caller) => on.ask.revokeOwnerSpending({}, { caller })
  expect(await maySpend()).toBe(false)
  expect(await revoke(agent.caller)).toEqual({ ok: true, owner_may_spend: false })
  expect(await pair({})).toMatchObject({ owner_may_spend: false })
  expect(await maySpend()).toBe(false)
  expect(await pair({ owner_may_spend: true })).toMatchObject({ owner_may_spend: true })
  expect(await maySpend()).toBe(true)
  // Another agent takes back its own alone.
  await revoke(other.caller)
  expect(await maySpend()).toBe(true)
  expect(await revoke(agent.caller)).toEqual({ ok: true, owner_may_spend: false })
  expect(await maySpend()).toBe(false)
  // A code that does not say it allows nothing.
  await pair({ owner_may_spend: true })
  await pair({})
  expect(await maySpend()).toBe(false)
  expect(await refused(pair({ owner_may_spend: 'yes' }))).toMatchObject({ code: 'invalid_request' })
})

test('an owner has at most 5 live codes, also with concurrent calls', async () => {
  const { caller } = await on.signIn()
  const first = on.clock.now().getTime()
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => on.ask.createPairCode({}, { caller })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  const over = await refused(on.ask.createPairCode({}, { caller }))
  expect(over).toMatchObject({
    status: 429,
    code: 'rate_limited',
    body: { retry_at: new Date(first + 15 * MINUTE).toISOString() },
  })
  on.clock.advance(15 * MINUTE)
  expect((await on.ask.createPairCode({}, { caller })).ok).toBe(true)
})

test('an owner makes at most 10 codes an hour, used ones included', async () => {
  const owner = await on.signIn()
  const first = on.clock.now().getTime()
  const agent = await on.register()
  for (let made = 0; made < 10; made += 1)
    await on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller })
  expect(await refused(on.ask.createPairCode({}, { caller: owner.caller }))).toMatchObject({
    status: 429,
    code: 'rate_limited',
    body: { retry_at: new Date(first + 60 * MINUTE).toISOString() },
  })
  on.clock.advance(60 * MINUTE)
  expect((await on.ask.createPairCode({}, { caller: owner.caller })).ok).toBe(true)
})

test('five wrong codes stop an agent for 15 minutes, even with a right one, and no other agent', async () => {
  const [owner, agent, other] = [await on.signIn(), await on.register(), await on.register()]
  const first = on.clock.now().getTime()
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => refused(on.ask.pairAgent({ code: inventedCode() }, { caller: agent.caller }))),
  )
  expect(outcomes.filter(({ code }) => code === 'not_found')).toHaveLength(5)
  expect(outcomes.filter(({ code }) => code === 'rate_limited')).toHaveLength(7)
  expect(await refused(on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller }))).toMatchObject({
    status: 429,
    body: { retry_at: new Date(first + 15 * MINUTE).toISOString() },
  })
  expect((await on.ask.pairAgent({ code: await newCode(owner) }, { caller: other.caller })).ok).toBe(true)
  on.clock.advance(15 * MINUTE)
  expect((await on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller })).ok).toBe(true)
})

test('correct codes in between do not reset the count of wrong ones', async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  for (let wrong = 0; wrong < 4; wrong += 1)
    await refused(on.ask.pairAgent({ code: inventedCode() }, { caller: agent.caller }))
  await on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller })
  expect((await refused(on.ask.pairAgent({ code: inventedCode() }, { caller: agent.caller }))).code).toBe('not_found')
  expect((await refused(on.ask.pairAgent({ code: inventedCode() }, { caller: agent.caller }))).code).toBe(
    'rate_limited',
  )
})

test('an owner has at most 100 agents', async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  await asSuperuser(async (pool) => {
    await pool.query(sql.unsafe`
      WITH made AS (
        INSERT INTO accounts (kind, wallet, name, created_at)
        SELECT 'agent', '0xfeed' || lpad(to_hex(n), 36, '0'), 'filler', now() FROM generate_series(1, 100) AS n RETURNING account_id
      )
      INSERT INTO pairings (agent_id, owner_id, paired_at) SELECT account_id, ${owner.answer.user_id}, now() FROM made`)
  })
  expect(await refused(on.ask.pairAgent({ code: await newCode(owner) }, { caller: agent.caller }))).toMatchObject({
    status: 409,
    code: 'agent_limit',
    body: { limit: 100 },
  })
  expect((await on.ask.listAgents({}, { caller: owner.caller })).items).toHaveLength(100)
})

test('a repeat with the same Idempotency-Key pairs once and never shows a code again', async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  const [making, pairing] = [newIdempotencyKey(), newIdempotencyKey()]
  const { code } = await on.ask.createPairCode({}, { caller: owner.caller, idempotencyKey: making })
  expect(await refused(on.ask.createPairCode({}, { caller: owner.caller, idempotencyKey: making }))).toMatchObject({
    status: 409,
    code: 'secret_already_shown',
  })
  const first = await on.ask.pairAgent({ code }, { caller: agent.caller, idempotencyKey: pairing })
  expect(await on.ask.pairAgent({ code }, { caller: agent.caller, idempotencyKey: pairing })).toEqual(first)
  expect(await on.heard('agentPaired', { agent_id: agent.answer.user_id })).toBe(1)
})

test('the code is nowhere in the database, and a pairing cannot be changed or deleted', async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  const code = await newCode(owner)
  await on.ask.pairAgent({ code }, { caller: agent.caller, idempotencyKey: newIdempotencyKey() })
  const texts = await asSuperuser((pool) =>
    pool.anyFirst(sql.type(z.object({ text: z.string() }))`
      SELECT to_jsonb(c)::text AS text FROM pair_codes AS c UNION ALL SELECT to_jsonb(i)::text FROM idempotency AS i
      UNION ALL SELECT to_jsonb(o)::text FROM outbox AS o`),
  )
  expect(texts.join()).toContain('pairAgent')
  expect(texts.join()).not.toContain(code)
  expect(texts.join()).not.toContain(code.replace('-', ''))
  const app = await openPool(on.stack.databaseOf('identity').url)
  try {
    for (const statement of [
      sql.unsafe`UPDATE pairings SET owner_id = ${owner.answer.user_id}`,
      sql.unsafe`DELETE FROM pairings`,
      sql.unsafe`UPDATE policy_changes SET direction = 'tighten'`,
      sql.unsafe`DELETE FROM policy_changes`,
    ])
      await expect(app.query(statement)).rejects.toThrow(/permission denied|insufficient/i)
  } finally {
    await app.end()
  }
})

test('until its tables exist, pairing answers 503', async () => {
  const [owner, agent] = [await on.signIn(), await on.register()]
  await asSuperuser((pool) => pool.query(sql.unsafe`ALTER TABLE pair_codes RENAME TO pair_codes_away`))
  try {
    await expect(on.ask.createPairCode({}, { caller: owner.caller })).rejects.toBeInstanceOf(Outage)
    await expect(on.ask.pairAgent({ code: inventedCode() }, { caller: agent.caller })).rejects.toBeInstanceOf(Outage)
  } finally {
    await asSuperuser((pool) => pool.query(sql.unsafe`ALTER TABLE pair_codes_away RENAME TO pair_codes`))
  }
  expect((await on.ask.createPairCode({}, { caller: owner.caller })).ok).toBe(true)
})
