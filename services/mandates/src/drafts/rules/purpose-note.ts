import type { FieldError } from '@svc/contract'
import type { Limits } from '#mandate/rules/mandate.ts'
import { readNote, type Contradiction, type Found, type NoteReading, type UnreadWords } from './note-reading.ts'

/** Fields that a note can set. */
export type DraftField =
  | 'name'
  | 'budget_usdc'
  | 'per_tx_cap_usdc'
  | 'daily_cap_usdc'
  | 'stop_line_usdc'
  | 'approval_above_usdc'
  | 'markets'
  | 'ends_at'
  | 'fee_bps'

/** Where a field came from: words of the note, or the preset. */
export interface Origin {
  readonly field: DraftField
  readonly source: 'note' | 'preset'
  readonly words: string | null
}

/** A draft with the origin of each of its fields. */
export interface NoteDraft {
  readonly name: string
  readonly limits: Limits
  readonly fields: readonly Origin[]
  /** What keeps the draft from being stored: words that no field took, and contradictions. */
  readonly problems: readonly FieldError[]
  /** The words of the note that no field took. */
  readonly unread: readonly string[]
}

/** Markets that a note may name: an id with its title. */
export interface NamedMarket {
  readonly market_id: string
  readonly title: string
  readonly status: 'live' | 'paper' | 'planned'
}

/** The Standard preset; shares are in basis points of the budget, the approval amount of the per-transaction cap. */
const STANDARD = {
  budget: 500_000_000n,
  perTx: 1_000n,
  daily: 3_000n,
  stopLine: 8_000n,
  approval: 5_000n,
  days: 30,
  feeBps: 1_000,
  name: 'Standard mandate',
} as const
/** What words of caution make of it. */
const CAUTIOUS = { perTx: 500n, daily: 1_500n, stopLine: 9_000n, approval: 2_500n } as const

const DAY_MS = 86_400_000
const share = (amount: bigint, bps: bigint) => (amount * bps) / 10_000n
const least = (one: bigint, other: bigint) => (one < other ? one : other)

/**
 * Turns a purpose note into a draft. Deterministic: the same note at the same time gives the same draft. What the note
 * says wins; the Standard preset fills the rest, and each field says which it was. The draft is never looser than the
 * words: each figure and each word of a limit is in a field or in a problem, and of two figures for one field the
 * tighter counts. The draft may break the rules of mandates: the caller checks it.
 */
export function draftFromNote(note: string, markets: readonly NamedMarket[], now: Date): NoteDraft {
  const read = readNote(note.normalize('NFC'), markets, now)
  const shares = read.caution === null ? STANDARD : CAUTIOUS
  const fields: Origin[] = []
  const take = <T>(field: DraftField, found: Found<T> | null, preset: T, words: string | null = null): T => {
    const source = found !== null || words !== null ? 'note' : 'preset'
    fields.push({ field, source, words: found?.words ?? words })
    return found === null ? preset : found.value
  }
  const cautious = read.caution

  const name = take('name', read.name, STANDARD.name)
  const budget = take('budget_usdc', read.budget, STANDARD.budget)
  const of = (found: Found<(budget: bigint) => bigint> | null): Found<bigint> | null =>
    found === null ? null : { value: found.value(budget), words: found.words }
  const given = { perTx: of(read.perTx), daily: of(read.daily) }
  // A cap that the note gives bounds the one that the preset fills.
  const perTxPreset = least(share(budget, shares.perTx), given.daily?.value ?? budget)
  const perTxCap = take('per_tx_cap_usdc', given.perTx, perTxPreset, cautious)
  const dailyPreset = share(budget, shares.daily)
  const dailyCap = take(
    'daily_cap_usdc',
    given.daily,
    dailyPreset < perTxCap ? least(perTxCap, budget) : dailyPreset,
    cautious,
  )
  const stopLine = take('stop_line_usdc', of(read.stopLine), share(budget, shares.stopLine), cautious)
  const approvalAbove = take('approval_above_usdc', read.approval, share(perTxCap, shares.approval), cautious)
  const usable = markets.filter(({ market_id, status }) => status !== 'planned' && !market_id.startsWith('hl:'))
  const ids = take(
    'markets',
    read.markets,
    usable.map(({ market_id }) => market_id),
  )
  const preset = new Date(Math.floor(now.getTime() / 1000) * 1000 + STANDARD.days * DAY_MS)
  const endsAt = take('ends_at', read.endsAt, preset)
  const feeBps = take('fee_bps', read.feeBps, STANDARD.feeBps)
  return {
    name,
    limits: {
      budget,
      perTxCap,
      dailyCap,
      stopLine,
      approvalAbove,
      markets: ids,
      endsAt,
      feeBps,
      hlLeg: ids.some((id) => id.startsWith('hl:')),
    },
    fields,
    problems: problemsOf(read),
    unread: [...new Set(read.unread.map(({ words }) => words))].slice(0, UNREAD_MAX),
  }
}

const PROBLEMS_MAX = 10
const UNREAD_MAX = 50
const FIELD_OF: Readonly<Record<Contradiction['field'], DraftField>> = {
  budget: 'budget_usdc',
  perTx: 'per_tx_cap_usdc',
  daily: 'daily_cap_usdc',
  stopLine: 'stop_line_usdc',
  approval: 'approval_above_usdc',
  endsAt: 'ends_at',
  feeBps: 'fee_bps',
}
const FIXES: Readonly<Record<UnreadWords['code'], string>> = {
  unread_amount: 'say one amount for one limit, such as "budget 500 USDC, 50 per trade, 150 a day", or leave it out',
  unread_word: 'say the amount in a sentence of its own, without this word',
  unread_sign: 'write the note in English or Korean, with plain signs only',
  no_amount: 'name an amount with it, or leave it out',
}

function problemsOf({ contradictions, unread }: NoteReading): FieldError[] {
  return [
    ...contradictions.map(({ field, words }) => ({
      pointer: `/${FIELD_OF[field]}`,
      code: 'contradiction',
      detail: `the note says it in different ways, ${quoted(words)}: say it once`,
    })),
    ...unread.map(({ words, code, why }) => ({
      pointer: '/note',
      code,
      detail: `${quoted([words])} ${why}: ${FIXES[code]}`,
    })),
  ].slice(0, PROBLEMS_MAX)
}

const quoted = (words: readonly string[]): string =>
  words
    .slice(0, 4)
    .map((one) => `"${one.slice(0, 80)}"`)
    .join(' and ')
