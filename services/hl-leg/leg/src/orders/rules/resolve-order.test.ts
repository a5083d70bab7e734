import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceOf } from '@svc/outbound/rules'
import { badFillOf, sumFills, type Fill } from '@svc/venue/rules/fills'
import { homeMove, isMarginShort, marginMove } from './margin.ts'
import { cloidOf, orderKeyOf, requestHash, type Bound } from './order-keys.ts'
import {
  afterSending,
  allRead,
  copiesOf,
  endOf,
  endOfLook,
  lookOf,
  type Listed,
  type LookedUp,
  type Sent,
} from '@svc/venue/rules/resolve-order'

describe('what is known after an order was sent', () => {
  const filled: Sent = { kind: 'accepted', orders: [{ kind: 'filled', oid: 7, size: '0.5' }] }
  const copies = (count: number) => copiesOf(count, 1_000_000)

  test.each([1, 2])('the result of an admitted order is final, copy %i', (count) => {
    expect(afterSending(filled, copies(count))).toEqual({ kind: 'executed', oid: 7, size: '0.5' })
    const told = (kind: 'missed' | 'refused'): Sent => ({ kind: 'accepted', orders: [{ kind, reason: 'why' }] })
    expect(afterSending(told('missed'), copies(count))).toEqual({ kind: 'missed', reason: 'why' })
    expect(afterSending(told('refused'), copies(count))).toEqual({ kind: 'rejected', reason: 'why', copies: null })
  })

  test('a refusal before admission ends the order as that of its only copy: another one may have executed', () => {
    for (const kind of ['refused', 'ours'] as const) {
      const told = { kind, reason: 'Action already expired' }
      expect(afterSending(told, copies(1))).toEqual({ kind: 'rejected', reason: told.reason, copies: 1 })
      expect(afterSending(told, copies(2))).toEqual({ kind: 'look' })
    }
  })

  test('without an answer the same bytes go again; a copy that was admitted before is looked up', () => {
    for (const kind of ['unknown', 'retriable'] as const)
      for (const count of [1, 2])
        expect(afterSending({ kind, reason: 'HTTP 500' }, copies(count))).toEqual({ kind: 'again' })
    expect(afterSending({ kind: 'landed' }, copies(2))).toEqual({ kind: 'look' })
    expect(afterSending({ kind: 'accepted', orders: [] }, copies(1))).toEqual({ kind: 'look' })
    expect(afterSending({ kind: 'accepted', orders: [{ kind: 'resting', oid: 1 }] }, copies(1))).toEqual({
      kind: 'look',
    })
  })

  test('an order that is filled with a size of zero is looked up', () => {
    const nothing: Sent = { kind: 'accepted', orders: [{ kind: 'filled', oid: 7, size: '0.0' }] }
    expect(afterSending(nothing, copies(1))).toEqual({ kind: 'look' })
  })
})

/** What an order is known to be after a look-up. */
function afterLook(looked: LookedUp, overAfter: number) {
  const evidence = evidenceOf(lookOf(looked), overAfter)
  if (evidence === 'nothing') return null
  return evidence === 'contradiction' ? { kind: evidence } : endOfLook(looked, evidence)
}

