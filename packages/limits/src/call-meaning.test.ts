import fc from 'fast-check'
import { encodeFunctionData, parseAbi, stringToHex, toFunctionSelector, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { calledByVault, readCall, type CallMarket } from './call-meaning.ts'

const VENUE = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const abi = parseAbi([
  'function buy(bytes32 m, uint256 usdcIn, uint256 minUnits)',
  'function sell(bytes32 m, uint256 n, uint256 minOut)',
  'function redeem(bytes32 m)',
  'function execute(address target, bytes data, uint256 approveAmount)',
  'function unwind(address target, bytes data)',
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
const venue: CallMarket = {
  market_id: 'testvenue',
  title: 'Test venue',
  calls: [
    listed('buy(bytes32,uint256,uint256)', 'buy', 'instrument', 'usdc_in', 'min_units'),
    listed('sell(bytes32,uint256,uint256)', 'sell', 'instrument', 'units', 'min_usdc_out'),
    listed('redeem(bytes32)', 'redeem', 'instrument'),
  ],
}
const read = (data: string) => readCall({ target: VENUE.toLowerCase(), data }, [venue])
const word = (name: string) => stringToHex(name, { size: 32 })

const amount = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })
const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,31}$/)
type Drawn = readonly ['buy' | 'sell' | 'redeem', string, bigint, bigint]
const call: fc.Arbitrary<Drawn> = fc.oneof(
  fc.tuple(fc.constant('buy' as const), name, amount, amount),
  fc.tuple(fc.constant('sell' as const), name, amount, amount),
  fc.tuple(fc.constant('redeem' as const), name, fc.constant(0n), fc.constant(0n)),
)
const encoded = (...[action, instrument, first, least]: Drawn): Hex =>
  action === 'redeem'
    ? encodeFunctionData({ abi, functionName: action, args: [word(instrument)] })
    : encodeFunctionData({ abi, functionName: action, args: [word(instrument), first, least] })

describe('a listed call', () => {
  test('is read back as it was encoded, whatever its arguments', () => {
    fc.assert(
      fc.property(call, ([action, instrument, first, least]) => {
        expect(read(encoded(action, instrument, first, least))).toMatchObject({
          market: 'testvenue',
          action,
          instrument,
          pays: action === 'buy' ? first : null,
          units: action === 'sell' ? first : null,
          least: action === 'redeem' ? null : least,
        })
      }),
    )
  })

  test('with a changed byte is read as what its bytes say now, or not at all', () => {
    fc.assert(
      fc.property(call, fc.nat(), fc.integer({ min: 1, max: 255 }), (drawn, place, by) => {
        const data = encoded(...drawn)
        const at = 2 + 2 * (place % (data.length / 2 - 1))
        const byte = (Number.parseInt(data.slice(at, at + 2), 16) ^ by).toString(16).padStart(2, '0')
        const changed: Hex = `0x${data.slice(2, at)}${byte}${data.slice(at + 2)}`
        const meaning = read(changed)
        if (typeof meaning === 'string') return
        const first = meaning.pays ?? meaning.units ?? 0n
        // What is described encodes to the changed bytes and to no others.
        expect(encoded(meaning.action, meaning.instrument, first, meaning.least ?? 0n)).toBe(changed)
      }),
    )
  })

  test('with cut, added or unclean bytes is not described at all', () => {
    fc.assert(
      fc.property(call, fc.integer({ min: 1, max: 96 }), (drawn, count) => {
        const data = encoded(...drawn)
        expect(typeof read(data.slice(0, -count))).toBe('string')
        expect(typeof read(`${data}${'00'.repeat(count)}`)).toBe('string')
      }),
    )
    const bought = encoded('buy', 'BTC', 50_000_000n, 1n)
    expect(read(bought.replace('425443'.padEnd(64, '0'), `425443${'0'.repeat(56)}01`))).toBe('malformed')
    expect(read(bought.replace('425443', '000000'))).toBe('malformed')
    expect(read(bought.replace('425443', '422043'))).toBe('malformed')
    expect(read(`${bought}zz`)).toBe('malformed')
  })

  test('of another contract or function, or without its parameters, is not listed', () => {
    const bought = encoded('buy', 'BTC', 50_000_000n, 1n)
    expect(readCall({ target: `0x${'1'.repeat(40)}`, data: bought }, [venue])).toBe('unlisted')
    expect(read(bought.replace('0xfc18d034', '0xfc18d035'))).toBe('unlisted')
    expect(read('0x')).toBe('unlisted')
    const bare = { ...venue, calls: venue.calls.map(({ target, selector }) => ({ target, selector })) }
    expect(readCall({ target: VENUE, data: bought }, [bare])).toBe('unlisted')
    const other = { ...venue, calls: [listed('buy(bytes32,uint256,uint256)', 'buy', 'instrument', 'units', 'units')] }
    expect(readCall({ target: VENUE, data: bought }, [other])).toBe('unlisted')
  })
})

