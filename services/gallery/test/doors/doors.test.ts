import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { agent, owner, startGalleryRig } from '../rig.ts'
import { knowAgents, newOperator, standAt, type KnownAgents } from '../sellers.ts'

const RUNNER = 8_000
const FACTORY = { HUB_MANDATE_FACTORY_ADDRESS: `0x${'4'.repeat(40)}`, HUB_HOUSE_RUNNER_USER_ID: String(RUNNER) }
const rig = opened(() => startGalleryRig({ environment: FACTORY }))
let known: KnownAgents
const BUDGET_CLAUSE = {
  n: 1,
  title: 'Budget',
  text: 'Budget: at most 50 USDC may be paid into the vault.',
  value: '50',
  enforced_by: 'contract',
  leg_enforced_by: null,
  relies_on: null,
  state: 'in_force',
  state_reason: null,
}
/** What mandates answers about a draft. */
const preview = { chain_id: 31_337, problems: [] as object[], policy_item: null as string | null }

beforeAll(() => {
  known = knowAgents(rig)
  rig.peers.mandates.answers['previewDraft'] = ({ limits }: { limits: object }) => ({
    limits,
    ...preview,
    clauses: [BUDGET_CLAUSE],
  })
  rig.peers.identity.answers['relatedAccounts'] = ({ account_id }: { account_id: number }) => ({
    account_ids: [account_id, ...[...known.owners].flatMap(([id, of]) => (of === account_id ? [id] : []))],
  })
})

const template = {
  type: 'strategy_template' as const,
  title: 'Basis, quietly',
  summary: 'Small trades at the test venue.',
  price_model: 'free' as const,
  template: { markets: ['testvenue'], days: 10 },
  editable_params: [
    { key: 'per_tx_cap_usdc', title: 'Per trade', unit: 'usdc', min: '2', max: '10', step: '1', default: '5' } as const,
  ],
}
let agents = 300
const freshAgent = () => (agents += 1)
const listed = async (input: object = template) => {
  const id = freshAgent()
  const { vault_id } = await newOperator(rig, id, 'vault_deposit' === Reflect.get(input, 'type') ? 'vault' : 'signal')
  const type: unknown = Reflect.get(input, 'type')
  const vault = type === 'strategy_template' ? {} : { ref_vault_id: vault_id }
  const { listing } = await rig.as(agent(id)).publishListing({ ...input, ...vault } as never)
  return { ...listing, agentId: id, vaultId: vault_id }
}
const signals = { type: 'signal_subscription', title: 'Signals', summary: 'A few a week.', price_model: 'free' }