describe('what is known after the venue was asked for an order', () => {
  const expires = 1_000_000
  const fill = (sz: string, time = 1): Fill => ({ tid: time, px: '10', sz, fee: '0.01', time })
  const listed = (changed: Partial<Listed> = {}): Listed => ({
    oid: 7,
    status: 'filled',
    size: '2',
    remaining: '0',
    ...changed,
  })
  const contradiction = { kind: 'contradiction' }

  test('an unknown order is missed only when the venue itself is 15 s past the expiry and no execution has the id', () => {
    const at = (venueMs: number, fills: Fill[] = []) => afterLook({ listed: null, fills, venueMs }, expires)
    expect(at(expires + 15_000)).toBeNull()
    expect(at(expires + 15_001)).toMatchObject({ kind: 'missed' })
    expect(at(expires + 999_999, [fill('1')])).toEqual(contradiction)
  })

  const at = (changed: Partial<Listed>, fills: readonly Fill[] = [], venueMs = 1) =>
    afterLook({ listed: listed(changed), fills, venueMs }, expires)

  test('what was executed is what the executions of an order say that is no longer open', () => {
    expect(at({}, [fill('2')])).toEqual({ kind: 'executed', oid: 7, size: '2' })
    expect(at({ status: 'canceled', remaining: '1.5' }, [fill('0.5')])).toEqual({
      kind: 'executed',
      oid: 7,
      size: '0.5',
    })
    expect(at({ status: 'iocCancelRejected', remaining: '2' })).toMatchObject({ kind: 'missed' })
    expect(at({ status: 'perpMarginRejected', remaining: '2' })).toMatchObject({ kind: 'rejected' })
    expect(at({ status: 'open' })).toBeNull()
  })

  test('an order that is filled without an execution is never missed: the venue contradicts itself', () => {
    for (const remaining of ['0', '1', '2'])
      for (const venueMs of [1, expires, expires + 999_999])
        expect(at({ remaining }, [], venueMs)).toEqual(contradiction)
  })

  test('executions that are listed in part contradict the listing', () => {
    expect(at({}, [fill('1')])).toEqual(contradiction)
    expect(at({ status: 'perpMarginRejected', remaining: '2' }, [fill('1')])).toEqual(contradiction)
  })

  test.each(['filled', 'canceled'])(
    'an order that is %s and whose remaining size stays at its first value is resolved from its executions',
    (status) => {
      const stale = { status, remaining: '2' }
      expect(at(stale, [fill('0.5', 1_000), fill('1.5', 1_001)], 1_002)).toMatchObject({ kind: 'executed', size: '2' })
      // A part is all of them once none can be added.
      expect(at(stale, [fill('0.5', 1_000)], 5_999)).toBeNull()
      expect(at(stale, [fill('0.5', 1_000)], 6_000)).toMatchObject({ kind: 'executed', size: '0.5' })
    },
  )

  test('a cancelled order without an execution is missed once its executions would be listed', () => {
    const cancelled = { status: 'canceled', remaining: '2' }
    expect(at(cancelled, [], expires)).toBeNull()
    expect(at(cancelled, [], expires + 15_001)).toMatchObject({ kind: 'missed' })
  })

  test('an order is complete when the executions that were read are all of it', () => {
    expect(allRead(sumFills([fill('1')]), '1.0')).toBe(true)
    expect(allRead(sumFills([fill('1')]), '2')).toBe(false)
    expect([endOf('2', '2'), endOf('2', '1.9')]).toEqual(['filled', 'partial'])
  })

  test('no answer turns an executed order into a missed one, whether executions or the remaining size are late', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 200_000 }),
        fc.constantFrom('filled', 'canceled', 'iocCancelRejected', 'open', 'perpMarginRejected'),
        fc.boolean(),
        (size, left, late, status, isStale) => {
          const executed = size - Math.min(left, size)
          const fills = executed === 0 ? [] : [fill(String(executed), expires)]
          const order = { oid: 7, status, size: String(size), remaining: String(isStale ? size : size - executed) }
          for (const seen of [order, null]) {
            const known = afterLook({ listed: seen, fills, venueMs: expires + late }, expires)
            if (executed > 0) expect([undefined, 'executed', 'contradiction']).toContain(known?.kind)
            if (known?.kind === 'executed') expect(known.size).toBe(String(executed))
          }
          const filled = { ...order, status: 'filled' }
          expect(afterLook({ listed: filled, fills: [], venueMs: expires + late }, expires)).toEqual(contradiction)
        },
      ),
    )
  })
})

