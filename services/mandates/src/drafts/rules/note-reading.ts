import { withoutUnfit } from '@svc/contracts/label'
import { clausesOf, readClause, type Said, type Span, type Unread } from './note-clauses.ts'
import type { AmountField } from './note-fields.ts'
import { fold, nameIn } from './note-fold.ts'
import { tokenise } from './note-tokenise.ts'
import { MARKET_SIGN } from './note-tokens.ts'

/** Something that the note says, with the words that say it. */
export interface Found<T> {
  readonly value: T
  readonly words: string
}
export type OfBudget = (budget: bigint) => bigint
/** A field that the note says in two ways; the tighter is in the reading. */
export interface Contradiction {
  readonly field: 'budget' | 'perTx' | 'daily' | 'stopLine' | 'approval' | 'endsAt' | 'feeBps'
  readonly words: readonly string[]
}
/** Words that no field took, and why. */
export interface UnreadWords {
  readonly words: string
  readonly code: Unread['code'] | 'unread_sign'
  readonly why: string
}

/** What a note says; null where it says nothing. */
export interface NoteReading {
  readonly name: Found<string> | null
  readonly budget: Found<bigint> | null
  readonly perTx: Found<OfBudget> | null
  readonly daily: Found<OfBudget> | null
  readonly stopLine: Found<OfBudget> | null
  /** Inside: null holds nothing. */
  readonly approval: Found<bigint | null> | null
  readonly markets: Found<readonly string[]> | null
  readonly endsAt: Found<Date> | null
  readonly feeBps: Found<number> | null
  /** The words of caution themselves. */
  readonly caution: string | null
  readonly contradictions: readonly Contradiction[]
  readonly unread: readonly UnreadWords[]
}

const CAUTION =
  /\b(?:careful(?:ly)?|cautious(?:ly)?|conservative(?:ly)?|safe(?:ly)?|low[ -]risk|small steps)\b|조심|신중|보수적|안전/i

/** Reads a note: signs are folded, words found, clauses read one by one, and what they say is put together. */
export function readNote(
  note: string,
  markets: readonly { readonly market_id: string; readonly title: string }[],
  now: Date,
): NoteReading {
  const named = marketsIn(note, markets)
  const { text, unreadable } = fold(named.rest)
  const clauses = clausesOf(tokenise(text)).map(readClause)
  const said = clauses.flatMap((clause) => clause.said)
  const words = ({ start, end }: Span) => note.slice(start, end).trim().slice(0, 200)
  const unread = clauses.flatMap((clause) =>
    clause.unread.map(({ span, code, why }) => ({ words: words(span), code, why })),
  )
  const name = nameIn(note)
  const plain = name === null ? '' : withoutUnfit(name.name).trim()
  const contradictions: Contradiction[] = []
  const one = <T>(
    field: Contradiction['field'],
    found: readonly Found<T>[],
    tighter: (a: T, b: T) => T,
    key: (value: T) => string = String,
  ) => {
    const [first] = found
    if (first === undefined) return null
    if (new Set(found.map(({ value }) => key(value))).size > 1)
      contradictions.push({ field, words: found.map((each) => each.words) })
    const value = found.map((each) => each.value).reduce(tighter)
    return found.find((each) => key(each.value) === key(value)) ?? { value, words: first.words }
  }
  const amounts = (...fields: AmountField[]) =>
    said.flatMap((each) =>
      each.kind === 'amount' && fields.includes(each.field) ? [{ ...each, words: words(each.span) }] : [],
    )
  const shares = (field: 'perTx' | 'daily') =>
    one<OfBudget>(
      field,
      amounts(field).map(({ value, unit, words: said_ }) => ({ value: shareOf(value, unit), words: said_ })),
      (a, b) => (budget) => least(a(budget), b(budget)),
      atProbe,
    )
  return {
    name: name === null || plain === '' ? null : { value: plain, words: name.words },
    budget: one('budget', amounts('bare', 'budget'), least),
    perTx: shares('perTx'),
    daily: shares('daily'),
    stopLine: one<OfBudget>(
      'stopLine',
      [
        ...amounts('stopLine', 'stopLoss', 'loss').map((each) => ({
          value: lineOf(each),
          words: each.words,
        })),
        ...said.flatMap((each) => (each.kind === 'noStop' ? [{ value: () => 0n, words: words(each.span) }] : [])),
      ],
      (a, b) => (budget) => most(a(budget), b(budget)),
      atProbe,
    ),
    approval: one<bigint | null>(
      'approval',
      [
        ...amounts('approval'),
        ...said.flatMap((each) => (each.kind === 'askAlways' ? [{ value: 0n, words: words(each.span) }] : [])),
        ...said.flatMap((each) => (each.kind === 'askNever' ? [{ value: null, words: words(each.span) }] : [])),
      ],
      (a, b) => (a === null ? b : b === null ? a : least(a, b)),
    ),
    markets: named.found,
    endsAt: one(
      'endsAt',
      said.flatMap((each) => (each.kind === 'end' ? [{ value: endOf(each, now), words: words(each.span) }] : [])),
      (a, b) => (a < b ? a : b),
      (date) => date.toISOString(),
    ),
    feeBps: one<number>(
      'feeBps',
      [
        ...amounts('fee').map(({ value, unit, words: fee }) => ({ value: bpsOf(value, unit), words: fee })),
        ...said.flatMap((each) => (each.kind === 'noFee' ? [{ value: 0, words: words(each.span) }] : [])),
      ],
      (a, b) => Math.min(a, b),
    ),
    caution: CAUTION.exec(note)?.[0] ?? null,
    contradictions,
    unread: [
      ...unreadable.map(({ words: sign, why }) => ({ words: sign, code: 'unread_sign' as const, why })),
      ...unread,
    ],
  }
}