describe('adopting a listing', () => {
  test('gives an agent a draft of 50 USDC on a test network, and says where each field comes from', async () => {
    const { listing_id } = await listed()
    const me = freshAgent()
    known.policies.set(me, { daily_cap_usdc: '8' })
    const answer = await rig.as(agent(me)).adoptListing({ listing_id, params: { per_tx_cap_usdc: '9' } })
    const now = Math.floor(rig.clock.now().getTime() / 1000) * 1000
    expect(answer).toMatchObject({
      draft: {
        name: 'Basis, quietly',
        agent_id: me,
        budget_usdc: '50',
        per_tx_cap_usdc: '8',
        daily_cap_usdc: '8',
        markets: ['testvenue'],
        ends_at: new Date(now + 10 * 86_400_000).toISOString(),
        hl_leg: false,
        public_proof: false,
      },
      network: 'testnet',
      chain_id: 31_337,
      clauses: [BUDGET_CLAUSE],
    })
    const sources = Object.fromEntries(answer.why.map(({ field, source }) => [field, source]))
    expect(sources).toMatchObject({
      budget_usdc: 'suggestion',
      per_tx_cap_usdc: 'policy',
      daily_cap_usdc: 'policy',
      fee_bps: 'template',
    })
    expect(rig.peers.mandates.asked.at(-1)).toMatchObject({ operation: 'previewDraft', input: { agent_id: me } })
  })

  test('names the agent of an owner who has one, the one that is named, or the house runner', async () => {
    const { listing_id } = await listed()
    const [one, other, ownerId] = [freshAgent(), freshAgent(), 81]
    const asOwner = rig.as(owner(ownerId))
    const adopted = async (input: object = {}) => (await asOwner.adoptListing({ listing_id, ...input })).draft.agent_id
    expect(await adopted()).toBeNull()
    known.owners.set(one, ownerId)
    expect(await adopted()).toBe(one)
    known.owners.set(other, ownerId)
    expect(await adopted()).toBeNull()
    expect(await adopted({ agent_id: other })).toBe(other)
    expect(await adopted({ agent: 'house' })).toBe(RUNNER)
    const stranger = freshAgent()
    for (const refused of [
      () => asOwner.adoptListing({ listing_id, agent_id: stranger }),
      () => rig.as(agent(one)).adoptListing({ listing_id, agent_id: other }),
    ])
      expect(await refusalOf(refused())).toMatchObject({ status: 404, code: 'not_your_agent' })
  })

  test('is refused with the param, the policy item or the rule that forbids it', async () => {
    const { listing_id } = await listed()
    const me = freshAgent()
    const adopt = (params = {}) => refusalOf(rig.as(agent(me)).adoptListing({ listing_id, params }))
    expect(await adopt({ per_tx_cap_usdc: '11' })).toMatchObject({
      code: 'invalid_params',
      errors: [{ pointer: '/params/per_tx_cap_usdc', code: 'out_of_bounds' }],
    })
    known.policies.set(me, { per_tx_cap_usdc: '1' })
    expect(await adopt()).toMatchObject({
      status: 409,
      code: 'policy_excludes_listing',
      item: 'per_tx_cap_usdc',
      field: 'per_tx_cap_usdc',
    })
    known.policies.delete(me)
    preview.policy_item = 'max_open_mandates'
    expect(await adopt()).toMatchObject({ code: 'policy_excludes_listing', item: 'max_open_mandates' })
    preview.policy_item = null
    preview.problems = [{ pointer: '/markets/0', code: 'market_planned', detail: 'is planned only' }]
    expect(await adopt()).toMatchObject({ code: 'listing_not_possible', errors: [{ code: 'market_planned' }] })
    preview.problems = []
  })

  test('never leads to a main network', async () => {
    const [{ listing_id }, leg] = [await listed(), await listed(signals)]
    preview.chain_id = 8_453
    expect(await refusalOf(rig.as(agent(1)).adoptListing({ listing_id }))).toMatchObject({ code: 'door_locked' })
    preview.chain_id = 31_337
    await rig.restart({ HUB_HL_NETWORK: 'mainnet' })
    expect(await refusalOf(rig.as(agent(1)).adoptListing({ listing_id: leg.listing_id }))).toMatchObject({
      code: 'door_locked',
    })
    await rig.restart(FACTORY)
  })

  test('is over once the listing is withdrawn or suspended, and never begins for a vault deposit', async () => {
    const first = await listed()
    await rig.as(agent(first.agentId)).withdrawListing({ listing_id: first.listing_id })
    const adopt = (listing_id: string) => refusalOf(rig.as(agent(1)).adoptListing({ listing_id }))
    expect(await adopt(first.listing_id)).toMatchObject({ status: 409, code: 'listing_withdrawn' })
    const seller = freshAgent()
    await standAt(rig, seller)
    const { listing } = await rig.as(agent(seller)).publishListing(template)
    await standAt(rig, seller, { violations: 1 })
    await rig.run('tendListings')
    expect(await adopt(listing.listing_id)).toMatchObject({ code: 'listing_suspended' })
    const deposit = await listed({ type: 'vault_deposit', title: 'Deposit', summary: 'Later.', price_model: 'free' })
    expect(await adopt(deposit.listing_id)).toMatchObject({ code: 'door_locked' })
    expect(await adopt(`lst_${'z'.repeat(20)}`)).toMatchObject({ status: 404, code: 'unknown_listing' })
  })

  test('of signals takes their markets, but of paid signals only those that are free by now', async () => {
    const [free, paid] = [
      await listed(signals),
      await listed({ ...signals, price_model: 'paid_read', price_cherry: 2 }),
    ]
    for (const { vaultId } of [free, paid])
      for (const [seq, market, days] of [
        [1, 'hl:SOL', 40],
        [2, 'hl:DOGE', 1],
      ] as const)
        await rig.pool.query(sql.unsafe`
          INSERT INTO signal (vault_id, seq, id, client_id, market, side, weight_bps, recorded_price, recorded_at, salt,
            previous_hash, hash)
          VALUES (${vaultId}, ${seq}, ${`${vaultId}${seq}`}, ${String(seq)}, ${market}, 'long', 100, '1',
            ${new Date(rig.clock.now().getTime() - days * 86_400_000).toISOString()}, '', '', ${'ab'.repeat(32)})`)
    const markets = async (listing_id: string) => (await rig.as(agent(1)).adoptListing({ listing_id })).draft.markets
    expect(await markets(free.listing_id)).toEqual(['hl:DOGE', 'hl:SOL'])
    expect(await markets(paid.listing_id)).toEqual(['hl:SOL'])
    expect((await rig.as(null).readListing({ listing_id: paid.listing_id })).recorded.signals_30d).toBe(1)
  })
})

