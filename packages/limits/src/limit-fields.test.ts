import { expect, test } from 'vitest'
import { allowsMore, figureNames, figuresOf, fixedPresets, limitFields, limitNames, tighterOf } from './limit-fields.ts'

test('each of the eight clauses belongs to one field', () => {
  const numbers = limitNames.flatMap((name) => limitFields[name].clause?.number ?? [])
  expect(numbers.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('wire names and columns are unique', () => {
  for (const key of ['wire', 'column'] as const)
    expect(new Set(limitNames.map((name) => limitFields[name][key])).size).toBe(limitNames.length)
})

test('figures are the signed fields but the markets, in base units, seconds and basis points', () => {
  const figures = figuresOf({
    budget: 5n,
    perTxCap: 1n,
    dailyCap: 2n,
    stopLine: 0n,
    approvalAbove: null,
    markets: ['testvenue'],
    endsAt: new Date(1_999),
    feeBps: 1_000,
    hlLeg: true,
    legBudget: 4n,
    closeIfSilent: 60,
    publicProof: false,
  })
  expect(figures).toEqual({
    budget: 5n,
    perTxCap: 1n,
    dailyCap: 2n,
    stopLine: 0n,
    approvalAbove: null,
    endsAt: 1n,
    feeBps: 1_000n,
  })
  expect(Object.keys(figures)).toEqual(figureNames)
})

test('the tighter value allows the agent less, and null bounds nothing', () => {
  expect(tighterOf('budget', 3n, 2n)).toBe(2n)
  expect(tighterOf('stopLine', 3n, 2n)).toBe(3n)
  expect(tighterOf('approvalAbove', null, 2n)).toBe(2n)
  expect(tighterOf('approvalAbove', 2n, null)).toBe(2n)
  expect(tighterOf('endsAt', new Date(2), new Date(1))).toEqual(new Date(1))
  expect(allowsMore('markets', ['a', 'b'], ['a'])).toBe(true)
  expect(allowsMore('markets', ['a'], ['a', 'b'])).toBe(false)
  expect(allowsMore('feeBps', 2, null)).toBe(false)
  expect(allowsMore('approvalAbove', 2n, 2n)).toBe(false)
})

test('the Standard preset fixes the budget and the fee, closes no position of a silent agent, and shows nothing', () => {
  expect(fixedPresets).toEqual({ budget: 500_000_000n, feeBps: 1_000, closeIfSilent: null, publicProof: false })
})
