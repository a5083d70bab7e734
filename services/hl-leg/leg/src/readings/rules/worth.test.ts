import { usdcText } from '@svc/limits'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cashOf, isCashUnexplained } from './cash.ts'
import { effectOf } from './ledger.ts'
import { usdcUnitsDown, usdcUnitsUp } from '@svc/venue/rules/usdc-units'
import { worthOf } from './worth.ts'

const owner = `0x${'a'.repeat(40)}`
const other = `0x${'b'.repeat(40)}`
const scope = { owner, dexes: ['', 'xyz'] }
const effect = (delta: { type: string; [field: string]: unknown }) =>
  effectOf({ time: 1, hash: '0x', delta }, scope).effect

const cents = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((n) => (n / 100).toFixed(2))
const amount = fc.integer({ min: 0, max: 10_000_000 }).map((n) => (n / 100).toFixed(2))

test('a mark never exceeds worth, never counts foreign money, and is never negative', () => {
  fc.assert(
    fc.property(
      cents,
      amount,
      fc.bigInt(-(10n ** 12n), 10n ** 12n),
      fc.integer({ min: 0, max: 10_000 }),
      (value, notional, foreign, bps) => {
        const worth = worthOf({ accountValue: value, notional }, foreign, bps)
        expect(worth.lower).toBe(worth.worth < worth.ownWorth ? worth.worth : worth.ownWorth)
        expect(worth.marked >= 0n).toBe(true)
        expect(worth.marked === 0n || worth.marked === worth.lower).toBe(true)
        expect(worth.worth <= worth.accountValue).toBe(true)
        expect(worth.equity + foreign).toBe(worth.accountValue)
      },
    ),
  )
})

test('micro-dollars are rounded against the account, and texts come back unchanged', () => {
  expect([usdcUnitsDown('1.0000019'), usdcUnitsUp('1.0000011'), usdcUnitsDown('-0.0000001')]).toEqual([
    1_000_001n,
    1_000_002n,
    -1n,
  ])
  fc.assert(
    fc.property(cents, (text) => {
      expect(Number(usdcText(usdcUnitsDown(text)))).toBe(Number(text) + 0)
    }),
  )
})

test.each([
  [{ type: 'deposit', usdc: '5' }, '5'],
  [{ type: 'withdraw', usdc: '4', fee: '1' }, '-5'],
  [{ type: 'internalTransfer', usdc: '5', user: owner, destination: other, fee: '1' }, '-6'],
  [{ type: 'internalTransfer', usdc: '5', user: other, destination: owner, fee: '1' }, '5'],
  [{ type: 'internalTransfer', usdc: '5', user: owner, destination: owner, fee: '0' }, '0'],
  [
    {
      type: 'send',
      user: owner,
      destination: owner,
      sourceDex: '',
      destinationDex: 'xyz',
      token: 'USDC',
      usdcValue: '5',
      fee: '0',
    },
    '0',
  ],
  [
    {
      type: 'send',
      user: owner,
      destination: owner,
      sourceDex: 'spot',
      destinationDex: 'xyz',
      token: 'USDC',
      usdcValue: '5',
      fee: '0',
    },
    '5',
  ],
  [
    {
      type: 'send',
      user: owner,
      destination: owner,
      sourceDex: '',
      destinationDex: 'unread',
      token: 'USDC',
      usdcValue: '5',
      fee: '0',
    },
    '-5',
  ],
  [
    {
      type: 'send',
      user: owner,
      destination: other,
      sourceDex: '',
      destinationDex: '',
      token: 'USDC',
      usdcValue: '5',
      fee: '1',
    },
    '-6',
  ],
  [
    {
      type: 'send',
      user: other,
      destination: owner,
      sourceDex: '',
      destinationDex: 'spot',
      token: 'USDC',
      usdcValue: '5',
      fee: '0',
    },
    '0',
  ],
  [
    {
      type: 'send',
      user: other,
      destination: owner,
      sourceDex: 'spot',
      destinationDex: '',
      token: 'HYPE',
      usdcValue: '5',
      fee: '0',
    },
    '0',
  ],
  [{ type: 'accountClassTransfer', usdc: '5', toPerp: true }, '5'],
  [{ type: 'accountClassTransfer', usdc: '5', toPerp: false }, '-5'],
  [{ type: 'vaultDeposit', usdc: '5' }, '-5'],
  [{ type: 'vaultWithdraw', netWithdrawnUsd: '5', requestedUsd: '6' }, '5'],
  [{ type: 'liquidation', liquidatedNtlPos: '5', accountValue: '1' }, '0'],
  [{ type: 'spotTransfer', usdcValue: '5', user: other, destination: owner }, '0'],
  [{ type: 'mystery', usdc: '5' }, '5'],
  [{ type: 'mystery', usdc: '5', user: owner, destination: other }, '-5'],
  [{ type: 'mystery', amount: 5 }, '0'],
])('the ledger entry %o changes the dexes that are read by %s', (delta, expected) => {
  expect(effect(delta)).toBe(expected)
})

test('cash is explained by what positions win and lose, and by nothing larger than fees', () => {
  const position = { unrealizedPnl: '10' } as never
  const cash = cashOf({ accountValue: '1000', positions: [] })
  expect(isCashUnexplained(cash, { accountValue: '1009.7', positions: [position] })).toBe(false)
  expect(isCashUnexplained(cash, { accountValue: '1011', positions: [position] })).toBe(true)
  expect(isCashUnexplained(cash, { accountValue: '999', positions: [] })).toBe(true)
  expect(isCashUnexplained(null, { accountValue: '1000', positions: [] })).toBe(true)
})
