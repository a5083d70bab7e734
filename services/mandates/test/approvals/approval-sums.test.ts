import { sql } from '@svc/postgres'
import { eventually, opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agent, buyCall, owner, startSeededRig, txHash, VENUE } from '../rigs/seeded-rig.ts'

const long = process.env['TEST_LONG'] === '1'
const seed = Number(process.env['TEST_SEED'] ?? 20_261_121)

const rig = opened(() => startSeededRig({ HUB_APPROVAL_MAX_OPEN: '1000' }))

const action = fc.oneof(
  fc.record({ do: fc.constant('ask' as const), call: fc.nat(3), usdc: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ do: fc.constant('approve' as const), at: fc.nat(5) }),
  fc.record({ do: fc.constant('decline' as const), at: fc.nat(5) }),
  fc.record({ do: fc.constant('execute' as const), call: fc.nat(3), usdc: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ do: fc.constant('reorganise' as const), at: fc.nat(5) }),
)

interface Sent {
  readonly tx: string
  readonly amount: bigint
  readonly call: number
  revision: number
  canonical: boolean
}

const executionRow = z.object({ tx_hash: z.string(), verdict: z.string(), approval_id: z.string().nullable() })
const approvalRow = z.object({ id: z.string(), status: z.string(), amount: z.string(), used_tx: z.string().nullable() })

test('whatever is asked, decided, executed and reorganised: one approval serves one execution, and held and used add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), async (actions) => {
      const mandate = await rig.newMandate()
      const asked: string[] = []
      const sent: Sent[] = []
      const tell = (one: Sent) =>
        rig.tell({
          vault: mandate.vault,
          tx: one.tx,
          amount: one.amount,
          data: buyCall(one.call),
          at: rig.clock.now(),
          revision: one.revision,
          canonical: one.canonical,
        })
      const settled = (one: Sent) =>
        eventually(async () =>
          rig.pool.exists(sql.unsafe`
              SELECT 1 FROM execution WHERE tx_hash = ${one.tx} AND revision = ${one.revision}`),
        )
      for (const one of actions) {
        if (one.do === 'ask') {
          const answer = await rig
            .as(agent(21))
            .prepareExecution({
              public_id: mandate.publicId,
              target: VENUE,
              data: buyCall(one.call),
              approve_amount_usdc: String(one.usdc),
            })
            .catch(() => null)
          if (answer !== null && 'approval' in answer) asked.push(answer.approval.approval_id)
        } else if (one.do === 'approve' || one.do === 'decline') {
          const approval_id = asked[one.at % Math.max(1, asked.length)]
          if (approval_id !== undefined)
            await rig
              .as(owner(11))
              .decideApproval({ public_id: mandate.publicId, approval_id, decision: one.do })
              .catch(() => null)
        } else if (one.do === 'execute') {
          const execution = {
            tx: txHash(),
            amount: BigInt(one.usdc) * 1_000_000n,
            call: one.call,
            revision: 1,
            canonical: true,
          }
          sent.push(execution)
          await tell(execution)
          await settled(execution)
        } else {
          const execution = sent[one.at % Math.max(1, sent.length)]
          if (execution === undefined) continue
          execution.revision += 1
          execution.canonical = !execution.canonical
          await tell(execution)
          await settled(execution)
        }
      }

      const approvals = await rig.pool.any(sql.type(approvalRow)`
          SELECT id, status, amount, used_tx FROM approval WHERE mandate_id = ${mandate.id}`)
      const executions = await rig.pool.any(sql.type(executionRow)`
          SELECT tx_hash, verdict, approval_id FROM execution WHERE mandate_id = ${mandate.id}`)
      const standing = new Map(sent.filter(({ canonical }) => canonical).map((one) => [one.tx, one]))
      for (const { tx_hash, verdict, approval_id } of executions) {
        const execution = standing.get(tx_hash)
        if (execution === undefined) expect(verdict).toBe('orphaned')
        else if (execution.amount <= 40_000_000n) expect(verdict).toBe('within')
        else {
          const approval = approvals.find(({ used_tx }) => used_tx === tx_hash)
          expect(verdict).toBe(approval === undefined ? 'violation' : 'approved')
          expect(approval_id).toBe(approval?.id ?? null)
          if (approval !== undefined) expect(BigInt(approval.amount)).toBe(execution.amount)
        }
      }
      for (const { used_tx } of approvals) if (used_tx !== null) expect(standing.has(used_tx)).toBe(true)

      const held = approvals
        .filter(({ status }) => status === 'pending' || status === 'approved')
        .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      const { usage } = await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
      expect(usage?.held_usdc).toBe(String(held / 1_000_000n))
    }),
    { seed, numRuns: long ? 200 : 8 },
  )
})
