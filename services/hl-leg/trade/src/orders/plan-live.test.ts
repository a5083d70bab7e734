import { expect, test } from 'vitest'
import { planOrder } from '@svc/venue/rules/plan-order'
import { judgedOf, type LivePlan } from './plan-live.ts'

const prices = { mark: '60000', bid: '59994', ask: '60006' }

test.each([
  // 0.00166 × 60,000, the mark above its worst price.
  ['sell', '99.6', '200'],
  // 0.00158 × 63,000, above the mark.
  ['buy', '99.54', '200'],
] as const)('a %s of 100 USDC is judged by %s USDC, beside open notional of %s USDC', (side, notionalUsdc, open) => {
  const request = { side, amountUsdc: '100', size: null, reduceOnly: false }
  const plan = planOrder(request, { position: '0', prices, band: '0.05', sizeDecimals: 5, takerFee: '0.00045' })
  const live = {
    plan,
    scene: { prices, market: { listed: true }, reading: { notional: '200' } },
  } as unknown as LivePlan
  expect(judgedOf({ ...request, by: 'owner', market: 'hl:BTC' } as never, { ownerId: 1 } as never, live)).toMatchObject(
    {
      notionalUsdc,
      openNotionalUsdc: open,
    },
  )
})
