import type { HallMandate } from '@svc/contracts/mandates/facts'
import { usdcText } from '@svc/limits'

/** How often something happened to a mandate on a UTC day. */
export interface DayCount {
  readonly mandate_id: number
  readonly day: string
  readonly what: 'trade' | 'violation' | 'refusal' | 'refusal_on_chain' | 'foreign_fill'
  /** Of a refusal. */
  readonly kind: string | null
  readonly count: number
}

/** A mark with the running totals of flows at its block; USDC base units. */
export interface Point {
  readonly mandate_id: number
  readonly at: string
  readonly block_number: number
  readonly worth: bigint
  readonly paid_in: bigint
  readonly paid_out: bigint
}

type Day = HallMandate['days'][number]
/** A mandate without its days. */
export type Head = Omit<HallMandate, 'days'> & { readonly id: number }

/** Everything that was read of some mandates. */
export interface Facts {
  readonly heads: readonly Head[]
  readonly counts: readonly DayCount[]
  /** In the order of `heads`, oldest first. */
  readonly points: readonly Point[]
  /** Whether more points exist behind the last one. */
  readonly cut: boolean
}

/** Mandates with their days, and what the answer has no room for. */
export interface Page {
  readonly mandates: HallMandate[]
  readonly left: { readonly public_id: string; readonly from_day: string | null }[]
}

/** Bytes of JSON that a mandate, a day, a kind of refusal and a point need at most. */
const BYTES = { mandate: 520, day: 90, kind: 85, point: 190 } as const

const dayOf = (at: string): string => at.slice(0, 'yyyy-mm-dd'.length)

/**
 * Lays the facts of mandates out by UTC day, as many as `bytesMax` has room for and at least one day. A mandate is cut between two days: what
 * is left begins with the first day that is missing. `from` is the day from which each mandate was read; null: all days.
 */
export function pageFacts(facts: Facts, from: ReadonlyMap<string, string | null>, bytesMax: number): Page {
  const page: Page = { mandates: [], left: [] }
  const days = daysOf(facts)
  const unread = facts.cut ? (facts.points.at(-1) ?? null) : null
  let room = bytesMax
  let isFull = false
  for (const { id, ...head } of facts.heads) {
    const given = from.get(head.public_id) ?? null
    if (isFull) {
      page.left.push({ public_id: head.public_id, from_day: given })
      continue
    }
    const own = [...(days.get(id)?.values() ?? [])].toSorted((one, other) => (one.day < other.day ? -1 : 1))
    const end = unread?.mandate_id === id ? dayOf(unread.at) : null
    const read = end === null ? own : own.filter(({ day }) => day < end)
    room -= BYTES.mandate
    const kept: Day[] = []
    for (const day of read) {
      room -= bytesOf(day)
      if (room < 0 && (kept.length > 0 || page.mandates.length > 0)) break
      kept.push(day)
    }
    const missing = read[kept.length]?.day ?? end
    isFull = missing !== null
    if (missing !== null) page.left.push({ public_id: head.public_id, from_day: missing })
    page.mandates.push({ ...head, days: kept })
  }
  return page
}

function bytesOf({ refusals, points }: Day): number {
  return BYTES.day + Object.keys(refusals).length * BYTES.kind + points.length * BYTES.point
}

function daysOf({ counts, points }: Facts): ReadonlyMap<number, ReadonlyMap<string, Day>> {
  const found = new Map<number, Map<string, Day>>()
  const dayAt = (mandateId: number, day: string): Day => {
    const ofMandate = found.get(mandateId) ?? new Map<string, Day>()
    found.set(mandateId, ofMandate)
    const known = ofMandate.get(day) ?? {
      day,
      trades: 0,
      refusals: {},
      refusals_on_chain: 0,
      violations: 0,
      foreign_fills: 0,
      points: [],
    }
    ofMandate.set(day, known)
    return known
  }
  for (const { mandate_id, day, what, kind, count } of counts) {
    const to = dayAt(mandate_id, day)
    if (what === 'trade') to.trades += count
    else if (what === 'violation') to.violations += count
    else if (what === 'refusal_on_chain') to.refusals_on_chain += count
    else if (what === 'foreign_fill') to.foreign_fills += count
    else to.refusals[kind ?? ''] = (to.refusals[kind ?? ''] ?? 0) + count
  }
  for (const { mandate_id, at, block_number, worth, paid_in, paid_out } of points)
    dayAt(mandate_id, dayOf(at)).points.push({
      at,
      block_number,
      worth_usdc: usdcText(worth),
      paid_in_usdc: usdcText(paid_in),
      paid_out_usdc: usdcText(paid_out),
    })
  return found
}
