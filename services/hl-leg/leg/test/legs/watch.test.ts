import { approveAgent, revokeAgent, usdSend } from '@svc/hyperliquid'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import type { LegMandate } from '@svc/contracts/mandates/leg'
import { describe, expect, test } from 'vitest'
import { askMode } from '#legs/ask-mode.ts'
import { capacityOf } from '#legs/leg-capacity.ts'
import { closingSignerFor, signerFor } from '#legs/signer-for.ts'
import { askSurvey, readLeg } from '#legs/store/legs.ts'
import { owner, ownerWallet, startRig, walletOf } from '../rig.ts'

const rig = opened(() => startRig())

const stateOf = async ({ public_id, owner_id }: LegMandate) => {
  const { state, checks, foreign_agents } = await rig.as(owner(owner_id)).readLeg({ public_id })
  return { state, foreign_agents, failing: checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id) }
}
const survey = async () => {
  rig.advance(1_800_000)
  return rig.run('watchApprovals')
}
const lastEvent = async ({ public_id }: LegMandate) => (await rig.eventsOf(public_id)).at(-1)
const signerOf = async ({ public_id }: LegMandate) => signerFor(rig.context, await readLeg(rig.pool, public_id))
/** Approves another key under a name, as the owner may by hand. */
const approve = (n: number, name: string, key: number) =>
  rig.act(
    ownerWallet(n),
    approveAgent(rig.scope(), {
      address: walletOf(key).address,
      name,
      validUntilMs: rig.clock.now().getTime() + 30 * 86_400_000,
    }),
  )

