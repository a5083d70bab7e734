import { mandates } from '@svc/contracts/mandates'
import { sql, type Db } from '@svc/postgres'
import { clientOf } from '@svc/service'
import { eventually, opened, refusalOf } from '@svc/testing'
import { describe, expect, test } from 'vitest'
import { openLiveReader } from '#overview/live-reader.ts'
import { agent, buyCall, owner, startSeededRig, txHash, VENUE, type TestMandate } from '../rigs/seeded-rig.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const rig = opened(() => startSeededRig())
const keeper = opened(() => rig.stack.nats.connect('keeper'))

const live = ({ publicId }: TestMandate) => rig.as(owner(11)).readLive({ public_id: publicId })
const hold = async ({ publicId }: TestMandate, n = 1) => {
  const call = { public_id: publicId, target: VENUE, data: buyCall(n), approve_amount_usdc: '45' }
  const answer = await rig.as(agent(21)).prepareExecution(call)
  if (!('approval' in answer)) throw new Error('the call was not held')
  return answer.approval.approval_id
}
const decide = ({ publicId }: TestMandate, approval_id: string, decision: 'approve' | 'decline') =>
  rig.as(owner(11)).decideApproval({ public_id: publicId, approval_id, decision })
const refuse = ({ publicId }: TestMandate) =>
  rig.as(agent(21)).reportRefusal({
    public_id: publicId,
    kind: 'OverDailyCap',
    attempted: {},
    occurred_at: rig.clock.now().toISOString(),
  } as never)
const mark = ({ publicId }: TestMandate, worth_usdc: string) =>
  clientOf(keeper, 'keeper', mandates).storeWorth({
    rows: [
      {
        public_id: publicId,
        row: {
          at: rig.clock.now().toISOString(),
          worth_usdc,
          vault_usdc: worth_usdc,
          unbooked_usdc: '0',
          positions_usdc: '0',
          leg_usdc: null,
          source: 'keeper',
          block_number: 100,
          withheld_reason: null,
        },
      },
    ],
  })

describe('what is polled of a mandate', () => {
  test('shows every change in the read that comes after it', async () => {
    const mandate = await rig.newMandate()
    expect(await live(mandate)).toMatchObject({ state: 'working', worth: null, refusals_7d: { total: 0 } })

    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 5_000_000n, at: rig.clock.now() })
    await eventually(async () => (await live(mandate)).usage?.used_usdc === '5')

    await refuse(mandate)
    expect((await live(mandate)).refusals_7d).toEqual({ total: 1, by_kind: { OverDailyCap: 1 } })

    const first = await hold(mandate)
    expect(await live(mandate)).toMatchObject({
      usage: { held_usdc: '45' },
      approvals_waiting: [{ approval_id: first }],
    })
    await decide(mandate, first, 'decline')
    expect(await live(mandate)).toMatchObject({ usage: { held_usdc: '0' }, approvals_waiting: [] })
    const second = await hold(mandate, 2)
    await decide(mandate, second, 'approve')
    expect(await live(mandate)).toMatchObject({ usage: { held_usdc: '45' }, approvals_waiting: [] })

    await mark(mandate, '501.5')
    expect((await live(mandate)).worth).toMatchObject({ worth_usdc: '501.5' })
    rig.clock.advance(1_000)
    await mark(mandate, '502')
    expect((await live(mandate)).worth).toMatchObject({ worth_usdc: '502' })

    await rig.tellAgentSet({ vault: mandate.vault, agent: `0x${'0'.repeat(40)}`, block: 200, revision: 1 })
    await eventually(async () => (await live(mandate)).state === 'paused')
    await rig.as(owner(11)).stopMandate({ public_id: mandate.publicId })
    expect((await live(mandate)).state).toBe('stopped')
  })

  test('shows what time alone changes: items that end, refusals that are a week old, the next day', async () => {
    const mandate = await rig.newMandate()
    await refuse(mandate)
    await hold(mandate)
    await rig.tell({ vault: mandate.vault, tx: txHash(), amount: 5_000_000n, at: rig.clock.now() })
    await eventually(async () => (await live(mandate)).usage?.used_usdc === '5')
    expect(await live(mandate)).toMatchObject({ usage: { held_usdc: '45' }, refusals_7d: { total: 1 } })
    rig.clock.advance(DAY_MS + HOUR_MS)
    expect(await live(mandate)).toMatchObject({
      usage: { held_usdc: '0', used_usdc: '0' },
      approvals_waiting: [],
      refusals_7d: { total: 1 },
    })
    rig.clock.advance(6 * DAY_MS)
    expect(await live(mandate)).toMatchObject({ refusals_7d: { total: 0, by_kind: {} } })
  })

  test('is for its parties alone, also once it was read', async () => {
    const mandate = await rig.newMandate()
    await live(mandate)
    const stranger = rig.as(owner(12)).readLive({ public_id: mandate.publicId })
    expect(await refusalOf(stranger)).toMatchObject({ status: 404, code: 'unknown_mandate' })
  })

  test('is read whole once and then by its version alone, until something is written to one of its tables', async () => {
    const mandate = await rig.newMandate()
    let statements = 0
    const counting = new Proxy(rig.pool, {
      get: (pool, key) => {
        if (key === 'maybeOne') statements += 1
        return Reflect.get(pool, key) as unknown
      },
    }) as Db
    const liveOf = openLiveReader(counting)
    const now = rig.clock.now()
    const times = { now, refusedSince: new Date(now.getTime() - 7 * DAY_MS) }
    const read = async () => {
      const before = statements
      const answer = await liveOf(mandate.publicId, { ownerId: 11 }, times)
      return { answer, statements: statements - before }
    }
    const first = await read()
    expect(first.statements).toBe(1)
    const again = await read()
    expect(again.statements).toBe(1)
    expect(again.answer).toBe(first.answer)
    const changes = [
      sql.unsafe`UPDATE vault SET books = books WHERE mandate_id = ${mandate.id}`,
      sql.unsafe`UPDATE mandate SET name = name WHERE id = ${mandate.id}`,
    ]
    for (const change of changes) {
      await rig.pool.query(change)
      const changed = await read()
      expect(changed.statements).toBe(2)
      expect({ ...changed.answer, version: '' }).toEqual({ ...first.answer, version: '' })
      expect((await read()).statements).toBe(1)
    }
  })
})
