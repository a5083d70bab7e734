import { expect, test } from 'vitest'
import { noAnswer, Problem } from '../../lib/problem.ts'
import { purchaseOutcome } from './purchase.ts'

const problem = (status: number, code: string, more: object = {}) => new Problem(status, { code, ...more }, null)

test.each([
  ['no answer', noAnswer(), 'unknown', 'unknown'],
  ['an outage', problem(503, 'unavailable'), 'unknown', 'unknown'],
  ['an answer of no known form', problem(201, 'unreadable'), 'unknown', 'unknown'],
  ['a fault of the page', new TypeError('x'), 'unknown', 'unknown'],
  ['a quote that expired', problem(409, 'quote_stale', { reason: 'expired' }), 'refused', 'refused'],
  ['a quote that a purchase used', problem(409, 'quote_stale', { reason: 'used' }), 'paid', 'paid'],
  ['too little Cherry', problem(409, 'insufficient_cherry'), 'refused', 'unknown'],
  ['too many calls', problem(429, 'rate_limited'), 'refused', 'unknown'],
])('%s says whether a purchase was paid, also after an unknown one', (_, error, first, repeated) => {
  expect([purchaseOutcome(error, false), purchaseOutcome(error, true)]).toEqual([first, repeated])
})
