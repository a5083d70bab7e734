import { crisisRule } from '@svc/contracts/market-data/crisis'
import { expect, test } from 'vitest'
import { crisisSaid, presentSaid, worstOf } from './crisis.ts'
import { ko } from './words.ko.ts'
import { en } from './words.ts'

/** Facts of an episode by rule, and the figure or word that its sentence has. */
const FACTS = {
  crash: { value: -0.1604, inputs: { rule: 'absolute' }, has: '16' },
  liquidity_withdrawal: { value: 0.123, inputs: {}, has: '12.3' },
  spread_blowout: { value: 241.7, inputs: {}, has: '242' },
  halt: { value: 45, inputs: { halted: false }, has: '45' },
  depeg: { value: -0.0312, inputs: {}, has: '0.9688' },
  official_notice: { value: null, inputs: { new_flags: 'Monitoring', flags: 'Monitoring, ST' }, has: ': Monitoring' },
  cross_venue_gap: { value: -0.0721, inputs: {}, has: '7.2' },
} as const

test.each(crisisRule.options)('a crisis of the rule %s is told in Korean and in English with its figures', (rule) => {
  const [english, korean] = [en, ko].map((words) => crisisSaid({ rule, ...FACTS[rule] }, words.crisis))
  expect(korean).toMatch(/[가-힣]/)
  expect(english).not.toMatch(/[가-힣]/)
  for (const said of [english, korean]) expect(said).toContain(FACTS[rule].has)
})

test('a fall beyond that of the market, a gap upwards and a halt by the exchange have sentences of their own', () => {
  const said = (rule: 'crash' | 'cross_venue_gap' | 'halt', value: number | null, inputs: object) =>
    crisisSaid({ rule, value, inputs: { ...inputs } }, en.crisis)
  expect(said('crash', -0.16, { rule: 'relative' })).toMatch(/^Fell 16% more than its market/)
  expect(said('cross_venue_gap', 0.08, {})).toMatch(/^8% above/)
  expect(said('halt', null, { halted: true })).toBe('Does not trade: its exchange says so.')
})

test('an episode is shown at its worst, with the present value if it differs', () => {
  const opening = { rule: 'crash', value: -0.126, inputs: { rule: 'relative' } } as const
  const item = { ...opening, worst_value: -0.252, worst_inputs: { rule: 'relative' }, value_now: -0.031 }
  expect(crisisSaid(worstOf(item), en.crisis)).toMatch(/^Fell 25\.2% more than its market/)
  expect(presentSaid(item, en.crisis)).toContain('3.1')
  expect(presentSaid(item, ko.crisis)).toContain('3.1')
  expect(presentSaid({ ...item, value_now: -0.252 }, en.crisis)).toBeNull()
  expect(presentSaid({ ...item, value_now: null }, en.crisis)).toBeNull()
  expect(worstOf(opening)).toEqual(opening)
})

test('without the facts of its rule an episode has no sentence of the page', () => {
  expect(crisisSaid({ rule: 'crash', value: null, inputs: {} }, ko.crisis)).toBeNull()
  expect(crisisSaid({ rule: 'official_notice', value: null, inputs: {} }, ko.crisis)).toBeNull()
})
