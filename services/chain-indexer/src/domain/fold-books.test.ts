import { vaultEventNames, type EventArgs, type VaultEventName } from '@svc/contracts/chain-indexer-facts'
import { expect, test } from 'vitest'
import { foldEvent, newBooks, type Difference } from './fold-books.ts'

const AGENT = '0x00000000000000000000000000000000000000A1'

type Script = readonly (readonly [VaultEventName, EventArgs])[]

function folded(script: Script) {
  const differences: Difference[] = []
  let books = newBooks(AGENT)
  for (const [name, args] of script) {
    const next = foldEvent(books, name, args)
    books = next.books
    differences.push(...next.differences)
  }
  return { books, differences }
}

const paidIn: Script = [
  ['Deposited', { from: AGENT, amount: '100', principal: '100' }],
  ['DirectDeposit', { amount: '20', principal: '120' }],
]
const spent = (day: string, amount: string, usedToday: string): Script[number] => [
  'Executed',
  {
    agent: AGENT,
    target: AGENT,
    selector: '0x00000000',
    approved: amount,
    spent: amount,
    received: '1',
    day,
    usedToday,
  },
]

test('deposits and recognised transfers are principal, spending is counted gross by its day', () => {
  const { books, differences } = folded([
    ...paidIn,
    spent('1', '10', '10'),
    spent('1', '5', '15'),
    spent('2', '7', '7'),
  ])
  expect(books).toMatchObject({ principal: '120', accounted: '101', used_day: '2', used_amount: '7' })
  expect(differences).toEqual([])
})

test('the fee leaves the money of the owner once, at settling or at a withdrawal', () => {
  const { books, differences } = folded([
    ...paidIn,
    ['Unwound', { by: AGENT, target: AGENT, selector: '0x00000000', received: '30' }],
    ['Settled', { gross: '150', principal: '120', fee: '3', by: AGENT }],
    ['Unwound', { by: AGENT, target: AGENT, selector: '0x00000000', received: '10' }],
    ['Withdrawn', { to: AGENT, amount: '157', feeAccrued: '1' }],
    ['FeeClaimed', { to: AGENT, amount: '4' }],
  ])
  expect(books).toMatchObject({ settled: true, accounted: '0', withdrawn: '156', fee_total: '4', fee_owed: '0' })
  expect(differences).toEqual([])
})

test('leg money is away until it comes back, and the last return writes off the rest', () => {
  const funded: Script = [...paidIn, ['LegFunded', { seq: '1', amount: '50', legOut: '50' }]]
  expect(folded(funded).books).toMatchObject({ accounted: '70', leg_out: '50', leg_open: true, leg_seq: '1' })
  const part = folded([...funded, ['LegReturned', { seq: '1', amount: '20', legOut: '30', last: false }]])
  expect(part).toMatchObject({ books: { accounted: '90', leg_out: '30', leg_open: true }, differences: [] })
  const last = folded([...funded, ['LegReturned', { seq: '1', amount: '20', legOut: '0', last: true }]])
  expect(last).toMatchObject({
    books: { accounted: '90', leg_out: '0', leg_open: false, leg_returned: '20' },
    differences: [],
  })
})

test('agents, stops and marks are taken as they are said', () => {
  const { books } = folded([
    ['AgentSet', { agent: '0x0000000000000000000000000000000000000000', previous: AGENT }],
    ['Marked', { worth: '99', asOf: '1000', keeper: AGENT }],
    ['Stopped', { reason: '2', by: AGENT, stoppedAt: '1001' }],
    ['Rescued', { token: AGENT, amount: '5' }],
  ])
  expect(books).toMatchObject({
    agent: expect.stringMatching(/^0x0+$/),
    last_worth: '99',
    marked_at: '1000',
    stop_reason: 2,
    stopped_at: '1001',
  })
})

test.each([
  ['Deposited', { from: AGENT, amount: '1', principal: '2' }, 'principal'],
  ['DirectDeposit', { amount: '1', principal: '2' }, 'principal'],
  ['Settled', { gross: '9', principal: '0', fee: '0', by: AGENT }, 'gross'],
  ['FeeClaimed', { to: AGENT, amount: '1' }, 'fee_owed'],
  ['LegFunded', { seq: '1', amount: '1', legOut: '2' }, 'leg_out'],
  ['LegReturned', { seq: '1', amount: '0', legOut: '2', last: false }, 'leg_out'],
  [...spent('1', '3', '4'), 'used_amount'],
] as const)('a running total of %s that the books contradict is found', (name, args, figure) => {
  expect(folded([[name as VaultEventName, args as EventArgs]]).differences.map((one) => one.figure)).toContain(figure)
})

test('an event without an argument that it must have is a bug, not a zero', () => {
  for (const name of vaultEventNames.filter((one) => one !== 'Rescued'))
    expect(() => foldEvent(newBooks(AGENT), name, {})).toThrow(/without its argument/)
})
