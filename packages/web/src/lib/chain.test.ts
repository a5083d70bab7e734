import { abis } from '@svc/chain'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFunctionData, toFunctionSelector, type AbiFunction } from 'viem'
import { callData, checkedCall, differencesOf, ForeignCall, selectors } from './chain.ts'
import type { Address, Hex } from './wallet.ts'

const vault: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const other: Address = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const chainId = 31_337
const prepared = (data: string, to: string = vault) => ({ to, data, value: '0', chain_id: chainId })

test('the selectors are those of the compiled contracts', () => {
  const functions = [...abis.vault, ...abis.factory, ...abis.usdc].flatMap((item) =>
    item.type === 'function' ? [item as AbiFunction] : [],
  )
  for (const [name, selector] of Object.entries(selectors)) {
    const found = functions.find((item) => item.name === name)
    expect(toFunctionSelector(found as AbiFunction), name).toBe(selector)
  }
  for (const name of ['stop', 'deposit', 'withdrawAll', 'setAgent', 'revokeAgent', 'unwind'] as const)
    expect(toFunctionSelector(abis.vaultV2.find((item) => 'name' in item && item.name === name) as AbiFunction)).toBe(
      selectors[name],
    )
  expect(
    toFunctionSelector(abis.factoryV2.find((item) => 'name' in item && item.name === 'createVault') as AbiFunction),
  ).toBe(selectors.createVault)
})

test('calldata is what a library of the ABI writes', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.uint8Array({ maxLength: 130 }), (units, bytes) => {
      const data: Hex = `0x${Buffer.from(bytes).toString('hex')}`
      expect(callData.approve(other, units)).toBe(
        encodeFunctionData({ abi: abis.usdc, functionName: 'approve', args: [other, units] }),
      )
      expect(callData.deposit(units)).toBe(
        encodeFunctionData({ abi: abis.vault, functionName: 'deposit', args: [units] }),
      )
      expect(callData.unwind(other, data)).toBe(
        encodeFunctionData({ abi: abis.vault, functionName: 'unwind', args: [other, data] }),
      )
    }),
  )
  expect(callData.resume(other)).toBe(encodeFunctionData({ abi: abis.vault, functionName: 'setAgent', args: [other] }))
})

describe('a prepared call', () => {
  const wanted = { to: vault, data: callData.deposit(60_000_000n), chainId }

  test('passes only when it is the call of this page, whatever its letter case', () => {
    expect(checkedCall(prepared(wanted.data.toUpperCase().replace('0X', '0x'), vault.toLowerCase()), wanted)).toEqual({
      to: vault,
      data: wanted.data,
    })
  })

  test('with a foreign address, another function, more data, another amount, another chain or a value is refused by name', () => {
    const parts = (call: Parameters<typeof differencesOf>[0]) => differencesOf(call, wanted).map(({ part }) => part)
    expect(parts(prepared(wanted.data, other))).toEqual(['to'])
    expect(parts(prepared(callData.approve(other, 60_000_000n)))).toEqual(['selector', 'length'])
    expect(parts(prepared(wanted.data.replace(selectors.deposit, selectors.setAgent)))).toEqual(['selector'])
    expect(parts(prepared(`${wanted.data}00`))).toEqual(['length'])
    expect(parts(prepared(callData.deposit(600_000_000n)))).toEqual(['arguments'])
    expect(parts({ ...prepared(wanted.data), chain_id: 1 })).toEqual(['chain'])
    expect(parts({ ...prepared(wanted.data), value: '1' })).toEqual(['value'])
    expect(() => checkedCall(prepared(callData.deposit(600_000_000n)), wanted)).toThrow(ForeignCall)
  })

  test('with any changed byte is refused', () => {
    fc.assert(
      fc.property(fc.nat({ max: wanted.data.length - 3 }), fc.integer({ min: 1, max: 15 }), (at, by) => {
        const digits = [...wanted.data]
        const old = Number.parseInt(digits[at + 2] ?? '0', 16)
        digits[at + 2] = ((old + by) % 16).toString(16)
        expect(differencesOf(prepared(digits.join('')), wanted)).not.toHaveLength(0)
      }),
    )
  })
})

test('amounts and addresses outside their range are never encoded', () => {
  expect(() => callData.deposit(-1n)).toThrow(RangeError)
  expect(() => callData.deposit(1n << 256n)).toThrow(RangeError)
  expect(() => callData.approve('0x12' as Address, 1n)).toThrow(RangeError)
})
