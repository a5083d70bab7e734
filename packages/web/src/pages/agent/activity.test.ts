import { expect, test } from 'vitest'
import { lineOf, type Activity } from './activity.ts'

const item = (over: Partial<Activity>): Activity => ({
  at: '2026-11-22T10:00:00.000Z',
  kind: 'chain_fact',
  what: 'balance',
  public_id: null,
  seq: null,
  transfer_id: null,
  cherry_transfer_id: null,
  tx_hash: null,
  body: {},
  ...over,
})

test('an executed call is told by what it moved', () => {
  const call = (spent: string, received: string) =>
    lineOf(item({ body: { name: 'Executed', args: { spent, received } } }))
  expect(call('45000000', '0')).toEqual({
    what: 'bought',
    amount: { kind: 'usdc', units: -45_000_000n },
    moved: true,
    tone: 'inside',
  })
  expect(call('0', '45250000')).toMatchObject({ what: 'sold', amount: { units: 45_250_000n } })
  expect(call('0', '0')).toMatchObject({ what: 'called' })
})

test('a body of an unknown form shows no amount instead of zero', () => {
  expect(lineOf(item({ kind: 'refused', what: 'event', body: { amount_usdc: 'many' } }))).toEqual({
    what: 'refused',
    amount: null,
    moved: false,
    tone: 'out',
  })
  expect(lineOf(item({ what: 'cherry', kind: 'paid_read', body: { amount: 1.5 } })).amount).toBeNull()
  expect(lineOf(item({ body: {} }))).toMatchObject({ what: 'fact', amount: null })
})

test('transfers, deposits and Cherry keep their own units', () => {
  const body = { direction: 'in', amount: '0.000000000000000001', asset: 'ETH' }
  expect(lineOf(item({ what: 'transfer', kind: 'in_transit', body }))).toEqual({
    what: 'transfer_in',
    amount: { kind: 'asset', amount: '0.000000000000000001', asset: 'ETH' },
    moved: false,
    tone: 'held',
  })
  expect(lineOf(item({ kind: 'deposit_confirmed', body: { amount: '12.5' } }))).toMatchObject({
    what: 'deposit',
    amount: { kind: 'usdc', units: 12_500_000n },
    moved: true,
  })
  expect(lineOf(item({ what: 'cherry', kind: 'welcome', body: { amount: 10 } }))).toMatchObject({
    what: 'cherry_welcome',
    amount: { kind: 'cherry', count: 10n },
    moved: true,
  })
})

test('money that comes into a vault is told with a plus, what leaves it with a minus, and what was refused without a sign', () => {
  const fact = (name: string, args: object) => lineOf(item({ body: { name, args } }))
  expect(fact('Deposited', { amount: '80000000' })).toMatchObject({ amount: { units: 80_000_000n }, moved: true })
  expect(fact('Unwound', { received: '5000000' })).toMatchObject({ amount: { units: 5_000_000n }, moved: true })
  expect(fact('Withdrawn', { amount: '80000000' })).toMatchObject({ amount: { units: -80_000_000n }, moved: true })
  const refused = lineOf(item({ kind: 'refused', what: 'event', body: { amount_usdc: '21' } }))
  expect(refused).toMatchObject({ amount: { units: 21_000_000n }, moved: false })
})

test('a fact in another token shows no amount of USDC', () => {
  expect(lineOf(item({ body: { name: 'Rescued', args: { amount: '5' } } }))).toMatchObject({
    amount: null,
    moved: false,
  })
})
