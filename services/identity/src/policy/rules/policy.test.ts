import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CLOSED_POLICY, type AgentPolicy } from '@svc/contracts/identity/policy'
import { canonicalPolicy, directionOf } from './policy.ts'

const MARKETS = ['testvenue', 'hl:BTC', 'hl:ETH', 'hl:xyz:XYZ100']
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const usdc = fc
  .tuple(
    fc.constantFrom('0', '1', '7', '40', '500', '340282366920938463463374607431768'),
    fc.constantFrom('', '.5', '.000001', '.50', '.0'),
  )
  .map(([whole, fraction]) => whole + fraction)
const policy: fc.Arbitrary<AgentPolicy> = fc.record({
  accepts_mandates: fc.boolean(),
  max_open_mandates: orNull(fc.nat(3)),
  max_budget_usdc: orNull(usdc),
  per_tx_cap_usdc: orNull(usdc),
  daily_cap_usdc: orNull(usdc),
  allowed_markets: orNull(
    fc.subarray(MARKETS, { minLength: 0 }).chain((ids) => fc.shuffledSubarray(ids, { minLength: ids.length })),
  ),
  approval_above_usdc: orNull(usdc),
  daily_cherry_budget: orNull(fc.nat(3)),
})

/** What a mandate and a paid read ask of an agent. `approval` null means that nothing is held. */
interface Ask {
  readonly open: number
  readonly budget: string
  readonly perTx: string
  readonly daily: string
  readonly market: string
  readonly approval: string | null
  readonly cherry: number
}
const ask: fc.Arbitrary<Ask> = fc.record({
  open: fc.nat(4),
  budget: usdc,
  perTx: usdc,
  daily: usdc,
  market: fc.constantFrom(...MARKETS),
  approval: orNull(usdc),
  cherry: fc.nat(4),
})

const micro = (text: string) => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}
const within = (asked: string, limit: string | null) => limit === null || micro(asked) <= micro(limit)

/** Whether a policy takes what is asked, written apart from the order it is compared with. */
function accepts(one: AgentPolicy, asked: Ask): boolean {
  return (
    one.accepts_mandates &&
    (one.max_open_mandates === null || asked.open <= one.max_open_mandates) &&
    within(asked.budget, one.max_budget_usdc) &&
    within(asked.perTx, one.per_tx_cap_usdc) &&
    within(asked.daily, one.daily_cap_usdc) &&
    (one.allowed_markets === null || one.allowed_markets.includes(asked.market)) &&
    (one.approval_above_usdc === null ||
      (asked.approval !== null && micro(asked.approval) <= micro(one.approval_above_usdc))) &&
    (one.daily_cherry_budget === null || asked.cherry <= one.daily_cherry_budget)
  )
}

/** The policy that takes what both take. Two policies at random are almost never comparable; this one and theirs are. */
function both(one: AgentPolicy, other: AgentPolicy): AgentPolicy {
  const least = <T>(a: T | null, b: T | null, value: (limit: T) => bigint): T | null =>
    a === null || b === null ? (a ?? b) : value(a) <= value(b) ? a : b
  return {
    accepts_mandates: one.accepts_mandates && other.accepts_mandates,
    max_open_mandates: least(one.max_open_mandates, other.max_open_mandates, BigInt),
    max_budget_usdc: least(one.max_budget_usdc, other.max_budget_usdc, micro),
    per_tx_cap_usdc: least(one.per_tx_cap_usdc, other.per_tx_cap_usdc, micro),
    daily_cap_usdc: least(one.daily_cap_usdc, other.daily_cap_usdc, micro),
    allowed_markets:
      one.allowed_markets === null || other.allowed_markets === null
        ? (one.allowed_markets ?? other.allowed_markets)
        : one.allowed_markets.filter((id) => other.allowed_markets?.includes(id)),
    approval_above_usdc: least(one.approval_above_usdc, other.approval_above_usdc, micro),
    daily_cherry_budget: least(one.daily_cherry_budget, other.daily_cherry_budget, BigInt),
  }
}
const asks = fc.array(ask, { minLength: 10, maxLength: 10 })

