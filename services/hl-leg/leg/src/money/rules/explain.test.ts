import { expect, test } from 'vitest'
import { explain } from './explain.ts'

const USDC = 1_000_000n
const account = { value: 408_500_000n, foreign: 300n * USDC, delivered: 100n * USDC, left: 0n }
const history = {
  fills: [
    { coin: 'BTC', closedPnl: '0', fee: '0.27', feeToken: 'USDC' },
    { coin: 'BTC', closedPnl: '10', fee: '0.28', feeToken: 'USDC' },
  ],
  fundings: [{ coin: 'BTC', usdc: '-0.45' }],
  unrealized: ['-0.5'],
}

test('an account is explained by foreign money, transfers and the results of its trades', () => {
  expect(explain(account, history)).toEqual({ expected: 408_500_000n, holds: true })
  expect(explain({ ...account, left: 8_500_000n, value: 400n * USDC }, history).holds).toBe(true)
})

test('money that none of them explains is found, from a cent and a millionth for each row', () => {
  expect(explain({ ...account, value: account.value + 10_003n }, history).holds).toBe(true)
  expect(explain({ ...account, value: account.value + 10_004n }, history).holds).toBe(false)
  expect(explain({ ...account, value: account.value - 10_004n }, history).holds).toBe(false)
})
