import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOf, judgePurchase, tallyOf, type DraftFigures } from './judge.ts'
import { unitsOf } from './money.ts'

const figures: DraftFigures = {
  budget: unitsOf('500'),
  perTxCap: unitsOf('60'),
  dailyCap: unitsOf('150'),
  approvalAbove: unitsOf('40'),
  stopLine: unitsOf('400'),
  feeBps: 1_000n,
}
const short = (of: DraftFigures) => dayOf(of).map(({ verdict, code }) => `${verdict} ${code ?? ''}`.trim())

describe('a day with limits', () => {
  test('shows a pass, two questions and four refusals, each with its reason', () => {
    expect(short(figures)).toEqual([
      'passes',
      'asks approval_required',
      'refused over_per_tx_cap',
      'asks approval_required',
      'refused over_daily_cap',
      'refused call_not_allowed',
      'refused stopped_by_stop_line',
    ])
    expect(tallyOf(dayOf(figures))).toEqual({ passes: 1, asks: 2, refused: 4 })
    expect(dayOf(figures)[4]?.most).toBe(unitsOf('6'))
  })

  test('never asks when nothing has to be asked, and is not stopped without a stop line', () => {
    const free = { ...figures, approvalAbove: null, stopLine: 0n }
    expect(dayOf(free).map(({ verdict }) => verdict)).toEqual([
      'passes',
      'passes',
      'refused',
      'passes',
      'refused',
      'refused',
      'passes',
    ])
  })

  test('is refused by the money in the vault when the budget is spent', () => {
    const all = unitsOf('100')
    const tight = { ...figures, budget: all, perTxCap: all, dailyCap: all, stopLine: 0n, approvalAbove: null }
    expect(short(tight).slice(0, 5)).toEqual([
      'passes',
      'refused over_daily_cap',
      'refused over_per_tx_cap',
      'refused over_daily_cap',
      'refused over_daily_cap',
    ])
  })

  test('never lets more through in a day than the daily cap, whatever the limits', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 12n })
    fc.assert(
      fc.property(amount, amount, amount, amount, (one, other, third, line) => {
        const [perTxCap, dailyCap, budget] = [one, other, third].toSorted((a, b) => (a < b ? -1 : 1)) as [
          bigint,
          bigint,
          bigint,
        ]
        const of = { budget, perTxCap, dailyCap, approvalAbove: perTxCap / 2n, stopLine: line % budget, feeBps: 0n }
        const spent = dayOf(of).flatMap(({ what, amount: bought, verdict }) =>
          what === 'buys' && verdict !== 'refused' ? [bought ?? 0n] : [],
        )
        expect(spent.reduce((sum, bought) => sum + bought, 0n) <= dailyCap).toBe(true)
        expect(spent.every((bought) => bought <= perTxCap)).toBe(true)
      }),
    )
  })
})

test('one purchase is judged with what the day has used', () => {
  expect(judgePurchase(figures, unitsOf('40')).refusal).toBeNull()
  expect(judgePurchase(figures, unitsOf('41')).refusal?.code).toBe('approval_required')
  expect(judgePurchase(figures, unitsOf('61')).refusal?.code).toBe('over_per_tx_cap')
  expect(judgePurchase(figures, unitsOf('40'), unitsOf('120')).refusal?.code).toBe('over_daily_cap')
})
