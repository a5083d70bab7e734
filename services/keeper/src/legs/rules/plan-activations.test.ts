import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planActivations, type Activatable } from './plan-activations.ts'

const USDC = 1_000_000n
const firstMin = 6n * USDC
const asking: Activatable = { publicId: 'mdt_1', owner: '0x1', working: true, asked: true, idle: firstMin }

test.each([
  ['nobody asked', { asked: false }],
  ['the mandate does not work', { working: false }],
  ['its vault has less than the first funding', { idle: firstMin - 1n }],
])('no account is opened if %s', (_, change) => {
  expect(planActivations([{ ...asking, ...change }], { pool: 2_000n * USDC, firstMin })).toEqual([])
})

test('an account is opened for a working mandate that asked and can be funded', () => {
  expect(planActivations([asking], { pool: 1_002n * USDC, firstMin })).toEqual(['mdt_1'])
  expect(planActivations([asking], { pool: 1_002n * USDC - 1n, firstMin })).toEqual([])
  expect(planActivations([asking], { pool: null, firstMin })).toEqual([])
})

test('the pool keeps 1,000 USDC, and an address is opened once', () => {
  const mandates = fc.array(
    fc.record({
      publicId: fc.uuid(),
      owner: fc.constantFrom('0x1', '0x2', '0x3', '0x4'),
      working: fc.boolean(),
      asked: fc.boolean(),
      idle: fc.bigInt(0n, 20n * USDC),
    }),
  )
  fc.assert(
    fc.property(mandates, fc.bigInt(0n, 1_010n * USDC), (all, pool) => {
      const chosen = planActivations(all, { pool, firstMin })
      const owners = chosen.map((id) => all.find(({ publicId }) => publicId === id)?.owner)
      expect(new Set(owners).size).toBe(chosen.length)
      if (chosen.length > 0) expect(pool - BigInt(chosen.length) * 2n * USDC).toBeGreaterThanOrEqual(1_000n * USDC)
    }),
  )
})
