import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compareRows,
  countsOf,
  deadlineOf,
  filters,
  groupOf,
  isShown,
  polledIds,
  POLLED_MAX,
  type Row,
} from './rows.ts'

const states = ['draft', 'signed', 'working', 'paused', 'stopped', 'ended', 'closed'] as const
const row = (over: {
  id?: string
  state?: (typeof states)[number]
  now?: (typeof states)[number] | null
  waits?: readonly string[]
  changed?: string
}): Row => {
  const { id = 'a', state = 'working', now = state, waits = [], changed = '2026-11-20T10:00:00.000Z' } = over
  return {
    mandate: { public_id: id, state, changed_at: changed },
    live: now === null ? null : { state: now, approvals_waiting: waits.map((expires_at) => ({ expires_at })) },
  } as unknown as Row
}
const order = (rows: readonly Row[]) => rows.toSorted(compareRows).map(({ mandate }) => mandate.public_id)

test('what waits for the owner stands first, then what works, then the rest', () => {
  const rows = [
    row({ id: 'closed', state: 'closed' }),
    row({ id: 'working' }),
    row({ id: 'draft', state: 'draft', now: null }),
    row({ id: 'asks', state: 'paused', waits: ['2026-11-22T00:00:00.000Z'] }),
  ]
  expect(order(rows)).toEqual(['asks', 'working', 'draft', 'closed'])
})

test('of two mandates that wait, the one whose answer is due first stands first', () => {
  const rows = [
    row({ id: 'later', waits: ['2026-11-23T00:00:00.000Z'] }),
    row({ id: 'soon', waits: ['2026-11-24T00:00:00.000Z', '2026-11-22T00:00:00.000Z'] }),
  ]
  expect(order(rows)).toEqual(['soon', 'later'])
  expect(deadlineOf(rows[1] as Row)).toBe('2026-11-22T00:00:00.000Z')
})

test('the order is total and does not depend on the order of the answer', () => {
  const anyRow = fc
    .record({
      id: fc.stringMatching(/^[a-f]{6}$/),
      state: fc.constantFrom(...states),
      waits: fc.array(fc.constantFrom('2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'), { maxLength: 2 }),
      changed: fc.constantFrom('2026-11-20T10:00:00.000Z', '2026-11-21T10:00:00.000Z'),
    })
    .map(row)
  const rowsOf = fc.uniqueArray(anyRow, { maxLength: 12, selector: ({ mandate }) => mandate.public_id })
  fc.assert(
    fc.property(rowsOf, fc.infiniteStream(fc.nat()), (rows, draws) => {
      const shuffled = rows
        .map((one) => ({ one, at: draws.next().value as number }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ one }) => one)
      expect(order(shuffled)).toEqual(order(rows))
      const groups = rows.toSorted(compareRows).map(groupOf)
      expect(groups).toEqual(
        groups.toSorted((a, b) => 'waiting working rest'.indexOf(a) - 'waiting working rest'.indexOf(b)),
      )
    }),
  )
})

test('every mandate is in exactly one filter of its state, and the counts agree with what is shown', () => {
  const rows = states.map((state) => row({ id: state, state }))
  for (const one of rows)
    expect(['working', 'preparing', 'over'].filter((name) => isShown(one, name as never))).toHaveLength(1)
  const counts = countsOf(rows)
  for (const filter of filters) expect(counts[filter]).toBe(rows.filter((one) => isShown(one, filter)).length)
  expect(counts).toMatchObject({ all: 7, waiting: 0, working: 2, preparing: 2, over: 3 })
})

test('figures that cannot change any more are not polled, and the number of polled mandates has a maximum', () => {
  const mandates = Array.from({ length: 100 }, (_, n) => row({ id: `m${n}`, state: states[n % 7] ?? 'draft' }).mandate)
  const ids = polledIds(mandates)
  expect(ids).toHaveLength(POLLED_MAX)
  expect(polledIds([row({ state: 'closed' }).mandate, row({ state: 'draft' }).mandate])).toEqual([])
})
