import { randomBytes } from 'node:crypto'
import { sql } from '@svc/postgres'
import { changesNothing, eventually, opened, refusalOf } from '@svc/testing'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { storeFact } from '#books/store/chain-facts.ts'
import { insertWorth } from '#worth/store/worth.ts'
import { agent, buyCall, CHAIN_ID, owner, startSeededRig, txHash, VENUE, type TestMandate } from '../rigs/seeded-rig.ts'

const rig = opened(() => startSeededRig({ HUB_APPROVAL_MAX_OPEN: '3' }))

const call = (mandate: TestMandate, n: number, amount: string, who = agent(21)) =>
  rig.as(who).prepareExecution({
    public_id: mandate.publicId,
    target: VENUE,
    data: buyCall(n),
    approve_amount_usdc: amount,
  })
const decide = (mandate: TestMandate, approval_id: string, decision: 'approve' | 'decline', who = owner(11)) =>
  rig.as(who).decideApproval({ public_id: mandate.publicId, approval_id, decision })
const held = async (mandate: TestMandate, n: number, amount = '45') => {
  const answer = await call(mandate, n, amount)
  if (!('approval' in answer)) throw new Error('the call was not held')
  return answer.approval
}
const item = async (mandate: TestMandate, approval_id: string) => {
  const { items } = await rig.as(owner(11)).listApprovals({ public_id: mandate.publicId, approval_id })
  return items[0]
}
const entries = (mandate: TestMandate, kind: string) =>
  rig.pool.any(sql.type(z.object({ body: z.record(z.string(), z.unknown()) }))`
    SELECT entry->'body' AS body FROM record_entry WHERE mandate_id = ${mandate.id} AND kind = ${kind} ORDER BY seq`)
const violations = (mandate: TestMandate) =>
  rig.pool.any(sql.type(z.object({ kind: z.string(), link: z.string() }))`
    SELECT kind, link FROM alert WHERE mandate_id = ${mandate.id} AND kind <> 'approval_requested' ORDER BY id`)

describe('an item that waits', () => {
  test('says why it was held, clause by clause, to the owner and to the agent, also after the decision', async () => {
    const mandate = await rig.newMandate()
    const { approval_id, judgement } = await held(mandate, 1)
    expect(judgement).toMatchObject({ code: 'approval_required', clause: 6, limit: '40', attempted: '45' })
    expect(judgement?.verdicts.map(({ verdict }) => verdict)).toEqual([
      ...Array.from({ length: 5 }, () => 'pass'),
      'refuse',
      'pass',
      'pass',
    ])
    expect((await item(mandate, approval_id))?.judgement).toEqual(judgement)
    const live = await rig.as(agent(21)).readLive({ public_id: mandate.publicId })
    expect(live.approvals_waiting[0]?.judgement).toEqual(judgement)
    expect((await decide(mandate, approval_id, 'approve')).approval.judgement).toEqual(judgement)
  })
})

describe('a dry run of a decision', () => {
  test('shows the item as it would be decided, and changes nothing', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    const { superuserUrl } = rig.stack.databaseOf('mandates')
    const rehearse = (decision: 'approve' | 'decline') =>
      rig.as(owner(11)).decideApproval({ public_id: mandate.publicId, approval_id, decision, dry_run: true })
    await changesNothing(superuserUrl, async () => {
      expect(await rehearse('approve')).toMatchObject({ dry_run: true, approval: { status: 'approved' } })
      expect(await rehearse('decline')).toMatchObject({ dry_run: true, approval: { status: 'declined' } })
    })
    expect((await item(mandate, approval_id))?.status).toBe('pending')
    await decide(mandate, approval_id, 'approve')
    expect(await refusalOf(rehearse('decline'))).toMatchObject({ code: 'hub_approval_over' })
  })
})

