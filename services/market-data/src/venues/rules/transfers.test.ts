import { expect, test } from 'vitest'
import { allTransferable, transferable } from './transfers.ts'

const on = (network: string, deposit: boolean | null = true, withdraw: boolean | null = true) => ({
  network,
  deposit,
  withdraw,
})

test('coins can be moved over a network that both venues name and that is open in that direction', () => {
  expect(transferable([on('ERC20'), on('SOL')], [on('SOL')])).toBe(true)
  expect(transferable([on('SOL', false, true)], [on('SOL', true, false)])).toBe(true)
})

test('coins cannot be moved if all withdrawals or all deposits are closed', () => {
  expect(transferable([on('SOL', true, false)], [on('SOL')])).toBe(false)
  expect(transferable([on('SOL')], [on('SOL', false), on('ERC20', false)])).toBe(false)
  expect(transferable(undefined, [on('SOL', false)])).toBe(false)
})

test('it is unknown whether coins can be moved if a venue publishes nothing, a state is unknown, or no network has the same name', () => {
  expect(transferable(undefined, [on('SOL')])).toBe(null)
  expect(transferable([on('SOL')], undefined)).toBe(null)
  expect(transferable([], [])).toBe(null)
  expect(transferable([on('ETH')], [on('ERC20')])).toBe(null)
  expect(transferable([on('SOL', true, null)], [on('SOL')])).toBe(null)
})

test('of several transfers a closed one makes the result false, and an unknown one makes it null', () => {
  expect(allTransferable([true, true])).toBe(true)
  expect(allTransferable([true, null])).toBe(null)
  expect(allTransferable([null, false])).toBe(false)
  expect(allTransferable([])).toBe(null)
})
