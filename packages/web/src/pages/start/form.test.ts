import { describe, expect, test } from 'vitest'
import {
  faultsOf,
  figuresOf,
  formOf,
  limitsOf,
  slideEnd,
  slideStep,
  storedDifferences,
  typedBps,
  type Form,
} from './form.ts'

const now = Date.parse('2026-11-22T00:00:00.000Z')
const limits = {
  name: 'Standard mandate',
  budget_usdc: '500',
  per_tx_cap_usdc: '60',
  daily_cap_usdc: '150',
  stop_line_usdc: '400',
  approval_above_usdc: '40',
  markets: ['testvenue'],
  ends_at: '2026-12-20T00:00:00.000Z',
  fee_bps: 1_000,
  hl_leg: false,
  leg_budget_usdc: null,
  close_if_silent_minutes: null,
  public_proof: false,
}
const form = formOf(limits)
const with_ = (change: Partial<Form>, amounts: Partial<Form['amounts']> = {}): Form => ({
  ...form,
  ...change,
  amounts: { ...form.amounts, ...amounts },
})
const rules = (of: Form) => Object.entries(faultsOf(of, now)).map(([place, fault]) => `${place} ${fault?.rule}`)

describe('the form of limits', () => {
  test('gives back what the service wrote', () => {
    expect(limitsOf(form)).toEqual(limits)
    expect(limitsOf(formOf({ ...limits, approval_above_usdc: null, stop_line_usdc: '0' }))).toEqual({
      ...limits,
      approval_above_usdc: null,
      stop_line_usdc: '0',
    })
    expect(faultsOf(form, now)).toEqual({})
  })

  test('has figures only when all can be read', () => {
    expect(figuresOf(form)).toEqual({
      budget: 500_000_000n,
      perTxCap: 60_000_000n,
      dailyCap: 150_000_000n,
      approvalAbove: 40_000_000n,
      stopLine: 400_000_000n,
      feeBps: 1_000n,
    })
    expect(figuresOf(with_({}, { budget_usdc: 'five' }))).toBeNull()
    expect(figuresOf(with_({ neverAsks: true }, { approval_above_usdc: '' }))).toMatchObject({ approvalAbove: null })
  })

  test('names the field and the bound of each broken rule', () => {
    expect(rules(with_({}, { per_tx_cap_usdc: '151' }))).toEqual(['per_tx_cap_usdc above_day'])
    expect(rules(with_({}, { daily_cap_usdc: '501' }))).toEqual(['daily_cap_usdc above_budget'])
    expect(rules(with_({}, { stop_line_usdc: '500' }))).toEqual(['stop_line_usdc not_below_budget'])
    expect(rules(with_({ noStopLine: true }, { stop_line_usdc: '500' }))).toEqual([])
    expect(rules(with_({}, { approval_above_usdc: '61' }))).toEqual(['approval_above_usdc above_trade'])
    expect(rules(with_({ neverAsks: true }, { approval_above_usdc: '61' }))).toEqual([])
    expect(rules(with_({}, { per_tx_cap_usdc: '0', approval_above_usdc: '0' }))).toEqual(['per_tx_cap_usdc zero'])
    expect(rules(with_({}, { budget_usdc: '1,5' }))).toEqual(['budget_usdc unread'])
    expect(faultsOf(with_({}, { per_tx_cap_usdc: '151' }), now).per_tx_cap_usdc?.bound).toBe(150_000_000n)
  })

  test('bounds the end, the fee, the name and the markets', () => {
    expect(rules(with_({ endsAt: '2026-11-22T00:30:00.000Z' }))).toEqual(['ends_at too_early'])
    expect(rules(with_({ endsAt: 'never' }))).toEqual(['ends_at too_early'])
    expect(rules(with_({ endsAt: '2028-11-22T00:30:00.000Z' }))).toEqual(['ends_at too_late'])
    expect(rules(with_({ fee: '30.01' }))).toEqual(['fee_bps fee_too_large'])
    expect(rules(with_({ fee: 'ten' }))).toEqual(['fee_bps fee_unread'])
    expect(rules(with_({ name: ' ', markets: [] }))).toEqual(['name no_name', 'markets no_market'])
  })

  test('asks for the part at the leg only with a market of the leg', () => {
    const leg = with_({ markets: ['hl:BTC'], legBudget: '600' })
    expect(rules(leg)).toEqual(['leg_budget_usdc above_budget'])
    expect(limitsOf({ ...leg, legBudget: '100' })).toMatchObject({ hl_leg: true, leg_budget_usdc: '100' })
    expect(limitsOf({ ...form, legBudget: '100' })).toMatchObject({ hl_leg: false, leg_budget_usdc: null })
    expect(rules(with_({ markets: ['hl:BTC'], legBudget: '100', endsAt: '2027-06-01T00:00:00.000Z' }))).toEqual([
      'ends_at too_late',
    ])
  })
})

test('a stored draft is compared with what was set, field by field', () => {
  const { name: _, ...stored } = limits
  expect(storedDifferences(limits, stored)).toEqual([])
  expect(storedDifferences(limits, { ...stored, per_tx_cap_usdc: '600' })).toEqual(['per_tx_cap_usdc'])
  expect(storedDifferences(limits, { ...stored, markets: ['testvenue', 'hl:BTC'] })).toEqual(['markets'])
})

test('a percentage has at most two decimals', () => {
  expect(['10', '12.34', '0', '100', '1,5'].map(typedBps)).toEqual([1_000, 1_234, 0, 10_000, 150])
  expect(['101', '1.234', '', '-1', 'x'].map(typedBps)).toEqual([null, null, null, null, null])
})

test('a limit slides below the one that bounds it', () => {
  expect(slideEnd('budget_usdc', form)).toBe(2_000)
  expect(slideEnd('budget_usdc', with_({}, { budget_usdc: '3000' }))).toBe(10_000)
  expect(slideEnd('per_tx_cap_usdc', form)).toBe(500)
  expect(slideEnd('approval_above_usdc', form)).toBe(60)
  expect(slideStep(2_000)).toBe(10)
  expect(slideStep(60)).toBe(1)
})
