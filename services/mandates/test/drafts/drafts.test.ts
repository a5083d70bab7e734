import { mandates } from '@svc/contracts/mandates'
import { clientOf, type RemoteRefusal } from '@svc/service'
import { opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '@svc/postgres'
import { AGENT_MAX, agent, bodyAt, owner, ownerWallet, startLifeRig } from '../rigs/life-rig.ts'

const rig = opened(() =>
  startLifeRig({
    environment: { HUB_TEST_VENUE_TARGETS: `0x${'4'.repeat(40)}`, HUB_BEST_WAY_IN: '{"chain":"base","asset":"USDC"}' },
  }),
)

const DAY_MS = 86_400_000
const body = (changed: Record<string, unknown> = {}) => bodyAt(rig, changed) as never
const created = async (id: number, changed: Record<string, unknown> = {}) =>
  (await rig.as(owner(id)).createMandate(body(changed))).mandate
let owners = 100
const freshOwner = () => (owners += 1)

async function fillDrafts(ownerId: number, drafts: number): Promise<void> {
  await rig.pool.query({
    sql: `INSERT INTO mandate (public_id, id_hash, owner_id, owner_wallet, state_since, name, budget, per_tx_cap, daily_cap,
      stop_line, markets, ends_at, fee_bps, hl_leg, created_at, changed_at, expires_at)
      SELECT 'mdt_' || lpad(to_hex(n + $1 * 1000), 32, '0'), (n + $1 * 1000)::text, $1, '0x1', now(), 'x', 1, 1, 1, 0, '{testvenue}',
        now(), 0, false, now(), now(), 'infinity' FROM generate_series(1, $2) n`,
    values: [ownerId, drafts],
    type: 'SLONIK_TOKEN_QUERY',
    parser: undefined,
  } as never)
}

describe('POST /hub/mandates', () => {
  test('stores a draft that only its owner and its agent can read and list', async () => {
    const mandate = await created(1, { agent_id: 7, name: '주말 basis' })
    expect(mandate).toMatchObject({
      state: 'draft',
      name: '주말 basis',
      owner_id: 1,
      owner_wallet: ownerWallet(1).address,
      agent: { agent_id: 7, accepted_at: null },
      limits: { budget_usdc: '500', stop_line_usdc: '100', hl_leg: false },
      vault: null,
    })
    const { public_id } = mandate
    expect(await rig.as(owner(1)).readMandate({ public_id })).toMatchObject({
      public_id,
      agent: { name: 'agent 7', last_seen_at: '2026-11-21T09:59:00.000Z', channel: 'mcp' },
      usage: null,
      lock: null,
      chain_state: null,
      terms_hash: null,
      refusals_7d: { total: 0, by_kind: {} },
      fees: { fee_bps: 1000, accrued_usdc: null },
      progress: { steps_done: 2, steps_total: 7, elapsed_bps: null },
      record_head: { seq: 1 },
    })
    expect(await rig.as(agent(7)).readMandate({ public_id })).toMatchObject({
      agent: { name: null, last_seen_at: null },
    })
    for (const stranger of [owner(2), agent(8)])
      expect(await refusalOf(rig.as(stranger).readMandate({ public_id }))).toMatchObject({
        status: 404,
        code: 'unknown_mandate',
      })
    expect((await rig.as(owner(1)).listMandates({})).items.map((item) => item.public_id)).toContain(public_id)
    expect((await rig.as(agent(7)).listMandates({})).items.map((item) => item.public_id)).toContain(public_id)
    expect((await rig.as(owner(2)).listMandates({})).items).toEqual([])
  })

  test('a draft shows the eight clauses and their state once an agent is designated', async () => {
    const { public_id } = await created(1)
    expect((await rig.as(owner(1)).readMandate({ public_id })).clauses).toEqual([])
    await rig.as(owner(1)).assignAgent({ public_id, agent_id: 7 })
    const { clauses } = await rig.as(owner(1)).readMandate({ public_id })
    expect(clauses.map(({ n, value, enforced_by, state }) => [n, value, enforced_by, state])).toEqual([
      [1, '500', 'contract', 'in_force'],
      [2, '50', 'contract', 'in_force'],
      [3, '150', 'contract', 'in_force'],
      [4, 'testvenue', 'contract', 'in_force'],
      [5, '2026-12-01T10:00:00.000Z', 'contract', 'in_force'],
      [6, '40', 'guard', 'in_force'],
      [7, '100', 'contract', 'stored_pending'],
      [8, '1000', 'contract', 'in_force'],
    ])
    expect(clauses[6]?.state_reason).toContain('mark worker')
    // The vault stops the agent, at a worth that only the keeper can tell it.
    expect(clauses.map(({ relies_on }) => relies_on)).toEqual([null, null, null, null, null, null, 'keeper', null])
  })

  test('creates one mandate for one Idempotency-Key', async () => {
    const options = { idempotencyKey: 'create-mandate-1' }
    const first = await rig.as(owner(3), options).createMandate(body())
    expect(await rig.as(owner(3), options).createMandate(body())).toEqual(first)
    expect((await rig.as(owner(3)).listMandates({})).items).toHaveLength(1)
  })

  test.each([
    ['without milliseconds', '2026-12-01T10:00:00Z', '2026-12-01T10:00:00.000Z'],
    ['with an offset', '2026-12-01T19:00:00+09:00', '2026-12-01T10:00:00.000Z'],
    ['in lower case, with many zeros', '2026-12-01t10:00:00.000000z', '2026-12-01T10:00:00.000Z'],
  ])('accepts a time %s and stores it in UTC with milliseconds', async (_name, ends_at, stored) => {
    const { public_id } = (await rig.as(owner(1)).createMandate(body({ ends_at }))).mandate
    expect((await rig.as(owner(1)).readMandate({ public_id })).limits.ends_at).toBe(stored)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a time without an offset', { ends_at: '2026-12-01T10:00:00' }, '/ends_at'],
    ['too many decimals', { budget_usdc: '500.0000001' }, '/budget_usdc'],
    ['a sign', { per_tx_cap_usdc: '-1' }, '/per_tx_cap_usdc'],
    ['an exponent', { daily_cap_usdc: '1e2' }, '/daily_cap_usdc'],
    ['more than 2^128', { budget_usdc: '340282366920938463463374607431768.211456' }, '/budget_usdc'],
    ['a past date', { ends_at: '2020-01-01T00:00:00.000Z' }, '/ends_at'],
    ['a day that does not exist', { ends_at: '2026-02-30T00:00:00.000Z' }, '/ends_at'],
    ['a date of zeros', { ends_at: '0000-00-00T00:00:00.000Z' }, '/ends_at'],
    ['half a second', { ends_at: '2026-12-31T00:00:00.500Z' }, '/ends_at'],
    ['an unknown market', { markets: ['nowhere'] }, '/markets/0'],
    ['a planned market', { markets: ['hl:BTC'], hl_leg: true }, '/markets/0'],
    ['a cap above the budget', { daily_cap_usdc: '501' }, '/daily_cap_usdc'],
    ['a stop line at the budget', { stop_line_usdc: '500' }, '/stop_line_usdc'],
    ['a high fee', { fee_bps: 3001 }, '/fee_bps'],
    ['a control character', { name: 'a\u0007b' }, '/name'],
    ['a typing error', { budgt_usdc: '1' }, '/budgt_usdc'],
  ])('rejects %s and names the field', async (_name, changed, pointer) => {
    const refusal = await refusalOf(rig.as(owner(1)).createMandate(body(changed)))
    expect(refusal.status).toBe(400)
    expect(refusal.errors?.map((error) => error.pointer)).toContain(pointer)
  })

  test('refuses an unknown agent, an agent with the owner’s wallet, and an agent whose policy refuses', async () => {
    const refused = (agent_id: number) => refusalOf(rig.as(owner(1)).createMandate(body({ agent_id })))
    expect(await refused(AGENT_MAX + 1)).toMatchObject({ status: 404, code: 'unknown_agent' })
    rig.world.wallets.set(11, ownerWallet(1).address.toLowerCase())
    expect(await refused(11)).toMatchObject({ status: 409, code: 'agent_not_possible' })
    rig.world.policies.set(12, { max_budget_usdc: '499' })
    expect(await refused(12)).toMatchObject({ status: 409, code: 'policy_refuses', item: 'max_budget_usdc' })
  })

  test('refuses the 101st draft of an owner, by any operation', async () => {
    const id = freshOwner()
    await fillDrafts(id, 100)
    expect(await refusalOf(rig.as(owner(id)).createMandate(body()))).toMatchObject({ code: 'draft_limit', limit: 100 })
    expect(await refusalOf(rig.as(owner(id)).draftFromNote({ note: '500 USDC', save: true }))).toMatchObject({
      code: 'draft_limit',
    })
    const { public_id, claim_token } = await saved('a little more')
    expect(
      await refusalOf(rig.as(owner(id)).claimMandate({ public_id, claim_token: claim_token ?? '' })),
    ).toMatchObject({ code: 'draft_limit' })
  })
})

test('concurrent drafts of an owner do not exceed the maximum', async () => {
  const id = freshOwner()
  await fillDrafts(id, 98)
  const unowned = await saved('to be claimed')
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 8 }, () => rig.as(owner(id)).createMandate(body())),
    rig.as(owner(id)).draftFromNote({ note: '500 USDC', save: true }),
    rig.as(owner(id)).claimMandate({ public_id: unowned.public_id, claim_token: unowned.claim_token ?? '' }),
  ])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('of owners who claim one draft at once one gets it, and the others are told that the claim is not valid', async () => {
  const { public_id, claim_token } = await saved('500 USDC')
  const owners = Array.from({ length: 6 }, freshOwner)
  const claims = owners.map((id) => rig.as(owner(id)).claimMandate({ public_id, claim_token: claim_token ?? '' }))
  const outcomes = await Promise.allSettled(claims)
  const won = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.mandate.owner_id] : []))
  const codes = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as RemoteRefusal).body.code] : []))
  expect([won.length, codes]).toEqual([1, Array.from({ length: 5 }, () => 'claim_invalid')])
  for (const id of owners) {
    const { items } = await rig.as(owner(id)).listMandates({})
    expect(items.map((one) => one.public_id)).toEqual(won.includes(id) ? [public_id] : [])
  }
  const [winner = 0] = won
  expect(await rig.as(owner(winner)).readMandate({ public_id })).toMatchObject({ record_head: { seq: 1 } })
})

