import { expect, test } from 'vitest'
import { tradeTape } from './trade-tape.ts'

const trade = (at: number, amount: number, id: string | null = null, side: 'buy' | 'sell' | null = 'buy') => ({
  at,
  price: 2,
  amount,
  side,
  id,
})

test('overlapping polls count each trade once, and equal trades without an id as often as one poll contained them', () => {
  const tape = tradeTape()
  tape.add([trade(1, 1), trade(2, 1), trade(2, 1)])
  tape.add([trade(2, 1), trade(2, 1), trade(3, 1)])
  expect(tape.fills(10).map((fill) => fill.timeMs)).toEqual([1, 2, 2, 3])
  expect(tape.fills(10)[0]?.notionalUsd).toBe(20)
})

test('trades with an id are identified by it, and trades without a side are left out', () => {
  const tape = tradeTape()
  tape.add([trade(1, 1, 'a'), trade(1, 1, 'b'), trade(5, 1, null, null)])
  tape.add([trade(1, 1, 'b')])
  expect(tape.fills(1).length).toBe(2)
})
