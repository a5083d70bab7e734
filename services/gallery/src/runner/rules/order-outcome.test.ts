import { describe, expect, test } from 'vitest'
import { lookOf, outcomeOf } from './order-outcome.ts'
import { orderVerdict, UNPAID } from './order-verdict.ts'
import { orderBody, orderKeyOf } from './order-request.ts'

const order = (status: string, some: object = {}) => ({
  status: 200,
  body: { order: { status, filled_size: '0.5', average_price: '100', ...some } },
})
const refused = (code: string, body: object = {}, status = 409) => ({ status, body: { code, ...body } })
const nothing = (outcome: string, code: string) => ({ outcome, code, size: null, price: null })

describe('an answer of the API', () => {
  test.each([
    ['a filled order', order('filled'), { outcome: 'filled', code: null, size: '0.5', price: '100' }],
    ['a partly filled order', order('partial'), { outcome: 'filled', code: 'partial', size: '0.5', price: '100' }],
    ['a missed order', order('missed', { average_price: null }), nothing('missed', 'missed')],
    [
      'a refusal of the mandate',
      refused('hub_mandate_refuses', { refusal: { code: 'over_daily_cap' } }),
      nothing('refused', 'over_daily_cap'),
    ],
    ['an order that would flip', refused('would_flip'), nothing('refused', 'would_flip')],
    ['an expired order', refused('order_expired'), nothing('expired', 'order_expired')],
  ])('is certain: %s', (_, answer, outcome) => {
    expect(outcomeOf(answer)).toEqual(outcome)
  })

  test.each([
    ['an order that is not resolved', { status: 202, body: { code: 'order_unresolved' } }, 'order_unresolved'],
    ['an order that waits for the owner', { status: 202, body: { code: 'pending_approval' } }, 'pending_approval'],
    ['an order in flight', refused('idempotency_in_flight'), 'idempotency_in_flight'],
    ['a key without scope', refused('scope_denied', {}, 403), 'scope_denied'],
    ['a switched-off leg', refused('hub_feature_disabled', {}, 404), 'hub_feature_disabled'],
    ['a leg that is not bound', refused('hub_hl_leg_revoked'), 'hub_hl_leg_revoked'],
    ['a full server', refused('temporarily_unavailable', {}, 503), 'temporarily_unavailable'],
    [
      'an answer in another form',
      { status: 200, body: { order: { status: 'filled', filled_size: 1 } } },
      'answer_unknown',
    ],
    ['a filled order that executed nothing', order('filled', { filled_size: '0.0' }), 'answer_unknown'],
    ['a code that is none', refused('<b>no</b>', {}, 418), 'http_418'],
  ])('is not certain: %s', (_, answer, code) => {
    expect(outcomeOf(answer)).toEqual({ outcome: null, code })
  })
})

test('the row of hl-leg says that no order was placed, that one is open, or what it executed', () => {
  const row = (state: string, price: string | null = null, size = '2') => ({
    state,
    filled_size: size,
    average_price: price,
  })
  const unexecuted = (says: string, outcome: object) => ({ says, executed: false, outcome })
  expect(lookOf(null, 'scope_denied')).toEqual(unexecuted('unknown', nothing('expired', 'scope_denied')))
  expect(lookOf(null, null)).toEqual(unexecuted('unknown', nothing('expired', 'expired')))
  for (const state of ['judging', 'signed'])
    expect(lookOf(row(state), null)).toMatchObject({ says: 'open', executed: false })
  expect(lookOf(row('rejected'), null)).toEqual(unexecuted('refused', nothing('refused', 'venue_rejected')))
  expect(lookOf(row('missed'), null)).toEqual(unexecuted('ended', nothing('missed', 'missed')))
  const filled = { outcome: 'filled', code: null, size: '2', price: '9' }
  expect(lookOf(row('filled', '9'), 'x')).toEqual({ says: 'done', executed: true, outcome: filled })
  expect(lookOf(row('filled', '9', '0.0'), 'x')).toMatchObject({ says: 'done', executed: false })
})

test('a verdict follows from the orders: the average of what both executed, or why nothing was', () => {
  const endedAt = new Date('2026-11-23T15:00:00.000Z')
  const filled = (size: string, price: string) =>
    ({ outcome: 'filled', code: null, size, price, endedAt, side: 'sell' }) as const
  const empty = (outcome: 'missed' | 'refused' | 'expired', code: string | null) =>
    ({ outcome, code, size: null, price: null, endedAt, side: 'sell' }) as const
  expect(orderVerdict([filled('1', '100'), filled('3', '104')])).toEqual({
    verdict: 'followed',
    reason: null,
    executed: { side: 'sell', price: '103', notional: 412_000_000n, at: endedAt },
  })
  expect(orderVerdict([filled('1', '100'), empty('refused', 'over_daily_cap')])).toMatchObject({
    verdict: 'followed',
    reason: 'closed_then_refused',
  })
  expect(orderVerdict([empty('refused', 'over_daily_cap')])).toMatchObject({
    verdict: 'refused',
    reason: 'over_daily_cap',
  })
  expect(orderVerdict([empty('missed', 'missed')])).toMatchObject({ verdict: 'failed', reason: 'missed' })
  expect(orderVerdict([empty('expired', null)])).toMatchObject({ verdict: 'failed', reason: 'expired' })
  expect(orderVerdict([empty('refused', UNPAID)])).toEqual({ verdict: 'skipped_unpaid', reason: null, executed: null })
})

test('a body is the order with its time, and a band that keeps an open within the limit price of its signal', () => {
  const notAfter = new Date('2026-11-23T15:02:00.000Z')
  const price = { mark: '100', sizeDecimals: 5 }
  const bounds = { market: 'hl:BTC', limitPrice: '101', price, openMax: 1_000_000_000n, band: '0.05', notAfter }
  const open = { n: 1, side: 'buy', reduceOnly: false, size: null, amountUsdc: '25' } as const
  const body = (some: object, more: object = {}) => JSON.parse(orderBody({ ...open, ...some }, { ...bounds, ...more }))
  expect(body({})).toEqual({
    market: 'hl:BTC',
    side: 'buy',
    size: '0.25',
    reduce_only: false,
    max_slippage: '0.01',
    not_after: '2026-11-23T15:02:00.000Z',
  })
  expect(body({ side: 'sell' }, { limitPrice: '98.5' })).toMatchObject({ max_slippage: '0.015' })
  expect(body({}, { limitPrice: '100' })).toMatchObject({ max_slippage: '0.000001' })
  for (const [some, more] of [
    [{}, { limitPrice: '120' }],
    [{}, { limitPrice: null }],
    [{ reduceOnly: true }, {}],
  ])
    expect(body(some ?? {}, more ?? {})).not.toHaveProperty('max_slippage')
  expect(body({ size: '0.5', amountUsdc: null })).toMatchObject({ size: '0.5' })
  // Without a price the amount is all that is known.
  expect(body({}, { price: null, limitPrice: null })).toMatchObject({ amount_usdc: '25' })
  expect(orderKeyOf('mdt_1', 'sig_1', 2)).toBe('house-mdt_1-sig_1-2')
})