describe('execute-call', () => {
  test('answers the calldata of a call within the mandate, with the verdict of all eight clauses', async () => {
    const mandate = await rig.newMandate()
    const answer = await call(mandate, 1, '40')
    expect(answer).toMatchObject({ call: { to: mandate.vault, value: '0', chain_id: 31_337 }, approval_id: null })
    expect(answer.judgement.verdicts.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 8 }, () => 'pass'))
    expect(answer.judgement).toMatchObject({ kind: null, max_passing_amount_usdc: '40' })
  })

  test('answers the call around the longest calldata, at once and when it was held', async () => {
    const mandate = await rig.newMandate()
    const data = buyCall(1).padEnd(32_768, 'ab') as ReturnType<typeof buyCall>
    const ask = (approve_amount_usdc: string) =>
      rig.as(agent(21)).prepareExecution({ public_id: mandate.publicId, target: VENUE, data, approve_amount_usdc })
    const length = async (amount: string) => {
      const answer = await ask(amount)
      return 'call' in answer ? answer.call.data.length : answer.code
    }
    expect(await length('40')).toBeGreaterThan(32_768)
    const waits = await ask('45')
    if (!('approval' in waits)) throw new Error('the call was not held')
    await decide(mandate, waits.approval.approval_id, 'approve')
    expect(await length('45')).toBeGreaterThan(32_768)
  })

  test('is refused at the stop line, by a worth that knows of everything that was paid in', async () => {
    const mandate = await rig.newMandate({ limits: { stopLine: 100_000_000n } })
    const mark = (worth: bigint, block_number: number) =>
      rig.pool.transaction((tx) =>
        insertWorth(tx, mandate.id, {
          at: new Date(rig.clock.now().getTime() + block_number).toISOString(),
          worth,
          vault_worth: worth,
          unbooked: 0n,
          positions_worth: 0n,
          leg_worth: null,
          drawn: null,
          source: 'keeper',
          block_number,
          withheld_reason: null,
          positions: null,
        }),
      )
    const stopLineOf = async () => {
      const { judgement } = await rig.as(agent(21)).simulateExecution({
        public_id: mandate.publicId,
        market: 'testvenue',
        amount_usdc: '10',
      })
      const line = judgement.verdicts.find(({ clause }) => clause === 7)
      return [judgement.code, line?.verdict, line?.used, line?.headroom]
    }
    await mark(100_000_000n, 10)
    expect(await stopLineOf()).toEqual(['stop_line_reached', 'refuse', '100', '0'])
    await rig.pool.transaction((tx) =>
      storeFact(tx, {
        chainId: CHAIN_ID,
        txHash: txHash(),
        logOrdinal: 0,
        logIndex: 0,
        vault: mandate.vault.toLowerCase(),
        name: 'Deposited',
        args: { from: mandate.vault, amount: '400000000', principal: '500000000' },
        blockNumber: 11,
        blockHash: txHash(),
        blockTime: rig.clock.now().toISOString(),
        revision: 1,
        canonical: true,
      }),
    )
    expect(await stopLineOf()).toEqual([null, 'unknown', null, null])
    await mark(100_000_001n, 11)
    expect(await stopLineOf()).toEqual([null, 'pass', '100.000001', '0.000001'])
  })

  test('is refused above a cap with the standard block, which is in the record once', async () => {
    const mandate = await rig.newMandate()
    const refused = await refusalOf(call(mandate, 1, '50.000001'))
    expect(refused).toMatchObject({
      status: 409,
      code: 'hub_mandate_refuses',
      refusal: { kind: 'OverPerTxCap', code: 'over_per_tx_cap', clause: 2, source: 'server', limit: '50' },
    })
    await refusalOf(call(mandate, 1, '50.000001'))
    expect(await entries(mandate, 'refused')).toHaveLength(1)
    expect(await refusalOf(call(mandate, 2, '60'))).toMatchObject({ refusal: { max_passing_amount_usdc: '40' } })
    const foreign = rig.as(agent(21)).prepareExecution({
      public_id: mandate.publicId,
      target: VENUE,
      data: '0x12345678',
      approve_amount_usdc: '1',
    })
    expect(await refusalOf(foreign)).toMatchObject({ refusal: { kind: 'TargetNotAllowed', clause: 4 } })
  })

  test('is open to the agent of the mandate alone', async () => {
    const mandate = await rig.newMandate()
    expect(await refusalOf(call(mandate, 1, '10', agent(22)))).toMatchObject({ status: 404, code: 'unknown_mandate' })
    await rig.pool.query(sql.unsafe`UPDATE vault SET canonical = false WHERE mandate_id = ${mandate.id}`)
    const notAttached = { status: 409, code: 'hub_vault_not_attached' }
    expect(await refusalOf(call(mandate, 1, '10'))).toMatchObject(notAttached)
    const simulated = rig.as(agent(21)).simulateExecution({
      public_id: mandate.publicId,
      amount_usdc: '10',
      target: VENUE,
      data: buyCall(1),
    })
    expect(await refusalOf(simulated)).toMatchObject(notAttached)
  })

  test.each(['1.1234567', '-5', '1e3', '340282366920938463463374607431768.211456', ''])(
    'refuses the amount %j',
    async (amount) => {
      const mandate = await rig.newMandate()
      expect(await refusalOf(call(mandate, 1, amount))).toMatchObject({ status: 400, code: 'invalid_request' })
    },
  )

  test('holds a call above the approval amount, once however often it is asked, and keeps its headroom', async () => {
    const mandate = await rig.newMandate()
    const first = await held(mandate, 1)
    const again = await Promise.all(Array.from({ length: 8 }, () => held(mandate, 1)))
    expect(new Set(again.map(({ approval_id }) => approval_id))).toEqual(new Set([first.approval_id]))
    await held(mandate, 2)
    await held(mandate, 3)
    // 135 of the day's 150 USDC are held: 20 more do not fit.
    expect(await refusalOf(call(mandate, 4, '20'))).toMatchObject({
      refusal: { code: 'daily_cap_held_by_approvals', max_passing_amount_usdc: '15' },
    })
    expect(await call(mandate, 4, '15')).toMatchObject({ approval_id: null })
  })

  test('what passes at most counts what is held from now on, and an approval serves no other amount', async () => {
    const mandate = await rig.newMandate()
    await held(mandate, 1)
    await held(mandate, 2)
    const third = await call(mandate, 3, '45')
    expect(third.judgement.max_passing_amount_usdc).toBe('15')
    expect(await call(mandate, 4, '15')).toMatchObject({ approval_id: null })
    expect(await refusalOf(call(mandate, 4, '15.000001'))).toMatchObject({
      refusal: { code: 'daily_cap_held_by_approvals' },
    })
    if (!('approval' in third)) throw new Error('the call was not held')
    await decide(mandate, third.approval.approval_id, 'approve')
    expect((await call(mandate, 3, '45')).judgement).toMatchObject({ kind: null, max_passing_amount_usdc: '45' })
  })

  test('a mandate with HUB_APPROVAL_MAX_OPEN held calls holds no other until the owner decides, and names no time', async () => {
    const mandate = await rig.newMandate({ limits: { dailyCap: 500_000_000n } })
    const items = []
    for (const n of [1, 2, 3]) items.push(await held(mandate, n))
    const refusal = await refusalOf(call(mandate, 4, '45'))
    expect(refusal).toMatchObject({
      status: 429,
      code: 'rate_limited',
      detail: expect.stringContaining('until the owner decides'),
    })
    expect(refusal).not.toHaveProperty('retry_at')
    await decide(mandate, items[0]?.approval_id ?? '', 'decline')
    await held(mandate, 4)
  })
})

