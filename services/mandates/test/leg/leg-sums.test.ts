import { sql } from '@svc/postgres'
import { opened } from '@svc/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { owner, startSeededRig } from '../rigs/seeded-rig.ts'
import { connectLeg, filled, legLimits, missed, open } from './leg-calls.ts'

const long = process.env['TEST_LONG'] === '1'
const seed = Number(process.env['TEST_SEED'] ?? 20_261_122)
const rig = opened(async () => {
  const started = await startSeededRig({ HUB_APPROVAL_MAX_OPEN: '1000' })
  const { leg, close } = await connectLeg(started)
  return {
    ...started,
    leg,
    stop: async () => {
      await close()
      await started.stop()
    },
  }
})

const rowOf = z.object({
  order_key: z.string(),
  reserved: z.string(),
  used: z.string(),
  outcome: z.string().nullable(),
  approval_id: z.string().nullable(),
})
const reservationsOf = (id: number) =>
  rig.pool.any(sql.type(rowOf)`
    SELECT order_key, reserved, used, outcome, approval_id FROM leg_reservation WHERE mandate_id = ${id} ORDER BY order_key`)

test('of 60 orders at once exactly as many pass as the daily cap takes, and each key once', async () => {
  const mandate = await rig.newMandate({ limits: legLimits })
  const keys = Array.from({ length: 60 }, (_, n) => String(n % 30))
  const answers = await Promise.all(keys.map((key) => rig.leg.judgeLegOrder(open(mandate, key, '10'))))
  const rows = await reservationsOf(mandate.id)
  expect(rows).toHaveLength(15)
  const passed = new Set(keys.filter((_, n) => answers[n]?.outcome === 'passes'))
  expect(passed).toEqual(new Set(rows.map(({ order_key }) => order_key)))
  expect(answers.filter(({ outcome }) => outcome === 'passes')).toHaveLength(30)
  const { usage } = await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
  expect(usage).toMatchObject({ reserved_usdc: '150', left_usdc: '0' })
})

const key = fc.nat(5).map(String)
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('judge' as const), key, usdc: fc.integer({ min: 1, max: 60 }) }),
  },
  fc.record({ do: fc.constant('fill' as const), key, percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ do: fc.constant('miss' as const), key }),
  fc.record({ do: fc.constant('approve' as const), at: fc.nat(3) }),
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

test('whatever is judged, approved, filled and missed side by side: the day’s sum stays within the cap, one approval serves one order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
      async (rounds) => {
        const mandate = await rig.newMandate({ limits: legLimits })
        const held: string[] = []
        const act = async (one: Action): Promise<void> => {
          if (one.do === 'judge') {
            // Orders of one key are the same request, whatever they cost now.
            const request = { ...open(mandate, one.key, '1').request, size: one.key, amount_usdc: null }
            const answer = await rig.leg.judgeLegOrder(open(mandate, one.key, String(one.usdc), { request }))
            if (answer.outcome === 'held' && answer.approval !== null) held.push(answer.approval.approval_id)
          } else if (one.do === 'approve') {
            const approval_id = held[one.at % Math.max(1, held.length)]
            if (approval_id !== undefined)
              await rig
                .as(owner(11))
                .decideApproval({ public_id: mandate.publicId, approval_id, decision: 'approve' })
                .catch(() => null)
          } else {
            const row = (await reservationsOf(mandate.id)).find(({ order_key }) => order_key === one.key)
            if (row === undefined || row.outcome !== null) return
            const part = one.do === 'fill' ? (Number(row.reserved) * one.percent) / 100_000_000 : 0
            await rig.leg.resolveLegOrder(
              one.do === 'fill' ? filled(mandate, one.key, String(part)) : missed(mandate, one.key),
            )
          }
        }
        for (const round of rounds) {
          await Promise.all(round.map(act))
          const rows = await reservationsOf(mandate.id)
          const { usage } = await rig.as(owner(11)).readLive({ public_id: mandate.publicId })
          const sum = rows.reduce(
            (all, { outcome, reserved, used }) => all + BigInt(outcome === null ? reserved : used),
            0n,
          )
          const text = (amount: string | undefined) => BigInt(Math.round(Number(amount) * 1e6))
          expect(text(usage?.leg_used_usdc) + text(usage?.reserved_usdc)).toBe(sum)
          expect(sum <= 150_000_000n).toBe(true)
          expect(rows.every(({ reserved }) => BigInt(reserved) <= 50_000_000n)).toBe(true)
          expect(
            rows.every(({ reserved, approval_id }) => BigInt(reserved) <= 40_000_000n || approval_id !== null),
          ).toBe(true)
          const serving = rows.flatMap(({ approval_id, outcome }) =>
            outcome === 'missed' || outcome === 'withdrawn' ? [] : (approval_id ?? []),
          )
          expect(new Set(serving).size).toBe(serving.length)
        }
      },
    ),
    { seed, numRuns: long ? 300 : 10 },
  )
})
