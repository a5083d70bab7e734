import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assess, refusalOf } from './assess.ts'
import { revertBeforeCall, type Attempt } from './attempt.ts'
import type { Observed } from './clauses.ts'
import { recognise } from './ledger.ts'
import { newVault, type VaultState } from './state.ts'
import { vaultError } from './vault-error.ts'
import { nobody, type Address, type Hex, type Terms } from './terms.ts'

const agent: Address = '0x00000000000000000000000000000000000000A1'
const venue: Address = '0x00000000000000000000000000000000000000B1'
const buy: Hex = '0x11223344'
const noon = 20_000n * 86_400n + 43_200n

const terms: Terms = {
  owner: '0x00000000000000000000000000000000000000C1',
  agent,
  feeRecipient: agent,
  usdc: '0x00000000000000000000000000000000000000d1',
  legGateway: nobody,
  budget: 500_000_000n,
  perTxCap: 50_000_000n,
  dailyCap: 150_000_000n,
  approvalAbove: 40_000_000n,
  stopLine: 400_000_000n,
  legBudget: 0n,
  endsAt: noon + 86_400n,
  feeBps: 1_000n,
  calls: [{ target: venue, selector: buy }],
}
const funded: VaultState = { ...newVault(agent), accounted: 500_000_000n, principal: 500_000_000n }
const observed: Observed = {
  vault: funded,
  balance: 500_000_000n,
  worth: 500_000_000n,
  held: 0n,
  own: 0n,
  legUsed: 0n,
  legHeld: 0n,
  approved: false,
  stoppedInRecord: false,
}
const attempt: Attempt = { caller: agent, target: venue, data: `${buy}00`, amount: 30_000_000n, at: noon }

describe('the first refusal follows the order of checks in the vault', () => {
  // Each row breaks one rule more than the next row; the first broken rule must be reported.
  const order: readonly [string, Partial<VaultState>, Partial<Attempt>][] = [
    ['stopped_by_owner', { stopReason: 1 }, {}],
    ['stopped_by_stop_line', { stopReason: 2 }, {}],
    ['mandate_ended', {}, { at: terms.endsAt }],
    ['mandate_paused', { agent: nobody }, {}],
    ['caller_not_agent', {}, { caller: terms.owner }],
    ['call_not_allowed', {}, { target: terms.owner }],
    ['call_not_allowed', {}, { data: '0x11223355' }],
    ['over_per_tx_cap', {}, { amount: 50_000_001n }],
    ['over_daily_cap', { usedDay: noon / 86_400n, usedAmount: 149_000_000n }, {}],
    ['insufficient_funds', { accounted: 1n }, {}],
  ]
  test.each(order.map((row, index) => ({ code: row[0], index })))('$code', ({ code, index }) => {
    const broken = order.slice(index).toReversed()
    const vault = Object.assign({}, funded, ...broken.map(([, change]) => change)) as VaultState
    const tried = Object.assign({}, attempt, ...broken.map(([, , change]) => change)) as Attempt
    const all = { ...observed, vault, balance: 0n, worth: 1n, held: 500_000_000n, stoppedInRecord: true }
    expect(assess(terms, all, tried).refusal?.code).toBe(code)
  })
})