describe('a decision', () => {
  test('lets exactly the approved call pass until it is seen on the chain', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    expect(await decide(mandate, approval_id, 'approve')).toMatchObject({ approval: { status: 'approved' } })
    expect(await decide(mandate, approval_id, 'approve')).toMatchObject({ approval: { status: 'approved' } })
    expect(await call(mandate, 1, '45')).toMatchObject({ approval_id, call: { to: mandate.vault } })
    expect(await call(mandate, 2, '45')).toMatchObject({ code: 'pending_approval' })
    const tx = txHash()
    await rig.tell({ vault: mandate.vault, tx, amount: 45_000_000n, data: buyCall(1), at: rig.clock.now() })
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    expect(await item(mandate, approval_id)).toMatchObject({ used_tx_hash: tx, reason: 'executed' })
    expect(await violations(mandate)).toEqual([])
    // The approval is used: the same call is held again.
    const next = await held(mandate, 1)
    expect(next.approval_id).not.toBe(approval_id)
    expect(await refusalOf(decide(mandate, approval_id, 'decline'))).toMatchObject({
      status: 409,
      code: 'hub_approval_over',
      approval_status: 'used',
    })
  })

  test('to decline is recorded as refused by the owner, and the call stays refused', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    expect(await decide(mandate, approval_id, 'decline')).toMatchObject({
      approval: { status: 'declined', reason: 'owner_declined' },
    })
    expect(await entries(mandate, 'refused')).toMatchObject([{ body: { kind: 'owner_declined', approval_id } }])
    expect(await refusalOf(call(mandate, 1, '45'))).toMatchObject({
      refusal: { kind: 'owner_declined', source: 'owner', clause: 6 },
    })
    expect(await refusalOf(decide(mandate, approval_id, 'approve'))).toMatchObject({ code: 'hub_approval_over' })
  })

  test('is made by the owner of that mandate about that mandate only', async () => {
    const mandate = await rig.newMandate()
    const other = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    expect(await refusalOf(decide(mandate, approval_id, 'approve', owner(12)))).toMatchObject({
      code: 'unknown_mandate',
    })
    expect(await refusalOf(decide(other, approval_id, 'approve'))).toMatchObject({ code: 'hub_unknown_approval' })
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'pending' })
    expect(await refusalOf(rig.as(agent(22)).listApprovals({ public_id: mandate.publicId }))).toMatchObject({
      code: 'unknown_mandate',
    })
  })

  test('comes too late after the time of the item, which frees its headroom', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    rig.clock.advance(24 * 3_600_000 + 1000)
    expect(await refusalOf(decide(mandate, approval_id, 'approve'))).toMatchObject({ code: 'hub_approval_over' })
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'expired' })
    expect((await held(mandate, 1)).approval_id).not.toBe(approval_id)
    const listed = await rig.as(agent(21)).listApprovals({ public_id: mandate.publicId, status: 'expired' })
    expect(listed.items.map((one) => one.approval_id)).toEqual([approval_id])
  })
})

