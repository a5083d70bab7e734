import { marketData } from '@svc/contracts/market-data'
import { clientOf, Outage } from '@svc/service'
import { withClient } from '@svc/servers'
import { eventually, opened } from '@svc/testing'
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

  it('finds a pair of the first market list even if the list is stored while it answers', async () => {
    await withClient(rig.stack.databaseOf('market-data').url, async (storing) => {
      // The answer reads the pairs, finds none, and waits here before it reads which lists are stored.
      await storing.query(`BEGIN; LOCK TABLE venue IN ACCESS EXCLUSIVE MODE`)
      const answer = client().findPairs(asked('binance', 'FIRST/USDT'))
      await eventually(async () => {
        const waiting = await storing.query(`SELECT 1 FROM pg_locks WHERE relation = 'venue'::regclass AND NOT granted`)
        return waiting.rowCount === 1
      })
      await storing.query(`
        INSERT INTO venue (exchange, source, list_seq) VALUES ('binance', 'replay', 1);
        WITH made AS (
          INSERT INTO token_instance (token_id, first_seen_at, trading_since)
          VALUES ('binance_first_usdt', now(), now()) RETURNING instance_id, token_id)
        INSERT INTO token (token_id, exchange, symbol, base, quote, instance_id)
        SELECT token_id, 'binance', 'FIRST/USDT', 'FIRST', 'USDT', instance_id FROM made;
        COMMIT`)
      expect((await answer).pairs).toMatchObject([{ token_id: 'binance_first_usdt' }])
    })
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
