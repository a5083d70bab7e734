import { prepare } from '@svc/chain'
import { sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  agent,
  buyCall,
  CHAIN_ID,
  owner,
  startSeededRig,
  txHash,
  VENUE,
  type NewMandateOptions,
  type TestMandate,
} from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig())

const ask = (mandate: TestMandate, n: number, amount: string, check: object = {}) =>
  rig.as(agent(mandate.agentId)).prepareExecution({
    public_id: mandate.publicId,
    target: VENUE,
    data: buyCall(n),
    approve_amount_usdc: amount,
    ...check,
  })
const owned = ({ ownerId }: TestMandate) => rig.as(owner(ownerId))
/** A mandate of an agent of its own, with an approved and a waiting call of 45 USDC each. */
async function withHeld(agentId: number, options: NewMandateOptions = {}): Promise<TestMandate> {
  const mandate = await rig.newMandate({ agentId, ...options })
  for (const n of [1, 2]) {
    const held = await ask(mandate, n, '45')
    if (!('approval' in held)) throw new Error('the call was not held')
    const { approval_id } = held.approval
    if (n === 1) await owned(mandate).decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
  }
  return mandate
}
const figures = async (mandate: TestMandate) => {
  const { publicId: public_id, agentId: agent_id } = mandate
  const [detail, live, listed, balances] = [
    await owned(mandate).readMandate({ public_id }),
    await owned(mandate).readLive({ public_id }),
    await owned(mandate).listApprovals({ public_id }),
    await rig.as(agent(agent_id)).readBalances({ agent_id }),
  ]
  return {
    detail: detail.usage?.held_usdc,
    live: live.usage?.held_usdc,
    reserved: balances.items.find(({ chain_id }) => chain_id === CHAIN_ID)?.reserved,
    items: listed.items.map(({ status }) => status),
  }
}
const NOTHING_HELD = { detail: '0', live: '0', reserved: '0', items: ['expired', 'expired'] }

describe('a mandate that is over', () => {
  test('holds nothing from the moment it is stopped in the record, in every answer', async () => {
    const mandate = await withHeld(41)
    expect(await figures(mandate)).toEqual({
      detail: '90',
      live: '90',
      reserved: '90',
      items: ['pending', 'approved'],
    })
    await owned(mandate).stopMandate({ public_id: mandate.publicId })
    expect(await figures(mandate)).toEqual(NOTHING_HELD)
  })

  test('holds nothing from its end on, before any job has run', async () => {
    const endsAt = new Date(rig.clock.now().getTime() + 3_600_000)
    const mandate = await withHeld(42, { limits: { endsAt } })
    rig.clock.advance(3_600_000)
    expect(await figures(mandate)).toEqual(NOTHING_HELD)
  })

  test('keeps an approval that was given back after its end closed', async () => {
    const mandate = await withHeld(43)
    const used = { vault: mandate.vault, tx: txHash(), amount: 45_000_000n, at: rig.clock.now() }
    await rig.tell(used)
    const statuses = async () => (await figures(mandate)).items
    await eventually(async () => (await statuses()).includes('used'))
    await owned(mandate).stopMandate({ public_id: mandate.publicId })
    await rig.tell({ ...used, revision: 2, canonical: false })
    await eventually(async () => !(await statuses()).includes('used'))
    expect(await figures(mandate)).toEqual(NOTHING_HELD)
  })
})

