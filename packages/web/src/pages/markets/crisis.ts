import type { Answer } from '../../lib/routes-of-api.ts'
import { shownNumber } from './figures.ts'

type Item = Pick<
  Answer<'GET /alerts/crisis'>['items'][number],
  'rule' | 'value' | 'inputs' | 'worst_value' | 'worst_inputs' | 'value_now'
>
type Episode = Pick<Item, 'rule' | 'value' | 'inputs'>

/** Sentences of the rules, in one language; the arguments are figures as they stand on the page. */
export interface CrisisWords {
  readonly crash: (fall: string) => string
  readonly crashMore: (fall: string) => string
  readonly liquidity: (percent: string) => string
  readonly spread: (bps: string) => string
  readonly halted: string
  readonly silent: (minutes: string) => string
  readonly depeg: (price: string) => string
  readonly notice: (flags: string) => string
  readonly gapBelow: (percent: string) => string
  readonly gapAbove: (percent: string) => string
  /** Follows the sentence of the worst minute. */
  readonly now: (value: string) => string
}

/** Returns an episode at its worst: the severity is that of this minute. */
export const worstOf = ({ rule, value, inputs, worst_value, worst_inputs }: Item): Episode =>
  worst_inputs === undefined ? { rule, value, inputs } : { rule, value: worst_value ?? null, inputs: worst_inputs }

/** Returns what the rule of an open episode reads at present; null if it is unknown, the worst so far, or no figure. */
export function presentSaid(item: Item, words: CrisisWords): string | null {
  const { rule, value_now: now } = item
  if (now === undefined || now === null || now === worstOf(item).value) return null
  switch (rule) {
    case 'spread_blowout':
      return words.now(`${shownNumber(now, 0)} bps`)
    case 'halt':
      return words.now(`${shownNumber(now, 0)} min`)
    case 'depeg':
      return words.now(shownNumber(1 + now, 4))
    case 'crash':
    case 'liquidity_withdrawal':
    case 'cross_venue_gap':
      return words.now(`${shownNumber(now * 100, 1)}%`)
    default:
      return null
  }
}

/** Returns what a rule saw in a minute, in a sentence; null if the facts for it are missing. */
export function crisisSaid({ rule, value, inputs }: Episode, words: CrisisWords): string | null {
  if (rule === 'official_notice') {
    const flags = textOf(inputs['new_flags']) ?? textOf(inputs['flags'])
    return flags === null ? null : words.notice(flags)
  }
  if (rule === 'halt' && inputs['halted'] === true) return words.halted
  if (value === null) return null
  const percent = (share: number) => shownNumber(share * 100, 1)
  switch (rule) {
    case 'crash':
      return (inputs['rule'] === 'relative' ? words.crashMore : words.crash)(percent(-value))
    case 'liquidity_withdrawal':
      return words.liquidity(percent(value))
    case 'spread_blowout':
      return words.spread(shownNumber(value, 0))
    case 'halt':
      return words.silent(shownNumber(value, 0))
    case 'depeg':
      return words.depeg(shownNumber(1 + value, 4))
    case 'cross_venue_gap':
      return (value < 0 ? words.gapBelow : words.gapAbove)(percent(Math.abs(value)))
    default:
      return rule satisfies never
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
