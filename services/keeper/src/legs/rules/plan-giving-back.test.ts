import { expect, test } from 'vitest'
import { planGivingBack } from './plan-giving-back.ts'

const figures = { held: 100n, owedToAll: 80n, outstanding: 50n, own: 30n, allowed: 0n }

test('a vault is paid from what it sent and from free money', () => {
  expect(planGivingBack(70n, figures)).toEqual({ do: 'give_back' })
})

test('a gain above them is approved exactly, then topped up, then given back', () => {
  expect(planGivingBack(95n, figures)).toEqual({ do: 'approve', amount: 25n })
  expect(planGivingBack(95n, { ...figures, allowed: 26n })).toEqual({ do: 'approve', amount: 25n })
  expect(planGivingBack(95n, { ...figures, allowed: 25n })).toEqual({ do: 'top_up', amount: 25n })
  expect(planGivingBack(95n, { ...figures, held: 125n, own: 5n })).toEqual({ do: 'give_back' })
})

test('a pool that cannot pay the gain keeps the transfer, and no money of other vaults pays it', () => {
  expect(planGivingBack(101n, figures)).toEqual({ do: 'pool_low' })
  expect(planGivingBack(51n, { ...figures, held: 60n, owedToAll: 90n, own: 0n })).toEqual({ do: 'pool_low' })
})
