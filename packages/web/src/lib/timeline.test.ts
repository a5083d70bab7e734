import { describe, expect, test } from 'vitest'
import type { RecordStep } from './record.ts'
import { pointAt, stepChart } from './step-chart.ts'
import { isRefusal, tellerOf, timelineOf } from './timeline.ts'

const AGENT = `0x${'aa'.repeat(20)}`
const TX = `0x${'1'.repeat(64)}`
let seq = 0
const step = (kind: string, body: object, more: Partial<RecordStep> = {}): RecordStep => {
  seq += 1
  const group = more.tx_hash ? `tx:${more.tx_hash}` : `entry:${seq}`
  return {
    id: `entry:${seq}`,
    group,
    seq,
    at: '2026-11-22T12:00:00.000Z',
    kind,
    source: 'chain',
    tx_hash: null,
    ...more,
    body: { ...body },
  }
}
const fact = (name: string, args: object, more: Partial<RecordStep> = {}) =>
  step('chain_fact', { name, args, block_time: '2026-11-22T11:00:00.000Z' }, { tx_hash: TX, ...more })

test('what one transaction did is one item, with the words of the agent and the time of the chain', () => {
  const executed = fact('Executed', { spent: '20000000', received: '0' })
  const told = step('event', { kind: 'buy', note: 'basis entry' }, { tx_hash: TX, source: 'agent' })
  const [item, ...more] = timelineOf([executed, told], AGENT)
  expect(more).toEqual([])
  expect(item).toMatchObject({
    what: 'bought',
    tone: 'inside',
    amount: -20_000_000n,
    note: 'basis entry',
    at: '2026-11-22T11:00:00.000Z',
    also: [{ seq: told.seq }],
  })
})

test('each kind of entry has its own name and colour, and the newest stands first', () => {
  const entries = [
    fact('AgentSet', { agent: `0x${'0'.repeat(40)}` }, { tx_hash: null }),
    fact('AgentSet', { agent: AGENT.toUpperCase().replace('0X', '0x') }, { tx_hash: null }),
    fact('AgentSet', { agent: `0x${'bb'.repeat(20)}` }, { tx_hash: null }),
    fact('Stopped', { reason: '2' }, { tx_hash: null }),
    fact('Withdrawn', { amount: '5000000' }, { tx_hash: null }),
    step('refused', { kind: 'OverDailyCap', amount_usdc: '75' }),
    step('refused', { kind: 'OverPerTxCap', attempted: { amount_usdc: '9' } }, { source: 'agent' }),
    step('leg_order', { side: 'sell', filled_size: '0.5', amount_usdc: '30' }, { source: 'venue' }),
    step('leg_order', { side: 'sell', filled_size: '0.0', amount_usdc: '0' }, { source: 'venue' }),
    step('something_new', {}),
  ]
  const items = timelineOf(entries, AGENT).toReversed()
  expect(items.map(({ what, tone }) => `${what} ${tone}`)).toEqual([
    'paused held',
    'resumed inside',
    'foreign_agent out',
    'stopped_by_line out',
    'withdrawn quiet',
    'refused_OverDailyCap out',
    'refused_OverPerTxCap out',
    'leg_sold inside',
    'leg_missed quiet',
    'something_new quiet',
  ])
  expect(items.filter(isRefusal).map(({ amount }) => amount)).toEqual([75_000_000n, 9_000_000n])
})

test('a fact beyond what the chain has confirmed is only seen', () => {
  const seen = fact('Deposited', { amount: '1' })
  expect([tellerOf(seen, seen.seq), tellerOf(seen, seen.seq - 1), tellerOf(seen, null)]).toEqual([
    'proven',
    'seen',
    'seen',
  ])
  expect(tellerOf(step('x', {}, { source: 'house' }), null)).toBe('server')
})

const frame = { width: 100, height: 50, shown: [0n], until: 100 }

test('an unknown worth is a gap, and the value before it holds until there', () => {
  const chart = stepChart(
    [
      { at: 0, value: 100n },
      { at: 20, value: 50n },
      { at: 40, value: null },
      { at: 60, value: 50n },
    ],
    frame,
  )
  expect(chart.line).toBe(`M0 ${chart.yOf(100n)}H20V25H40V25M60 25H100V25`)
  expect(chart.points.map(({ index }) => index)).toEqual([0, 1, 1, 3, 3])
  expect([pointAt(chart, 30)?.index, pointAt(chart, 99)?.index]).toEqual([1, 3])
})

test('what must be seen lies inside the picture, and a single value in its middle', () => {
  const chart = stepChart([{ at: 0, value: 500n }], { ...frame, shown: [400n, 520n] })
  for (const value of [400n, 500n, 520n]) {
    expect(chart.yOf(value)).toBeGreaterThan(0)
    expect(chart.yOf(value)).toBeLessThan(50)
  }
  expect(stepChart([{ at: 0, value: 7n }], { ...frame, shown: [] }).yOf(7n)).toBe(25)
  expect(stepChart([], frame)).toMatchObject({ line: '', area: '', points: [] })
})

describe('the call of an item', () => {
  const target = `0x${'5f'.repeat(20)}`
  const callOf = (...entries: RecordStep[]) => timelineOf(entries, AGENT).map(({ call }) => call)

  test('is that of the execution, of the refused attempt and of the held call', () => {
    expect(
      callOf(
        step('chain_fact', { name: 'Executed', args: { target, spent: '1', received: '0' }, data: '0x01' }),
        step('chain_fact', { name: 'Unwound', args: { target, received: '1' }, data: '0x02' }),
        step('refused', { kind: 'OverPerTxCap', target, data: '0x03' }),
        step('approval_requested', { approval_id: 'apr_1', target, data: '0x04' }),
      ),
    ).toEqual([
      { target, data: '0x04' },
      { target, data: '0x03' },
      { target, data: '0x02' },
      { target, data: '0x01' },
    ])
  })

  test('is that of the request, where a later entry names the approval alone', () => {
    const asked = step('approval_requested', { approval_id: 'apr_2', target, data: '0x05' })
    const lapsed = step('approval_expired', { approval_id: 'apr_2' })
    expect(callOf(asked, lapsed)[0]).toEqual({ target, data: '0x05' })
  })

  test('has no calldata for entries of before it was recorded, and is absent for what is no call', () => {
    expect(
      callOf(
        step('refused', { kind: 'OverPerTxCap', target, amount_usdc: '9' }),
        step('refused', { kind: 'server_guard', attempted: { target } }, { source: 'agent' }),
        step('chain_fact', { name: 'Deposited', args: { amount: '5' } }),
        step('approval_requested', { approval_id: 'apr_3', market: 'hl:BTC', side: 'buy' }),
      ),
    ).toEqual([null, null, { target, data: null }, { target, data: null }])
  })

  test('is an order of the leg where the entry names market and side', () => {
    const [item] = timelineOf([step('leg_order', { market: 'hl:BTC', side: 'sell', filled_size: '0.5' })], AGENT)
    expect(item).toMatchObject({ call: null, order: { market: 'hl:BTC', side: 'sell', size: '0.5' } })
  })
})
