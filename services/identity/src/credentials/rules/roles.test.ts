import { expect, test } from 'vitest'
import { rolesOf } from './roles.ts'

const wallets = { admin: new Set(['0xaa', '0xcc']), reviewer: new Set(['0xbb', '0xcc']) }

test('roles follow the wallet, and only owners have roles', () => {
  expect(rolesOf({ kind: 'owner', wallet: '0xaa' }, wallets)).toEqual(['admin'])
  expect(rolesOf({ kind: 'owner', wallet: '0xbb' }, wallets)).toEqual(['reviewer'])
  expect(rolesOf({ kind: 'owner', wallet: '0xcc' }, wallets)).toEqual(['admin', 'reviewer'])
  expect(rolesOf({ kind: 'owner', wallet: '0xdd' }, wallets)).toEqual([])
  expect(rolesOf({ kind: 'agent', wallet: '0xcc' }, wallets)).toEqual([])
})
