import { withoutUnfit } from '@svc/contracts/label'
import { usdcUnits } from '@svc/contracts/usdc'
import {
  MONEY,
  PATTERNS,
  CAUTION,
  ASK_ALWAYS,
  ASK_NEVER,
  NO_STOP,
  NO_FEE,
  FEE,
  COUNTS,
  DURATION,
  UNTIL,
  NAME,
} from './note-patterns.ts'

/** Something that the note says, with the words that say it. */
export interface Found<T> {
  readonly value: T
  readonly words: string
}
type OfBudget = (budget: bigint) => bigint

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
}

const MINUTES = { minute: 1, hour: 60, day: 1_440, week: 10_080, month: 43_200, year: 525_600 } as const

/** Reads a note. Words that set one field are not read again for another. */
export function readNote(
  note: string,
  markets: readonly { readonly market_id: string; readonly title: string }[],
  now: Date,
): NoteReading {
  const reader = new Remaining(note)
  const fee = readFee(reader)
  const approval = readApproval(reader)
  const stopLine = readStopLine(reader)
  const daily = ofBudget(reader.first(PATTERNS.daily))
  const perTx = ofBudget(reader.first(PATTERNS.perTx))
  const endsAt = readEnd(reader, now)
  const caution = CAUTION.exec(note)?.[0] ?? null
  const name = NAME.exec(note)
  return {
    name: name === null ? null : plainName(name[1] ?? '', name[0]),
    feeBps: fee,
    approval,
    stopLine,
    daily,
    perTx,
    endsAt,
    markets: readMarkets(note, markets),
    budget: readBudget(reader),
    caution,
  }
}

interface Amount {
  readonly value: bigint
  readonly percent: boolean
  readonly unit: boolean
  readonly words: string
}

/** The note with what was read blanked out, so that no figure counts twice. */
class Remaining {
  private text: string
  constructor(note: string) {
    this.text = note
  }
  match(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.text)
    if (found === null) return null
    const end = found.index + found[0].length
    this.text = this.text.slice(0, found.index) + '\n'.repeat(found[0].length) + this.text.slice(end)
    return found
  }
  first(patterns: readonly string[]): Amount | null {
    for (const pattern of patterns) {
      const found = this.match(new RegExp(pattern, 'i'))
      if (found !== null) return amountOf(found)
    }
    return null
  }
}

function amountOf(found: RegExpExecArray): Amount {
  const { amount = '0', k, unit } = found.groups ?? {}
  const units = usdcUnits(amount.replaceAll(',', ''))
  return {
    value: k === undefined ? units : units * 1_000n,
    percent: unit === '%' || unit?.toLowerCase() === 'percent',
    unit: unit !== undefined || k !== undefined || /\$|usdc?/i.test(found[0]),
    words: found[0].trim(),
  }
}

/** Six decimals of a percentage are 10^8 parts of the whole. */
const percentOf = (budget: bigint, percent: bigint) => (budget * percent) / 100_000_000n

function ofBudget(found: Amount | null): Found<OfBudget> | null {
  if (found === null) return null
  return { value: (budget) => (found.percent ? percentOf(budget, found.value) : found.value), words: found.words }
}

function readStopLine(reader: Remaining): Found<OfBudget> | null {
  const none = reader.match(NO_STOP)
  if (none !== null) return { value: () => 0n, words: none[0] }
  const stopLoss = reader.first(PATTERNS.stopLoss)
  const loss = stopLoss ?? reader.first(PATTERNS.loss)
  const figure = ofBudget(loss)
  if (loss === null || figure === null) return ofBudget(reader.first(PATTERNS.stopLine))
  return {
    value: (budget) => {
      const lost = figure.value(budget)
      const line = lost < budget ? budget - lost : 0n
      // "Stop loss at 800" may mean the worth or the loss: the one that stops sooner.
      return stopLoss !== null && !loss.percent && lost > line && lost < budget ? lost : line
    },
    words: figure.words,
  }
}

function readApproval(reader: Remaining): Found<bigint | null> | null {
  const below = reader.first(PATTERNS.noApproval)
  const never = reader.match(ASK_NEVER)
  const above = below ?? reader.first(PATTERNS.approval)
  const always = reader.match(ASK_ALWAYS)
  // Of words that contradict one another those count that ask more.
  if (always !== null) return { value: 0n, words: always[0] }
  if (above !== null && !above.percent) return { value: above.value, words: above.words }
  return never === null ? null : { value: null, words: never[0] }
}

function readFee(reader: Remaining): Found<number> | null {
  const none = reader.match(NO_FEE)
  if (none !== null) return { value: 0, words: none[0] }
  const found = reader.match(FEE)
  if (found === null) return null
  const hundredths = Number(usdcUnits(found[1] ?? found[3] ?? '0') / 10_000n)
  const bps = (found[2] ?? found[4])?.toLowerCase() === 'bps' ? Math.floor(hundredths / 100) : hundredths
  return { value: Math.min(bps, 10_000), words: found[0].trim() }
}

function readEnd(reader: Remaining, now: Date): Found<Date> | null {
  const until = reader.match(UNTIL)
  const date = until === null ? null : new Date(`${until[1]}T00:00:00.000Z`)
  // The calendar of Date takes 30 February for 2 March.
  const exists = date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(until?.[1] ?? '-')
  if (until !== null && exists) return { value: date, words: until[0] }
  const found = reader.match(DURATION)
  if (found === null) return null
  const unit = (found[3] ?? 'day').toLowerCase() as keyof typeof MINUTES
  // "a" is one as well.
  const counted = COUNTS.findIndex((word) => word === found[2]?.toLowerCase()) + 1
  const minutes = (found[1] === undefined ? Math.max(counted, 1) : Number(found[1])) * MINUTES[unit]
  const start = Math.floor(now.getTime() / 1000) * 1000
  return { value: new Date(start + minutes * 60_000), words: found[0] }
}

function readMarkets(
  note: string,
  markets: readonly { readonly market_id: string; readonly title: string }[],
): Found<readonly string[]> | null {
  const lower = note.toLowerCase()
  const named = markets.flatMap(({ market_id, title }) => {
    const words = [market_id, title].find((name) => {
      const at = lower.indexOf(name.toLowerCase())
      return at >= 0 && !/[a-z0-9]/.test(lower.charAt(at - 1) + lower.charAt(at + name.length))
    })
    return words === undefined
      ? []
      : [{ market_id, words: note.slice(lower.indexOf(words.toLowerCase())).slice(0, words.length) }]
  })
  if (named.length === 0) return null
  return {
    value: named.map(({ market_id }) => market_id),
    words: named
      .map(({ words }) => words)
      .join(', ')
      .slice(0, 500),
  }
}

function readBudget(reader: Remaining): Found<bigint> | null {
  // What is spent in an hour or a week is not all there is, and the terms have no clause for it.
  reader.first(PATTERNS.rate)
  const said = reader.first(PATTERNS.budget)
  if (said !== null && !said.percent) return { value: said.value, words: said.words }
  // Any amount of money that nothing else took.
  for (let tries = 0; tries < 20; tries++) {
    const amount = reader.first([MONEY])
    if (amount === null) return null
    if (amount.unit && !amount.percent) return { value: amount.value, words: amount.words }
  }
  return null
}

function plainName(text: string, words: string): Found<string> | null {
  const name = withoutUnfit(text).trim()
  return name === '' ? null : { value: name, words }
}