describe('a report of a trade', () => {
  const report = (mandate: TestMandate, input: object) =>
    rig.as(agent(mandate.agentId)).reportEvent({
      public_id: mandate.publicId,
      kind: 'buy',
      occurred_at: rig.clock.now().toISOString(),
      ...input,
    } as never)
  const contradictions = async (mandate: TestMandate) =>
    (await owned(mandate).readMandate({ public_id: mandate.publicId })).reports_contradicting_chain
  const executed = async (mandate: TestMandate, tx: string) => {
    await rig.tell({ vault: mandate.vault, tx, amount: 20_000_000n, at: rig.clock.now() })
    await eventually(async () => {
      const { steps } = await owned(mandate).readRecord({ public_id: mandate.publicId, since: '0' })
      return steps.some(({ kind, tx_hash }) => kind === 'chain_fact' && tx_hash === tx)
    })
  }

  test('that the chain shows otherwise is marked contradicts_chain and counted', async () => {
    const mandate = await rig.newMandate({ agentId: 44 })
    const tx = txHash()
    await executed(mandate, tx)
    expect(await report(mandate, { amount_usdc: '20', tx_hash: tx })).toMatchObject({ contradicts_chain: false })
    expect(await report(mandate, { amount_usdc: '5', tx_hash: tx })).toMatchObject({ contradicts_chain: true })
    expect(await report(mandate, { kind: 'sell', tx_hash: tx })).toMatchObject({ contradicts_chain: true })
    expect(await contradictions(mandate)).toBe(2)
    const { steps } = await owned(mandate).readRecord({ public_id: mandate.publicId, since: '0' })
    const marked = steps.filter(({ body }) => body['contradicts_chain'] === true)
    expect(marked.map(({ kind }) => kind)).toEqual(['event', 'event'])
    const strip = await rig.as(agent(44)).readStrip({ agent_id: 44 })
    expect(strip.limits).toMatchObject({ reports_contradicting_chain: 2 })
  })

  test('that comes before the chain shows its transaction is compared when it does', async () => {
    const mandate = await rig.newMandate({ agentId: 45 })
    const tx = txHash()
    expect(await report(mandate, { amount_usdc: '5', tx_hash: tx })).toMatchObject({ contradicts_chain: null })
    expect(await contradictions(mandate)).toBe(0)
    await rig.tell({ vault: mandate.vault, tx, amount: 20_000_000n, at: rig.clock.now() })
    await eventually(async () => (await contradictions(mandate)) === 1)
    // A reorganisation takes the transaction away, and with it what the chain said.
    await rig.tell({
      vault: mandate.vault,
      tx,
      amount: 20_000_000n,
      at: rig.clock.now(),
      revision: 2,
      canonical: false,
    })
    await eventually(async () => (await contradictions(mandate)) === 0)
  })
})

describe('execute-call with check=1', () => {
  const revert = {
    name: 'TargetCallFailed',
    selector: null,
    args: {},
    refusal_kind: null,
    inner: { name: 'ERC20InsufficientAllowance', selector: null, args: {} },
  }

  test('warns of a call that reverts on the newest block, with its decoded reason, passing or held', async () => {
    const mandate = await rig.newMandate({ agentId: 46 })
    rig.world.dryRun = { ok: false, revert }
    const warning = { code: 'would_revert', error: 'TargetCallFailed', target_error: 'ERC20InsufficientAllowance' }
    const passing = await ask(mandate, 1, '5', { check: '1' })
    expect(passing).toMatchObject({ call: { to: mandate.vault }, judgement: { kind: null, warning } })
    expect(await ask(mandate, 1, '45', { check: '1' })).toMatchObject({
      code: 'pending_approval',
      judgement: { warning },
    })
    expect((await ask(mandate, 1, '5')).judgement).not.toHaveProperty('warning')
    rig.world.dryRun = { ok: true, revert: null }
    expect((await ask(mandate, 1, '5', { check: '1' })).judgement).not.toHaveProperty('warning')
  })

  test('hands the call out unchecked, and says so, when no chain answers', async () => {
    const mandate = await rig.newMandate({ agentId: 47 })
    rig.world.configured = false
    const answer = await ask(mandate, 1, '5', { check: '1' })
    rig.world.configured = true
    const { data } = prepare(CHAIN_ID)
      .vault(getAddress(mandate.vault))
      .execute({ target: VENUE, data: buyCall(1), approveAmount: 5_000_000n })
    expect(answer).toMatchObject({ call: { data }, judgement: { warning: { code: 'not_checked', error: null } } })
  })
})

test('offers say whether the owner has signed the terms', async () => {
  const signed = await rig.newMandate({ agentId: 48 })
  await rig.pool.query(sql.unsafe`UPDATE mandate SET accepted_at = NULL WHERE id = ${signed.id}`)
  const body = {
    name: 'Draft',
    budget_usdc: '500',
    per_tx_cap_usdc: '50',
    daily_cap_usdc: '150',
    stop_line_usdc: '0',
    approval_above_usdc: null,
    markets: ['testvenue'],
    ends_at: new Date(rig.clock.now().getTime() + 10 * 86_400_000).toISOString().replace(/\.\d+Z/, '.000Z'),
    fee_bps: 1000,
    agent_id: 48,
  }
  const { mandate } = await rig.as(owner(11)).createMandate(body as never)
  const { items } = await rig.as(agent(48)).listOffers({ agent_id: 48, limit: 50 })
  expect(items.map(({ public_id, signed: isSigned }) => [public_id, isSigned])).toEqual([
    [mandate.public_id, false],
    [signed.publicId, true],
  ])
})

test('links in alerts lead to the public address of the deployment while no https base is set', async () => {
  const mandate = await rig.newMandate({ agentId: 49 })
  await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 45_000_000n, at: rig.clock.now() })
  const link = async () => {
    const { items } = await rig.as(owner(11)).listAlerts({ limit: 50 })
    return items.find(({ mandate_id }) => mandate_id === mandate.publicId)?.link ?? false
  }
  expect(await eventually(link)).toBe(`http://127.0.0.1:8080/ui/mandates/${mandate.publicId}`)
})
