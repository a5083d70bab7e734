import { fieldOf, type AmountSaid } from './note-fields.ts'
import type { AmountToken, Cue, CueToken, EndToken, Token } from './note-tokens.ts'

/** A statement of a clause of a note. */
export type Said =
  | (AmountSaid & { readonly kind: 'amount'; readonly span: Span })
  | { readonly kind: 'noStop' | 'noFee' | 'askAlways' | 'askNever'; readonly span: Span }
  | { readonly kind: 'end'; readonly minutes: number | null; readonly day: string | null; readonly span: Span }
/** Words that no field uses, and why. */
export interface Unread {
  readonly span: Span
  readonly code: 'unread_amount' | 'unread_word' | 'no_amount'
  readonly why: string
}
export interface Span {
  readonly start: number
  readonly end: number
}
export interface ClauseReading {
  readonly said: readonly Said[]
  readonly unread: readonly Unread[]
}

const AMOUNTS_MAX = 4

/** Returns the clauses between breaks, in order. */
export function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]]
  for (const token of tokens)
    if (token.kind === 'break') clauses.push([])
    else clauses.at(-1)?.push(token)
  return clauses.filter(({ length }) => length > 0)
}

/** Reads a clause. Every amount and every strong word is part of a statement or is unread. */
export function readClause(tokens: readonly Token[]): ClauseReading {
  const { ends, rest } = withoutEnds(tokens)
  const amounts = rest.filter((token) => token.kind === 'amount')
  const said: Said[] = ends.said.map((end) => ({ kind: 'end', minutes: end.minutes, day: end.day, span: end }))
  const unread: Unread[] = [...ends.unread]
  for (const token of rest) {
    if (token.kind === 'noStop' || token.kind === 'noFee') said.push({ kind: token.kind, span: token })
    if (token.kind === 'unreadable') unread.push({ span: token, code: 'unread_amount', why: token.why })
  }
  const figures = amounts.length > 0 || unread.length > 0
  // In a clause with an amount, an unknown word may change the meaning.
  if (figures)
    for (const token of rest)
      if (token.kind === 'unknown')
        unread.push({ span: token, code: 'unread_word', why: 'is an unknown word next to an amount' })
  // "Never on this market" must not allow the market.
  const refused = rest.find((token) => token.kind === 'cue' && token.cue === 'not')
  for (const token of rest)
    if (token.kind === 'market' && refused !== undefined)
      unread.push({
        span: { start: Math.min(token.start, refused.start), end: Math.max(token.end, refused.end) },
        code: 'unread_word',
        why: 'names a market next to a negation',
      })
  const read = amounts.length > 0 ? amountsOf(rest, amounts) : wordsOf(rest, ends.said.length > 0)
  return { said: [...said, ...read.said], unread: [...unread, ...read.unread] }
}

/** Separates durations, and days after "until", from the rest of a clause. */
function withoutEnds(tokens: readonly Token[]): {
  readonly ends: { readonly said: EndToken[]; readonly unread: Unread[] }
  readonly rest: Token[]
} {
  const said: EndToken[] = []
  const unread: Unread[] = []
  const used = new Set<Token>()
  tokens.forEach((token, at) => {
    if (token.kind !== 'end') return
    const around = [tokens[at - 1], tokens[at + 1]].find((one) => marksEnd(one, token))
    used.add(token)
    if (around !== undefined) used.add(around)
    if (token.day !== null && around === undefined)
      unread.push({ span: token, code: 'unread_amount', why: 'is a day without "until"' })
    else said.push(token)
  })
  return { ends: { said, unread }, rest: tokens.filter((token) => !used.has(token)) }
}

/** Returns true for "until" before a day, and for "까지" after a day or a duration. */
const marksEnd = (token: Token | undefined, end: EndToken): boolean =>
  token?.kind === 'cue' && ((token.cue === 'until' && end.day !== null) || (token.cue === 'limit' && !token.strong))

