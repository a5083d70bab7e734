import type { FieldError } from '@svc/contract'
import { draftFields, type DraftField } from '@svc/contracts/mandates/limit-schemas'
import { fixedPresets, isLegMarket, limitFields, limitNames, type LimitName, type Limits } from '@svc/limits'
import { withLegBudget } from './leg-rules.ts'
import { readNote, type Found, type NoteReading, type OfBudget, type UnreadWords } from './note-reading.ts'

/** Source of a field: words of the note, or the preset. */
export interface Origin {
  readonly field: DraftField
  readonly source: 'note' | 'preset'
  readonly words: string | null
}

/** A draft with the source of each field. */
export interface NoteDraft {
  readonly name: string
  readonly limits: Limits
  readonly fields: readonly Origin[]
  /** Why the draft cannot be stored: words that no field uses, and contradictions. */
  readonly problems: readonly FieldError[]
  /** Words of the note that no field uses. */
  readonly unread: readonly string[]
}

/** A market that a note may name. */
export interface NamedMarket {
  readonly market_id: string
  readonly title: string
  readonly status: 'live' | 'paper' | 'planned'
}

const PRESET_NAME = 'Standard mandate'
const DAY_MS = 86_400_000
const least = (one: bigint, other: bigint) => (one < other ? one : other)

/**
 * Turns a purpose note into a draft. Deterministic: the same note at the same time gives the same draft. The note takes
 * precedence, and the Standard preset sets the other fields; each field states its source. The draft is never looser than
 * the words: each amount and each word about a limit is in a field or in a problem, and if a field has two values, the
 * tighter one counts. The draft may break the rules of mandates; the caller checks them.
 */
export function draftFromNote(
  note: string,
  markets: readonly NamedMarket[],
  { now, legFunding }: { readonly now: Date; readonly legFunding: boolean },
): NoteDraft {
  const read = readNote(note.normalize('NFC'), markets, now)
  return {
    name: read.name?.value ?? PRESET_NAME,
    limits: withPresetLeg(limitsFrom(read, markets, now), legFunding),
    fields: originsOf(read),
    problems: problemsOf(read),
    unread: [...new Set(read.unread.map(({ words }) => words))].slice(0, UNREAD_MAX),
  }
}

/** Returns the limits that the note sets, with the preset for the others. */
function limitsFrom({ limits: said, caution }: NoteReading, markets: readonly NamedMarket[], now: Date): Limits {
  const presetOf = (name: SharedLimit, whole: bigint) => {
    const { share, cautiousShare } = limitFields[name].preset
    return (whole * (caution === null ? share : cautiousShare)) / 10_000n
  }
  const budget = said.budget?.value ?? fixedPresets.budget
  const ofBudget = (found: Found<OfBudget> | null) => found?.value(budget) ?? null
  const saidDaily = ofBudget(said.dailyCap)
  // A cap that the note sets also limits the cap that the preset sets.
  const perTxCap = ofBudget(said.perTxCap) ?? least(presetOf('perTxCap', budget), saidDaily ?? budget)
  const dailyPreset = presetOf('dailyCap', budget)
  const usable = markets.filter(({ market_id, status }) => status !== 'planned' && !isLegMarket(market_id))
  const ids = said.markets?.value ?? usable.map(({ market_id }) => market_id)
  const presetEnd = Math.floor(now.getTime() / 1000) * 1000 + limitFields.endsAt.preset.days * DAY_MS
  return {
    ...fixedPresets,
    budget,
    perTxCap,
    dailyCap: saidDaily ?? (dailyPreset < perTxCap ? least(perTxCap, budget) : dailyPreset),
    stopLine: ofBudget(said.stopLine) ?? presetOf('stopLine', budget),
    approvalAbove: said.approvalAbove === null ? presetOf('approvalAbove', perTxCap) : said.approvalAbove.value,
    markets: ids,
    endsAt: said.endsAt?.value ?? new Date(presetEnd),
    feeBps: said.feeBps?.value ?? fixedPresets.feeBps,
    hlLeg: ids.some(isLegMarket),
    legBudget: null,
  }
}

/** Returns the limits with the preset for the budget of the leg: all of the budget, or a share if a contract is called too. */
function withPresetLeg(limits: Limits, legFunding: boolean): Limits {
  const set = withLegBudget(limits, legFunding)
  if (!set.hlLeg || set.legBudget !== null) return set
  return { ...set, legBudget: (set.budget * limitFields.legBudget.preset.share) / 10_000n }
}

type SharedLimit = 'perTxCap' | 'dailyCap' | 'stopLine' | 'approvalAbove'

/** Returns the source of each field. Words of caution are the source of the shares that they reduce. */
function originsOf({ name, limits, caution }: NoteReading): Origin[] {
  const found: Partial<Record<LimitName, Found<unknown> | null>> = limits
  const wordsOf = (field: LimitName) => {
    const { preset } = limitFields[field]
    const reduced = preset !== null && 'share' in preset && BigInt(preset.share) !== preset.cautiousShare
    return found[field]?.words ?? (reduced ? caution : null)
  }
  return draftFields.map((field) => {
    const limit = limitNames.find((one) => limitFields[one].wire === field)
    const words = limit === undefined ? (name?.words ?? null) : wordsOf(limit)
    return { field, source: words === null ? 'preset' : 'note', words }
  })
}

const PROBLEMS_MAX = 10
const UNREAD_MAX = 50
const FIXES: Readonly<Record<UnreadWords['code'], string>> = {
  unread_amount: 'write one amount for each limit, such as "budget 500 USDC, 50 per trade, 150 a day", or remove it',
  unread_word: 'write the amount in a separate sentence without this word',
  unread_sign: 'write the note in English or Korean, with plain characters only',
  no_amount: 'add an amount, or remove it',
}

function problemsOf({ contradictions, unread }: NoteReading): FieldError[] {
  return [
    ...contradictions.map(({ field, words }) => ({
      pointer: `/${limitFields[field].wire}`,
      code: 'contradiction',
      detail: `the note sets it in different ways, ${quoted(words)}: set it once`,
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
