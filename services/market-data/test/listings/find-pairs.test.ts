import { marketData } from '@svc/contracts/market-data'
import { clientOf, Outage } from '@svc/service'
import { opened } from '@svc/testing'
import { describe, expect, it } from 'vitest'
import { startRig } from '../rig.ts'

const asked = (exchange: string, symbol: string) => ({ pairs: [{ exchange, symbol }] })
const client = () => clientOf(bus, 'mining', marketData)

const rig = opened(() => startRig({ tokens: 30 }, ['binance', 'upbit'], true))
const bus = opened(() => rig.stack.nats.connect('mining'))

describe('findPairs', () => {
  it('rejects with an outage instead of answering null before the first market list of an exchange', async () => {
    await expect(client().findPairs(asked('binance', 'BTC/USDT'))).rejects.toBeInstanceOf(Outage)
    expect((await client().findPairs(asked('kraken', 'BTC/USDT'))).pairs).toEqual([null])
  })

  it('returns each pair in order, and null for pairs that are not on the board', async () => {
    expect(await rig.run('listMarkets')).toBe(2)
    const { pairs } = await client().findPairs({
      pairs: [
        { exchange: 'upbit', symbol: 'BTC/KRW' },
        { exchange: 'upbit', symbol: 'NOPE/KRW' },
        { exchange: 'Binance', symbol: 'BTC/USDT' },
        { exchange: 'binance', symbol: "BTC/USDT'; DROP TABLE token; --" },
        { exchange: 'binance', symbol: 'BTC/USDT' },
      ],
    })
    expect(pairs).toEqual([
      { token_id: 'upbit_btc_krw', exchange: 'upbit', symbol: 'BTC/KRW', base: 'BTC', quote: 'KRW', name: 'Bitcoin' },
      null,
      null,
      null,
      { token_id: 'binance_btc_usdt', exchange: 'binance', symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT', name: null },
    ])
  })
})
