import { expect, test } from 'vitest'
import { flowsOf, isBeforeFlow, marksBeforePayment, marksOfMoney } from './flows.ts'
import type { RecordStep } from './record.ts'

const step = (seq: number, name: string, block_number: number, kind = 'chain_fact'): RecordStep => ({
  id: String(seq),
  group: String(seq),
  seq,
  at: '2026-11-22T10:00:00.000Z',
  kind,
  source: 'chain',
  tx_hash: null,
  body: { name, block_number },
})
const marks = [{ block_number: 9 }, { block_number: 12 }, { block_number: 20 }]

test('a mark of the empty vault is not shown as the worth of the money that was paid in after it', () => {
  const flows = flowsOf([step(1, 'Created', 8), step(2, 'Deposited', 10), step(3, 'Executed', 15)])
  expect(flows).toEqual({ first: 10, last: 10, paidOut: null })
  expect(marksOfMoney(marks, flows)).toEqual([{ block_number: 12 }, { block_number: 20 }])
})

test('a worth that was marked before money came or went says nothing of the result', () => {
  const flows = flowsOf([step(1, 'Deposited', 10), step(2, 'Withdrawn', 18)])
  expect(marks.map((mark) => isBeforeFlow(mark, flows))).toEqual([true, true, false])
  expect(isBeforeFlow({ block_number: 1 }, flowsOf([step(1, 'Deposited', 10, 'told')]))).toBe(false)
})

test('the picture of a closed mandate ends before its first payment, also where more was paid out later', () => {
  const flows = flowsOf([
    step(1, 'Deposited', 10),
    step(2, 'Withdrawn', 18),
    step(3, 'Unwound', 19),
    step(4, 'Withdrawn', 22),
  ])
  expect(marksBeforePayment(marks, flows)).toEqual([{ block_number: 12 }])
  expect(marksBeforePayment(marks, null)).toEqual([])
})
