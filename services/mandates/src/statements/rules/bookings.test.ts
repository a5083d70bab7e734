import { signedUnits, usdcUnits } from '@svc/contracts/common/usdc'
import { usdcText } from '@svc/limits'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bookingsOf, type LegFill, type Movement, type VaultMovement } from './bookings.ts'

const VENUE = `0x${'44'.repeat(20)}`
const parametersOf = (...units: readonly (readonly [string, string])[]) => units.map(([name, unit]) => ({ name, unit }))
const instrument = ['instrument', 'name'] as const
const MARKETS = [
  {
    market_id: 'testvenue',
    title: 'Test venue',
    calls: [
      {
        target: VENUE,
        selector: '0x00000001',
        action: 'buy',
        parameters: parametersOf(instrument, ['usdc_in', 'usdc'], ['min_units', 'units']),
      },
      {
        target: VENUE,
        selector: '0x00000002',
        action: 'sell',
        parameters: parametersOf(instrument, ['units', 'units'], ['min_usdc_out', 'usdc']),
      },
      { target: VENUE, selector: '0x00000003', action: 'redeem', parameters: parametersOf(instrument) },
    ],
  },
]
const AT = '2026-11-21T10:00:00.000Z'
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const BTC = Buffer.from('BTC').toString('hex').padEnd(64, '0')
const fact = (name: string, args: Readonly<Record<string, string>>, data: string | null = null): Movement => ({
  fact: { at: AT, name, args, tx_hash: `0x${'ab'.repeat(32)}`, data } satisfies VaultMovement,
})
const called = (spent: string, received: string, data: string | null) =>
  fact('Executed', { target: VENUE, spent, received }, data)
const buy = (spent: string) => called(spent, '0', `0x00000001${BTC}${word(BigInt(spent))}${word(1n)}`)
const sell = (units: bigint, received: string) => called('0', received, `0x00000002${BTC}${word(units)}${word(1n)}`)
const redeem = (received: string) => called('0', received, `0x00000003${BTC}`)

const fill = (side: LegFill['side'], opening: boolean, size: string, amount: string, more: Partial<LegFill> = {}) => ({
  fill: {
    market: 'hl:BTC',
    side,
    opening,
    cloid: '0x01',
    filled_size: size,
    average_price: '30000',
    amount_usdc: amount,
    fee_usdc: '0.01',
    filled_at: AT,
    ...more,
  },
})
const bookings = (...movements: readonly Movement[]) => bookingsOf(movements, MARKETS)

describe('bookings of the vault', () => {
  test('number deposits, fees of the agent and withdrawals, and sum to what is left in the vault', () => {
    const found = bookings(
      fact('VaultCreated', {}),
      fact('Deposited', { amount: '100000000', principal: '100000000' }),
      fact('LegFunded', { amount: '10000000' }),
      fact('LegReturned', { amount: '9000000' }),
      fact('Settled', { gross: '99000000', principal: '100000000', fee: '1500000' }),
      fact('Withdrawn', { amount: '97500000', feeAccrued: '250000' }),
    )
    expect(found.map(({ n, kind, amount_usdc, fee_usdc }) => [n, kind, amount_usdc, fee_usdc])).toEqual([
      [1, 'deposit', '100', '0'],
      [2, 'leg_funded', '-10', '0'],
      [3, 'leg_returned', '9', '0'],
      [4, 'settlement', '0', '1.5'],
      [5, 'withdrawal', '-97.5', '0.25'],
    ])
  })

  test('state the result of a position once it is redeemed', () => {
    const found = bookings(
      buy('20000000'),
      sell(100n, '12000000'),
      redeem('9500000'),
      buy('5000000'),
      redeem('4000000'),
    )
    expect(
      found.map(({ kind, lot, size, value_usdc, result_usdc }) => [kind, lot, size, value_usdc, result_usdc]),
    ).toEqual([
      ['buy', 1, null, '20', null],
      ['sell', 1, '0.0001', '12', null],
      ['redeem', 1, null, '9.5', '1.5'],
      ['buy', 4, null, '5', null],
      ['redeem', 4, null, '4', '-1'],
    ])
    expect(found[0]).toMatchObject({ market: 'testvenue', instrument: 'BTC', amount_usdc: '-20' })
  })

  test('name no single lot of a position that several purchases opened', () => {
    expect(bookings(buy('20000000'), buy('10000000'), redeem('33000000')).at(-1)).toMatchObject({
      lot: null,
      result_usdc: '3',
    })
  })

  test('leave a result unknown after a call that cannot be read', () => {
    const unread = called('1000000', '0', null)
    const found = bookings(buy('20000000'), unread, redeem('25000000'), buy('5000000'), redeem('6000000'))
    expect(found[1]).toMatchObject({ kind: 'call', market: null, amount_usdc: '-1' })
    expect(found[2]).toMatchObject({ kind: 'redeem', lot: null, result_usdc: null })
    expect(found[4]).toMatchObject({ kind: 'redeem', lot: 4, result_usdc: '1' })
    // The call that cannot be read may have bought some of it.
    expect(bookings(unread, buy('5000000'), redeem('6000000')).at(-1)).toMatchObject({ lot: 2, result_usdc: null })
  })
})

