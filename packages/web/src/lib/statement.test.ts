import { expect, test } from 'vitest'
import { weekAt, weekFrom, weekStart } from './iso-week.ts'
import type { RecordStep } from './record.ts'
import { entriesBehind } from './statement-sums.ts'

test('weeks are named by their Thursday, also around the turn of the year', () => {
  expect(weekAt(Date.UTC(2026, 10, 22, 23, 59))).toBe('2026-W47')
  expect(weekAt(Date.UTC(2026, 10, 23))).toBe('2026-W48')
  expect(weekAt(Date.UTC(2027, 0, 3))).toBe('2026-W53')
  expect(weekFrom('2026-W53', 1)).toBe('2027-W01')
  expect(weekFrom('2027-W01', -1)).toBe('2026-W53')
  expect(new Date(weekStart('2026-W47') ?? 0).toISOString()).toBe('2026-11-16T00:00:00.000Z')
  expect([weekStart('2027-W53'), weekStart('2026-47'), weekFrom('words', 1)]).toEqual([null, null, null])
})

const step = (seq: number, kind: string, body: object, at = '2026-11-18T10:00:00.000Z'): RecordStep => ({
  id: `entry:${seq}`,
  group: `entry:${seq}`,
  seq,
  at,
  kind,
  source: 'chain',
  tx_hash: `0x${seq}`,
  body: { log_ordinal: 0, ...body },
})

test('each figure is traced to its entries, by the clock of the chain, without facts that were taken back', () => {
  const gone = step(4, 'chain_fact', { name: 'Deposited', args: { amount: '5' } })
  const entries = [
    step(1, 'chain_fact', { name: 'Deposited', args: { amount: '5' } }),
    step(2, 'chain_fact', { name: 'Executed', args: { spent: '5', received: '0' } }),
    step(3, 'chain_fact', {
      name: 'Executed',
      args: { spent: '0', received: '6' },
      block_time: '2026-11-15T23:59:59.000Z',
    }),
    gone,
    { ...gone, seq: 5, kind: 'chain_fact_orphaned' },
    step(6, 'refused', { kind: 'owner_declined' }),
    step(7, 'leg_order', { filled_size: '0.0' }),
    step(8, 'leg_order', { filled_size: '0.5' }),
    step(9, 'violation', {}, '2026-11-23T00:00:00.000Z'),
  ]
  const behind = entriesBehind(entries, '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z')
  const seqs = Object.fromEntries(
    Object.entries(behind).map(([figure, steps]) => [figure, steps.map(({ seq }) => seq)]),
  )
  expect(seqs).toMatchObject({
    deposits: [1],
    trades: [2],
    spent: [2],
    received: [],
    refusals: [6],
    declined: [6],
    legOrders: [8],
    violations: [],
  })
})