/** Assigns the cues around each amount to it. Cues between two amounts may belong to either; exactly one reading must be possible. */
function amountsOf(tokens: readonly Token[], amounts: readonly AmountToken[]): ClauseReading {
  const gaps = gapsOf(tokens)
  const ways = amounts.length > AMOUNTS_MAX ? [] : waysToRead(amounts, gaps)
  const [only] = ways
  if (only === undefined || ways.some((way) => keyOf(way) !== keyOf(only)))
    return {
      said: [],
      unread: amounts.map((span) => ({
        span,
        code: 'unread_amount',
        why: ways.length > 1 ? 'can be read in two ways' : 'belongs to no limit of a mandate',
      })),
    }
  const said = only.map((one, at): Said => ({
    ...one,
    kind: 'amount',
    span: spanOf(amounts[at] as AmountToken, [...(gaps[at] ?? []), ...(gaps[at + 1] ?? [])], amounts),
  }))
  return { said, unread: [] }
}

const keyOf = (way: readonly AmountSaid[]) =>
  way.map(({ field, value }) => `${field === 'bare' ? 'budget' : field} ${value}`).join(',')

/** Returns the cues before the first amount, between amounts, and after the last. */
function gapsOf(tokens: readonly Token[]): CueToken[][] {
  const gaps: CueToken[][] = [[]]
  for (const token of tokens)
    if (token.kind === 'amount') gaps.push([])
    else if (token.kind === 'cue') gaps.at(-1)?.push(token)
  return gaps
}

function waysToRead(amounts: readonly AmountToken[], gaps: readonly CueToken[][]): AmountSaid[][] {
  let ways: { readonly said: AmountSaid[]; readonly before: readonly CueToken[] }[] = [
    { said: [], before: gaps[0] ?? [] },
  ]
  amounts.forEach((amount, at) => {
    const gap = gaps[at + 1] ?? []
    const last = at === amounts.length - 1
    ways = ways.flatMap(({ said, before }) => {
      const splits = last ? [gap.length] : gap.map((_, split) => split).concat(gap.length)
      return splits.flatMap((split) => {
        const one = fieldOf(amount, before, gap.slice(0, split))
        return one === null ? [] : [{ said: [...said, one], before: gap.slice(split) }]
      })
    })
  })
  return ways.map(({ said }) => said)
}

/** Returns the span of the words that belong to an amount, without other amounts. */
function spanOf(amount: AmountToken, cues: readonly CueToken[], amounts: readonly AmountToken[]): Span {
  const others = amounts.filter((one) => one !== amount)
  const from = Math.max(0, ...others.filter(({ end }) => end <= amount.start).map(({ end }) => end))
  const to = Math.min(Infinity, ...others.filter(({ start }) => start >= amount.end).map(({ start }) => start))
  const near = cues.filter(({ start, end }) => start >= from && end <= to)
  return {
    start: Math.min(amount.start, ...near.map(({ start }) => start)),
    end: Math.max(amount.end, ...near.map(({ end }) => end)),
  }
}

/** Reads a clause without an amount: what it says about approvals, or words about limits, which are then unread. */
function wordsOf(tokens: readonly Token[], hasEnd: boolean): ClauseReading {
  const cues = tokens.filter((token) => token.kind === 'cue')
  const has = (cue: Cue) => cues.some((one) => one.cue === cue)
  const nots = cues.filter(({ cue }) => cue === 'not').length
  const span = { start: cues[0]?.start ?? 0, end: cues.at(-1)?.end ?? 0 }
  const others = cues.filter(({ cue, strong }) => strong && !['approval', 'tx'].includes(cue))
  if (has('approval') && others.length === 0 && !has('above') && !has('below') && !has('from')) {
    const always = has('always') || has('tx')
    if (always && nots === 0) return { said: [{ kind: 'askAlways', span }], unread: [] }
    if (!always && nots === 1) return { said: [{ kind: 'askNever', span }], unread: [] }
  }
  // "Stop after two weeks" states an end.
  const loose = cues.filter(({ cue, strong }) => strong && !(hasEnd && (cue === 'stop' || cue === 'limit')))
  const vague = cues.filter(({ cue }) => cue === 'until' || cue === 'above')
  return {
    said: [],
    unread: [...loose, ...vague].map((one) => ({
      span: one,
      code: 'no_amount',
      why:
        one.cue === 'noLimit'
          ? 'asks for no limit, but every mandate has all limits'
          : 'mentions a limit without an amount',
    })),
  }
}
