import { HALL_WINDOWS, RANKED_DAYS, RANKED_TRADES, type HallDetail, type HallRow } from '@svc/contracts/gallery/hall'
import { agentDays, performanceOf, type AgentDay } from './agent-days.ts'
import { daysWithin, unionOf, type Span } from './days-live.ts'
import { detailOf } from './detail.ts'
import type { AgentInput, MandateInput } from './inputs.ts'
import { intervalOf, type Interval } from './interval.ts'
import { bpsOf, ratedDays, refusalsOf, spanOf } from './mandate-figures.ts'

/** Least principal of an owner who counts as independent, base units. */
const INDEPENDENT_MIN = 25_000_000
/** Days of each window; null for all. */
const WINDOW_DAYS = { '7d': 7, '30d': 30, '90d': 90, all: null } as const
/** Closed days for which an open mandate may be without a mark before its result is unknown. */
const UNMARKED_DAYS_MAX = 2

type WindowKeys = Pick<
  HallRow,
  | 'adherence_pct'
  | 'worth_change_bps'
  | 'worth_change_low_bps'
  | 'worth_change_high_bps'
  | 'max_drawdown_bps'
  | 'trades'
  | 'refusals'
  | 'violations'
  | 'foreign_days'
>
type BodyKeys = Pick<
  HallRow,
  | 'agent_id'
  | 'name'
  | 'days_needed'
  | 'trades_needed'
  | 'days_live'
  | 'mandates'
  | 'independent_owners'
  | 'sibling_agents'
>

/** A row of the Hall with what it is sorted by, and the page of its agent. */
export interface HallRecord {
  readonly body: BodyKeys
  /** In the order of `HALL_WINDOWS`. */
  readonly windows: readonly WindowKeys[]
  readonly ranked: boolean
  readonly accepting: boolean
  readonly tradesTotal: number
  readonly violations30d: number
  /** Closed days inside all limits. */
  readonly daysInside: number
  readonly independentOwners: number
  readonly independentPrincipal: number
  readonly detail: HallDetail
}

/** Returns the record of an agent on a UTC day, of which the days before are closed. */
export function recordOf(agent: AgentInput, today: number): HallRecord {
  const vaulted = agent.mandates.filter(({ opened }) => opened !== null)
  const live = unionOf(vaulted.map((one) => spanOf(one, today)))
  const daysLive = daysWithin(live, { first: -Infinity, last: today - 1 })
  const tradesTotal = vaulted.reduce((sum, one) => sum + one.tradesTotal, 0)
  const days = agentDays(vaulted.map((one) => ratedDays(one, today)))
  const isKnown = vaulted.every((one) => isMarked(one, today))
  const intervals = intervalsOf(agent)
  const figures = HALL_WINDOWS.map((name, place) => {
    const first = WINDOW_DAYS[name] === null ? -Infinity : today - WINDOW_DAYS[name]
    return windowOf(vaulted, intervals, { live, days: isKnown ? days : null, first, today, place })
  })
  const windows = figures.map(({ window }) => window)
  const independent = independentPrincipals(agent, vaulted)
  return {
    body: {
      agent_id: agent.agentId,
      name: agent.name,
      days_needed: Math.max(0, RANKED_DAYS - daysLive),
      trades_needed: Math.max(0, RANKED_TRADES - tradesTotal),
      days_live: daysLive,
      mandates: countsOf(vaulted),
      independent_owners: bucketOf(independent.length),
      sibling_agents: agent.siblings,
    },
    windows,
    ranked: daysLive >= RANKED_DAYS && tradesTotal >= RANKED_TRADES,
    accepting: agent.accepting,
    tradesTotal,
    violations30d: windows[1]?.violations ?? 0,
    daysInside: figures.at(-1)?.daysInside ?? 0,
    independentOwners: independent.length,
    independentPrincipal: Math.max(0, ...independent),
    detail: detailOf(agent, vaulted, { days, today }),
  }
}

