import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideDrip, type DripFacts, type DripLimits } from './decide-drip.ts'

const ETHER = 10n ** 18n
const DAY_MS = 86_400_000
const NOW = new Date('2026-11-22T15:30:00.000Z')
const limits: DripLimits = {
  amount: ETHER / 500n,
  minBalance: ETHER / 2_000n,
  dailyMax: 50,
  dailyAmountMax: ETHER / 10n,
  reserve: ETHER / 20n,
  alertBelow: (ETHER * 521n) / 10_000n,
}
const none = { count: 0, amount: 0n, draftCount: 0, draftAmount: 0n }
const base: DripFacts = {
  standing: 'signed',
  balance: 0n,
  grants: [],
  otherWallets: 0,
  today: none,
  funder: { balance: ETHER, pending: 0n, feeMax: 10n ** 9n },
}
const decide = (facts: Partial<DripFacts>, now = NOW) => decideDrip({ ...base, ...facts }, limits, now)

const amount = fc.bigInt({ min: 0n, max: ETHER / 4n })
const facts = fc.record({
  standing: fc.constantFrom('none' as const, 'draft' as const, 'signed' as const),
  balance: fc.oneof(fc.bigInt({ min: 0n, max: ETHER / 1_000n }), fc.constant(0n)),
  grants: fc
    .array(fc.integer({ min: 0, max: 20 * DAY_MS }), { maxLength: 2 })
    .map((ages) =>
      ages.toSorted((a, b) => b - a).map((age, at) => ({ n: at + 1, grantedAt: new Date(NOW.getTime() - age) })),
    ),
  otherWallets: fc.integer({ min: 0, max: 3 }),
  today: fc.record({
    count: fc.integer({ min: 0, max: 60 }),
    amount,
    draftCount: fc.integer({ min: 0, max: 30 }),
    draftAmount: amount,
  }),
  funder: fc.record({ balance: amount, pending: amount, feeMax: fc.bigInt({ min: 0n, max: 10n ** 12n }) }),
})

test('whatever is known, a drip keeps every bound', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const { status } = decide(given)
      if (status !== 'grant') return
      const { standing, balance, grants, otherWallets, today, funder } = given
      expect(standing).not.toBe('none')
      expect(balance < limits.minBalance).toBe(true)
      expect(grants.length).toBeLessThan(2)
      const [first] = grants
      if (first === undefined) expect(otherWallets).toBeLessThan(2)
      else {
        expect(NOW.getTime() - first.grantedAt.getTime()).toBeGreaterThanOrEqual(7 * DAY_MS)
        expect(balance < ETHER / 10_000n).toBe(true)
      }
      expect(today.count).toBeLessThan(50)
      expect(today.amount + limits.amount <= limits.dailyAmountMax).toBe(true)
      if (standing === 'draft') {
        expect(today.draftCount).toBeLessThan(25)
        expect((today.draftAmount + limits.amount) * 2n <= limits.dailyAmountMax).toBe(true)
      }
      expect(funder.balance - funder.pending - limits.amount >= limits.reserve + ETHER / 10_000n).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('a call that may be paid is paid: nothing but a bound stops it', () => {
  expect(decide({})).toMatchObject({ status: 'grant', n: 1, alert: false })
  expect(decide({ standing: 'draft' }).status).toBe('grant')
  const first = { n: 1, grantedAt: new Date(NOW.getTime() - 7 * DAY_MS) }
  expect(decide({ grants: [first], otherWallets: 1 })).toMatchObject({ status: 'grant', n: 2, nextEligibleAt: null })
})

test('half of both daily bounds is kept for accounts with a signed or working mandate', () => {
  const full = { count: 25, amount: ETHER / 20n, draftCount: 25, draftAmount: ETHER / 20n }
  expect(decide({ standing: 'draft', today: full })).toMatchObject({
    status: 'capped',
    reason: 'daily_cap',
    nextEligibleAt: new Date('2026-11-23T00:00:00.000Z'),
  })
  expect(decide({ today: full }).status).toBe('grant')
  expect(decide({ standing: 'draft', today: { ...full, draftCount: 1 } }).reason).toBe('daily_cap')
  expect(decide({ today: { ...full, count: 50 } }).reason).toBe('daily_cap')
  expect(decide({ today: { ...full, amount: ETHER / 10n - 1n } }).reason).toBe('daily_cap')
})

test('a drip that would leave less than the reserve and the margin for gas is capped, and the operators are told', () => {
  const least = limits.reserve + limits.amount + ETHER / 10_000n
  const funder = (balance: bigint, pending = 0n, feeMax = 1n) => ({ funder: { balance, pending, feeMax } })
  expect(decide(funder(least)).status).toBe('grant')
  expect(decide(funder(least - 1n))).toMatchObject({ status: 'capped', reason: 'funding_low', alert: true })
  expect(decide(funder(least + limits.amount, limits.amount)).status).toBe('grant')
  expect(decide(funder(least + limits.amount, limits.amount + 1n)).reason).toBe('funding_low')
  expect(decide(funder(least, 0n, 10n ** 11n)).reason).toBe('funding_low')
})
