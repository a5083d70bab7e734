import { describe, expect, it } from 'vitest'
import { search } from './search.ts'

describe('search', () => {
  const pair = (base: string, name: string | null = null) => ({ symbol: `${base}/USDT`, base, name })
  it('returns the exact base first, then beginnings, then other matches and names, in any case', () => {
    const pairs = [pair('WBTC'), pair('BTCST'), pair('X', 'Btc something'), pair('BTC'), pair('ETH')]
    expect(search(pairs, ' bTc ').map((one) => one.base)).toEqual(['BTC', 'BTCST', 'WBTC', 'X'])
    expect(search(pairs, '%')).toEqual([])
  })
})