test('of agents that are assigned and accept at once the last assigned is the agent, and it has accepted or not, never another one', async () => {
  const id = freshOwner()
  const { public_id } = await created(id, { agent_id: 31 })
  const assign = (agent_id: number) => rig.as(owner(id)).assignAgent({ public_id, agent_id })
  const accept = (agentId: number) => rig.as(agent(agentId)).acceptMandate({ public_id })
  const outcomes = await Promise.allSettled([
    accept(31),
    assign(32),
    accept(31),
    assign(33),
    accept(32),
    assign(32),
    accept(33),
  ])
  const codes = outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as RemoteRefusal).body.code] : []))
  expect(codes.filter((code) => code !== 'unknown_mandate')).toEqual([])
  const { agent: shown } = await rig.as(owner(id)).readMandate({ public_id })
  const entries = await rig.pool.any(sql.type(z.object({ kind: z.string(), agent_id: z.number() }))`
    SELECT kind, (entry->'body'->>'agent_id')::int AS agent_id FROM record_entry JOIN mandate ON mandate.id = mandate_id
    WHERE public_id = ${public_id} AND kind IN ('agent_designated', 'accepted') ORDER BY seq`)
  const last = entries.at(-1)
  expect(last?.agent_id).toBe(shown?.agent_id)
  expect(shown?.accepted_at !== null).toBe(last?.kind === 'accepted')
})

