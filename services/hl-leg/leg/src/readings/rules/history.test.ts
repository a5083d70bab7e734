import { expect, test } from 'vitest'
import { cashMade, isRead, onReadDexes } from './history.ts'

const fill = (coin: string, fee = '0.7', feeToken = 'USDC') => ({ coin, closedPnl: '10', fee, feeToken })

test('executions and funding of spot pairs and of dexes that are not read change no cash that is read', () => {
  for (const coin of ['@107', 'PURR/USDC', '#1', 'flx:GOLD']) expect(isRead(coin, ['', 'xyz'])).toBe(false)
  const history = {
    fills: [fill('BTC'), fill('@107', '0.7', 'HYPE'), fill('xyz:TSLA'), fill('flx:GOLD')],
    fundings: [
      { coin: 'BTC', usdc: '-0.5' },
      { coin: 'flx:GOLD', usdc: '-9' },
    ],
  }
  expect(cashMade(onReadDexes(history, ['', 'xyz']))).toBe('18.1')
})

test('a fee in another coin takes nothing of the cash', () => {
  expect(cashMade({ fills: [fill('BTC', '3', 'HYPE')], fundings: [] })).toBe('10')
})
