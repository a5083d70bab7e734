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

test('they cannot when every way out or every way in is closed', () => {
  expect(transferable([on('SOL', true, false)], [on('SOL')])).toBe(false)
  expect(transferable([on('SOL')], [on('SOL', false), on('ERC20', false)])).toBe(false)
  expect(transferable(undefined, [on('SOL', false)])).toBe(false)
})

test('it is unknown where a venue tells nothing, a state is unknown, or no network has the same name', () => {
  expect(transferable(undefined, [on('SOL')])).toBe(null)
  expect(transferable([on('SOL')], undefined)).toBe(null)
  expect(transferable([], [])).toBe(null)
  expect(transferable([on('ETH')], [on('ERC20')])).toBe(null)
  expect(transferable([on('SOL', true, null)], [on('SOL')])).toBe(null)
})

test('of several ways one that is closed closes all, and one that is unknown leaves it unknown', () => {
  expect(allTransferable([true, true])).toBe(true)
  expect(allTransferable([true, null])).toBe(null)
  expect(allTransferable([null, false])).toBe(false)
  expect(allTransferable([])).toBe(null)
})