test('a tightened policy accepts nothing that it refused before, a widened one refuses nothing it accepted', () => {
  let [tightened, mixed] = [0, 0]
  fc.assert(
    fc.property(policy, policy, asks, (one, other, asked) => {
      const met = both(one, other)
      const direction = directionOf(one, met)
      expect(['tighten', null]).toContain(direction)
      if (direction === 'tighten') tightened += 1
      for (const each of asked) {
        expect(accepts(met, each)).toBe(accepts(one, each) && accepts(other, each))
        if (direction === null) expect(accepts(met, each)).toBe(accepts(one, each))
      }
      // Whatever two policies are told to be, what they accept agrees.
      const told = directionOf(one, other)
      if (told === 'mixed') mixed += 1
      for (const each of asked) {
        if (told === 'tighten' && !accepts(one, each)) expect(accepts(other, each)).toBe(false)
        if (told === 'widen' && accepts(one, each)) expect(accepts(other, each)).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
  expect(Math.min(tightened, mixed)).toBeGreaterThan(100)
})

test('the reverse of a tightening is a widening, and an equal policy is no change', () => {
  const back = { tighten: 'widen', widen: 'tighten', mixed: 'mixed' } as const
  fc.assert(
    fc.property(policy, policy, fc.boolean(), (one, drawn, comparable) => {
      const other = comparable ? both(one, drawn) : drawn
      const there = directionOf(one, other)
      expect(directionOf(other, one)).toBe(there === null ? null : back[there])
      expect(directionOf(one, one)).toBeNull()
    }),
  )
})

test('two tightenings are a tightening, and two widenings a widening', () => {
  fc.assert(
    fc.property(policy, policy, policy, (one, two, three) => {
      const [middle, least] = [both(one, two), both(both(one, two), three)]
      const steps = [directionOf(one, middle), directionOf(middle, least)]
      expect(directionOf(one, least)).toBe(steps.includes('tighten') ? 'tighten' : null)
      expect(directionOf(least, one)).toBe(steps.includes('tighten') ? 'widen' : null)
    }),
    { numRuns: 1_000 },
  )
})

/** Each item of a closed policy made a little tighter and a little wider than `middle`. */
const middle: AgentPolicy = {
  accepts_mandates: true,
  max_open_mandates: 2,
  max_budget_usdc: '500',
  per_tx_cap_usdc: '50',
  daily_cap_usdc: '150',
  allowed_markets: ['hl:BTC', 'testvenue'],
  approval_above_usdc: '40',
  daily_cherry_budget: 10,
}
const steps: [keyof AgentPolicy, unknown, unknown][] = [
  ['max_open_mandates', 1, 3],
  ['max_budget_usdc', '499.999999', '500.000001'],
  ['per_tx_cap_usdc', '9', '100'],
  ['daily_cap_usdc', '0', null],
  ['allowed_markets', ['testvenue'], null],
  ['approval_above_usdc', '0', null],
  ['daily_cherry_budget', 9, 11],
]
test.each(steps)('%s alone is a tightening or a widening, and against another item mixed', (item, less, more) => {
  expect(directionOf(middle, { ...middle, [item]: less })).toBe('tighten')
  expect(directionOf(middle, { ...middle, [item]: more })).toBe('widen')
  expect(directionOf(middle, { ...middle, accepts_mandates: false, [item]: more })).toBe('mixed')
})

test('another market instead of one is mixed, and a policy never opened is closed', () => {
  expect(directionOf(middle, { ...middle, allowed_markets: ['hl:ETH', 'testvenue'] })).toBe('mixed')
  expect(directionOf(CLOSED_POLICY, { ...CLOSED_POLICY, accepts_mandates: true })).toBe('widen')
  expect(
    accepts(CLOSED_POLICY, {
      open: 0,
      budget: '0',
      perTx: '0',
      daily: '0',
      market: 'testvenue',
      approval: '0',
      cherry: 0,
    }),
  ).toBe(false)
})

test('equal policies have one stored form', () => {
  const written = canonicalPolicy({
    ...middle,
    max_budget_usdc: '500.500',
    daily_cap_usdc: '150.0',
    allowed_markets: ['testvenue', 'hl:BTC'],
  })
  expect(written).toMatchObject({
    max_budget_usdc: '500.5',
    daily_cap_usdc: '150',
    allowed_markets: ['hl:BTC', 'testvenue'],
  })
  fc.assert(
    fc.property(policy, (one) => {
      const once = canonicalPolicy(one)
      expect(directionOf(one, once)).toBeNull()
      expect(canonicalPolicy(once)).toEqual(once)
    }),
  )
})
