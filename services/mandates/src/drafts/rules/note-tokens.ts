/** What a word of a note says about the amounts near it. */
export type Cue =
  | 'tx'
  | 'day'
  | 'otherPeriod'
  | 'budget'
  | 'give'
  | 'limit'
  | 'below'
  | 'above'
  | 'from'
  | 'not'
  | 'loss'
  | 'stop'
  | 'stopLine'
  | 'stopLoss'
  | 'approval'
  | 'always'
  | 'fee'
  | 'profit'
  | 'until'
  | 'noLimit'
  | 'vague'

/** The unit that stands at an amount. */
export type Unit = 'usdc' | 'percent' | 'bps' | null

interface Span {
  readonly start: number
  readonly end: number
}
/** An amount: USDC base units, or millionths of a percent or basis point. */
export interface AmountToken extends Span {
  readonly kind: 'amount'
  readonly value: bigint
  readonly unit: Unit
}
/** A word with a meaning for limits. Alone, without an amount, a strong one is a limit that nobody can read. */
export interface CueToken extends Span {
  readonly kind: 'cue'
  readonly cue: Cue
  readonly strong: boolean
}
/** A figure or sign that cannot be read with certainty, and why. */
export interface UnreadableToken extends Span {
  readonly kind: 'unreadable'
  readonly why: string
}
/** The end of the mandate: a length of time in minutes, or a day. */
export interface EndToken extends Span {
  readonly kind: 'end'
  readonly minutes: number | null
  readonly day: string | null
}
/** A field that one phrase says whole. */
export interface PhraseToken extends Span {
  readonly kind: 'noStop' | 'noFee'
}
export interface PlainToken extends Span {
  /** `break` ends a clause, `filler` says nothing about limits, `unknown` may say anything. */
  readonly kind: 'break' | 'filler' | 'unknown' | 'market'
}
export type Token = AmountToken | CueToken | UnreadableToken | EndToken | PhraseToken | PlainToken

/** What a rule of the lexicon makes of the words that it matches. */
export type Meaning =
  | { readonly kind: 'cue'; readonly cue: Cue; readonly strong: boolean }
  | { readonly kind: 'break' | 'filler' | 'noStop' | 'noFee' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'end'; readonly minutes: number }

/** A rule of the lexicon: a sticky pattern and what it means. */
export type Rule = readonly [pattern: RegExp, meaning: Meaning]

export const strong = (cue: Cue): Meaning => ({ kind: 'cue', cue, strong: true })
export const weak = (cue: Cue): Meaning => ({ kind: 'cue', cue, strong: false })
export const filler: Meaning = { kind: 'filler' }

/** Stands in a note for each sign of a market's name, so that other words in the name are not read. */
export const MARKET_SIGN = '¤'

export const MINUTES = { minute: 1, hour: 60, day: 1_440, week: 10_080, month: 43_200, year: 525_600 } as const
