import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeOf, orderBlock } from './order-block.ts'
import { assessOrder, type OrderAttempt, type OrderObserved, type OrderTerms } from './order.ts'

const noon = 20_000n * 86_400n + 43_200n
const terms: OrderTerms = {
  budget: 500_000_000n,
  perTxCap: 50_000_000n,
  dailyCap: 150_000_000n,
  approvalAbove: 40_000_000n,
  stopLine: 400_000_000n,
  endsAt: noon + 86_400n,
  feeBps: 1_000n,
}
const observed: OrderObserved = {
  working: true,
  paused: false,
  stop: null,
  markets: ['hl:BTC'],
  used: 0n,
  held: 0n,
  own: 0n,
  approvedUpTo: null,
  worth: 500_000_000n,
  guards: [],
}
const attempt: OrderAttempt = {
  by: 'agent',
  market: 'hl:BTC',
  opening: true,
  notional: 30_000_000n,
  loss: 1_000_000n,
  at: noon,
}
const finding = (code: string) => ({ code, limit: '300', attempted: '310', fix: `Obey ${code}.` })
const codeFor = (seen: Partial<OrderObserved>, tried: Partial<OrderAttempt>) =>
  codeOf(assessOrder(terms, { ...observed, ...seen }, { ...attempt, ...tried }).refusal)

describe('the first refusal of an open follows the order of the rules', () => {
  // Each row breaks one rule more than the next row; the first broken rule must be reported.
  const rows: readonly [string, string, number | null, Partial<OrderObserved>, Partial<OrderAttempt>][] = [
    ['stopped_in_record', 'MandateStopped', null, { stop: 'owner_in_record' }, {}],
    ['stopped_by_owner', 'MandateStopped', null, { stop: 'owner' }, {}],
    ['mandate_paused', 'MandateStopped', null, { paused: true }, {}],
    ['stopped_by_stop_line', 'MandateStopped', 7, { stop: 'stop_line' }, {}],
    ['market_not_allowed', 'TargetNotAllowed', 4, { markets: [] }, {}],
    ['over_per_tx_cap', 'OverPerTxCap', 2, {}, { notional: 50_000_001n }],
    ['over_daily_cap', 'OverDailyCap', 3, { used: 100_000_000n, held: 49_999_999n }, {}],
    ['mandate_ended', 'MandateEnded', 5, {}, { at: terms.endsAt }],
    ['approval_required', 'server_guard', 6, {}, { notional: 40_000_001n }],
    ['stop_line_would_be_reached', 'server_guard', 7, {}, { loss: 100_000_000n }],
    [
      'over_open_notional',
      'server_guard',
      null,
      { guards: [finding('over_open_notional'), finding('venue_rule')] },
      {},
    ],
    ['venue_rule', 'server_guard', null, { guards: [finding('venue_rule')] }, {}],
  ]
  test.each(rows.map((row, index) => ({ code: row[0], index })))('$code', ({ code, index }) => {
    const broken = rows.slice(index).toReversed()
    const seen = Object.assign({}, observed, ...broken.map((row) => row[3])) as OrderObserved
    const tried = Object.assign({}, attempt, ...broken.map((row) => row[4])) as OrderAttempt
    const block = orderBlock(assessOrder(terms, seen, tried))
    expect([block.code, block.kind, block.clause]).toEqual([code, rows[index]?.[1], rows[index]?.[2]])
    expect(block.fix).not.toBeNull()
  })
})

test('a mandate that does not work yet opens nothing', () => {
  expect(codeFor({ working: false }, {})).toBe('mandate_not_working')
  expect(codeFor({ working: false }, { opening: false })).toBeNull()
})

test('after a pause and after an owner’s stop an agent may not even close; after stop line and end it may', () => {
  expect(codeFor({ paused: true }, { opening: false })).toBe('mandate_paused')
  expect(codeFor({ stop: 'owner' }, { opening: false })).toBe('stopped_by_owner')
  expect(codeFor({ stop: 'owner_in_record' }, { opening: false })).toBe('stopped_in_record')
  expect(codeFor({ stop: 'stop_line' }, { opening: false })).toBeNull()
  expect(codeFor({}, { opening: false, at: terms.endsAt })).toBeNull()
})

test('an owner closes in every state and opens in none', () => {
  for (const stop of [null, 'owner_in_record', 'owner', 'stop_line'] as const) {
    expect(codeFor({ stop, paused: true }, { by: 'owner', opening: false })).toBeNull()
    expect(codeFor({ stop }, { by: 'owner' })).toBe('owner_only_reduces')
  }
})

