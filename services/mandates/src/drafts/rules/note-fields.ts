import type { LimitName } from '@svc/limits'
import type { AmountToken, Cue, CueToken } from './note-tokens.ts'

/** What an amount limits. `bare` is an amount without a word about it, which is the budget. */
export type AmountField =
  | 'bare'
  | 'stopLoss'
  | 'loss'
  | Extract<LimitName, 'budget' | 'perTxCap' | 'dailyCap' | 'stopLine' | 'approvalAbove' | 'feeBps'>
/** A field with its amount, in millionths of USDC, of a percent or of a basis point. */
export interface AmountSaid {
  readonly field: AmountField
  readonly value: bigint
  readonly unit: AmountToken['unit']
}

/** Cues that limit an amount without naming a field. */
const BOUNDS: readonly Cue[] = ['limit', 'below', 'above', 'from', 'not', 'give', 'always']
/** Fields by the cues that name them, in alphabetical order. Other sets of cues cannot be read. */
const MONEY: Readonly<Record<string, AmountField>> = {
  budget: 'budget',
  tx: 'perTxCap',
  day: 'dailyCap',
  loss: 'loss',
  'loss stop': 'loss',
  stop: 'stopLoss',
  stopLine: 'stopLine',
  'stop stopLine': 'stopLine',
  stopLoss: 'stopLoss',
  'loss stopLoss': 'stopLoss',
  approval: 'approvalAbove',
  'approval tx': 'approvalAbove',
}
const PERCENT: Readonly<Record<string, AmountField>> = {
  'budget tx': 'perTxCap',
  tx: 'perTxCap',
  'budget day': 'dailyCap',
  day: 'dailyCap',
  loss: 'loss',
  'budget loss': 'loss',
  'loss stop': 'loss',
  'budget loss stop': 'loss',
  stop: 'stopLoss',
  'budget stop': 'stopLoss',
  stopLoss: 'stopLoss',
  'loss stopLoss': 'stopLoss',
  stopLine: 'stopLine',
  'stop stopLine': 'stopLine',
  fee: 'feeBps',
  'fee profit': 'feeBps',
  profit: 'feeBps',
}

/** Returns the field that an amount sets, by the cues before and after it; null unless they name exactly one field. */
export function fieldOf(
  amount: AmountToken,
  before: readonly CueToken[],
  after: readonly CueToken[],
): AmountSaid | null {
  const sides = [named(before), named(after)]
  const cues = [...before, ...after].map(({ cue }) => cue)
  const subjects = [...new Set(sides.flat())].toSorted().join(' ')
  if (['otherPeriod', 'noLimit', 'vague', 'until'].some((cue) => cues.includes(cue as Cue))) return null
  if (amount.value === 0n && subjects !== 'approval' && subjects !== 'fee') return null
  const said = (field: AmountField, value = amount.value): AmountSaid => ({ field, value, unit: amount.unit })
  if (amount.unit === 'bps') return subjects === 'fee' && plainBound(cues) ? said('feeBps') : null
  if (amount.unit === 'percent') {
    const field = PERCENT[subjects]
    return field === undefined || !(plainBound(cues) || (LOSSES.includes(field) && crossed(cues))) ? null : said(field)
  }
  if (subjects === '') {
    if (!plainBound(cues)) return null
    const bounded = cues.some((cue) => cue === 'give' || cue === 'limit' || cue === 'below')
    return bounded ? said('budget', least(amount, cues)) : amount.unit === 'usdc' ? said('bare') : null
  }
  const field = MONEY[subjects]
  // Two names of fields around one amount: one of them may belong to a missing amount.
  if (field === undefined || (sides.every(({ length }) => length > 0) && !TOGETHER.includes(subjects))) return null
  if (field === 'approvalAbove') return approvalOf(amount, cues)
  if (LOSSES.includes(field)) return plainBound(cues) || crossed(cues) ? said(field) : null
  return plainBound(cues) ? said(field, least(amount, cues)) : null
}

const LOSSES: readonly AmountField[] = ['loss', 'stopLoss', 'stopLine']
const TOGETHER = ['approval tx', 'loss stop', 'loss stopLoss', 'stop stopLine']

/** Returns the cues that name a field. "Daily budget" is one name. */
function named(side: readonly CueToken[]): Cue[] {
  const subjects = side.filter(({ cue }) => !BOUNDS.includes(cue)).map(({ cue }) => cue)
  return subjects.filter((cue, at) => cue !== 'budget' || !['tx', 'day'].includes(subjects[at - 1] ?? ''))
}

const count = (cues: readonly Cue[], cue: Cue): number => cues.filter((one) => one === cue).length

/** Returns true if the cues state an upper bound, directly or by "not more than". */
function plainBound(cues: readonly Cue[]): boolean {
  if (cues.includes('from') || cues.includes('always')) return false
  const nots = count(cues, 'not')
  return nots === 0 ? !cues.includes('above') : nots === 1 && count(cues, 'above') === 1
}

/** Returns true if the cues state a bound that stops the agent, as in "stop when it has lost more than 50". */
const crossed = (cues: readonly Cue[]): boolean =>
  !cues.includes('not') &&
  !cues.includes('always') &&
  cues.some((cue) => ['stop', 'stopLoss', 'stopLine'].includes(cue)) &&
  cues.some((cue) => cue === 'above' || cue === 'from')

/** Returns the greatest amount that the cues allow: "under 50" is less than 50. */
const least = ({ value, unit }: AmountToken, cues: readonly Cue[]): bigint =>
  cues.includes('below') && unit !== 'percent' ? value - 1n : value

function approvalOf({ value, unit }: AmountToken, cues: readonly Cue[]): AmountSaid | null {
  const [nots, above] = [count(cues, 'not'), cues.includes('above')]
  const below = cues.includes('below') || cues.includes('limit')
  const from = cues.includes('from')
  const said = (amount: bigint): AmountSaid => ({ field: 'approvalAbove', value: amount, unit })
  if (cues.includes('give') || cues.includes('always') || (above && from)) return null
  // "From 40 on" also asks at 40.
  if (!below && nots === 0) return said(from && value > 0n ? value - 1n : value)
  if (!below && nots === 2 && (above || from)) return said(from && value > 0n ? value - 1n : value)
  // "Never ask below 25".
  return below && nots === 1 && !above && !from ? said(value) : null
}
