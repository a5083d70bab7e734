import { sql } from '@svc/postgres'
import { expect } from 'vitest'
import { z } from 'zod'
import { BY_HAND, type WholeScript } from './whole-script.ts'
import type { WholeRig } from './whole-rig.ts'

const stored = z.object({
  order_key: z.string(),
  cloid: z.string(),
  state: z.string(),
  filled_size: z.coerce.number(),
  told: z.boolean(),
})

/** Compares the orders of a leg with what the venue executed in its account. */
export async function judgeOrders({ rig, booked }: WholeRig, { leg }: WholeScript): Promise<void> {
  const rows = await rig.pool.any(sql.type(stored)`
    SELECT order_key, cloid, state, filled_size::float8, told_at IS NOT NULL AS told
    FROM leg_order WHERE public_id = ${leg.publicId}`)
  const { orders, fills } = booked.accountOf(leg)
  for (const row of rows) {
    const ours = orders.filter(({ cloid }) => cloid === row.cloid)
    const executed = fills
      .filter(({ oid }) => ours.some((one) => one.oid === oid))
      .reduce((sum, { sz }) => sum + Number(sz), 0)
    expect(ours.length, `${row.order_key} executes at most once`).toBeLessThanOrEqual(1)
    expect([row.state, row.told], `${row.order_key} has an end that mandates knows`).toEqual([
      expect.stringMatching(/^(filled|partial|missed|rejected)$/),
      true,
    ])
    expect(row.filled_size, `${row.order_key} is booked as the venue executed it`).toBeCloseTo(executed, 8)
  }
  const known = new Set(rows.map(({ cloid }) => cloid))
  const unknown = orders.filter(({ cloid }) => cloid !== null && !known.has(cloid) && !cloid.startsWith(BY_HAND))
  expect(unknown, 'the venue knows no order of ours that we do not').toEqual([])
  const reserved = [...booked.books.reserved.keys()].filter((name) => name.startsWith(leg.publicId))
  expect(reserved, 'no reservation outlives its order').toEqual([])
}