test('a close is limited by no clause and no guard', () => {
  const seen = { markets: [], used: 150_000_000n, worth: 1n, guards: [finding('venue_rule')] }
  const block = orderBlock(
    assessOrder(terms, { ...observed, ...seen }, { ...attempt, opening: false, notional: 10n ** 12n }),
  )
  expect(block.kind).toBeNull()
  expect(block.verdicts.every(({ verdict }) => verdict === 'pass')).toBe(true)
})

test('with a stop line an unknown worth opens nothing; without one it does not matter', () => {
  expect(codeFor({ worth: null }, {})).toBe('worth_unknown')
  const off = { ...terms, stopLine: 0n }
  expect(assessOrder(off, { ...observed, worth: null }, attempt).refusal).toBeNull()
})

test('the worth after the greatest loss must stay above the stop line by at least one unit', () => {
  expect(codeFor({}, { loss: 99_999_999n })).toBeNull()
  expect(codeFor({}, { loss: 100_000_000n })).toBe('stop_line_would_be_reached')
})

test('an approval covers an order up to its bound and no further', () => {
  expect(codeFor({ approvedUpTo: 45_900_000n }, { notional: 45_900_000n })).toBeNull()
  expect(codeFor({ approvedUpTo: 45_900_000n }, { notional: 45_900_001n })).toBe('approval_required')
})

test('a guard’s refusal has its own figures and fix', () => {
  const block = orderBlock(assessOrder(terms, { ...observed, guards: [finding('over_open_notional')] }, attempt))
  expect(block).toMatchObject({ limit: '300', attempted: '310', fix: 'Obey over_open_notional.', unit: null })
})

const amount = fc.bigInt({ min: 0n, max: 60n })
const anyTerms = fc
  .record({ perTxCap: amount, dailyCap: amount, stopLine: amount, approvalAbove: fc.option(amount) })
  .map((some): OrderTerms => ({ ...terms, ...some }))
const anyObserved = fc.record({
  working: fc.boolean(),
  paused: fc.constantFrom(false, false, false, true),
  stop: fc.constantFrom(null, null, null, 'stop_line' as const, 'owner' as const, 'owner_in_record' as const),
  markets: fc.constantFrom(['hl:BTC'], ['hl:BTC'], []),
  used: amount,
  held: amount,
  own: fc.constant(0n),
  approvedUpTo: fc.constant(null),
  worth: fc.option(fc.bigInt({ min: 0n, max: 200n })),
  guards: fc.constant([]),
})
const anyAttempt = fc.record({
  by: fc.constantFrom('agent' as const, 'agent' as const, 'owner' as const),
  market: fc.constant('hl:BTC'),
  opening: fc.constantFrom(true, true, false),
  notional: fc.bigInt({ min: 1n, max: 60n }),
  loss: fc.constant(0n),
  at: fc.constantFrom(noon, noon, terms.endsAt),
})
const cases = [anyTerms, anyObserved, anyAttempt] as const

describe('for any terms, state and order', () => {
  test('an open that passes exceeds neither cap, counted with everything used and held', () => {
    fc.assert(
      fc.property(...cases, (some, seen, tried) => {
        if (assessOrder(some, seen, tried).refusal !== null || !tried.opening) return
        expect(tried.notional <= some.perTxCap).toBe(true)
        expect(seen.used + seen.held + tried.notional <= some.dailyCap).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('the largest amount passes and one unit more does not; null means that not even zero passes', () => {
    fc.assert(
      fc.property(...cases, fc.constantFrom('none', 'pending', 'approved'), (some, now, tried, item) => {
        const own = item === 'none' ? 0n : tried.notional
        const seen = { ...now, own, approvedUpTo: item === 'approved' ? tried.notional : null }
        const beside = { ...seen, held: seen.held + own, own: 0n, approvedUpTo: null }
        const opening = { ...tried, opening: true }
        const judge = (notional: bigint) =>
          assessOrder(some, notional === tried.notional ? seen : beside, { ...opening, notional }).refusal
        const { maxPassing } = assessOrder(some, seen, opening)
        if (maxPassing === null) expect(judge(0n)).not.toBeNull()
        else {
          expect(judge(maxPassing)).toBeNull()
          expect(judge(maxPassing + 1n)).not.toBeNull()
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('the clause of a refusal has a refusing or unknown verdict, and an open that passes has none that refuses', () => {
    fc.assert(
      fc.property(...cases, (some, seen, tried) => {
        const { refusal, verdicts } = assessOrder(some, seen, tried)
        const bad = verdicts.filter(({ verdict }) => verdict !== 'pass').map(({ clause }) => clause)
        const stopped = refusal?.kind === 'MandateStopped'
        if (refusal !== null && refusal.clause !== null && !stopped) expect(bad).toContain(refusal.clause)
        if (refusal === null) expect(verdicts.filter(({ verdict }) => verdict === 'refuse')).toEqual([])
      }),
    )
  })
})
