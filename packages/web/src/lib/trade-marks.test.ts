import { encodeFunctionData, parseAbi, stringToHex, toFunctionSelector, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { RecordStep } from './record.ts'
import { timelineOf } from './timeline.ts'
import { assetResults, assetsOf, priceAt, pricesOf, tradeMarks } from './trade-marks.ts'

const VENUE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const abi = parseAbi([
  'function buy(bytes32 m, uint256 usdcIn, uint256 minUnits)',
  'function sell(bytes32 m, uint256 n, uint256 minOut)',
  'function redeem(bytes32 m)',
])
const listed = (signature: string, action: string, ...names: readonly string[]) => ({
  target: VENUE,
  selector: toFunctionSelector(`function ${signature}`),
  action,
  parameters: names.map((name) => ({
    name,
    unit: name === 'instrument' ? 'name' : name.includes('usdc') ? 'usdc' : 'units',
  })),
})
const MARKETS = [
  {
    market_id: 'testvenue',
    title: 'Test venue',
    calls: [
      listed('buy(bytes32,uint256,uint256)', 'buy', 'instrument', 'usdc_in', 'min_units'),
      listed('sell(bytes32,uint256,uint256)', 'sell', 'instrument', 'units', 'min_usdc_out'),
      listed('redeem(bytes32)', 'redeem', 'instrument'),
    ],
  },
]
const word = (name: string) => stringToHex(name, { size: 32 })
const buying = (asset: string, usdc: bigint): Hex =>
  encodeFunctionData({ abi, functionName: 'buy', args: [word(asset), usdc, 1n] })
const selling = (asset: string, units: bigint): Hex =>
  encodeFunctionData({ abi, functionName: 'sell', args: [word(asset), units, 1n] })
const redeeming = (asset: string): Hex => encodeFunctionData({ abi, functionName: 'redeem', args: [word(asset)] })

const minute = (n: number) => `2026-11-22T12:${String(n).padStart(2, '0')}:00.000Z`
const entry = (seq: number, kind: string, body: object, more: Partial<RecordStep> = {}): RecordStep => ({
  id: `entry:${seq}`,
  group: `entry:${seq}`,
  seq,
  at: minute(seq),
  kind,
  source: 'chain',
  tx_hash: null,
  ...more,
  body: { ...body },
})
const tx = (n: number) => `0x${String(n).padStart(64, '0')}`
/** A trade in block `seq`. */
const executed = (seq: number, data: Hex, spent: bigint, received: bigint): RecordStep =>
  entry(
    seq,
    'chain_fact',
    {
      name: 'Executed',
      args: { target: VENUE, spent: String(spent), received: String(received) },
      data,
      block_number: seq,
      log_ordinal: 0,
    },
    { tx_hash: tx(seq), group: `tx:${tx(seq)}` },
  )
const marksOf = (...entries: readonly RecordStep[]) => tradeMarks(timelineOf(entries, null), MARKETS)
const marked = (n: number, ...positions: readonly { asset: string; units: string; worth_usdc: string }[]) => ({
  at: minute(n),
  block_number: n,
  positions_usdc: '0',
  positions,
})

const bought = executed(1, buying('BTC', 30_000_000n), 30_000_000n, 0n)
const sold = executed(5, selling('BTC', 200n), 0n, 12_400_000n)
const refused = entry(2, 'refused', {
  kind: 'OverPerTxCap',
  target: VENUE,
  data: buying('BTC', 90_000_000n),
  amount_usdc: '90',
})
const asked = entry(3, 'approval_requested', {
  approval_id: 'apv_1',
  target: VENUE,
  data: buying('BTC', 60_000_000n),
  amount_usdc: '60',
})

describe('the marks of a record', () => {
  test('are its trades, refusals and questions in the order of time, with asset, amount and entry', () => {
    const marks = marksOf(asked, sold, bought, refused, entry(4, 'terms_signed', {}))
    expect(marks.map(({ seq, kind, asset, amount }) => [seq, kind, asset, amount])).toEqual([
      [1, 'buy', 'BTC', 30_000_000n],
      [2, 'refused', 'BTC', 90_000_000n],
      [3, 'question', 'BTC', 60_000_000n],
      [5, 'sell', 'BTC', 12_400_000n],
    ])
    expect(marks.map(({ what }) => what)).toEqual(['bought', 'refused_OverPerTxCap', 'approval_requested', 'sold'])
  })

  test('have the price of a sale, which names its units, and none of a purchase, of which the record has no units', () => {
    expect(marksOf(bought, sold).map(({ price }) => price)).toEqual([null, 62_000_000_000n])
  })

  test('have no asset for a call that no market lists', () => {
    const foreign = entry(1, 'refused', {
      kind: 'TargetNotAllowed',
      target: VENUE,
      data: '0x12345678',
      amount_usdc: '5',
    })
    expect(marksOf(foreign)).toMatchObject([{ kind: 'refused', asset: null, amount: 5_000_000n }])
  })

  test('have market and average price of an order at the venue, and leave out one that did not fill', () => {
    const order = { market: 'hl:BTC', side: 'buy', size: '0.001', amount_usdc: '62', average_price: '62000.1234567' }
    const marks = marksOf(
      entry(1, 'leg_order', { ...order, filled_size: '0.001' }, { source: 'venue' }),
      entry(2, 'leg_order', { ...order, filled_size: '0.0' }, { source: 'venue' }),
      entry(3, 'refused', { kind: 'OverPerTxCap', market: 'hl:BTC', side: 'buy', amount_usdc: '99' }),
    )
    expect(marks).toMatchObject([
      { seq: 1, kind: 'buy', asset: 'hl:BTC', price: 62_000_123_456n },
      { seq: 3, kind: 'refused', asset: 'hl:BTC', price: null },
    ])
  })

  test('say whether they open a position: an order as the record says, a call of the vault by what it does', () => {
    const order = { market: 'hl:BTC', side: 'sell', filled_size: '1', amount_usdc: '62', opening: true }
    const marks = marksOf(
      bought,
      entry(2, 'leg_order', order),
      entry(3, 'leg_order', { ...order, opening: false }),
      sold,
    )
    expect(marks.map(({ opening }) => opening)).toEqual([true, true, false, false])
  })

  test('leave out a trade that a reorganisation took back, and show a repeated one once', () => {
    const orphaned = entry(
      6,
      'chain_fact_orphaned',
      { name: 'Executed', args: {}, log_ordinal: 0 },
      { tx_hash: tx(1), group: `tx:${tx(1)}` },
    )
    expect(marksOf(bought, orphaned)).toEqual([])
    const again = { ...bought, id: 'entry:7', seq: 7 }
    expect(marksOf(bought, orphaned, again).map(({ seq }) => seq)).toEqual([7])
  })

  test('name the assets with the one that was used last first', () => {
    const other = executed(8, buying('ETH', 5_000_000n), 5_000_000n, 0n)
    expect(assetsOf(marksOf(bought, other))).toEqual(['ETH', 'BTC'])
  })
})

describe('the price of an asset', () => {
  const worth = [
    marked(0),
    marked(2, { asset: 'BTC', units: '0.0005', worth_usdc: '30' }),
    marked(4, { asset: 'BTC', units: '0.0005', worth_usdc: '31' }),
    marked(6),
  ]

  test('is what the venue would have paid at each mark and what sales paid, with gaps where nothing was held', () => {
    const points = pricesOf('BTC', worth, marksOf(bought, sold))
    expect(points.map(({ price }) => price)).toEqual([null, 60_000_000_000n, 62_000_000_000n, 62_000_000_000n, null])
  })

  test('at a time is the newest before it, else the first after it', () => {
    const points = pricesOf('BTC', worth, [])
    expect(priceAt(points, Date.parse(minute(1)))).toBe(60_000_000_000n)
    expect(priceAt(points, Date.parse(minute(3)))).toBe(60_000_000_000n)
    expect(priceAt(points, Date.parse(minute(9)))).toBe(62_000_000_000n)
    expect(priceAt(pricesOf('ETH', worth, []), 0)).toBeNull()
  })

  test('of a market at the venue is that of its fills and its price now, without gaps', () => {
    const order = { market: 'hl:BTC', side: 'buy', filled_size: '1', amount_usdc: '62', average_price: '62000' }
    const marks = marksOf(entry(1, 'leg_order', order))
    const now = { at: Date.parse(minute(9)), price: 63_000_000_000n }
    expect(pricesOf('hl:BTC', worth, marks, now).map(({ price }) => price)).toEqual([62_000_000_000n, 63_000_000_000n])
  })
})

describe('the result of an asset', () => {
  const held = (n: number) => marked(n, { asset: 'BTC', units: '0.0003', worth_usdc: '18.6' })

  test('has the average of all purchases as its entry, and counts what was sold', () => {
    expect(assetResults(marksOf(bought, sold), held(6))).toEqual([
      {
        asset: 'BTC',
        units: 300n,
        // 30 USDC for 0.0005.
        entry: 60_000_000_000n,
        mark: 62_000_000_000n,
        worth: 18_600_000n,
        result: 1_000_000n,
      },
    ])
  })

  test('is unknown while the newest mark is older than the last trade, or names no positions', () => {
    const unknown = [{ units: null, entry: null, mark: null, worth: null, result: null }]
    expect(assetResults(marksOf(bought, sold), held(4))).toMatchObject(unknown)
    expect(assetResults(marksOf(bought, sold), null)).toMatchObject(unknown)
    expect(assetResults(marksOf(bought, sold), { at: minute(6), block_number: 6, positions_usdc: null })).toMatchObject(
      unknown,
    )
  })

  test('is what came back less what was spent once all is sold', () => {
    const rest = executed(6, selling('BTC', 300n), 0n, 18_000_000n)
    expect(assetResults(marksOf(bought, sold, rest), marked(7))).toMatchObject([
      { units: 0n, worth: 0n, mark: null, entry: 60_000_000_000n, result: 400_000n },
    ])
  })

  test('begins its entry anew after a redemption', () => {
    const redeemed = executed(6, redeeming('BTC'), 0n, 20_000_000n)
    const later = executed(7, buying('BTC', 6_000_000n), 6_000_000n, 0n)
    const newest = marked(8, { asset: 'BTC', units: '0.0001', worth_usdc: '6.5' })
    expect(assetResults(marksOf(bought, redeemed, later), newest)).toMatchObject([
      { units: 100n, entry: 60_000_000_000n, result: -9_500_000n },
    ])
  })

  test('is unknown for an asset that a mark may have left out for want of a price', () => {
    const unpriced = { ...marked(7), positions_usdc: null }
    expect(assetResults(marksOf(bought), unpriced)).toMatchObject([{ units: null, worth: null, result: null }])
  })

  test('is unknown for all assets while the call of a trade cannot be read', () => {
    const unread = executed(4, '0x12345678', 0n, 20_000_000n)
    expect(assetResults(marksOf(bought, sold), held(6))).toMatchObject([{ result: 1_000_000n }])
    expect(assetResults(marksOf(bought, unread, sold), held(6))).toEqual([
      { asset: 'BTC', units: null, entry: null, mark: null, worth: null, result: null },
    ])
  })

  test('is of all that is held under one name, also at two venues', () => {
    const both = marked(
      6,
      { asset: 'BTC', units: '0.0001', worth_usdc: '6.2' },
      { asset: 'BTC', units: '0.0002', worth_usdc: '12.4' },
    )
    expect(assetResults(marksOf(bought, sold), both)).toMatchObject([{ units: 300n, worth: 18_600_000n }])
    expect(pricesOf('BTC', [both], []).map(({ price }) => price)).toEqual([62_000_000_000n])
  })

  test('counts trades of the vault alone: refusals and questions change nothing', () => {
    expect(assetResults(marksOf(refused, asked), held(6))).toEqual([])
  })
})