describe('the key of a leg', () => {
  test('a revoked key ends the binding, the owner is told once, and the next approval has the next epoch', async () => {
    const mandate = rig.mandate(1)
    const { agent_address } = await rig.bind(mandate)
    expect((await signerOf(mandate)).address).toBe(agent_address)
    // A position does not keep the owner from approving a key again: it is what the key is needed for.
    await rig.trade(ownerWallet(1), { asset: 0, side: 'buy', price: '61000', size: '0.001' })
    await rig.act(ownerWallet(1), revokeAgent(rig.scope(), 'svc-leg'))
    await askSurvey(rig.pool, mandate.public_id)
    await rig.run('watchApprovals')
    await survey()
    expect(await stateOf(mandate)).toMatchObject({ state: 'revoked' })
    expect((await rig.eventsOf(mandate.public_id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['bound', null],
      ['revoked', 'removed'],
    ])
    await expect(signerOf(mandate)).rejects.toMatchObject({ refusal: { code: 'hub_hl_leg_revoked' } })
    const bound = await rig.bind(mandate)
    expect(bound).toMatchObject({ state: 'bound', epoch: 1, foreign_usdc: '2000' })
    expect(bound.agent_address).not.toBe(agent_address)
    await rig.trade(ownerWallet(1), { asset: 0, side: 'sell', price: '59000', size: '0.001' })
    expect(await lastEvent(mandate)).toMatchObject({ state: 'bound', epoch: 1 })
  })

  test('a key whose name another key took is reported as replaced', async () => {
    const mandate = rig.mandate(2)
    await rig.bind(mandate)
    await approve(2, 'svc-leg', 8_002)
    await survey()
    expect(await lastEvent(mandate)).toMatchObject({ state: 'revoked', reason: 'replaced' })
  })

  test('an approval that ends early is announced a week before, and has expired afterwards', async () => {
    const mandate = rig.mandate(3)
    const bound = await rig.bind(mandate)
    const ends_at = new Date(rig.clock.now().getTime() + 40 * 86_400_000).toISOString()
    rig.mandates.known.set(mandate.public_id, { ...mandate, ends_at })
    await survey()
    expect(await rig.eventsOf(mandate.public_id)).toHaveLength(1)
    const until = Date.parse(bound.valid_until ?? '')
    rig.advance(until - rig.clock.now().getTime() - 6 * 86_400_000)
    await survey()
    await survey()
    expect((await rig.eventsOf(mandate.public_id)).map(({ reason }) => reason)).toEqual([null, 'ends_early'])
    rig.advance(until - rig.clock.now().getTime() + 1)
    await survey()
    expect(await lastEvent(mandate)).toMatchObject({ state: 'expired' })
    await expect(signerOf(mandate)).rejects.toMatchObject({ refusal: { code: 'hub_hl_leg_expired' } })
  })

  test('another seed orphans the leg without a question to the venue, and the old seed brings it back', async () => {
    const mandate = rig.mandate(4)
    await rig.bind(mandate)
    await rig.restart({ HUB_HL_LEG_SEED: '22'.repeat(32) })
    const leg = await readLeg(rig.pool, mandate.public_id)
    expect(() => signerFor(rig.context, leg)).toThrow(
      expect.objectContaining({ refusal: expect.objectContaining({ code: 'hub_hl_leg_orphaned' }) }),
    )
    rig.venue.control('fault', { kind: 'status500', endpoint: 'info', count: 1_000 })
    await rig.run('watchApprovals')
    rig.venue.control('clear-faults', {})
    expect(await stateOf(mandate)).toMatchObject({ state: 'orphaned' })
    expect(await lastEvent(mandate)).toMatchObject({ state: 'orphaned' })
    await rig.restart({})
    await survey()
    expect(await stateOf(mandate)).toMatchObject({ state: 'bound' })
  })
})

describe('the account of a leg', () => {
  test('a unified account suspends the leg, closes stay possible, and the standard mode brings it back', async () => {
    const mandate = rig.mandate(10)
    await rig.bind(mandate)
    rig.venue.control('mode', { address: ownerWallet(10).address, mode: 'unifiedAccount' })
    await survey()
    expect(await stateOf(mandate)).toMatchObject({ state: 'unsupported', failing: ['account_mode'] })
    await expect(signerOf(mandate)).rejects.toMatchObject({ refusal: { code: 'hub_hl_leg_unsupported' } })
    const leg = await readLeg(rig.pool, mandate.public_id)
    expect(leg === null ? null : closingSignerFor(rig.context, leg).address).toMatch(/^0x/)
    rig.venue.control('mode', { address: ownerWallet(10).address, mode: 'disabled' })
    await survey()
    expect(await stateOf(mandate)).toMatchObject({ state: 'bound', failing: [] })
  })

  test('other keys and executions by hand are counted', async () => {
    const mandate = rig.mandate(11)
    await rig.bind(mandate)
    await approve(11, 'my-bot', 8_011)
    await rig.trade(ownerWallet(11), { asset: 0, side: 'buy', price: '61000', size: '0.001' })
    await survey()
    const leg = await rig.as(owner(11)).readLeg({ public_id: mandate.public_id })
    expect(leg).toMatchObject({ foreign_agents: 1, foreign_fills_24h: 1, state: 'bound' })
    expect(leg.checks.find(({ id }) => id === 'foreign_agents')?.verdict).toBe('warn')
    await rig.trade(ownerWallet(11), { asset: 0, side: 'sell', price: '59000', size: '0.001' })
    await survey()
    await survey()
    // Each day is told with all that was counted of it so far, and only when there is more.
    const told = await rig.foreignFillsOf(mandate.public_id)
    expect(told.map(({ fills }) => fills)).toEqual([1, 2])
    expect(new Set(told.map(({ day }) => day)).size).toBe(1)
  })

  const accountAt = (n: number) => rig.venue.state.accounts[ownerWallet(n).address.toLowerCase()] ?? expect.fail()
  const today = () => rig.clock.now().toISOString().slice(0, 10)
  const nextDay = () => rig.advance(86_400_000 - (rig.clock.now().getTime() % 86_400_000) + 3_600_000)

  test('a day on which the owner moved money out is told, one on which money came in is not', async () => {
    const mandate = rig.mandate(12)
    await rig.bind(mandate)
    nextDay()
    rig.venue.control('fund', { address: ownerWallet(12).address, amount: '7' })
    await survey()
    expect(await rig.foreignFillsOf(mandate.public_id)).toEqual([])
    nextDay()
    await rig.act(ownerWallet(12), usdSend(rig.scope(), { destination: walletOf(9_001).address, amountUsdc: '40' }))
    const moved = today()
    await survey()
    nextDay()
    await survey()
    expect(await rig.foreignFillsOf(mandate.public_id)).toMatchObject([{ day: moved, fills: 1 }])
  })

  test('a day on which nothing explains the cash of the account is told, from its first moment', async () => {
    const mandate = rig.mandate(13)
    await rig.bind(mandate)
    rig.advance(31_000)
    await rig.run('readLegs')
    nextDay()
    const main = accountAt(13).dexes[''] ?? expect.fail()
    main.raw = String(Number(main.raw) + 5)
    await rig.run('readLegs')
    const first = today()
    nextDay()
    await survey()
    const days = (await rig.foreignFillsOf(mandate.public_id)).map(({ day }) => day)
    expect(days.toSorted()).toEqual([first, today()])
  })

  test('each day in another mode is told, also one on which the mode was back before the next survey', async () => {
    const mandate = rig.mandate(14)
    await rig.bind(mandate)
    const setMode = (mode: string) => rig.venue.control('mode', { address: ownerWallet(14).address, mode })
    nextDay()
    setMode('unifiedAccount')
    await survey()
    const surveyed = today()
    setMode('disabled')
    nextDay()
    await survey()
    expect(await stateOf(mandate)).toMatchObject({ state: 'bound' })
    setMode('unifiedAccount')
    const leg = (await readLeg(rig.pool, mandate.public_id)) ?? expect.fail()
    nextDay()
    await askMode(rig.context, 'worth', leg)
    const asked = today()
    const days = (await rig.foreignFillsOf(mandate.public_id)).map(({ day }) => day)
    expect(days).toEqual(expect.arrayContaining([surveyed, asked]))
    setMode('disabled')
    await survey()
  })

  test('a survey that the venue does not answer changes nothing and is tried again', async () => {
    rig.advance(1_800_000)
    rig.venue.control('fault', { kind: 'status429', endpoint: 'info', type: 'extraAgents', count: 1_000 })
    expect(await rig.run('watchApprovals')).toMatchObject({ done: 0, surveyed: 0 })
    rig.venue.control('clear-faults', {})
    const { surveyed } = (await rig.run('watchApprovals')) as { surveyed?: number }
    expect(surveyed).toBeGreaterThan(0)
  })
})

describe('proposals and capacity', () => {
  test('a proposal that nobody follows up ends after a day', async () => {
    const mandate = rig.mandate(20)
    rig.venue.control('fund', { address: ownerWallet(20).address, amount: '10' })
    await rig.as(owner(20)).prepareApproval({ public_id: mandate.public_id })
    rig.advance(24 * 3_600_000)
    await rig.run('watchApprovals')
    expect(await lastEvent(mandate)).toMatchObject({ state: 'released', reason: 'proposal_lapsed' })
    expect((await refusalOf(rig.as(owner(20)).bindLeg({ public_id: mandate.public_id }))).code).toBe('hub_hl_leg_none')
  })

  test('bind refuses the leg after the last one that can be read in time, and legs without a position take no place', async () => {
    const busy = [rig.mandate(21), rig.mandate(22)]
    for (const mandate of [...busy, rig.mandate(23)]) await rig.bind(mandate)
    const next = rig.mandate(24)
    rig.venue.control('fund', { address: ownerWallet(24).address, amount: '1000' })
    const { action, nonce } = await rig.as(owner(24)).prepareApproval({ public_id: next.public_id })
    await rig.act(ownerWallet(24), action as Parameters<typeof rig.act>[1])
    expect(nonce).toBeGreaterThan(0)
    // Readings at most two seconds old leave the time for two legs.
    await rig.restart({ SVC_VENUE_WEIGHT_MINUTE: '1200', HUB_KEEPER_HL_MAX_AGE_SEC: '2' })
    expect(capacityOf(rig.context)).toBe(2)
    const bind = () => rig.as(owner(24)).bindLeg({ public_id: next.public_id })
    for (const { owner_id } of busy)
      await rig.trade(ownerWallet(owner_id), { asset: 0, side: 'buy', price: '61000', size: '0.001' })
    rig.advance(600_000)
    await rig.restart({ HUB_KEEPER_HL_MAX_AGE_SEC: '2' })
    await rig.run('readLegs')
    await rig.restart({ SVC_VENUE_WEIGHT_MINUTE: '1200', HUB_KEEPER_HL_MAX_AGE_SEC: '2' })
    await rig.pool.query(sql.unsafe`DELETE FROM venue_weight`)
    await expect(bind()).rejects.toMatchObject({ reason: 'venue_capacity' })
    await rig.pool.query(sql.unsafe`UPDATE reading SET positions = '[]' WHERE public_id = ${busy[0]?.public_id ?? ''}`)
    expect((await bind()).leg.state).toBe('bound')
  })
})
