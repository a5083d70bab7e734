import {
  HALL_MANDATES_SHOWN,
  HALL_SERIES_DAYS,
  type HallDetail,
  type HallMandateView,
} from '@svc/contracts/gallery/hall'
import { agentDays, performanceOf, type AgentDay } from './agent-days.ts'
import { daysWithin, unionOf } from './days-live.ts'
import type { AgentInput, MandateInput } from './inputs.ts'
import { bpsOf, ratedDays, refusalsOf, spanOf } from './mandate-figures.ts'

/** Room for the points of all mandates on a page, bytes; an answer has at most a megabyte. */
const POINTS_BYTES_MAX = 400_000
const DAY_BYTES = 36
const BLOCK_BYTES = 10

/** Returns what the page of an agent adds to its row: the newest mandates with their indices, without amounts. */
export function detailOf(
  { policyChanges }: AgentInput,
  vaulted: readonly MandateInput[],
  { days, today }: { readonly days: readonly AgentDay[]; readonly today: number },
): HallDetail {
  let room = POINTS_BYTES_MAX
  const shown = vaulted.map((mandate, at) => ({ mandate, name: `m${at + 1}` })).slice(-HALL_MANDATES_SHOWN)
  return {
    mandates: shown.toReversed().map(({ mandate, name }) => {
      const view = mandateView(mandate, name, today)
      const proof = proofOf(mandate, today, room)
      room -= proof?.bytes ?? 0
      return { ...view, proof: proof?.proof ?? null }
    }),
    mandates_left: vaulted.length - shown.length,
    series: seriesOf(days),
    policy_changes: policyChanges,
  }
}

function mandateView(mandate: MandateInput, name: string, today: number): Omit<HallMandateView, 'proof'> {
  const { state, hlLeg, tradesTotal, record } = mandate
  const days = agentDays([ratedDays(mandate, today)])
  const performance = performanceOf(days)
  const { acts } = mandate
  const violations = acts.reduce((sum, one) => sum + one.violations, 0)
  return {
    mandate: name,
    state,
    hl_leg: hlLeg,
    days_live: daysWithin(unionOf([spanOf(mandate, today)]), { first: -Infinity, last: today }),
    counts_for_worth: days.length > 0,
    worth_change_bps: bpsOf(performance?.change),
    max_drawdown_bps: bpsOf(performance?.drawdown),
    trades: tradesTotal,
    clauses: {
      kept: violations === 0,
      violations,
      days_outside: acts.filter((one) => one.violations > 0).length,
    },
    refusals: refusalsOf([mandate], -Infinity),
    foreign_days: acts.filter(({ foreign, day }) => foreign > 0 && day < today).length,
    record,
    series: seriesOf(days),
    stop_line: stopLineOf(mandate, days),
  }
}

/** Returns the index at which the stop line stands: what is missing to it of the worth is missing to it of the index. */
export function stopLineOf({ stopLine, closing }: MandateInput, days: readonly AgentDay[]): number | null {
  if (stopLine === 0 || closing === null) return null
  let index = 100
  for (const { day, result } of days) if (day <= closing.day) index *= 1 + result
  return Math.round(index * (stopLine / closing.worth) * 100) / 100
}

/** Returns what anybody needs to verify a mandate, with the points of its newest days for which there is room. */
function proofOf(
  { proof, blocks, publicId }: MandateInput,
  today: number,
  room: number,
): { readonly proof: NonNullable<HallMandateView['proof']>; readonly bytes: number } | null {
  if (proof === null) return null
  const closed = blocks.filter(([day]) => day < today)
  const points: { day: string; blocks: number[] }[] = []
  let bytes = 0
  for (const [day, found] of closed.toReversed().slice(0, HALL_SERIES_DAYS)) {
    const more = DAY_BYTES + found.length * BLOCK_BYTES
    if (bytes + more > room) break
    bytes += more
    points.push({ day: dayText(day), blocks: [...found] })
  }
  const told = points.toReversed()
  const { chainId: chain_id, vault } = proof
  return {
    bytes,
    proof: { public_id: publicId, chain_id, vault, points: told, points_left: closed.length - told.length },
  }
}

/** Returns a day since 1970-01-01 as text. */
export const dayText = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Returns the index of rated days, 100 before the first, for the last year; null without a day. */
function seriesOf(days: readonly AgentDay[]): HallDetail['series'] {
  const last = days.at(-1)
  const [first] = days
  if (last === undefined || first === undefined) return null
  const from = Math.max(first.day, last.day - HALL_SERIES_DAYS + 1)
  const values = Array.from({ length: last.day - from + 1 }, (): number | null => null)
  let index = 100
  for (const { day, result } of days) {
    index *= 1 + result
    if (day >= from) values[day - from] = Math.round(index * 100) / 100
  }
  return { from: dayText(from), values }
}
