import { expect, test } from 'vitest'
import { compare, type Picture } from './picture.ts'

const picture = (tables: Record<string, string>, balances: Record<string, string>): Picture => ({
  at: new Date(0),
  tables: new Map(Object.entries(tables).map(([name, digest]) => [name, { rows: 2, digest }])),
  balances: new Map(Object.entries(balances)),
})
const tables = {
  'subscriptions.ledger_transfer': 'a',
  'mandates.record_entry': 'b',
  'mining.inbox': 'c',
  'mining.price': 'd',
}
const wanted = picture(tables, { 1: '-30', 2: '30' })
const differing = (found: Picture) =>
  compare(wanted, found).flatMap(({ what, differs }) => (differs === null ? [] : [`${what.split(':')[0]}: ${differs}`]))

test('an equal database has no difference, and each group names its own', () => {
  expect(differing(picture(tables, { 1: '-30', 2: '30' }))).toEqual([])
  expect(differing(picture({ ...tables, 'mandates.record_entry': 'x' }, { 1: '-30', 2: '30' }))).toEqual([
    'mandates and their records: mandates.record_entry',
  ])
  const { 'mining.inbox': _, ...without } = tables
  expect(differing(picture(without, { 1: '-30', 2: '30' }))).toEqual(['cursors and inboxes: mining.inbox'])
})

test('balances are compared one by one and in total', () => {
  expect(differing(picture(tables, { 1: '-31', 2: '31' }))).toEqual([
    'balance of each of 2 accounts of the ledger: 1, 2',
  ])
  expect(differing(picture(tables, { 1: '-30' }))).toEqual([
    'balance of each of 2 accounts of the ledger: 2',
    'all balances sum to zero: they sum to -30',
  ])
})