describe('an Executed above the approval amount', () => {
  test('without an approval is a violation with one alert', async () => {
    const mandate = await rig.newMandate()
    const tx = txHash()
    await rig.tell({ vault: mandate.vault, tx, amount: 45_000_000n, at: rig.clock.now() })
    await eventually(async () => (await entries(mandate, 'violation')).length === 1)
    expect(await violations(mandate)).toMatchObject([{ kind: 'unapproved_execution' }])
    expect((await violations(mandate))[0]?.link).toContain(mandate.publicId)
  })

  test('of other bytes than the approved call is a violation', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    await decide(mandate, approval_id, 'approve')
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 45_000_000n, data: buyCall(2), at: rig.clock.now() })
    await eventually(async () => (await entries(mandate, 'violation')).length === 1)
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'approved' })
  })

  test('in a transaction too long to be read is a violation', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    await decide(mandate, approval_id, 'approve')
    const executed = { vault: mandate.vault, tx: txHash(), amount: 45_000_000n, at: rig.clock.now() }
    await rig.tell({ ...executed, input: null })
    await eventually(async () => (await entries(mandate, 'violation')).length === 1)
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'approved' })
  })

  test('uses an approval once: of 50 at the same time one is approved, the others are violations', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    await decide(mandate, approval_id, 'approve')
    const at = rig.clock.now()
    await Promise.all(
      Array.from({ length: 50 }, () =>
        rig.tell({ vault: mandate.vault, tx: `0x${randomBytes(32).toString('hex')}`, amount: 45_000_000n, at }),
      ),
    )
    await eventually(async () => (await entries(mandate, 'violation')).length === 49)
    // Told in another order than that of the chain, it went on to earlier ones.
    const [used, released] = [await entries(mandate, 'approval_used'), await entries(mandate, 'approval_released')]
    expect(used.length - released.length).toBe(1)
    const judged = await rig.pool.any(sql.type(z.object({ verdict: z.string() }))`
      SELECT verdict FROM execution JOIN chain_fact USING (chain_id, tx_hash, log_ordinal)
      WHERE mandate_id = ${mandate.id} ORDER BY log_index`)
    expect(judged.map((one) => one.verdict)).toEqual(['approved', ...Array.from({ length: 49 }, () => 'violation')])
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'used' })
    expect(await violations(mandate)).toHaveLength(49)
  })

  test('first in the chain has the approval, whichever is told first, and wherever a reorganisation moves it', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    await decide(mandate, approval_id, 'approve')
    const [early, late] = [txHash(), txHash()]
    const executed = { vault: mandate.vault, amount: 45_000_000n, at: rig.clock.now() }
    const holder = async () => (await item(mandate, approval_id))?.used_tx_hash
    await rig.tell({ ...executed, tx: late, block: 102 })
    await eventually(async () => (await holder()) === late)
    expect(await entries(mandate, 'violation')).toEqual([])
    await rig.tell({ ...executed, tx: early, block: 101 })
    await eventually(async () => (await holder()) === early)
    expect(await entries(mandate, 'violation')).toHaveLength(1)
    expect(await violations(mandate)).toMatchObject([{ kind: 'unapproved_execution' }])
    await rig.tell({ ...executed, tx: early, block: 103, revision: 3 })
    await eventually(async () => (await holder()) === late)
    expect(await entries(mandate, 'violation')).toHaveLength(2)
    await rig.tell({ ...executed, tx: late, block: 102, revision: 2, canonical: false })
    await eventually(async () => (await holder()) === early)
  })

  test('that a reorganisation takes away gives its approval back, and takes it again when it returns', async () => {
    const mandate = await rig.newMandate()
    const { approval_id } = await held(mandate, 1)
    await decide(mandate, approval_id, 'approve')
    const executed = { vault: mandate.vault, tx: txHash(), amount: 45_000_000n, at: rig.clock.now() }
    await rig.tell(executed)
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    await rig.tell({ ...executed, revision: 2, canonical: false })
    await eventually(async () => (await item(mandate, approval_id))?.status === 'approved')
    await rig.tell({ ...executed, revision: 3, block: 101 })
    await eventually(async () => (await item(mandate, approval_id))?.status === 'used')
    await rig.tell({ ...executed, revision: 2, canonical: false })
    await rig.tell({ ...executed, tx: txHash() })
    await eventually(async () => (await entries(mandate, 'violation')).length === 1)
    expect(await item(mandate, approval_id)).toMatchObject({ status: 'used' })
  })

  test('within the approval amount needs none', async () => {
    const mandate = await rig.newMandate()
    const tx = txHash()
    await rig.tell({ vault: mandate.vault, tx, amount: 40_000_000n, at: rig.clock.now() })
    await eventually(async () => rig.pool.exists(sql.unsafe`SELECT 1 FROM execution WHERE tx_hash = ${tx}`))
    expect(await entries(mandate, 'violation')).toEqual([])
  })
})

