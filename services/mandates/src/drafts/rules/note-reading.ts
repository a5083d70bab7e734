import { withoutUnfit } from '@svc/contracts/label'
import { tighterOf, type LimitName, type Limits } from '@svc/limits'
import { clausesOf, readClause, type Said, type Span, type Unread } from './note-clauses.ts'
import type { AmountField } from './note-fields.ts'
import { fold, nameIn } from './note-fold.ts'
import { tokenise } from './note-tokenise.ts'
import { MARKET_SIGN } from './note-tokens.ts'

/** A value that the note states, with the words that state it. */
export interface Found<T> {
  readonly value: T
  readonly words: string
}
/** Returns the amount that a phrase means for a budget; a share depends on the budget. */
export type OfBudget = (budget: bigint) => bigint
/** Limits that the note sets; null if it does not mention the field. */
interface SaidLimits {
  readonly budget: Found<bigint> | null
  readonly perTxCap: Found<OfBudget> | null
  readonly dailyCap: Found<OfBudget> | null
  readonly stopLine: Found<OfBudget> | null
  /** The value null means that no call needs an approval. */
  readonly approvalAbove: Found<bigint | null> | null
  readonly markets: Found<readonly string[]> | null
  readonly endsAt: Found<Date> | null
  readonly feeBps: Found<number> | null
}
/** A field that the note sets to different values. The tightest value counts. */
export interface Contradiction {
  readonly field: LimitName
  readonly words: readonly string[]
}
/** Words that no field uses, and why. */
export interface UnreadWords {
  readonly words: string
  readonly code: Unread['code'] | 'unread_sign'
  readonly why: string
}

/** What a note says. */
export interface NoteReading {
  readonly name: Found<string> | null
  readonly limits: SaidLimits
  /** The words of caution; null without any. */
  readonly caution: string | null
  readonly contradictions: readonly Contradiction[]
  readonly unread: readonly UnreadWords[]
}

const CAUTION =
  /\b(?:careful(?:ly)?|cautious(?:ly)?|conservative(?:ly)?|safe(?:ly)?|low[ -]risk|small steps)\b|조심|신중|보수적|안전/i

/** Reads a note: folds its characters, finds words, reads each clause, and combines what the clauses say. */
export function readNote(
  note: string,
  markets: readonly { readonly market_id: string; readonly title: string }[],
  now: Date,
): NoteReading {
  const named = marketsIn(note, markets)
  const { text, unreadable } = fold(named.rest)
  const clauses = clausesOf(tokenise(text)).map(readClause)
  const words = ({ start, end }: Span) => note.slice(start, end).trim().slice(0, 200)
  const said = clauses.flatMap((clause) => clause.said.map((one) => ({ ...one, words: words(one.span) })))
  const unread = clauses.flatMap((clause) =>
    clause.unread.map(({ span, code, why }) => ({ words: words(span), code, why })),
  )
  const name = nameIn(note)
  const plain = name === null ? '' : withoutUnfit(name.name).trim()
  const { limits, contradictions } = limitsSaid(said, now)
  return {
    name: name === null || plain === '' ? null : { value: plain, words: name.words },
    limits: { ...limits, markets: named.found },
    caution: CAUTION.exec(note)?.[0] ?? null,
    contradictions,
    unread: [
      ...unreadable.map(({ words: sign, why }) => ({ words: sign, code: 'unread_sign' as const, why })),
      ...unread,
    ],
  }
}

type SaidInWords = Said & { readonly words: string }

/** Returns the tightest value that the clauses give each field, and the fields with different values. */
function limitsSaid(
  said: readonly SaidInWords[],
  now: Date,
): { readonly limits: Omit<SaidLimits, 'markets'>; readonly contradictions: readonly Contradiction[] } {
  const contradictions: Contradiction[] = []
  const tightest = <T>(
    field: LimitName,
    found: readonly Found<T>[],
    key: (value: T) => string,
    tighter: Tighter<T>,
  ) => {
    const [first] = found
    if (first === undefined) return null
    if (new Set(found.map(({ value }) => key(value))).size > 1)
      contradictions.push({ field, words: found.map(({ words }) => words) })
    const value = found.map((each) => each.value).reduce(tighter)
    return found.find((each) => key(each.value) === key(value)) ?? { value, words: first.words }
  }
  const fixed = <Name extends LimitName>(field: Name, ...found: readonly Found<Limits[Name]>[]) =>
    tightest(field, found, keyOf, (one, other) => tighterOf(field, one, other))
  const ofBudget = (field: 'perTxCap' | 'dailyCap' | 'stopLine', ...found: readonly Found<OfBudget>[]) =>
    tightest<OfBudget>(
      field,
      found,
      (value) => String(value(PROBE)),
      (one, other) => (budget) => tighterOf(field, one(budget), other(budget)),
    )
  const amounts = (...fields: AmountField[]) =>
    said.filter((one) => one.kind === 'amount').filter(({ field }) => fields.includes(field))
  const shares = (field: 'perTxCap' | 'dailyCap') =>
    amounts(field).map(({ value, unit, words }) => ({ value: shareOf(value, unit), words }))
  const phrases = <T>(kind: 'noStop' | 'noFee' | 'askAlways' | 'askNever', value: T): Found<T>[] =>
    said.flatMap((one) => (one.kind === kind ? [{ value, words: one.words }] : []))
  const lines = amounts('stopLine', 'stopLoss', 'loss').map((one) => ({ value: lineOf(one), words: one.words }))
  const fees = amounts('feeBps').map(({ value, unit, words }) => ({ value: bpsOf(value, unit), words }))
  const ends = said.flatMap((one) => (one.kind === 'end' ? [{ value: endOf(one, now), words: one.words }] : []))
  return {
    limits: {
      budget: fixed('budget', ...amounts('bare', 'budget')),
      perTxCap: ofBudget('perTxCap', ...shares('perTxCap')),
      dailyCap: ofBudget('dailyCap', ...shares('dailyCap')),
      stopLine: ofBudget('stopLine', ...lines, ...phrases('noStop', () => 0n)),
      approvalAbove: fixed(
        'approvalAbove',
        ...amounts('approvalAbove'),
        ...phrases('askAlways', 0n),
        ...phrases('askNever', null),
      ),
      endsAt: fixed('endsAt', ...ends),
      feeBps: fixed('feeBps', ...fees, ...phrases('noFee', 0)),
    },
    contradictions,
  }
}

type Tighter<T> = (one: T, other: T) => T

/** Two limits are equal if they are equal for any budget; different figures do not meet at this one by chance. */
const PROBE = 10n ** 17n + 7n
const keyOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** Returns a share of a budget; `percent` is in millionths of a percent, 10^8 of which are the whole. */
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
    // "Stop loss at 800" and "stop at 20 %" mean the worth or the loss. The reading that stops sooner counts.
    return figure > afterLoss && figure < budget ? figure : afterLoss
  }
}

const bpsOf = (value: bigint, unit: string | null): number =>
  Math.min(Number(unit === 'bps' ? value / 1_000_000n : value / 10_000n), 10_000)

function endOf({ minutes, day }: Extract<Said, { kind: 'end' }>, now: Date): Date {
  if (day !== null) return new Date(`${day}T00:00:00.000Z`)
  return new Date(Math.floor(now.getTime() / 1000) * 1000 + (minutes ?? 0) * 60_000)
}

/** Returns the markets that the note names, and the note with their names replaced by signs. */
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
