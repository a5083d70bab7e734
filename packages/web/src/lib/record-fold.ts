import { foldEvent, newVault, utcDay, type Contradiction, type Terms, type VaultState } from '@svc/limits'
import { bodyNumber, bodyPart, bodyText, type RecordStep } from './record.ts'

const UNIT_DECIMALS = 6

/** Returns an amount of a record in base units; null for anything but a plain amount. */
export function amountOf(text: string | null): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,39})(?:\.(\d{1,6}))?$/.exec(text ?? '') ?? []
  return whole === undefined ? null : BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(UNIT_DECIMALS, '0'))
}

/** A fact of the vault that stands: no later entry takes it back. */
interface Fact {
  readonly seq: number
  readonly block: number
  readonly ordinal: number
  readonly name: string
  readonly args: Readonly<Record<string, string | boolean>>
}

/** The facts of a record in the order of the chain, and the books after each. */
export interface FoldedFacts {
  readonly facts: readonly Fact[]
  /** `books[n]` are the books after the first n facts. */
  readonly books: readonly VaultState[]
  /** Running totals that a fact states and the facts before it contradict. */
  readonly contradictions: readonly Contradiction[]
}

const keyOf = (step: RecordStep) => `${step.tx_hash ?? ''}:${bodyNumber(step, 'log_ordinal') ?? 0}`

/** Returns the facts that stand: a later revision replaces a fact, and a reorganisation takes it back. */
function standingFacts(entries: readonly RecordStep[]): readonly Fact[] {
  const standing = new Map<string, Fact>()
  for (const step of entries) {
    if (step.kind === 'chain_fact_orphaned') standing.delete(keyOf(step))
    if (step.kind !== 'chain_fact') continue
    standing.set(keyOf(step), {
      seq: step.seq,
      block: bodyNumber(step, 'block_number') ?? 0,
      ordinal: bodyNumber(step, 'log_ordinal') ?? 0,
      name: bodyText(step, 'name') ?? '',
      args: bodyPart(step, 'args') as Fact['args'],
    })
  }
  return [...standing.values()].toSorted(
    (one, other) => one.block - other.block || one.seq - other.seq || one.ordinal - other.ordinal,
  )
}

/** Folds the facts of a record into the books of the vault. Throws for a fact that lacks an argument. */
export function foldFacts(entries: readonly RecordStep[], agent: Terms['agent']): FoldedFacts {
  const facts = standingFacts(entries)
  const books = [newVault(agent)]
  const contradictions: Contradiction[] = []
  for (const fact of facts) {
    const folded = foldEvent(books.at(-1) ?? newVault(agent), fact)
    books.push(folded.vault)
    contradictions.push(...folded.contradictions)
  }
  return { facts, books, contradictions }
}

/** When an attempt was refused: in a block of the chain, or when the service had read the record up to `seq`. */
export type Moment = { readonly block: number; readonly withBlock: boolean } | { readonly seq: number }

/** Returns the books at a moment. Facts of the attempt's own block count only `withBlock`: the record does not order them. */
export function booksAt({ facts, books }: FoldedFacts, moment: Moment): VaultState {
  const isBefore = (fact: Fact) =>
    'seq' in moment ? fact.seq < moment.seq : moment.withBlock ? fact.block <= moment.block : fact.block < moment.block
  const before = facts.filter(isBefore).length
  const state = books[before]
  if (state === undefined) throw new Error('there are books after each fact')
  return state
}

/** What the record says beside the books of the vault, in base units. */
export interface SpokenFor {
  /** Held by calls that wait or are approved and unused. */
  readonly held: bigint
  /** Held by orders of the leg that wait or are approved and unused. */
  readonly legHeld: bigint
  /** Filled by opening orders of the leg on the UTC day. */
  readonly legUsed: bigint
  readonly stoppedInRecord: 'owner' | 'stop_line' | null
}

const ENDS_HOLDING = new Set(['approval_used', 'approval_expired', 'refused'])

/** Returns what held items, orders of the leg and a stop of the record take before an entry, on the UTC day of `at`. */
export function spokenForBefore(entries: readonly RecordStep[], seq: number, at: bigint): SpokenFor {
  const open = new Map<string, { readonly amount: bigint; readonly leg: boolean }>()
  const ended = new Map<string, { readonly amount: bigint; readonly leg: boolean }>()
  let legUsed = 0n
  let stoppedInRecord: SpokenFor['stoppedInRecord'] = null
  for (const step of entries) {
    if (step.seq >= seq) break
    const id = bodyText(step, 'approval_id')
    const amount = amountOf(bodyText(step, 'amount_usdc')) ?? 0n
    if (step.kind === 'approval_requested' && id !== null)
      open.set(id, { amount, leg: bodyText(step, 'market') !== null })
    const item = id === null ? undefined : open.get(id)
    if (ENDS_HOLDING.has(step.kind) && id !== null && item !== undefined) {
      open.delete(id)
      ended.set(id, item)
    }
    const released = step.kind === 'approval_released' && id !== null ? ended.get(id) : undefined
    if (released !== undefined && id !== null) open.set(id, released)
    if (step.kind === 'leg_order' && step.body['opening'] === true && dayOf(step) === utcDay(at)) legUsed += amount
    if (step.kind === 'stopped_in_record') stoppedInRecord = 'owner'
    if (step.kind === 'leg_stop_line') stoppedInRecord ??= 'stop_line'
  }
  const sum = (leg: boolean) =>
    [...open.values()].reduce((total, item) => (item.leg === leg ? total + item.amount : total), 0n)
  return { held: sum(false), legHeld: sum(true), legUsed, stoppedInRecord }
}

const dayOf = (step: RecordStep): bigint => utcDay(secondsOf(bodyText(step, 'filled_at') ?? step.at))

/** Returns an RFC 3339 time in Unix seconds, rounded down. */
export const secondsOf = (at: string): bigint => BigInt(Math.floor(Date.parse(at) / 1000))