describe('executions of an order', () => {
  const fill = (tid: number, px: string, sz: string, fee = '0.001'): Fill => ({ tid, px, sz, fee, time: 1 })

  test('add up by trade id, with the average price and the fee', () => {
    expect(sumFills([fill(1, '100', '1'), fill(2, '101', '3', '0.002'), fill(1, '100', '1')])).toEqual({
      size: '4',
      averagePrice: '100.75',
      notionalUsdc: '403',
      feeUsdc: '0.003',
    })
    expect(sumFills([])).toMatchObject({ size: '0', averagePrice: null, feeUsdc: '0' })
  })

  test('cost what they are worse than the mark price; better ones are not netted', () => {
    const fills = [fill(1, '101', '2'), fill(2, '99', '5')]
    expect(badFillOf(fills, 'buy', '100')).toBe('2')
    expect(badFillOf(fills, 'sell', '100')).toBe('5')
    expect(badFillOf([fill(1, '100', '9')], 'buy', '100')).toBe('0')
  })
})

describe('collateral', () => {
  const free = (main: string, other: string) =>
    new Map([
      ['', main],
      ['xyz', other],
    ])
  const order = { dex: 'xyz', notionalUsdc: '100', leverage: 10 }

  test('an open on another dex moves its missing initial margin × 1.1 there, at most what is free', () => {
    expect(marginMove(order, free('50', '4'))).toEqual({ from: '', to: 'xyz', amountUsdc: '6.6' })
    expect(marginMove(order, free('5.0000005', '4'))).toEqual({ from: '', to: 'xyz', amountUsdc: '5' })
    expect(marginMove({ ...order, leverage: 5 }, free('50', '0'))).toMatchObject({ amountUsdc: '22' })
    expect(marginMove(order, free('50', '10'))).toBeNull()
    expect(marginMove(order, free('0', '0'))).toBeNull()
    expect(marginMove({ ...order, dex: '' }, free('0', '0'))).toBeNull()
  })

  test('an open is short of margin if both dexes together have less free than it needs at the leverage of the account', () => {
    expect(isMarginShort(order, free('6', '4'))).toBe(false)
    expect(isMarginShort(order, free('5.999999', '4'))).toBe(true)
    expect(isMarginShort({ ...order, leverage: 1 }, free('50', '4'))).toBe(true)
    expect(isMarginShort({ ...order, dex: '' }, free('0', '0'))).toBe(false)
  })

  test('a dex without positions gives all that is free back, and keeps it while a position is open', () => {
    expect(homeMove('xyz', 0, '12.3456789')).toEqual({ from: 'xyz', to: '', amountUsdc: '12.345678' })
    expect(homeMove('xyz', 1, '12')).toBeNull()
    expect(homeMove('xyz', 0, '0.009')).toBeNull()
    expect(homeMove('', 0, '12')).toBeNull()
  })
})

describe('keys of orders', () => {
  const bound: Bound = {
    accountId: 21,
    market: 'hl:BTC',
    side: 'buy',
    amountUsdc: '25',
    size: null,
    reduceOnly: false,
    maxSlippage: null,
    clientId: null,
    notAfter: null,
  }

  test('one key of a mandate has one id at the venue, never one that reads as a small number', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(cloidOf('m', a)).toMatch(/^0x(?!00)[0-9a-f]{32}$/)
        expect(cloidOf('m', a) === cloidOf('m', b)).toBe(a === b)
      }),
    )
    expect(cloidOf('m1', 'k')).not.toBe(cloidOf('m2', 'k'))
  })

  test('the Idempotency-Key names an order, client_id only without one; a long key has a short digest', () => {
    expect(orderKeyOf('k', 'c')).toBe(orderKeyOf('k', null))
    expect(orderKeyOf(null, 'k')).not.toBe(orderKeyOf('k', null))
    expect(orderKeyOf(null, null)).toBeNull()
    expect(orderKeyOf('x'.repeat(255), null)).toHaveLength(68)
  })

  test('a key is bound to every member of the request and to the account', () => {
    const others: Partial<Bound>[] = [
      { accountId: 11 },
      { market: 'hl:ETH' },
      { side: 'sell' },
      { amountUsdc: '25.0' },
      { amountUsdc: null, size: '25' },
      { reduceOnly: true },
      { maxSlippage: '0.01' },
      { clientId: 'a' },
      { notAfter: '2026-11-23T15:00:00.000Z' },
    ]
    const hashes = [bound, ...others.map((other) => ({ ...bound, ...other }))].map(requestHash)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(requestHash({ ...bound })).toBe(hashes[0])
  })
})
