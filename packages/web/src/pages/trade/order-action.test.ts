import { expect, test } from 'vitest'
import { differencesOf, type Wanted } from './order-action.ts'

const NOW = Date.parse('2026-11-22T10:00:00.000Z')
const BUILDER = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const order = {
  a: 1,
  b: true,
  p: '3015',
  s: '0.0082',
  r: false,
  t: { limit: { tif: 'Ioc' } },
  c: '0xc10d0000000000000000000000000001',
}
const action = { type: 'order', orders: [order], grouping: 'na', builder: { b: BUILDER.toLowerCase(), f: 100 } }
const wanted: Wanted = {
  side: 'buy',
  amount: '25',
  size: null,
  reduceOnly: false,
  mark: '3000',
  assetIndex: 1,
  builder: { configured: true, builder: BUILDER, max_fee_rate: '0.1%', max_fee: 100 },
  now: NOW,
}
const judge = (
  changed: Record<string, unknown>,
  over: Partial<Wanted> = {},
  expires_after: number | null = NOW + 60_000,
) => differencesOf({ action: { ...action, ...changed }, expires_after }, { ...wanted, ...over }).map(({ what }) => what)
const withOrder = (changed: Record<string, unknown>) => judge({ orders: [{ ...order, ...changed }] })

test('the order of the ticket is signed', () => {
  expect(judge({})).toEqual([])
  expect(judge({ orders: [{ ...order, a: 110_001 }] })).toEqual([])
})

test.each([
  ['another market', { a: 2 }, 'market'],
  ['the other side', { b: false }, 'side'],
  ['a worse price', { p: '3100' }, 'price'],
  ['a larger size', { s: '0.0083' }, 'size'],
] as const)('%s is told, and not signed', (_, changed, what) => {
  expect(withOrder(changed)).toContain(what)
})

test('an action of any other form is not signed', () => {
  for (const changed of [
    { type: 'usdSend' },
    { orders: [order, order] },
    { orders: [] },
    { grouping: 'normalTpsl' },
    { orders: [{ ...order, t: { limit: { tif: 'Gtc' } } }] },
    { orders: [{ ...order, extra: 1 }] },
    { orders: [{ ...order, p: '1e4' }] },
    { vaultAddress: BUILDER },
    { builder: { b: BUILDER.toLowerCase(), f: 100, more: 1 } },
  ])
    expect(judge(changed)).toEqual(['form'])
  expect(differencesOf({ action: null, expires_after: NOW }, wanted)).toMatchObject([{ what: 'form' }])
})

test('another builder, a higher fee and a builder that is not configured are not signed', () => {
  expect(judge({ builder: { b: `0x${'1'.repeat(40)}`, f: 100 } })).toEqual(['builder'])
  expect(judge({ builder: { b: BUILDER.toLowerCase(), f: 101 } })).toEqual(['builder'])
  expect(judge({}, { builder: null })).toEqual(['builder'])
})

test('an order that stays good for long, or without end, is not signed', () => {
  expect(judge({}, {}, NOW + 3_600_000)).toEqual(['expiry'])
  expect(judge({}, {}, null)).toEqual(['expiry'])
})

test('a close must be reduce-only and no larger than the position', () => {
  const close = { amount: null, size: '0.0082', reduceOnly: true, side: 'sell' } as const
  const closing = { ...order, b: false, p: '2985', r: true }
  expect(judge({ orders: [closing] }, close)).toEqual([])
  expect(judge({ orders: [{ ...closing, r: false }] }, close)).toEqual(['reduce_only'])
  expect(judge({ orders: [{ ...closing, s: '0.0083' }] }, close)).toEqual(['size'])
  expect(judge({}, { assetIndex: null })).toEqual(['market'])
})