/** Returns false for an open mandate that would be rated and whose worth is unknown for days. */
const isMarked = ({ state, principal, opened, marked }: MandateInput, today: number): boolean =>
  (state !== 'working' && state !== 'paused') ||
  principal < INDEPENDENT_MIN ||
  (marked ?? opened ?? today) >= today - 1 - UNMARKED_DAYS_MAX

const countsOf = (vaulted: readonly MandateInput[]): BodyKeys['mandates'] => ({
  open: vaulted.filter(({ state }) => state === 'working' || state === 'paused').length,
  closed: vaulted.filter(({ state }) => state === 'ended' || state === 'closed').length,
  stopped: vaulted.filter(({ state }) => state === 'stopped').length,
  kept_inside_limits: vaulted.filter(({ acts }) => acts.every(({ violations }) => violations === 0)).length,
})

/** Returns the principal of each independent owner with enough of it. */
function independentPrincipals({ ownOwners }: AgentInput, vaulted: readonly MandateInput[]): readonly number[] {
  const byOwner = new Map<number, number>()
  for (const { ownerId, principal } of vaulted)
    if (!ownOwners.has(ownerId)) byOwner.set(ownerId, (byOwner.get(ownerId) ?? 0) + principal)
  return [...byOwner.values()].filter((principal) => principal >= INDEPENDENT_MIN)
}

const bucketOf = (owners: number): HallRow['independent_owners'] =>
  owners === 0 ? '0' : owners === 1 ? '1' : owners < 5 ? '2-4' : '5+'

interface Basis {
  readonly live: readonly Span[]
  /** Null if the worth of a mandate is unknown. */
  readonly days: readonly AgentDay[] | null
  readonly first: number
  readonly today: number
  /** Place of the window in `HALL_WINDOWS`. */
  readonly place: number
}

type Intervals = (days: readonly AgentDay[]) => Interval | null

/** Returns a function that computes the interval of days once for windows that end alike and have as many days. */
function intervalsOf({ agentId, siblings }: AgentInput): Intervals {
  const known = new Map<number, Interval | null>()
  return (days) => {
    const found = known.get(days.length)
    if (found !== undefined) return found
    const made = intervalOf(
      days.map(({ result }) => result),
      agentId,
      siblings,
    )
    known.set(days.length, made)
    return made
  }
}

function windowOf(
  mandates: readonly MandateInput[],
  intervals: Intervals,
  { live, days, first, today, place }: Basis,
): { readonly window: WindowKeys; readonly daysInside: number } {
  const outside = new Set<number>()
  const foreign = new Set<number>()
  let violations = 0
  for (const { acts } of mandates)
    for (const act of acts) {
      if (act.day < first) continue
      violations += act.violations
      if (act.violations > 0 && act.day < today) outside.add(act.day)
      if (act.foreign > 0 && act.day < today) foreign.add(act.day)
    }
  const single = [...outside].map((day) => ({ first: day, last: day }))
  const counted = daysWithin(unionOf([...live, ...single]), { first, last: today - 1 })
  const inWindow = days?.filter(({ day }) => day >= first) ?? []
  const performance = performanceOf(inWindow)
  const interval = intervals(inWindow)
  const daysInside = counted - outside.size
  const window = {
    adherence_pct: counted === 0 ? null : Math.floor((daysInside / counted) * 10_000) / 100,
    worth_change_bps: bpsOf(performance?.change),
    worth_change_low_bps: bpsOf(interval?.low),
    worth_change_high_bps: bpsOf(interval?.high),
    max_drawdown_bps: bpsOf(performance?.drawdown),
    trades: mandates.reduce((sum, { trades }) => sum + (trades[place] ?? 0), 0),
    refusals: refusalsOf(mandates, first),
    violations,
    foreign_days: foreign.size,
  }
  return { window, daysInside }
}
