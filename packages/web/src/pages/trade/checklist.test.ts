import { expect, test } from 'vitest'
import { tradeCodes } from '@svc/contracts/hl-trade/order-schemas'
import type { Product, Trader } from './answers.ts'
import { checklistOf, codeOf, codes, firstRefusal, readRefusal, type Facts } from './checklist.ts'

const trader = {
  live_switch: true,
  linked: true,
  limits: {
    per_order_usdc: '100',
    daily_usdc: '500',
    used_today_usdc: '450',
    remaining_today_usdc: '50',
    paper_used_today_usdc: '30',
  },
  open_notional_max_usdc: '1000',
  checks: ['live_switch', 'linked', 'order_key', 'builder_fee', 'leg'].map((id) => ({ id, verdict: 'pass' })),
} as unknown as Trader
const product = { market_id: 'hl:ETH', session: null, modes: ['paper', 'live'] } as unknown as Product
const facts: Facts = {
  mode: 'live',
  product,
  amount: '25',
  reduceOnly: false,
  trader,
  held: '900',
  trial: null,
  expired: null,
}
const verdicts = (over: Partial<Facts>) =>
  Object.fromEntries(checklistOf({ ...facts, ...over }).map(({ code, verdict }) => [code, verdict]))
const failing = (id: string): Trader => ({
  ...trader,
  checks: trader.checks.map((one) => (one.id === id ? { ...one, verdict: 'fail' as const } : one)),
})

test('the checklist has the thirteen codes in the order in which the service judges', () => {
  expect(codes).toEqual(tradeCodes)
  expect(checklistOf(facts).map(({ code }) => code)).toEqual(tradeCodes)
})

test('what the page can read is judged before anything is sent', () => {
  expect(verdicts({ trader: { ...trader, live_switch: false } })).toMatchObject({ live_trading_off: 'refuse' })
  expect(verdicts({ product: { ...product, modes: ['paper'] } })).toMatchObject({ market_not_allowed: 'refuse' })
  expect(verdicts({ product: { ...product, session: 'holiday' } })).toMatchObject({ session_closed: 'refuse' })
  expect(verdicts({ trader: failing('builder_fee') })).toMatchObject({ builder_fee_not_approved: 'refuse' })
  expect(verdicts({ trader: failing('linked') })).toMatchObject({ account_not_linked: 'refuse' })
  expect(verdicts({ trader: failing('leg') })).toMatchObject({ account_not_linked: 'refuse' })
  expect(verdicts({ expired: true })).toMatchObject({ confirm_expired: 'refuse' })
})

test('caps refuse by the least step, with both figures', () => {
  const daily = { ...trader, limits: { ...trader.limits, per_order_usdc: '1000' } }
  expect(verdicts({ amount: '50', trader: daily })).toMatchObject({ over_daily_cap: 'pass' })
  const [over] = checklistOf({ ...facts, amount: '50.000001', trader: daily }).filter(
    ({ verdict }) => verdict === 'refuse',
  )
  expect(over).toMatchObject({ code: 'over_daily_cap', figures: { attempted: '500.000001', limit: '500' } })
  const [open] = checklistOf({ ...facts, amount: '25.5', held: '974.6' }).filter(({ verdict }) => verdict === 'refuse')
  expect(open).toMatchObject({ code: 'over_open_notional', figures: { attempted: '1000.1', limit: '1000' } })
  expect(firstRefusal(checklistOf({ ...facts, amount: '101' }))).toMatchObject({ code: 'over_order_cap' })
})

test('open notional refuses by the least step: an order counts at most its amount', () => {
  expect(verdicts({ held: '975' })).toMatchObject({ over_open_notional: 'pass' })
  expect(verdicts({ held: '975.000001' })).toMatchObject({ over_open_notional: 'refuse' })
})