describe('the worst price', () => {
  test('of a purchase is what it pays for the fewest units, rounded up', () => {
    expect(read(encoded('buy', 'BTC', 50_000_000n, 830n))).toMatchObject({
      worstPrice: 60_240_963_856n,
      acceptsAnyPrice: false,
    })
  })

  test('of a sale is the least USDC for its units, rounded down', () => {
    expect(read(encoded('sell', 'BTC', 830n, 49_000_000n))).toMatchObject({
      worstPrice: 59_036_144_578n,
      acceptsAnyPrice: false,
    })
  })

  test('protects nobody with a least of zero or one base unit', () => {
    expect(read(encoded('buy', 'BTC', 50_000_000n, 0n))).toMatchObject({ worstPrice: null, acceptsAnyPrice: true })
    expect(read(encoded('buy', 'BTC', 50_000_000n, 1n))).toMatchObject({ acceptsAnyPrice: true })
    expect(read(encoded('sell', 'BTC', 830n, 0n))).toMatchObject({ worstPrice: null, acceptsAnyPrice: true })
    expect(read(encoded('sell', 'BTC', 0n, 5n))).toMatchObject({ worstPrice: null, acceptsAnyPrice: false })
    expect(read(encoded('redeem', 'BTC', 0n, 0n))).toMatchObject({ worstPrice: null, acceptsAnyPrice: false })
  })

  test('is never better than the limit of the call', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 18n), fc.bigInt(1n, 10n ** 18n), (first, least) => {
        const bought = read(encoded('buy', 'X', first, least))
        const sold = read(encoded('sell', 'X', first, least))
        if (typeof bought === 'string' || typeof sold === 'string') throw new Error('both are listed')
        expect((bought.worstPrice ?? 0n) * least >= first * 1_000_000n).toBe(true)
        expect((sold.worstPrice ?? 0n) * first <= least * 1_000_000n).toBe(true)
      }),
    )
  })
})

describe('a call through the vault', () => {
  const hex = fc.uint8Array({ maxLength: 120 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

  test('is read back as it was encoded', () => {
    fc.assert(
      fc.property(hex, amount, (data, approveAmount) => {
        const target = VENUE.toLowerCase()
        const executed = encodeFunctionData({ abi, functionName: 'execute', args: [VENUE, data, approveAmount] })
        expect(calledByVault(executed)).toEqual({ function: 'execute', target, data, amount: approveAmount })
        const unwound = encodeFunctionData({ abi, functionName: 'unwind', args: [VENUE, data] })
        expect(calledByVault(unwound)).toEqual({ function: 'unwind', target, data, amount: null })
      }),
    )
  })

  test('with a changed byte is another call, or is not read', () => {
    fc.assert(
      fc.property(hex, amount, fc.nat(), fc.integer({ min: 1, max: 255 }), (data, approveAmount, place, by) => {
        const whole = encodeFunctionData({ abi, functionName: 'execute', args: [VENUE, data, approveAmount] })
        const at = 2 + 2 * (place % (whole.length / 2 - 1))
        const byte = (Number.parseInt(whole.slice(at, at + 2), 16) ^ by).toString(16).padStart(2, '0')
        const changed = `${whole.slice(0, at)}${byte}${whole.slice(at + 2)}`
        const found = calledByVault(changed)
        if (found?.function !== 'execute') return
        const args = [found.target as Hex, found.data, found.amount ?? 0n] as const
        expect(encodeFunctionData({ abi, functionName: 'execute', args })).toBe(changed)
      }),
    )
  })

  test('that is cut, longer than it says, or of another function is not read', () => {
    const whole = encodeFunctionData({ abi, functionName: 'execute', args: [VENUE, '0xabcd', 1n] })
    for (const bytes of [
      whole.slice(0, -2),
      `${whole}${'00'.repeat(32)}`,
      whole.replace('0xa04a0908', '0xa04a0909'),
      '0x',
    ])
      expect(calledByVault(bytes)).toBeNull()
  })
})
