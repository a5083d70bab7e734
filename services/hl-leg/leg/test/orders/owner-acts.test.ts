import { revokeAgent } from '@svc/hyperliquid'
import { sql } from '@svc/postgres'
import { opened, refusalOf } from '@svc/testing'
import { afterEach, expect, test } from 'vitest'
import { openLedger } from '#readings/read-ledger.ts'
import { readAccount } from '#readings/read-account.ts'
import { agent, owner, ownerWallet } from '../rig.ts'
import { startOrderRig, type TestLeg } from './order-rig.ts'

const rig = opened(async () => {
  const started = await startOrderRig()
  await started.run('readMarkets')
  return started
})
afterEach(() => {
  rig.venue.control('clear-faults')
})

let keys = 0
const order = (leg: TestLeg, more: object = {}) => {
  const key = `o${(keys += 1)}`
  const body = { public_id: leg.publicId, market: 'hl:BTC', side: 'buy' as const, amount_usdc: '40', ...more }
  return rig.as(agent(leg.agentId), { idempotencyKey: key }).placeLegOrder(body)
}
const close = (leg: TestLeg) => {
  const size = rig.positionOf(leg, 'BTC')
  return rig
    .as(owner(leg.ownerId), { idempotencyKey: `c${(keys += 1)}` })
    .placeLegOrder({ public_id: leg.publicId, market: 'hl:BTC', side: 'sell', size })
}
const setMode = (leg: TestLeg, mode: string) => rig.venue.control('mode', { address: leg.account, mode })
const asked = () => Number((rig.venue.control('counts') as Record<string, number>)['info userAbstraction'] ?? 0)
const judged = (leg: TestLeg) => rig.books.judged.filter(({ public_id }) => public_id === leg.publicId).length

/** Begins the ledger of a leg, as its bind does. */
async function withLedger(leg: TestLeg): Promise<TestLeg> {
  const account = { publicId: leg.publicId, owner: leg.account as `0x${string}` }
  const reading = await readAccount(rig.context, 'worth', account.owner)
  await rig.pool.transaction(await openLedger(rig.context, 'worth', account, reading))
  rig.advance(1_000)
  return leg
}

test('before an open the mode is at most a minute old; in another mode nothing opens, closes pass, and nothing counts against the agent', async () => {
  const leg = await rig.newLeg()
  await order(leg)
  const before = asked()
  await order(leg)
  expect(asked()).toBe(before)
  setMode(leg, 'unifiedAccount')
  rig.advance(60_001)
  const held = judged(leg)
  expect(await refusalOf(order(leg))).toMatchObject({ status: 409, code: 'hub_hl_leg_unsupported' })
  expect(judged(leg)).toBe(held)
  expect((await rig.eventsOf(leg.publicId)).at(-1)).toMatchObject({ state: 'unsupported' })
  expect(await close(leg)).toMatchObject({ order: { status: 'filled' } })
})

test('a change of cash that nothing explains has the mode asked afresh, and refuses opens once it lasts', async () => {
  const leg = await withLedger(await rig.newLeg())
  await order(leg)
  const before = asked()
  const main = rig.accountOf(leg).dexes[''] ?? expect.fail()
  main.raw = String(Number(main.raw) + 50)
  expect(await order(leg)).toMatchObject({ order: { status: 'filled' } })
  expect(asked()).toBe(before + 1)
  rig.advance(301_000)
  expect(await refusalOf(order(leg))).toMatchObject({ status: 409, code: 'leg_unexplained' })
  main.raw = String(Number(main.raw) - 50)
  expect(await order(leg)).toMatchObject({ order: { status: 'filled' } })
})

test('while leg money is on its way an open is refused with retry_at, is not judged, and a close passes', async () => {
  const leg = await rig.newLeg()
  await order(leg)
  const at = rig.clock.now().toISOString()
  await rig.pool.query(sql.unsafe`
    INSERT INTO transfer (transfer_id, public_id, kind, network, owner_address, amount, state, open, opened_at, changed_at)
    VALUES (${`ltr_${'a'.repeat(32)}`}, ${leg.publicId}, 'fund', 'testnet', ${leg.account}, '1000000', 'planned', true, ${at}, ${at})`)
  const held = judged(leg)
  expect(await refusalOf(order(leg))).toMatchObject({
    status: 409,
    code: 'hub_leg_money_moving',
    retry_at: expect.any(String),
  })
  expect(judged(leg)).toBe(held)
  expect(await close(leg)).toMatchObject({ order: { status: 'filled' } })
})

test('margin on another dex follows from the leverage of the account: enough is moved, or the refusal names the leverage', async () => {
  const leg = await rig.newLeg({ usdc: '50' })
  const account = rig.accountOf(leg)
  account.dexes['xyz'] = { raw: '0', positions: {}, leverage: { 'xyz:TSLA': 1 } }
  const tesla = { market: 'hl:xyz:TSLA' }
  expect(await refusalOf(order(leg, { ...tesla, amount_usdc: '80' }))).toMatchObject({
    code: 'hub_hl_margin_short',
    leverage: 1,
    market: 'hl:xyz:TSLA',
  })
  expect(account.dexes['xyz']?.raw).toBe('0')
  expect(await order(leg, { ...tesla, amount_usdc: '35' })).toMatchObject({ order: { status: 'filled' } })
})

test('the order that discovers that the key is revoked or has ended says so itself, also to its repetition', async () => {
  const [revoked, expired] = [await rig.newLeg(), await rig.newLeg()]
  await rig.act(ownerWallet(revoked.ownerId), revokeAgent(rig.scope(), 'svc-leg'))
  expect(await refusalOf(order(revoked))).toMatchObject({ status: 409, code: 'hub_hl_leg_revoked' })
  // The venue forgets a key some time after its end.
  for (const [key, one] of Object.entries(rig.venue.state.agents))
    if (one.user === expired.account) rig.venue.control('prune', { agent: key })
  const until = new Date(rig.clock.now().getTime() - 3_600_000).toISOString()
  await rig.pool.query(sql.unsafe`UPDATE leg SET valid_until = ${until} WHERE public_id = ${expired.publicId}`)
  const ask = () =>
    rig.as(agent(expired.agentId), { idempotencyKey: 'same' }).placeLegOrder({
      public_id: expired.publicId,
      market: 'hl:BTC',
      side: 'buy',
      amount_usdc: '40',
    })
  for (let time = 0; time < 2; time += 1)
    expect(await refusalOf(ask())).toMatchObject({ status: 409, code: 'hub_hl_leg_expired' })
})