/** Two limits are the same if they are for any budget; figures this far apart cannot meet by chance. */
const PROBE = 10n ** 17n + 7n
const atProbe = (value: OfBudget): string => String(value(PROBE))
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** Six decimals of a percentage are 10^8 parts of the whole. */
const percentOf = (budget: bigint, percent: bigint) => (budget * percent) / 100_000_000n
const shareOf =
  (value: bigint, unit: string | null): OfBudget =>
  (budget) =>
    unit === 'percent' ? percentOf(budget, value) : value

function lineOf({
  field,
  value,
  unit,
}: {
  readonly field: AmountField
  readonly value: bigint
  readonly unit: string | null
}): OfBudget {
  return (budget) => {
    const figure = shareOf(value, unit)(budget)
    const afterLoss = figure < budget ? budget - figure : 0n
    if (field === 'stopLine') return figure
    if (field === 'loss') return afterLoss
    // "Stop loss at 800", "stop at 20 %": the worth or the loss. The one that stops sooner counts.
    return figure > afterLoss && figure < budget ? figure : afterLoss
  }
}

const bpsOf = (value: bigint, unit: string | null): number =>
  Math.min(Number(unit === 'bps' ? value / 1_000_000n : value / 10_000n), 10_000)

function endOf({ minutes, day }: Extract<Said, { kind: 'end' }>, now: Date): Date {
  if (day !== null) return new Date(`${day}T00:00:00.000Z`)
  return new Date(Math.floor(now.getTime() / 1000) * 1000 + (minutes ?? 0) * 60_000)
}

/** The markets that the note names, and the note without their names. */
function marketsIn(note: string, markets: readonly { readonly market_id: string; readonly title: string }[]) {
  let rest = note
  const named = markets.flatMap(({ market_id, title }) => {
    const words: string[] = []
    for (const name of [market_id, title])
      rest = rest.replace(new RegExp(`(?<![A-Za-z0-9])${escaped(name)}(?![A-Za-z0-9])`, 'gi'), (found) => {
        words.push(found)
        return MARKET_SIGN.repeat(found.length)
      })
    return words[0] === undefined ? [] : [{ market_id, words: words[0] }]
  })
  const found: Found<readonly string[]> | null =
    named.length === 0
      ? null
      : {
          value: named.map(({ market_id }) => market_id),
          words: named
            .map(({ words }) => words)
            .join(', ')
            .slice(0, 500),
        }
  return { found, rest }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