describe('the guard refuses a call that the vault would accept', () => {
  const guarded: readonly [string, Partial<Observed>, bigint][] = [
    ['stopped_in_record', { stoppedInRecord: true }, 30_000_000n],
    ['stop_line_reached', { worth: 400_000_000n }, 30_000_000n],
    ['daily_cap_held_by_approvals', { held: 120_000_001n }, 30_000_000n],
    ['daily_cap_held_by_approvals', { legUsed: 100_000_000n, legHeld: 20_000_001n }, 30_000_000n],
    ['daily_cap_used_by_leg', { legUsed: 120_000_001n }, 30_000_000n],
    ['funds_held_by_approvals', { vault: { ...funded, accounted: 50_000_000n }, held: 20_000_001n }, 30_000_000n],
    ['approval_required', {}, 40_000_001n],
  ]
  test.each(guarded)('%s', (code, change, amount) => {
    const seen = { ...observed, ...change, balance: 0n }
    expect(assess(terms, seen, { ...attempt, amount }).refusal).toMatchObject({
      kind: 'server_guard',
      code,
      revert: null,
    })
  })

  test('a call above the approval amount passes if approved; a call at the amount needs no approval', () => {
    expect(assess(terms, { ...observed, approved: true }, { ...attempt, amount: 50_000_000n }).refusal).toBeNull()
    expect(assess(terms, observed, { ...attempt, amount: 40_000_000n }).refusal).toBeNull()
  })

  test('the stop line is not reached before the principal exceeds it', () => {
    const paidIn = (principal: bigint) => ({ ...observed, vault: { ...funded, principal }, worth: 300_000_000n })
    expect(assess(terms, paidIn(400_000_000n), attempt).refusal).toBeNull()
    expect(assess(terms, paidIn(400_000_001n), attempt).refusal?.code).toBe('stop_line_reached')
  })

  test('a stop by the stop line is a refusal of clause 7, enforced by the contract', () => {
    const { refusal, verdicts } = assess(terms, { ...observed, vault: { ...funded, stopReason: 2 } }, attempt)
    expect(refusal).toMatchObject({ kind: 'MandateStopped', clause: 7 })
    expect(verdicts[6]).toMatchObject({ verdict: 'refuse', enforcedBy: 'contract' })
  })

  test('a daily cap that only approvals exhaust has no reset time: midnight does not free held money', () => {
    const held = { ...observed, held: 150_000_000n }
    expect(assess(terms, held, attempt)).toMatchObject({ refusal: { clause: 3 }, maxPassing: 0n, resetsAt: null })
  })

  test('an unknown worth makes the verdict of clause 7 unknown and refuses nothing', () => {
    const result = assess(terms, { ...observed, worth: null }, attempt)
    expect(result.refusal).toBeNull()
    expect(result.verdicts[6]).toMatchObject({ verdict: 'unknown', used: null, headroom: null })
  })
})

test('an ended mandate still has the verdict of every clause, each independent of the others', () => {
  const { verdicts } = assess(terms, observed, { ...attempt, at: terms.endsAt, amount: 60_000_000n, data: '0x1122' })
  expect(verdicts.map(({ clause }) => clause)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(verdicts.map(({ verdict }) => verdict)).toEqual([
    'pass',
    'refuse',
    'pass',
    'refuse',
    'refuse',
    'refuse',
    'pass',
    'pass',
  ])
})

test('money held by approvals makes the guard, not the contract, the enforcer of the daily cap', () => {
  const { verdicts } = assess(terms, { ...observed, held: 130_000_000n }, attempt)
  expect(verdicts[2]).toEqual({
    clause: 3,
    limit: 150_000_000n,
    used: 130_000_000n,
    wouldBe: 160_000_000n,
    headroom: 20_000_000n,
    unit: 'usdc',
    verdict: 'refuse',
    enforcedBy: 'guard',
  })
})

test("yesterday's usage does not count, and an exhausted daily cap resets at the next UTC midnight", () => {
  const usedOn = (usedDay: bigint) => ({ ...observed, vault: { ...funded, usedDay, usedAmount: 150_000_000n } })
  expect(assess(terms, usedOn(noon / 86_400n - 1n), attempt).refusal).toBeNull()
  const full = assess(terms, usedOn(noon / 86_400n), attempt)
  expect(full.refusal?.revert).toEqual({ name: 'OverDailyCap', args: [30_000_000n, 0n] })
  expect(full).toMatchObject({ maxPassing: 0n, resetsAt: noon + 43_200n })
})

test('calldata of fewer than four bytes matches no call, not even one whose selector ends in zeros', () => {
  const zeros = { ...terms, calls: [{ target: venue, selector: '0x00000000' as const }] }
  for (const data of ['0x', '0x00', '0x000000'] as const)
    expect(assess(zeros, observed, { ...attempt, data }).refusal?.revert).toEqual({
      name: 'TargetNotAllowed',
      args: [venue, '0x00000000'],
    })
  expect(assess(zeros, observed, { ...attempt, data: '0x00000000' }).refusal).toBeNull()
})

test('a failed call of the target is not a refusal of the mandate', () => {
  expect(refusalOf(vaultError('TargetCallFailed', venue, '0x'))).toBeNull()
  expect(refusalOf(vaultError('OverPerTxCap', 2n, 1n))).toMatchObject({ kind: 'OverPerTxCap', clause: 2 })
})

test('an amount outside the range of a uint256 throws RangeError', () => {
  expect(() => assess(terms, observed, { ...attempt, amount: -1n })).toThrow(RangeError)
  expect(() => assess(terms, observed, { ...attempt, amount: 1n << 256n })).toThrow(RangeError)
})

const anyAmount = fc.bigInt({ min: 0n, max: 60n })
const anyTerms = fc
  .record({
    budget: anyAmount,
    perTxCap: anyAmount,
    dailyCap: anyAmount,
    stopLine: anyAmount,
    approval: fc.option(anyAmount),
  })
  .map(({ approval, ...numbers }): Terms => ({ ...terms, ...numbers, approvalAbove: approval }))
const anyObserved = fc.record({
  vault: fc
    .record({
      accounted: anyAmount,
      principal: anyAmount,
      feeOwed: anyAmount,
      usedAmount: anyAmount,
      usedDay: fc.constantFrom(noon / 86_400n, noon / 86_400n - 1n),
      stopReason: fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const, 2 as const),
      agent: fc.constantFrom(agent, agent, agent, nobody),
    })
    .map((fields) => ({ ...newVault(agent), ...fields })),
  balance: fc.bigInt({ min: 0n, max: 200n }),
  worth: fc.option(anyAmount),
  held: anyAmount,
  own: fc.constant(0n),
  legUsed: anyAmount,
  legHeld: anyAmount,
  approved: fc.constant(false),
  stoppedInRecord: fc.constantFrom(false, false, false, true),
})
const anyAttempt = fc.record({
  caller: fc.constantFrom(agent, agent, agent, terms.owner),
  target: fc.constantFrom(venue, venue, venue, terms.usdc),
  data: fc.constantFrom<Hex[]>(buy, `${buy}ff`, '0x112233', '0x'),
  amount: anyAmount,
  at: fc.constantFrom(noon, noon, noon, terms.endsAt - 1n, terms.endsAt),
})
const cases = [anyTerms, anyObserved, anyAttempt] as const

