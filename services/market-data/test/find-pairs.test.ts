import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { marketData } from '@svc/contracts/market-data'
import { contracts } from '@svc/contracts/all'
import { clientOf, type Bus, type RunningService } from '@svc/service'
import { disposableNats, type DisposableNats } from '@svc/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { start } from '../src/main.ts'

const recordings = process.env['MARKET_REPLAY_DIR']
let nats: DisposableNats
let bus: Bus
let service: RunningService | undefined
const folders: string[] = []

const run = async (replayDir?: string) => {
  service = await start({
    SVC_NATS_URL: nats.url,
    ...(nats.seedOf('market-data') === null ? {} : { SVC_NATS_SEED: nats.seedOf('market-data') ?? '' }),
    SVC_LOG_LEVEL: 'silent',
    ...(replayDir === undefined ? {} : { MARKET_REPLAY_DIR: replayDir }),
  })
  return clientOf(bus, 'mining', marketData)
}

function folderOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-captures-'))
  folders.push(folder)
  mkdirSync(join(folder, 'cryptofeed'))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, 'cryptofeed', name), typeof content === 'string' ? zstdCompressSync(content) : content)
  }
  return folder
}

beforeAll(async () => {
  nats = await disposableNats(contracts)
  bus = await nats.connect('mining')
})
afterEach(async () => {
  await service?.stop()
  service = undefined
})
afterAll(async () => {
  await bus.close()
  await nats.stop()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

describe('findPairs', () => {
  it('answers each pair in order, and null for those not on the board', async () => {
    const client = await run()
    const { pairs } = await client.findPairs({
      pairs: [
        { exchange: 'upbit', symbol: 'BTC/KRW' },
        { exchange: 'upbit', symbol: 'NOPE/KRW' },
        { exchange: 'Binance', symbol: 'BTC/USDT' },
        { exchange: 'binance', symbol: 'BTC/USDT' },
      ],
    })
    expect(pairs.map((pair) => pair?.token_id ?? null)).toEqual(['upbit_btc_krw', null, null, 'binance_btc_usdt'])
  })

  it('reads recorded market lists and leaves out what cannot be read', async () => {
    const upbit = JSON.stringify([{ market: 'KRW-XYZ', english_name: 'Xyz' }])
    const folder = folderOf({
      'UPBIT.jsonl.zst': `{"t":"header"}\n${JSON.stringify({ t: 'http', conn: 'x', ts: 1, url: 'https://api.upbit.com/v1/market/all', data: upbit })}\n`,
      'BINANCE.jsonl.zst': Buffer.from('not zstd'),
      'GATEIO.jsonl.zst': '{"t":"header"}\n',
    })
    const client = await run(folder)
    const { pairs } = await client.findPairs({
      pairs: [
        { exchange: 'upbit', symbol: 'XYZ/KRW' },
        { exchange: 'upbit', symbol: 'BTC/KRW' },
      ],
    })
    expect(pairs).toEqual([
      { token_id: 'upbit_xyz_krw', exchange: 'upbit', symbol: 'XYZ/KRW', base: 'XYZ', quote: 'KRW', name: 'Xyz' },
      null,
    ])
  })

  it('serves the declared pairs when the folder holds no capture', async () => {
    const client = await run(folderOf({}))
    expect((await client.findPairs({ pairs: [{ exchange: 'gate', symbol: 'ETH/USDT' }] })).pairs[0]?.token_id).toBe(
      'gate_eth_usdt',
    )
  })

  it.skipIf(recordings === undefined)(
    'knows thousands of real pairs of several venues from the recordings',
    async () => {
      const client = await run(recordings)
      const asked = [
        ['binance', 'ETH/BTC'],
        ['gate', 'IHT/ETH'],
        ['kucoin', 'REQ/ETH'],
        ['upbit', 'BTC/KRW'],
        ['okx', 'BTC/USDT'],
        ['htx', 'BTC/USDT'],
      ]
      const { pairs } = await client.findPairs({
        pairs: asked.map(([exchange = '', symbol = '']) => ({ exchange, symbol })),
      })
      expect(pairs.map((pair) => pair?.exchange)).toEqual(asked.map(([exchange]) => exchange))
    },
  )
})
