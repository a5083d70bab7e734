/** Meaning of a word for the amounts near it. */
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

/** Unit next to an amount. */
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
/** A word with a meaning for limits. A strong cue in a clause without an amount is a limit that cannot be read. */
export interface CueToken extends Span {
  readonly kind: 'cue'
  readonly cue: Cue
  readonly strong: boolean
}
/** A number or character that cannot be read with certainty, and why. */
export interface UnreadableToken extends Span {
  readonly kind: 'unreadable'
  readonly why: string
}
/** End of the mandate: a duration in minutes, or a day. */
export interface EndToken extends Span {
  readonly kind: 'end'
  readonly minutes: number | null
  readonly day: string | null
}
/** A phrase that sets a field without an amount. */
export interface PhraseToken extends Span {
  readonly kind: 'noStop' | 'noFee'
}
export interface PlainToken extends Span {
  /** `break` ends a clause, `filler` has no meaning for limits, `unknown` may mean anything. */
  readonly kind: 'break' | 'filler' | 'unknown' | 'market'
}
export type Token = AmountToken | CueToken | UnreadableToken | EndToken | PhraseToken | PlainToken

/** Meaning that a rule of the lexicon gives the words that it matches. */
export type Meaning =
  | { readonly kind: 'cue'; readonly cue: Cue; readonly strong: boolean }
  | { readonly kind: 'break' | 'filler' | 'noStop' | 'noFee' }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'end'; readonly minutes: number }

/** A rule of the lexicon: a sticky pattern and its meaning. */
export type Rule = readonly [pattern: RegExp, meaning: Meaning]

export const strong = (cue: Cue): Meaning => ({ kind: 'cue', cue, strong: true })
export const weak = (cue: Cue): Meaning => ({ kind: 'cue', cue, strong: false })
export const filler: Meaning = { kind: 'filler' }

/** Replaces each character of a market's name in a note, so that the words of the name are not read. */
export const MARKET_SIGN = '¤'

export const MINUTES = { minute: 1, hour: 60, day: 1_440, week: 10_080, month: 43_200, year: 525_600 } as const
