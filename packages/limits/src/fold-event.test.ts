import { mandateVaultV2Abi } from '@svc/vault'
import { expect, test } from 'vitest'
import { foldEvent, type Contradiction, type VaultEvent } from './fold-event.ts'
import { newVault } from './state.ts'

const AGENT = '0x00000000000000000000000000000000000000A1'

type Script = readonly (readonly [name: string, args: VaultEvent['args']])[]

function folded(script: Script) {
  const contradictions: Contradiction[] = []
  let vault = newVault(AGENT)
  for (const [name, args] of script) {
    const next = foldEvent(vault, { name, args })
    vault = next.vault
    contradictions.push(...next.contradictions)
  }
  return { vault, contradictions }
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

test('deposits and recognised transfers are principal; spending is counted gross by UTC day', () => {
  const { vault, contradictions } = folded([
    ...paidIn,
    spent('1', '10', '10'),
    spent('1', '5', '15'),
    spent('2', '7', '7'),
  ])
  expect(vault).toMatchObject({ principal: 120n, accounted: 101n, usedDay: 2n, usedAmount: 7n })
  expect(contradictions).toEqual([])
})

test('a fee is deducted once, at settling or at a withdrawal', () => {
  const { vault, contradictions } = folded([
    ...paidIn,
    ['Unwound', { by: AGENT, target: AGENT, selector: '0x00000000', received: '30' }],
    ['Settled', { gross: '150', principal: '120', fee: '3', by: AGENT }],
    ['Unwound', { by: AGENT, target: AGENT, selector: '0x00000000', received: '10' }],
    ['Withdrawn', { to: AGENT, amount: '157', feeAccrued: '1' }],
    ['FeeClaimed', { to: AGENT, amount: '4' }],
  ])
  expect(vault).toMatchObject({ settled: true, accounted: 0n, withdrawn: 156n, feeTotal: 4n, feeOwed: 0n })
  expect(contradictions).toEqual([])
})

test('USDC at the leg counts as out until returned; the last return writes off the rest', () => {
  const funded: Script = [...paidIn, ['LegFunded', { seq: '1', amount: '50', legOut: '50' }]]
  expect(folded(funded).vault).toMatchObject({ accounted: 70n, legOut: 50n, legOpen: true, legSeq: 1n })
  const part = folded([...funded, ['LegReturned', { seq: '1', amount: '20', legOut: '30', last: false }]])
  expect(part).toMatchObject({ vault: { accounted: 90n, legOut: 30n, legOpen: true }, contradictions: [] })
  const last = folded([...funded, ['LegReturned', { seq: '1', amount: '20', legOut: '0', last: true }]])
  expect(last).toMatchObject({
    vault: { accounted: 90n, legOut: 0n, legOpen: false, legReturned: 20n },
    contradictions: [],
  })
})

test('agents, stops and marks are booked as the events state them', () => {
  const { vault } = folded([
    ['AgentSet', { agent: '0x0000000000000000000000000000000000000000', previous: AGENT }],
    ['Marked', { worth: '99', asOf: '1000', keeper: AGENT }],
    ['Stopped', { reason: '2', by: AGENT, stoppedAt: '1001' }],
    ['Rescued', { token: AGENT, amount: '5' }],
  ])
  expect(vault).toMatchObject({
    agent: expect.stringMatching(/^0x0+$/),
    lastWorth: 99n,
    markedAt: 1000n,
    stopReason: 2,
    stoppedAt: 1001n,
  })
})

test.each([
  ['Deposited', { from: AGENT, amount: '1', principal: '2' }, 'principal'],
  ['DirectDeposit', { amount: '1', principal: '2' }, 'principal'],
  ['Settled', { gross: '9', principal: '0', fee: '0', by: AGENT }, 'gross'],
  ['FeeClaimed', { to: AGENT, amount: '1' }, 'feeOwed'],
  ['LegFunded', { seq: '1', amount: '1', legOut: '2' }, 'legOut'],
  ['LegReturned', { seq: '1', amount: '0', legOut: '2', last: false }, 'legOut'],
  [...spent('1', '3', '4'), 'usedAmount'],
] as const)('a running total of %s that contradicts the books is reported', (name, args, figure) => {
  expect(folded([[name, args]]).contradictions.map((one) => one.figure)).toContain(figure)
})

test('an event that lacks an argument throws instead of counting zero', () => {
  const names = mandateVaultV2Abi.flatMap((item) => (item.type === 'event' ? item.name : []))
  expect(names).toHaveLength(13)
  for (const name of names.filter((one) => one !== 'Rescued'))
    expect(() => foldEvent(newVault(AGENT), { name, args: {} })).toThrow(/lacks its argument/)
})
