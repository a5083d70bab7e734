import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planPayouts, type PlannedPayout } from './payout-plan.ts'
import { addDays } from './utc-day.ts'

const TODAY = '2026-11-21'
const NOTHING = { cherry: 0, count: 0 }
const queueOf = (amounts: readonly number[]) => amounts.map((cherry, n) => ({ submission_id: `s${n}`, cherry }))
const byDay = (plan: readonly PlannedPayout[]) => Map.groupBy(plan, (payout) => payout.pay_on)
const sumOf = (plan: readonly PlannedPayout[]) => plan.reduce((sum, payout) => sum + payout.cherry, 0)

const limits = fc.integer({ min: 1, max: 1000 })
const queues = fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 60 }).map(queueOf)

describe('payout plan', () => {
  it('pays at once the rewards that fit into the day', () => {
    expect(planPayouts(500, TODAY, { cherry: 400, count: 3 }, queueOf([100])).map((p) => p.pay_on)).toEqual([TODAY])
  })

  it('queues a reward that exceeds the limit undivided for the next day, and no reward overtakes it', () => {
    const plan = planPayouts(500, TODAY, { cherry: 400, count: 3 }, queueOf([101, 50]))
    expect(plan.map((p) => p.pay_on)).toEqual(['2026-11-22', '2026-11-22'])
  })

  it('pays a single reward above the limit on a day of its own', () => {
    expect(planPayouts(500, TODAY, NOTHING, queueOf([600, 1])).map((p) => p.pay_on)).toEqual([TODAY, '2026-11-22'])
    expect(planPayouts(500, TODAY, { cherry: 1, count: 1 }, queueOf([600, 1])).map((p) => p.pay_on)).toEqual([
      '2026-11-22',
      '2026-11-23',
    ])
  })

  it('never exceeds the limit on a day unless a single larger reward is alone that day', () => {
    fc.assert(
      fc.property(limits, queues, fc.integer({ min: 0, max: 1500 }), (limit, queue, paid) => {
        const count = paid > 0 ? 1 : 0
        for (const [day, payouts] of byDay(planPayouts(limit, TODAY, { cherry: paid, count }, queue))) {
          const before = day === TODAY ? { cherry: paid, count } : NOTHING
          if (before.cherry + sumOf(payouts) > limit) expect(before.count + payouts.length).toBe(1)
        }
      }),
    )
  })

  it('plans each payout exactly once, in order, on days that never go back', () => {
    fc.assert(
      fc.property(limits, queues, (limit, queue) => {
        const plan = planPayouts(limit, TODAY, NOTHING, queue)
        expect(plan.map(({ submission_id, cherry }) => ({ submission_id, cherry }))).toEqual(queue)
        for (let n = 1; n < plan.length; n += 1) expect(plan[n]!.pay_on >= plan[n - 1]!.pay_on).toBe(true)
      }),
    )
  })

  it('starves no payout: the n-th is released within n days', () => {
    fc.assert(
      fc.property(limits, queues, (limit, queue) => {
        planPayouts(limit, TODAY, { cherry: limit, count: 1 }, queue).forEach((payout, n) => {
          expect(payout.pay_on <= addDays(TODAY, n + 1)).toBe(true)
        })
      }),
    )
  })

  it('releases each payout on its planned day, whatever is approved meanwhile', () => {
    fc.assert(
      fc.property(
        limits,
        fc.array(fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 6 }), { maxLength: 12 }),
        (limit, days) => {
          let queue: { submission_id: string; cherry: number }[] = []
          const promised = new Map<string, string>()
          const released: string[] = []
          const approved: string[] = []
          let day = TODAY
          for (let n = 0; n < days.length || queue.length > 0; n += 1) {
            let paid = NOTHING
            for (const cherry of [0, ...(days[n] ?? [])]) {
              if (cherry > 0) {
                const submission_id = `${n}.${approved.length}`
                approved.push(submission_id)
                queue.push({ submission_id, cherry })
              }
              for (const payout of planPayouts(limit, day, paid, queue)) {
                expect(promised.get(payout.submission_id) ?? payout.pay_on).toBe(payout.pay_on)
                promised.set(payout.submission_id, payout.pay_on)
                if (payout.pay_on !== day) continue
                released.push(payout.submission_id)
                queue = queue.slice(1)
                paid = { cherry: paid.cherry + payout.cherry, count: paid.count + 1 }
                expect(paid.cherry <= limit || paid.count === 1).toBe(true)
              }
            }
            day = addDays(day, 1)
          }
          expect(released).toEqual(approved)
        },
      ),
    )
  })
})
