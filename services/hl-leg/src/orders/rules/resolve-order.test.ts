import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { badFillOf, sumFills, type Fill } from '#venue/rules/fills.ts'
import { homeMove, isMarginShort, marginMove } from './margin.ts'
import { cloidOf, orderKeyOf, requestHash, type Bound } from './order-keys.ts'
import { afterLook, afterSending, allRead, endOf, type Listed, type Sent } from '#venue/rules/resolve-order.ts'

describe('what is known after an order was sent', () => {
  const filled: Sent = { kind: 'accepted', orders: [{ kind: 'filled', oid: 7, size: '0.5' }] }

  test.each([true, false])('the result of an admitted order is final, first copy: %s', (first) => {
    expect(afterSending(filled, first)).toEqual({ kind: 'executed', oid: 7, size: '0.5' })
    const told = (kind: 'missed' | 'refused'): Sent => ({ kind: 'accepted', orders: [{ kind, reason: 'why' }] })
    expect(afterSending(told('missed'), first)).toEqual({ kind: 'missed', reason: 'why' })
    expect(afterSending(told('refused'), first)).toEqual({ kind: 'rejected', reason: 'why' })
  })

  test('a refusal before admission is believed of the first copy alone: an earlier one may have executed', () => {
    for (const kind of ['refused', 'ours'] as const) {
      expect(afterSending({ kind, reason: 'Action already expired' }, true)).toMatchObject({ kind: 'rejected' })
      expect(afterSending({ kind, reason: 'Action already expired' }, false)).toEqual({ kind: 'look' })
    }
  })

  test('without an answer the same bytes go again; a copy that was admitted before is looked up', () => {
    for (const kind of ['unknown', 'retriable'] as const)
      for (const first of [true, false])
        expect(afterSending({ kind, reason: 'HTTP 500' }, first)).toEqual({ kind: 'again' })
    expect(afterSending({ kind: 'landed' }, false)).toEqual({ kind: 'look' })
    expect(afterSending({ kind: 'accepted', orders: [] }, true)).toEqual({ kind: 'look' })
    expect(afterSending({ kind: 'accepted', orders: [{ kind: 'resting', oid: 1 }] }, true)).toEqual({ kind: 'look' })
  })
})

describe('what is known after the venue was asked for an order', () => {
  const expires = 1_000_000
  const none = sumFills([])
  const some = sumFills([{ tid: 1, px: '10', sz: '1', fee: '0.01', time: 1 }])
  const listed = (changed: Partial<Listed> = {}): Listed => ({
    oid: 7,
    status: 'filled',
    size: '2',
    remaining: '0',
    ...changed,
  })

  test('an unknown order is missed only when the venue itself is 15 s past the expiry and no execution has the id', () => {
    const at = (venueMs: number, filled = none) => afterLook({ listed: null, filled, venueMs }, expires)
    expect(at(expires + 15_000)).toBeNull()
    expect(at(expires + 15_001)).toMatchObject({ kind: 'missed' })
    expect(at(expires + 999_999, some)).toBeNull()
  })

  test('what was executed is what the venue lists as no longer open', () => {
    const at = (changed: Partial<Listed>, filled = none) =>
      afterLook({ listed: listed(changed), filled, venueMs: 1 }, expires)
    expect(at({})).toEqual({ kind: 'executed', oid: 7, size: '2' })
    expect(at({ status: 'canceled', remaining: '1.5' })).toEqual({ kind: 'executed', oid: 7, size: '0.5' })
    expect(at({ status: 'iocCancelRejected', remaining: '2' })).toMatchObject({ kind: 'missed' })
    expect(at({ status: 'canceled', remaining: '2' })).toMatchObject({ kind: 'missed' })
    expect(at({ status: 'perpMarginRejected', remaining: '2' })).toMatchObject({ kind: 'rejected' })
    expect(at({ status: 'open' })).toBeNull()
    // Executions contradict the listing: nothing is certain yet.
    expect(at({ status: 'canceled', remaining: '2' }, some)).toBeNull()
  })

  test('an order is complete when the executions that were read are all of it', () => {
    expect(allRead(some, '1.0')).toBe(true)
    expect(allRead(some, '2')).toBe(false)
    expect([endOf('2', '2'), endOf('2', '1.9')]).toEqual(['filled', 'partial'])
  })

  test('no answer turns an executed order into a missed one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 200_000 }),
        fc.constantFrom('filled', 'canceled', 'iocCancelRejected', 'open', 'perpMarginRejected'),
        (size, left, late, status) => {
          const remaining = Math.min(left, size)
          const executed = size - remaining
          const filled =
            executed === 0 ? none : sumFills([{ tid: 1, px: '10', sz: String(executed), fee: '0', time: 1 }])
          const order = { oid: 7, status, size: String(size), remaining: String(remaining) }
          for (const seen of [order, null]) {
            const known = afterLook({ listed: seen, filled, venueMs: expires + late }, expires)
            if (executed > 0) expect(known === null || known.kind === 'executed').toBe(true)
          }
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