test("mandates that are signed concurrently do not exceed the maximum of the agent's policy", async () => {
  const id = freshOwner()
  rig.world.policies.set(14, { max_open_mandates: 2 })
  const sign = async () => {
    const { public_id } = await created(id, { agent_id: 14 })
    const { terms_hash, typed_data } = await rig.as(owner(id)).readTerms({ public_id })
    const signature = await ownerWallet(id).signTypedData(typed_data as never)
    return () => rig.as(owner(id)).signTerms({ public_id, terms_hash, signature })
  }
  const ready = await Promise.all(Array.from({ length: 8 }, sign))
  const outcomes = await Promise.allSettled(ready.map((send) => send()))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

describe('correcting and assigning a draft', () => {
  test('replaces every field; a changed agent or changed limits need a new confirmation', async () => {
    const { public_id } = await created(1, { agent_id: 7 })
    await rig.as(agent(7)).acceptMandate({ public_id })
    const correct = async (changed: object) =>
      (await rig.as(owner(1)).correctMandate({ ...(body({ agent_id: 7, ...changed }) as object), public_id } as never))
        .mandate
    expect((await correct({ name: 'Renamed' })).agent?.accepted_at).not.toBeNull()
    const mandate = await correct({ name: 'Renamed', budget_usdc: '600' })
    expect(mandate).toMatchObject({ limits: { budget_usdc: '600' }, agent: { agent_id: 7, accepted_at: null } })
    expect((await rig.as(agent(7)).listOffers({ agent_id: 7 })).items.map((one) => one.public_id)).toContain(public_id)
    await rig.as(agent(7)).acceptMandate({ public_id })
    const assigned = await rig.as(owner(1)).assignAgent({ public_id, agent_id: 8 })
    expect(assigned.mandate.agent).toMatchObject({ agent_id: 8, accepted_at: null })
    expect((await rig.as(owner(1)).readMandate({ public_id })).events.map(({ kind }) => kind)).toEqual([
      'agent_designated',
      'accepted',
      'corrected',
      'corrected',
      'accepted',
      'drafted',
    ])
  })

  test('refuses what createMandate refuses, and mandates of other owners', async () => {
    const { public_id } = await created(1)
    const put = (id: number, changed: Record<string, unknown>) =>
      refusalOf(rig.as(owner(id)).correctMandate({ ...(body(changed) as object), public_id } as never))
    rig.world.policies.set(13, { accepts_mandates: false })
    expect(await put(1, { fee_bps: 5000 })).toMatchObject({ code: 'invalid_mandate' })
    expect(await put(1, { agent_id: 13 })).toMatchObject({ code: 'policy_refuses', item: 'accepts_mandates' })
    expect(await put(1, { agent_id: AGENT_MAX + 1 })).toMatchObject({ code: 'unknown_agent' })
    rig.world.wallets.set(11, ownerWallet(1).address.toLowerCase())
    expect(await put(1, { agent_id: 11 })).toMatchObject({ code: 'agent_not_possible' })
    expect(await put(2, {})).toMatchObject({ code: 'unknown_mandate' })
    const assign = (id: number, agent_id: number) => refusalOf(rig.as(owner(id)).assignAgent({ public_id, agent_id }))
    expect(await assign(1, 13)).toMatchObject({ code: 'policy_refuses' })
    expect(await assign(1, 11)).toMatchObject({ code: 'agent_not_possible' })
    expect(await assign(1, AGENT_MAX + 1)).toMatchObject({ code: 'unknown_agent' })
    expect(await assign(2, 7)).toMatchObject({ code: 'unknown_mandate' })
  })

  test('is refused once the mandate is stopped in the record, and so is accepting it', async () => {
    const { public_id } = await created(1, { agent_id: 7 })
    await rig.as(owner(1)).stopMandate({ public_id })
    const put = rig.as(owner(1)).correctMandate({ ...(body() as object), public_id } as never)
    expect(await refusalOf(put)).toMatchObject({ status: 409, code: 'hub_mandate_not_draft', state: 'stopped' })
    expect(await refusalOf(rig.as(owner(1)).assignAgent({ public_id, agent_id: 8 }))).toMatchObject({
      code: 'hub_mandate_not_draft',
    })
    expect(await refusalOf(rig.as(agent(7)).acceptMandate({ public_id }))).toMatchObject({ code: 'hub_wrong_state' })
  })

  test('a draft lapses 30 days after its last correction', async () => {
    const { expires_at } = await created(1)
    expect(new Date(expires_at ?? 0).getTime() - rig.clock.now().getTime()).toBe(30 * DAY_MS)
  })
})

describe('acceptMandate', () => {
  test('confirms once, returns the same answer to a repeat, and refuses any other agent', async () => {
    const { public_id } = await created(1, { agent_id: 7 })
    const first = await rig.as(agent(7)).acceptMandate({ public_id })
    rig.clock.advance(1000)
    expect(await rig.as(agent(7)).acceptMandate({ public_id })).toEqual(first)
    expect(await refusalOf(rig.as(agent(8)).acceptMandate({ public_id }))).toMatchObject({ code: 'unknown_mandate' })
  })
})

async function saved(note: string, client = '203.0.113.1') {
  const answer = await rig.as(null, { client }).draftFromNote({ note, save: true })
  if (!('public_id' in answer)) throw new Error('the draft was not saved')
  return answer
}

describe('draftFromNote', () => {
  test('stores nothing without save, and states the source of each field', async () => {
    const answer = await rig.as(null).draftFromNote({ note: '800 USDC for 2 weeks, carefully' })
    expect(answer).toMatchObject({ ok: true, problems: [], draft: { budget_usdc: '800', markets: ['testvenue'] } })
    expect(answer.fields).toHaveLength(12)
    expect(answer.fields[1]).toEqual({ field: 'budget_usdc', source: 'note', words: '800 USDC' })
    expect(answer).not.toHaveProperty('public_id')
  })

  test('names the rules that the note breaks, and does not save it', async () => {
    const note = '100 USDC, 500 USDC per trade'
    const answer = await rig.as(null).draftFromNote({ note })
    expect('problems' in answer && answer.problems.map(({ pointer }) => pointer)).toContain('/per_tx_cap_usdc')
    expect(await refusalOf(rig.as(null).draftFromNote({ note, save: true }))).toMatchObject({ code: 'invalid_mandate' })
  })

  test.each([
    ['budget 500 usdc per trade 60 EUR', '60 EUR'],
    ['budget 500 usdc, fifty per hour', 'fifty'],
    ['budget 500; budget 300', 'budget 300'],
    ['500 USDC, small per trade', 'per trade'],
    ['500 USDC, 건당 오만 원', '오만 원'],
    ['500 USDC, no limit per trade', 'no limit'],
  ])('does not save a note with words about a limit that no field uses, and quotes them: %s', async (note, words) => {
    const id = freshOwner()
    const refused = await refusalOf(rig.as(owner(id)).draftFromNote({ note, save: true }))
    expect(refused).toMatchObject({ status: 400, code: 'invalid_mandate' })
    expect(JSON.stringify(refused['errors'])).toContain(words)
    expect((await rig.as(owner(id)).listMandates({})).items).toEqual([])
  })

  test.each([
    ['budget 500 usdc per trade 60', { budget_usdc: '500', per_tx_cap_usdc: '60' }],
    ['budget two hundred fifty dollars, ten dollars per transaction', { budget_usdc: '250', per_tx_cap_usdc: '10' }],
    ['no more than twenty a day', { daily_cap_usdc: '20' }],
    [
      '예산 오백 달러, 건당 이십오 달러, 하루 60달러',
      { budget_usdc: '500', per_tx_cap_usdc: '25', daily_cap_usdc: '60' },
    ],
  ])('reads a note no looser than its words: %s', async (note, limits) => {
    expect(await rig.as(null).draftFromNote({ note })).toMatchObject({ draft: limits, problems: [] })
  })

  test('a draft saved without a session can be claimed once with its token', async () => {
    const { public_id, claim_token, expires_at } = await saved('500 USDC')
    expect(new Date(expires_at).getTime() - rig.clock.now().getTime()).toBe(DAY_MS)
    const claim = (id: number, token = claim_token ?? '') =>
      rig.as(owner(id)).claimMandate({ public_id, claim_token: token })
    expect(await refusalOf(claim(4, 'x'.repeat(43)))).toMatchObject({ status: 404, code: 'claim_invalid' })
    expect((await claim(4)).mandate).toMatchObject({ owner_id: 4, state: 'draft' })
    expect(await refusalOf(claim(5))).toMatchObject({ code: 'claim_invalid' })
    expect(await rig.as(owner(4)).readMandate({ public_id })).toMatchObject({ record_head: { seq: 1 } })
  })

  test('a draft saved with a session belongs to the owner', async () => {
    const answer = await rig.as(owner(6)).draftFromNote({ note: '500 USDC', save: true })
    expect(answer).toMatchObject({ claim_token: null })
    expect((await rig.as(owner(6)).listMandates({})).items).toHaveLength(1)
  })

  test('saves one draft for one Idempotency-Key, and does not return the claim token twice', async () => {
    const id = freshOwner()
    for (const who of [owner(id), null]) {
      const once = () =>
        rig.as(who, { client: '203.0.113.77', idempotencyKey: `draft-${id}` }).draftFromNote({
          note: '500 USDC',
          save: true,
        })
      expect(await once()).toHaveProperty('public_id')
      expect(await refusalOf(once())).toMatchObject({ status: 409, code: 'secret_already_shown' })
    }
    expect((await rig.as(owner(id)).listMandates({})).items).toHaveLength(1)
    const looked = () => rig.as(null, { idempotencyKey: `look-${id}` }).draftFromNote({ note: '500 USDC' })
    expect(await looked()).toHaveProperty('problems')
    expect(await refusalOf(looked())).toMatchObject({ code: 'secret_already_shown' })
  })

  test('a client without a session can save 20 drafts a day; other clients, sessions and the next day are unaffected', async () => {
    for (let n = 0; n < 20; n++) await saved('a note', '203.0.113.9')
    const over = rig.as(null, { client: '203.0.113.9' }).draftFromNote({ note: 'more', save: true })
    const midnight = new Date(`${rig.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`).getTime() + 86_400_000
    expect(await refusalOf(over)).toMatchObject({
      status: 429,
      code: 'rate_limited',
      retry_at: new Date(midnight).toISOString(),
    })
    await saved('another client', '203.0.113.10')
    await rig.as(owner(freshOwner()), { client: '203.0.113.9' }).draftFromNote({ note: 'with a session', save: true })
    rig.clock.advance(DAY_MS)
    await saved('the next day', '203.0.113.9')
  })

  test('an unclaimed draft lapses after 24 hours', async () => {
    const { public_id, claim_token } = await saved('500 USDC')
    rig.clock.advance(DAY_MS)
    const claim = rig.as(owner(4)).claimMandate({ public_id, claim_token: claim_token ?? '' })
    expect(await refusalOf(claim)).toMatchObject({ code: 'claim_invalid' })
  })
})

describe('catalogues and lists', () => {
  test('listMarkets lists the test venue with its calls, and planned markets of the leg', async () => {
    const { items } = await rig.as(null).listMarkets({})
    expect(items[0]).toMatchObject({
      market_id: 'testvenue',
      status: 'paper',
      enforced_by: 'contract',
      exit_adapter: 'testvenue',
    })
    expect(items[0]?.calls.map((call) => [call.selector, call.function])).toEqual([
      ['0xfc18d034', 'buy(bytes32,uint256,uint256)'],
      ['0xeda1122c', 'redeem(bytes32)'],
      ['0x7f8f0641', 'sell(bytes32,uint256,uint256)'],
    ])
    expect(items.slice(1).every(({ market_id, status }) => market_id.startsWith('hl:') && status === 'planned')).toBe(
      true,
    )
  })

  test('deposit routes lead to HUB_BEST_WAY_IN while no USDC is configured', async () => {
    const routes = await rig.as(null).listDepositRoutes({})
    expect(routes.items[0]).toMatchObject({ route_id: 'deposit', to: { chain: 'base', asset: 'USDC' }, quoted: false })
    expect(await rig.as(null).listDepositAssets({})).toMatchObject({ items: [{ chain: 'base', direct: false }] })
  })

  test('listMandates pages by an opaque cursor, newest first', async () => {
    const id = freshOwner()
    const ids = []
    for (let n = 0; n < 3; n++) ids.unshift((await created(id)).public_id)
    const first = await rig.as(owner(id)).listMandates({ limit: 2 })
    const second = await rig.as(owner(id)).listMandates({ limit: 2, cursor: first.next_cursor ?? '' })
    expect([...first.items, ...second.items].map((item) => item.public_id)).toEqual(ids)
    expect(second.next_cursor).toBeNull()
    expect(await refusalOf(rig.as(owner(id)).listMandates({ cursor: 'nonsense' }))).toMatchObject({ status: 400 })
  })

  test('listMandates reads on until a page of one state is full', async () => {
    const id = freshOwner()
    const drafts = []
    for (let n = 0; n < 5; n++) drafts.unshift((await created(id)).public_id)
    const [, second = '', , fourth = ''] = drafts
    for (const public_id of [second, fourth]) await rig.as(owner(id)).stopMandate({ public_id })
    const ids = async (query: Parameters<ReturnType<typeof rig.as>['listMandates']>[0]) => {
      const { items, next_cursor } = await rig.as(owner(id)).listMandates(query)
      return [items.map(({ public_id }) => public_id), next_cursor === null] as const
    }
    expect(await ids({ state: 'draft', limit: 3 })).toEqual([
      drafts.filter((one) => one !== second && one !== fourth),
      true,
    ])
    expect(await ids({ state: 'working' })).toEqual([[], true])
    expect(await refusalOf(rig.as(owner(id)).listMandates({ state: 'over' as never }))).toMatchObject({ status: 400 })
  })
})

test('while identity is away, naming an agent is an outage and a mandate is shown without last_seen_at', async () => {
  const { public_id } = await created(1, { agent_id: 7 })
  rig.world.identityIsAway = true
  try {
    await expect(rig.as(owner(1)).createMandate(body({ agent_id: 7 }))).rejects.toThrow(
      /temporarily_unavailable|createMandate/,
    )
    expect(await rig.as(owner(1)).readMandate({ public_id })).toMatchObject({ agent: { last_seen_at: null } })
  } finally {
    rig.world.identityIsAway = false
  }
})

describe('what gallery asks of a draft that does not exist yet', () => {
  const bus = opened(() => rig.stack.nats.connect('gallery'))
  const limits = () => {
    const { name: _, ...fields } = bodyAt(rig)
    return { ...fields, hl_leg: false, leg_budget_usdc: null, close_if_silent_minutes: null, public_proof: false }
  }

  test('is its clauses, the rules it breaks, and the item of the policy that refuses it; nothing is stored', async () => {
    const gallery = clientOf(bus, 'gallery', mandates)
    const fine = await gallery.previewDraft({ limits: limits(), agent_id: 7 })
    expect(fine).toMatchObject({ limits: limits(), problems: [], policy_item: null })
    expect(fine.clauses.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(fine.clauses[0]?.text).toContain('500 USDC')
    rig.world.policies.set(8, { max_budget_usdc: '499' })
    expect(await gallery.previewDraft({ limits: limits(), agent_id: 8 })).toMatchObject({
      policy_item: 'max_budget_usdc',
    })
    const unknown = await gallery.previewDraft({ limits: { ...limits(), markets: ['nowhere'] }, agent_id: null })
    expect(unknown.problems).toEqual([expect.objectContaining({ pointer: '/markets/0', code: 'unknown_market' })])
  })
})
