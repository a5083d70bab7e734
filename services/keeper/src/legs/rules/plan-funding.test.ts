import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planFunding, type Fundable, type Lending } from './plan-funding.ts'

const USDC = 1_000_000n
const now = new Date('2026-11-22T12:00:00.000Z')
const fundable: Fundable = {
  publicId: 'mdt_1',
  owner: '0x1',
  working: true,
  ready: true,
  openTransfers: 0,
  returnBegun: false,
  endsAt: new Date('2026-12-22T12:00:00.000Z'),
  debt: 0n,
  lentToOwner: 0n,
  idle: 200n * USDC,
  room: 100n * USDC,
  funded: false,
}
const lending: Lending = {
  firstMin: 6n * USDC,
  ownerMax: 1_000n * USDC,
  allMax: 100_000n * USDC,
  lentToAll: 0n,
  pool: 5_000n * USDC,
}
const planOf = (changed: Partial<Fundable>, lent: Partial<Lending> = {}) =>
  planFunding([{ ...fundable, ...changed }], { ...lending, ...lent }, now)[0]

test('a leg is funded with the least of idle money, room of its budget and what the bounds of lending leave', () => {
  expect(planOf({})).toEqual({ publicId: 'mdt_1', amount: 100n * USDC })
  expect(planOf({ idle: 40n * USDC })).toMatchObject({ amount: 40n * USDC })
  expect(planOf({ lentToOwner: 970n * USDC })).toMatchObject({ amount: 30n * USDC })
  expect(planOf({}, { lentToAll: 99_990n * USDC })).toMatchObject({ amount: 10n * USDC })
})

test('the first funding is at least the minimum, later ones 1 USDC', () => {
  expect(planOf({ idle: 5_999_999n })).toMatchObject({ amount: null, why: 'too_little' })
  expect(planOf({ idle: 5_999_999n, funded: true })).toMatchObject({ amount: 5_999_999n })
  expect(planOf({ idle: 999_999n, funded: true })).toMatchObject({ amount: null, why: 'too_little' })
})

test.each([
  [{ working: false }, 'not_working'],
  [{ ready: false }, 'leg_not_ready'],
  [{ openTransfers: 1 }, 'transfer_open'],
  [{ returnBegun: true }, 'return_begun'],
  [{ endsAt: new Date('2026-11-23T12:00:00.000Z') }, 'ends_soon'],
  [{ debt: 1n }, 'leg_debt'],
] as const)('a leg with %o is not funded', (changed, why) => {
  expect(planOf(changed)).toEqual({ publicId: 'mdt_1', amount: null, why })
})

test('a pool that holds less than the amount and 1 USDC, or that cannot be read, funds nothing', () => {
  expect(planOf({}, { pool: 101n * USDC })).toMatchObject({ amount: 100n * USDC })
  expect(planOf({}, { pool: 101n * USDC - 1n })).toMatchObject({ amount: null, why: 'pool_low' })
  expect(planOf({}, { pool: null })).toMatchObject({ amount: null, why: 'pool_low' })
})

test('all fundings of a run together respect the pool and both bounds', () => {
  const units = fc.bigInt({ min: 0n, max: 400n * USDC })
  const one = fc.record({ owner: fc.constantFrom('0x1', '0x2'), idle: units, room: units })
  fc.assert(
    fc.property(fc.array(one, { maxLength: 20 }), units, units, units, (all, pool, ownerMax, allMax) => {
      const mandates = all.map((figures, at) => ({ ...fundable, ...figures, publicId: `mdt_${at}` }))
      const plans = planFunding(mandates, { ...lending, pool, ownerMax, allMax }, now)
      const sum = (owner: string | null) =>
        plans.reduce(
          (total, { amount }, at) =>
            amount !== null && (owner === null || mandates[at]?.owner === owner) ? total + amount : total,
          0n,
        )
      expect(sum(null) <= allMax && (sum(null) === 0n || sum(null) + USDC <= pool)).toBe(true)
      expect(sum('0x1') <= ownerMax && sum('0x2') <= ownerMax).toBe(true)
    }),
  )
})
