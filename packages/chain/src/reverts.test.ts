import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Abi, encodeErrorResult, type Hex, RpcRequestError } from 'viem'
import { abis } from './abis.ts'
import { vaultRefusalKinds } from '@svc/contracts/chain-indexer/attempts'
import { decodeRevert, errorNames, revertOf } from './reverts.ts'

const TARGET = '0x00000000000000000000000000000000000000AA'
const overCap = encodeErrorResult({ abi: abis.vault, errorName: 'OverPerTxCap', args: [51n, 50n] })
const values: Readonly<Record<string, unknown>> = {
  address: TARGET,
  bytes: overCap,
  bytes4: '0x12345678',
  bytes32: `0x${'7'.repeat(64)}`,
  string: 'text',
  bool: true,
}
const errors = Object.values<Abi>(abis)
  .flat()
  .filter((item) => item.type === 'error')

describe('revert data', () => {
  test('of every error of every contract is read: name, arguments by name, and whether it is a refusal', () => {
    expect(errors.length).toBeGreaterThan(50)
    for (const item of errors) {
      const args = item.inputs.map(({ type }) => values[type] ?? 200n)
      const revert = decodeRevert(encodeErrorResult({ abi: [item], args }))
      expect(revert.name).toBe(item.name)
      expect(Object.keys(revert.args)).toEqual(item.inputs.map(({ name }) => name))
      expect(Object.values(revert.args).map(String)).toEqual(args.map(String))
      expect(revert.refusalKind).toBe(vaultRefusalKinds.find((kind) => kind === item.name) ?? null)
      expect(errorNames).toContain(item.name)
    }
  })

  test('names exactly five refusals', () => {
    expect(errorNames.filter((name) => (vaultRefusalKinds as readonly string[]).includes(name))).toHaveLength(5)
    expect(decodeRevert(overCap)).toMatchObject({ refusalKind: 'OverPerTxCap', args: { asked: 51n, cap: 50n } })
  })

  test("of a target is kept inside TargetCallFailed, and a target's fake refusal is none", () => {
    const revert = decodeRevert(
      encodeErrorResult({ abi: abis.vault, errorName: 'TargetCallFailed', args: [TARGET, overCap] }),
    )
    expect(revert).toMatchObject({ name: 'TargetCallFailed', refusalKind: null, inner: { name: 'OverPerTxCap' } })
  })

  test("of Solidity's own errors is read", () => {
    const why = encodeErrorResult({
      abi: [{ type: 'error', name: 'Error', inputs: [{ type: 'string' }] }],
      args: ['why'],
    })
    expect(decodeRevert(why)).toMatchObject({ name: 'Error', args: { message: 'why' } })
    expect(decodeRevert(`0x4e487b71${'11'.padStart(64, '0')}`)).toMatchObject({ name: 'Panic', args: { code: 0x11n } })
  })

  test('that is unknown, cut off or no error at all never throws and keeps its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('', overCap.slice(2, 10)), (bytes, start) => {
        const data: Hex = `0x${start}${Buffer.from(bytes).toString('hex')}`
        expect(decodeRevert(data).data).toBe(data)
      }),
    )
    expect(decodeRevert('0x')).toMatchObject({ name: null, selector: null, refusalKind: null })
    expect(decodeRevert('0xdeadbeef00')).toMatchObject({ name: null, selector: '0xdeadbeef' })
    expect(decodeRevert(overCap.slice(0, -2) as Hex)).toMatchObject({ name: null, selector: '0xc8c92ec8' })
  })
})

describe('a revert is found in', () => {
  const raw = { code: 3, message: 'execution reverted', data: overCap }
  test.each([
    ['a JSON-RPC error', raw],
    ['the answer that holds it', { jsonrpc: '2.0', id: 1, error: raw }],
    ['an error of viem', new RpcRequestError({ body: {}, error: raw, url: '' })],
    [
      'an error wrapped three times',
      new Error('a', { cause: new Error('b', { cause: new RpcRequestError({ body: {}, error: raw, url: '' }) }) }),
    ],
    ["a wallet's data in data", { code: -32_603, message: 'Internal', data: { originalError: raw } }],
    ["a wallet's info", { info: { error: { data: overCap } } }],
  ])('%s', (_, error) => {
    expect(revertOf(error)).toMatchObject({ name: 'OverPerTxCap', refusalKind: 'OverPerTxCap' })
  })

  test('code 3 without data, as an empty one', () => {
    expect(revertOf({ code: 3, message: 'execution reverted' })).toMatchObject({
      name: null,
      selector: null,
      data: '0x',
    })
  })

  test('nothing else', () => {
    const loop: { cause?: unknown } = {}
    loop.cause = loop
    for (const value of [null, undefined, 'x', 3, {}, new Error('x'), { code: -32_000, data: 'text' }, loop])
      expect(revertOf(value)).toBeNull()
  })
})