describe('for any terms, state and attempt', () => {
  test('maxPassing passes and one unit more does not; null means that not even zero passes', () => {
    fc.assert(
      fc.property(...cases, fc.constantFrom('none', 'pending', 'approved'), (someTerms, now, tried, item) => {
        const seen = { ...now, own: item === 'none' ? 0n : tried.amount, approved: item === 'approved' }
        // Only this amount is held or approved; any other amount is judged as another call.
        const beside = { ...seen, held: seen.held + seen.own, own: 0n, approved: false }
        const judge = (asked: bigint) =>
          assess(someTerms, asked === tried.amount ? seen : beside, { ...tried, amount: asked }).refusal
        const { maxPassing } = assess(someTerms, seen, tried)
        if (maxPassing === null) expect(judge(0n)).not.toBeNull()
        else {
          expect(judge(maxPassing)).toBeNull()
          expect(judge(maxPassing + 1n)).not.toBeNull()
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('a revert of the vault takes precedence over refusals of the guard', () => {
    fc.assert(
      fc.property(...cases, (someTerms, seen, tried) => {
        const revert = revertBeforeCall(someTerms, seen.vault, seen.balance, tried)
        const { refusal } = assess(someTerms, seen, tried)
        if (revert === null) expect(refusal?.kind ?? 'server_guard').toBe('server_guard')
        else expect(refusal?.revert).toEqual(revert)
      }),
    )
  })

  test('the clause of a refusal has a refusing verdict, and a passing attempt has none', () => {
    fc.assert(
      fc.property(...cases, (someTerms, seen, tried) => {
        const { refusal, verdicts } = assess(someTerms, seen, tried)
        const refusing = verdicts.filter(({ verdict }) => verdict === 'refuse').map(({ clause }) => clause)
        if (refusal === null) expect(refusing).toEqual([])
        else if (refusal.clause !== null) expect(refusing).toContain(refusal.clause)
      }),
    )
  })

  test('headroom is the limit minus what is used, never negative', () => {
    fc.assert(
      fc.property(...cases, (someTerms, seen, tried) => {
        for (const { clause, limit, used, headroom } of assess(someTerms, seen, tried).verdicts) {
          if (headroom === null || limit === null || used === null) continue
          const left = clause === 7 ? used - limit : limit - used
          expect(headroom).toBe(left > 0n ? left : 0n)
        }
      }),
    )
  })

  test('recognising direct transfers is idempotent and never exceeds the budget', () => {
    fc.assert(
      fc.property(anyTerms, anyObserved, (someTerms, { vault, balance }) => {
        const once = recognise(someTerms, vault, balance, noon)
        expect(recognise(someTerms, once, balance, noon)).toEqual(once)
        if (vault.principal <= someTerms.budget) expect(once.principal <= someTerms.budget).toBe(true)
      }),
    )
  })
})
