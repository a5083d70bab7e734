import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeExecutions, type GivenApproval, type Spending } from './judge-executions.ts'
import { CLOCK_SKEW_MAX_MS } from '#books/rules/chain-order.ts'

const T0 = Date.parse('2026-11-21T10:00:00.000Z')
const at = (seconds: number) => new Date(T0 + seconds * 1000)
const spending = (key: string, block: number, changed: Partial<Spending> = {}): Spending => ({
  key,
  block,
  firstBlock: block,
  logIndex: 0,
  time: at(block * 2),
  approved: 45n,
  carries: ['a'],
  ...changed,
})
const approval = (id: string, block: number | null, changed: Partial<GivenApproval> = {}): GivenApproval => ({
  id,
  at: at(0),
  head: block === null ? null : { number: block },
  replaced: false,
  expiresAt: at(86_400),
  ...changed,
})
const rules = { approvalAbove: 40n, stop: null }
const verdictOf = (
  one: Spending,
  given: readonly GivenApproval[],
  guard: Parameters<typeof judgeExecutions>[2] = rules,
) => judgeExecutions([one], given, guard).get(one.key)

describe('an execution', () => {
  test('is approved in any block after the one its approval was given on, whatever the clocks say', () => {
    const late = { at: at(10_000) }
    expect(verdictOf(spending('x', 11), [approval('a', 10, late)])).toEqual({ verdict: 'approved', approvalId: 'a' })
    expect(verdictOf(spending('x', 10), [approval('a', 10, late)])).toMatchObject({ verdict: 'violation' })
  })

  test('that was seen after its approval stays so when a reorganisation moves it below', () => {
    expect(verdictOf(spending('x', 8, { firstBlock: 11 }), [approval('a', 10)])).toMatchObject({ verdict: 'approved' })
    expect(verdictOf(spending('x', 11, { firstBlock: 8 }), [approval('a', 10)])).toMatchObject({ verdict: 'approved' })
  })

  test('just below a replaced block is approved, far below is not', () => {
    const given = [approval('a', 100, { replaced: true })]
    expect(verdictOf(spending('x', 98), given)).toMatchObject({ verdict: 'approved' })
    expect(verdictOf(spending('x', 80), given)).toMatchObject({ verdict: 'violation' })
  })

  test('is ordered by clocks, within their greatest difference, only where no block was known', () => {
    const given = [approval('a', null, { at: at(1_000) })]
    const time = (ms: number) => new Date(at(1_000).getTime() - CLOCK_SKEW_MAX_MS + ms)
    expect(verdictOf(spending('x', 1, { time: time(0) }), given)).toMatchObject({ verdict: 'approved' })
    expect(verdictOf(spending('x', 1, { time: time(-1) }), given)).toMatchObject({ verdict: 'violation' })
  })

  test('after the end of its approval is a violation once no difference of clocks explains it', () => {
    const given = [approval('a', 1, { expiresAt: at(100) })]
    const time = (ms: number) => new Date(at(100).getTime() + CLOCK_SKEW_MAX_MS + ms)
    expect(verdictOf(spending('x', 9, { time: time(0) }), given)).toMatchObject({ verdict: 'approved' })
    expect(verdictOf(spending('x', 9, { time: time(1) }), given)).toMatchObject({ verdict: 'violation' })
  })

  test('first seen after the stop in the record is a violation of any amount, wherever it moves', () => {
    const guard = { approvalAbove: 40n, stop: { at: at(1_000), head: { number: 10 } } }
    const small = { approved: 1n }
    expect(verdictOf(spending('x', 10, small), [], guard)).toEqual({ verdict: 'within' })
    expect(verdictOf(spending('x', 11, small), [], guard)).toMatchObject({ reason: 'executed_after_record_stop' })
    expect(verdictOf(spending('x', 9, { ...small, firstBlock: 11 }), [], guard)).toMatchObject({ verdict: 'violation' })
    expect(verdictOf(spending('x', 12, { ...small, firstBlock: 9 }), [], guard)).toEqual({ verdict: 'within' })
  })
})

const ids = ['a', 'b', 'c', 'd']
const executions = fc.uniqueArray(
  fc.record({
    key: fc.string({ minLength: 1, maxLength: 3 }),
    block: fc.integer({ min: 1, max: 30 }),
    firstBlock: fc.integer({ min: 1, max: 30 }),
    logIndex: fc.integer({ min: 0, max: 2 }),
    approved: fc.constantFrom(10n, 45n),
    carries: fc.subarray(ids),
    time: fc.integer({ min: 0, max: 600 }).map(at),
  }),
  { selector: ({ key }) => key, maxLength: 12 },
)
const approvals = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 600 }).map(at),
      head: fc.option(fc.record({ number: fc.integer({ min: 1, max: 30 }) })),
      replaced: fc.boolean(),
      expiresAt: fc.integer({ min: 0, max: 600 }).map(at),
    }),
    { maxLength: ids.length },
  )
  .map((all) => all.map((one, n) => ({ ...one, id: ids[n] ?? '' })))
const stops = fc.option(
  fc.record({
    at: fc.integer({ min: 0, max: 600 }).map(at),
    head: fc.option(fc.record({ number: fc.integer({ min: 1, max: 30 }) })),
  }),
)

describe('any executions and approvals', () => {
  test('each execution above the amount has an approval of its own call, or is a violation', () => {
    fc.assert(
      fc.property(executions, approvals, stops, (all, given, stop) => {
        const verdicts = judgeExecutions(all, given, { approvalAbove: 40n, stop })
        expect(verdicts.size).toBe(all.length)
        const used = [...verdicts.values()].flatMap((one) => (one.verdict === 'approved' ? [one.approvalId] : []))
        expect(new Set(used).size).toBe(used.length)
        for (const one of all) {
          const found = verdicts.get(one.key)
          if (found?.verdict === 'within') expect(one.approved <= 40n).toBe(true)
          if (found?.verdict === 'approved') expect(one.carries).toContain(found.approvalId)
        }
      }),
    )
  })

  test('the order in which executions are told does not matter', () => {
    fc.assert(
      fc.property(executions, approvals, stops, fc.infiniteStream(fc.nat()), (all, given, stop, numbers) => {
        const shuffled = all.map((one) => ({ one, n: numbers.next().value })).toSorted((a, b) => a.n - b.n)
        const guard = { approvalAbove: 40n, stop }
        const again = judgeExecutions(
          shuffled.map(({ one }) => one),
          given,
          guard,
        )
        for (const [key, verdict] of judgeExecutions(all, given, guard)) expect(again.get(key)).toEqual(verdict)
      }),
    )
  })

  test('what is mined later changes no verdict on what was before it', () => {
    fc.assert(
      fc.property(executions, approvals, stops, (all, given, stop) => {
        const guard = { approvalAbove: 40n, stop }
        const whole = judgeExecutions(all, given, guard)
        const early = all.filter(({ block }) => block <= 15)
        for (const [key, verdict] of judgeExecutions(early, given, guard)) expect(whole.get(key)).toEqual(verdict)
      }),
    )
  })
})