test('what the page cannot know is unknown, not passed', () => {
  expect(verdicts({ held: null })).toMatchObject({ over_open_notional: 'unknown', price_out_of_band: 'unknown' })
  expect(verdicts({ trader: null })).toMatchObject({
    live_trading_off: 'unknown',
    over_order_cap: 'unknown',
    account_not_linked: 'unknown',
  })
  expect(verdicts({ product: { ...product, session: 'projected' } })).toMatchObject({ session_closed: 'unknown' })
})

test('a trial that passes settles every code that was asked', () => {
  const lines = checklistOf({ ...facts, trial: { kind: 'passed' } })
  expect(lines.filter(({ verdict }) => verdict === 'unknown')).toEqual([])
  expect(lines.filter(({ verdict }) => verdict === 'unasked').map(({ code }) => code)).toEqual([
    'agent_not_paired',
    'no_mandate',
    'mandate_not_working',
  ])
})

test('a refused trial settles the codes before the refusing one, and none after it', () => {
  const trial = {
    kind: 'refused',
    code: 'over_open_notional',
    fix: 'Close first.',
    limit: '1000',
    attempted: '1200',
  } as const
  const lines = checklistOf({ ...facts, trader: null, trial })
  expect(Object.fromEntries(lines.map(({ code, verdict }) => [code, verdict]))).toMatchObject({
    live_trading_off: 'pass',
    over_daily_cap: 'pass',
    over_open_notional: 'refuse',
    session_closed: 'pass',
    price_out_of_band: 'unknown',
    account_not_linked: 'unknown',
  })
  expect(firstRefusal(lines)).toMatchObject({ fix: 'Close first.', figures: { limit: '1000', attempted: '1200' } })
})

test('a paper order is asked about market, caps, session and price alone, and spends a day of its own', () => {
  const asked = checklistOf({ ...facts, mode: 'paper' }).filter(({ verdict }) => verdict !== 'unasked')
  expect(asked.map(({ code }) => code)).toEqual([
    'market_not_allowed',
    'over_order_cap',
    'over_daily_cap',
    'over_open_notional',
    'session_closed',
    'price_out_of_band',
  ])
  expect(asked.find(({ code }) => code === 'over_daily_cap')).toMatchObject({
    verdict: 'pass',
    figures: { attempted: '55', limit: '500' },
  })
  expect(asked.find(({ code }) => code === 'over_open_notional')).toMatchObject({ verdict: 'unknown' })
  expect(verdicts({ mode: 'paper', amount: '101' })).toMatchObject({ over_order_cap: 'refuse' })
  const trial = { kind: 'refused', code: 'session_closed', fix: null, limit: null, attempted: null } as const
  expect(firstRefusal(checklistOf({ ...facts, mode: 'paper', trial }))).toMatchObject({ code: 'session_closed' })
  expect(codeOf('insufficient_margin')).toBeNull()
})

test('a close is not asked about caps, session, builder fee and live switch', () => {
  const asked = checklistOf({ ...facts, reduceOnly: true }).filter(({ verdict }) => verdict !== 'unasked')
  expect(asked.map(({ code }) => code)).toEqual(['market_not_allowed', 'account_not_linked', 'confirm_expired'])
})

test('a refusal is read from the standard block or from the reason of a paper book, and nothing else is one', () => {
  const refusal = { code: 'over_order_cap', fix: 'Ask for less.', limit: '100', attempted: '120' }
  expect(readRefusal({ code: 'order_refused', body: { refusal }, fix: null })).toEqual({ kind: 'refused', ...refusal })
  expect(readRefusal({ code: 'paper_rejected', body: { reason: 'session_closed' }, fix: 'Wait.' })).toEqual({
    kind: 'refused',
    code: 'session_closed',
    fix: 'Wait.',
    limit: null,
    attempted: null,
  })
  expect(readRefusal({ code: 'venue_budget', body: {}, fix: null })).toBeNull()
  expect(readRefusal({ code: 'order_refused', body: { refusal: 'x' }, fix: null })).toBeNull()
})