describe('simulate', () => {
  const simulate = (mandate: TestMandate, input: object, who = owner(11)) =>
    rig.as(who).simulateExecution({ public_id: mandate.publicId, amount_usdc: '10', ...input })

  test('judges like execute-call and says what the chain would, without any effect', async () => {
    const mandate = await rig.newMandate()
    rig.world.dryRun = { ok: true, revert: null }
    expect(await simulate(mandate, { target: VENUE, data: buyCall(1) })).toMatchObject({
      passes: true,
      chain: { ok: true },
    })
    const revert = { name: 'TargetCallFailed', selector: null, args: {}, refusal_kind: null }
    rig.world.dryRun = { ok: false, revert: { ...revert, inner: { name: 'PriceLimit', selector: null, args: {} } } }
    expect(await simulate(mandate, { target: VENUE, data: buyCall(1) }, agent(21))).toMatchObject({
      passes: false,
      chain: { error: 'TargetCallFailed', target_error: 'PriceLimit' },
    })
    expect(await simulate(mandate, { market: 'testvenue', amount_usdc: '45' })).toMatchObject({
      passes: false,
      chain: null,
      judgement: { code: 'approval_required' },
    })
    expect(await simulate(mandate, { market: 'testvenue', side: 'sell', amount_usdc: '45' })).toMatchObject({
      passes: true,
    })
    expect(await simulate(mandate, { market: 'hl:BTC', side: 'buy' })).toMatchObject({
      judgement: { kind: 'TargetNotAllowed', attempted: 'hl:BTC' },
    })
    expect(await entries(mandate, 'approval_requested')).toEqual([])
  })

  test('names what is missing, and is refused for strangers', async () => {
    const mandate = await rig.newMandate()
    expect(await refusalOf(simulate(mandate, {}))).toMatchObject({ code: 'invalid_request' })
    expect(await refusalOf(simulate(mandate, { target: VENUE }))).toMatchObject({ code: 'invalid_request' })
    rig.world.configured = false
    await expect(simulate(mandate, { target: VENUE, data: buyCall(1) })).rejects.toThrow('hub_chain_not_configured')
    rig.world.configured = true
    expect(await refusalOf(simulate(mandate, { market: 'testvenue' }, owner(12)))).toMatchObject({
      code: 'unknown_mandate',
    })
    const stranger = getAddress(`0x${'77'.repeat(20)}`)
    expect(await simulate(mandate, { target: stranger, data: buyCall(1) })).toMatchObject({
      judgement: { kind: 'TargetNotAllowed' },
    })
  })
})
