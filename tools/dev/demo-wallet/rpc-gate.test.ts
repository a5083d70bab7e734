import { expect, test } from 'vitest'
import { parseCall, passageOf } from './rpc-gate.ts'

const DEMO = ['0x90F79bf6EB2c4f870365E785982E1f101E93b906', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65']
const ADMIN = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const passage = (method: string, ...params: unknown[]) => passageOf({ jsonrpc: '2.0', id: 1, method, params }, DEMO)
const kindOf = (method: string, ...params: unknown[]) => passage(method, ...params).kind

test('the wallets of the demo sign, in any letter case of their address, and no other wallet of the node does', () => {
  for (const account of [DEMO[0], DEMO[1]?.toLowerCase()]) {
    expect(kindOf('personal_sign', '0x00', account)).toBe('pass')
    expect(kindOf('eth_signTypedData_v4', account, '{}')).toBe('pass')
    expect(kindOf('eth_sendTransaction', { from: account, to: ADMIN, data: '0x', value: '0x0' })).toBe('pass')
  }
  for (const account of [ADMIN, undefined, null, '', DEMO, { toString: () => DEMO[0] }]) {
    expect(kindOf('personal_sign', '0x00', account)).toBe('refuse')
    expect(kindOf('personal_sign', DEMO[0], account)).toBe('refuse')
    expect(kindOf('eth_signTypedData_v4', account, '{}')).toBe('refuse')
    expect(kindOf('eth_sendTransaction', { from: account, to: ADMIN })).toBe('refuse')
  }
  expect(kindOf('eth_sendTransaction', { to: ADMIN })).toBe('refuse')
  expect(kindOf('eth_sendTransaction', { from: DEMO[0] }, { from: ADMIN })).toBe('refuse')
})

test('a transaction has the members that a page sends, and no other', () => {
  expect(kindOf('eth_sendTransaction', { from: DEMO[0], to: ADMIN, nonce: '0x0' })).toBe('refuse')
})

test('methods that control the node, or that nobody asks a wallet for, are refused', () => {
  for (const method of [
    'anvil_setBalance',
    'anvil_impersonateAccount',
    'evm_mine',
    'eth_sign',
    'eth_signTransaction',
    'eth_sendRawTransaction',
    'eth_getLogs',
    'toString',
    '__proto__',
  ])
    expect(passage(method, DEMO[0])).toMatchObject({ kind: 'refuse', code: 4200 })
})

test('the accounts are those of the demo, without a question to the node', () => {
  expect(passage('eth_accounts')).toEqual({ kind: 'answer', result: DEMO })
  expect(kindOf('eth_chainId')).toBe('pass')
})

test('one call is read, and nothing else', () => {
  expect(parseCall('{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}')).toEqual({
    jsonrpc: '2.0',
    id: 7,
    method: 'eth_chainId',
    params: [],
  })
  for (const text of [
    '',
    'x',
    '[]',
    '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]',
    '{"id":1,"method":"eth_chainId"}',
    '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[1,2,3,4]}',
  ])
    expect(parseCall(text)).toBeNull()
})