describe('bookings of the leg', () => {
  test('close the oldest lots first, with a booking for each', () => {
    const found = bookings(
      fill('buy', true, '1', '100'),
      fill('buy', true, '1', '120'),
      fill('sell', false, '1.5', '195', { fee_usdc: '0.03' }),
    )
    expect(
      found.map(({ n, lot, size, value_usdc, fee_usdc, result_usdc }) => [
        n,
        lot,
        size,
        value_usdc,
        fee_usdc,
        result_usdc,
      ]),
    ).toEqual([
      [1, 1, '1', '100', '0.01', null],
      [2, 2, '1', '120', '0.01', null],
      [3, 1, '1', '130', '0.02', '30'],
      [4, 2, '0.5', '65', '0.01', '5'],
    ])
    expect(found[3]).toMatchObject({ kind: 'leg_sell', market: 'hl:BTC', instrument: 'BTC', amount_usdc: null })
  })

  test('state the result of a short position with its sign', () => {
    expect(bookings(fill('sell', true, '2', '50'), fill('buy', false, '2', '60')).at(-1)).toMatchObject({
      lot: 1,
      result_usdc: '-10',
    })
  })

  test('leave the result unknown of what no known lot opened', () => {
    const found = bookings(fill('buy', true, '1', '100'), fill('sell', false, '3', '330'))
    expect(found.map(({ lot, size, result_usdc }) => [lot, size, result_usdc])).toEqual([
      [1, '1', null],
      [1, '1', '10'],
      [null, '2', null],
    ])
  })

  test('forget lots that were closed at the venue itself once the other side is opened', () => {
    const found = bookings(
      fill('buy', true, '1', '100'),
      fill('sell', true, '1', '90'),
      fill('buy', false, '1', '80'),
      fill('sell', false, '1', '70'),
    )
    expect(found.map(({ lot, result_usdc }) => [lot, result_usdc])).toEqual([
      [1, null],
      [2, null],
      [2, '10'],
      [null, null],
    ])
  })

  test('add up to the size, value and fee of each fill, and to the change of worth once all is closed', () => {
    const part = fc.record({ size: fc.integer({ min: 1, max: 999 }), value: fc.integer({ min: 1, max: 10_000_000 }) })
    const some = fc.array(part, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(some, some, fc.constantFrom('buy', 'sell'), (opens, closes, side) => {
        const total = opens.reduce((sum, { size }) => sum + size, 0)
        let left = total
        const taken = closes.map(({ size, value }, at) => {
          const closed = at === closes.length - 1 ? left : Math.min(size, left)
          left -= closed
          return { size: closed, value }
        })
        const usdc = (value: number) => usdcText(BigInt(value))
        const other = side === 'buy' ? 'sell' : 'buy'
        const fills = [
          ...opens.map(({ size, value }) => fill(side, true, String(size), usdc(value), { cloid: 'open' })),
          ...taken
            .filter(({ size }) => size > 0)
            .map(({ size, value }, at) => fill(other, false, String(size), usdc(value), { cloid: String(at) })),
        ]
        const found = bookings(...fills)
        const sum = (texts: readonly (string | null)[]) =>
          texts.reduce((all, text) => all + signedUnits(text ?? '0'), 0n)
        for (const { fill: own } of fills.slice(opens.length)) {
          const lines = found.filter(({ order }) => order === own.cloid)
          expect(sum(lines.map(({ value_usdc }) => value_usdc))).toBe(usdcUnits(own.amount_usdc))
          expect(sum(lines.map(({ fee_usdc }) => fee_usdc))).toBe(usdcUnits(own.fee_usdc))
          expect(sum(lines.map(({ size }) => size))).toBe(usdcUnits(own.filled_size))
        }
        const valueOf = (kept: readonly { readonly fill: LegFill }[]) =>
          sum(kept.map(({ fill: own }) => own.amount_usdc))
        const change = valueOf(fills.slice(opens.length)) - valueOf(fills.slice(0, opens.length))
        expect(sum(found.map(({ result_usdc }) => result_usdc))).toBe(side === 'buy' ? change : -change)
      }),
    )
  })
})