describe('doors', () => {
  test('follow the switches of the deployment as they are now', async () => {
    const statuses = async () => (await rig.as(null).listDoors({})).items.map(({ status }) => status)
    expect(await statuses()).toEqual(['testnet', 'paper', 'locked', 'locked'])
    await rig.restart({ ...FACTORY, HUB_HL_LEG_ENABLED: '1', SVC_OPVAULT_SIGNAL_PUBLISH_ENABLED: '1' })
    expect(await statuses()).toEqual(['testnet', 'testnet', 'testnet', 'locked'])
    await rig.restart({ HUB_MANDATE_FACTORY_ADDRESS: undefined })
    expect((await statuses())[0]).toBe('locked')
    await rig.restart(FACTORY)
  })

  test('say whether there is something to choose, and why money does not move', async () => {
    const doors = async () => (await rig.as(null).listDoors({})).items
    const offered = async () => (await doors()).map((door) => door.offered)
    const empty = async () => {
      const { items } = await rig.as(null).listListings({ limit: 50 })
      for (const { listing_id, seller } of items) await rig.as(agent(seller.agent_id)).withdrawListing({ listing_id })
      return items.length === 0
    }
    while (!(await empty())) continue
    expect(await offered()).toEqual([undefined, false, false, undefined])
    await listed()
    await listed(signals)
    expect(await offered()).toEqual([undefined, true, true, undefined])
    expect((await doors())[1]?.why).toContain("does not let mandates trade on the venue's test network")
    await rig.restart({ HUB_HOUSE_RUNNER_USER_ID: undefined })
    expect(await offered()).toEqual([undefined, false, true, undefined])
    expect((await doors())[1]?.why).toContain('no house runner')
    await rig.restart(FACTORY)
  })

  test('operators are sorted by what is recorded alone, and ended ones are left out', async () => {
    const before = (await rig.as(null).listOperators({ limit: 50 })).total
    const [unknown, good, gone] = [freshAgent(), freshAgent(), freshAgent()]
    await newOperator(rig, unknown)
    const first = await newOperator(rig, good)
    const ended = await newOperator(rig, gone)
    await standAt(rig, good)
    await rig.as(agent(good)).publishListing({
      ...signals,
      ref_vault_id: first.vault_id,
      cited: [{ url: 'https://example.com', source_name: 'x', as_of_date: '2026-11-01', claim_text: '900 days live' }],
    } as never)
    await rig.as({ ...owner(1), roles: ['admin'] }).removeOperator({ operator_id: ended.operator_id })
    const { items, total, stale } = await rig.as(null).listOperators({ limit: 50 })
    expect({ total, stale }).toEqual({ total: before + 2, stale: false })
    const mine = items.filter(({ agent_id }) => [unknown, good, gone].includes(agent_id))
    expect(mine.map(({ agent_id }) => agent_id)).toEqual([good, unknown])
    expect(mine[0]).toMatchObject({
      vault_id: first.vault_id,
      recorded: { days_live: 40, adherence_pct: 97.5, signals_30d: 0, followers: 0 },
      cited: [{ cited_vs_recorded: [{ figure: 'days_live', cited: 900, recorded: 40 }] }],
    })
    expect(mine[1]).toMatchObject({ listing_id: null, recorded: { days_live: null }, cited: [] })
    const second = await rig.as(null).listOperators({ limit: 1, offset: 1 })
    expect(second.items).toEqual(items.slice(1, 2))
    expect(second).toMatchObject({ limit: 1, offset: 1 })
    expect((await rig.as(null).listOperators({ kind: 'vault' })).items.every(({ kind }) => kind === 'vault')).toBe(true)
    expect(await rig.as(null).listOperators({ offset: 9_000 })).toMatchObject({ items: [], total })
  })
})

