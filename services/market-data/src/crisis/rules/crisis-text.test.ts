import { expect, test } from 'vitest'
import { presentOf } from './crisis-text.ts'
import { CRISIS_RULES, type CrisisRule, type Measure } from './crisis-rules.ts'

/** Inputs of each rule at its worst and at present, and what the words about the present contain. */
const FACTS: Readonly<Record<CrisisRule, readonly [worst: Measure['inputs'], now: Measure['inputs'], has: string]>> = {
  crash: [{ rule: 'relative', relative_return_60m: -0.25 }, { rule: 'absolute', relative_return_60m: -0.031 }, '3.1%'],
  liquidity_withdrawal: [{ share_of_median: 0.1 }, { share_of_median: 0.8 }, '80%'],
  spread_blowout: [{ spread_bps: 900, median_24h_bps: 10 }, { spread_bps: 12, median_24h_bps: 10 }, '12'],
  halt: [{ halted: false, silent_minutes: 60 }, { halted: false, silent_minutes: 75 }, '75'],
  depeg: [{ price_usd: 0.9 }, { price_usd: 0.999 }, '0.9990'],
  official_notice: [{ flags: 'ST', new_flags: 'ST' }, { flags: 'caution', new_flags: '' }, 'caution'],
  cross_venue_gap: [{ gap: 0.3 }, { gap: 0.011 }, '1.1%'],
}

test.each(CRISIS_RULES)('the rule %s tells what it reads at present, in English and Korean', (rule) => {
  const [worst, now, has] = FACTS[rule]
  const present = presentOf(rule, now, worst)
  expect(present.text?.en).toContain(has)
  expect(present.text?.ko).toContain(has)
  expect(present.value === null).toBe(rule === 'official_notice')
  expect(presentOf(rule, null, worst)).toEqual({ value: null, text: null })
})

test('a rise after a crash, a pair that trades again and a notice that ended are told as such', () => {
  const english = (rule: CrisisRule, now: Measure['inputs']) => presentOf(rule, now, {}).text?.en
  expect(english('crash', { return_60m: 0.05 })).toBe('up 5.0%')
  expect(english('halt', { halted: false, silent_minutes: null })).toBe('it trades')
  expect(english('official_notice', { flags: '' })).toBe('no notice')
})