describe('the status of workers', () => {
  const at = (sec = 0) => new Date(rig.clock.now().getTime() + sec * 1_000).toISOString()
  const ran = (job: string, more: object = {}) => ({
    job,
    live: true,
    every_sec: 30,
    due_at: at(30),
    last_run_at: at(),
    last_ok_at: at(),
    figures: {},
    ...more,
  })
  const tell = (service: string, ...workers: object[]) => rig.deliver(`${service}.workersSeen`, { at: at(), workers })
  const read = () => rig.as(null).readWorkers({})
  const stateOf = async (worker: string) => (await read()).workers.find((one) => one.worker === worker)

  test('is pending before the first heartbeat, then says live or dry and how long ago', async () => {
    expect(await read()).toMatchObject({ pending: true, workers: [], legs: null, stop_line: { watched_since: null } })
    await tell('keeper', ran('mark'), ran('settle', { live: false }), ran('not-declared'))
    rig.clock.advance(20_000)
    const { pending, workers } = await read()
    expect(pending).toBe(false)
    expect(workers).toMatchObject([
      { service: 'keeper', worker: 'mark', mode: 'live', state: 'ok', last_run_age_sec: 20, every_sec: 30 },
      { service: 'keeper', worker: 'settle', mode: 'dry' },
    ])
  })

  test('says that a worker fails or is late, and an older heartbeat changes nothing', async () => {
    const old = { at: at(), workers: [ran('mark')] }
    rig.clock.advance(10_000)
    await tell('keeper', ran('mark', { last_ok_at: at(-10) }))
    expect(await stateOf('mark')).toMatchObject({ state: 'failing', last_ok_age_sec: 10 })
    await rig.deliver('keeper.workersSeen', old)
    expect(await stateOf('mark')).toMatchObject({ state: 'failing', last_run_age_sec: 0 })
    rig.clock.advance(121_000)
    expect(await stateOf('mark')).toMatchObject({ state: 'late' })
  })

  test('counts the time in which a stop line could not have fired: gaps, dry runs and what goes on', async () => {
    const figures = { legs: 3, with_line: 2, protected: 1, oldest_reading_at: at(-40) }
    await tell('hl-leg', ran('stopLine', { figures }))
    await tell('keeper', ran('mark'))
    expect(await read()).toMatchObject({
      legs: { live: 3, with_stop_line: 2, protected: 1 },
      oldest_worth_reading_age_sec: 40,
      stop_line: { legs_unavailable_pct_30d: null },
    })
    for (let minute = 0; minute < 10; minute += 1) {
      rig.clock.advance(60_000)
      await tell('hl-leg', ran('stopLine', { figures }))
    }
    expect((await read()).stop_line.legs_unavailable_pct_30d).toBe(0)
    rig.clock.advance(10 * 60_000)
    expect((await read()).stop_line.legs_unavailable_pct_30d).toBe(50)
    await tell('hl-leg', ran('stopLine', { figures }))
    expect((await read()).stop_line.legs_unavailable_pct_30d).toBe(50)
    for (let minute = 0; minute < 20; minute += 1) {
      rig.clock.advance(60_000)
      await tell('hl-leg', ran('stopLine', { figures, live: false }))
    }
    const { legs, stop_line } = await read()
    expect(legs).toMatchObject({ protected: 0 })
    expect(stop_line).toMatchObject({ legs_unavailable_pct_30d: 75 })
    expect(stop_line.unavailable_pct_30d).toBeGreaterThan(75)
  })
})
