import { HALL_WINDOWS, RANKED_DAYS, RANKED_TRADES, type HallDetail, type HallRow } from '@svc/contracts/gallery/hall'
import { agentDays, performanceOf, type AgentDay } from './agent-days.ts'
import { daysWithin, unionOf, type Span } from './days-live.ts'
import { detailOf } from './detail.ts'
import type { AgentInput, MandateInput } from './inputs.ts'
import { intervalOf } from './interval.ts'
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
  const figures = HALL_WINDOWS.map((name) => {
    const first = WINDOW_DAYS[name] === null ? -Infinity : today - WINDOW_DAYS[name]
    return windowOf(agent, vaulted, { live, days: isKnown ? days : null, first, today })
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
  kept_inside_limits: vaulted.filter(({ days }) => days.violations.every((n) => n === 0)).length,
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
}

function windowOf(
  { agentId, siblings }: AgentInput,
  mandates: readonly MandateInput[],
  { live, days, first, today }: Basis,
): { readonly window: WindowKeys; readonly daysInside: number } {
  const outside = new Set<number>()
  const foreign = new Set<number>()
  let trades = 0
  let violations = 0
  for (const { days: columns } of mandates)
    for (const [at, day] of columns.day.entries()) {
      if (day < first) continue
      trades += columns.trades[at] ?? 0
      violations += columns.violations[at] ?? 0
      if ((columns.violations[at] ?? 0) > 0 && day < today) outside.add(day)
      if ((columns.foreign[at] ?? 0) > 0 && day < today) foreign.add(day)
    }
  const single = [...outside].map((day) => ({ first: day, last: day }))
  const counted = daysWithin(unionOf([...live, ...single]), { first, last: today - 1 })
  const inWindow = days?.filter(({ day }) => day >= first) ?? []
  const performance = performanceOf(inWindow)
  const interval = intervalOf(
    inWindow.map(({ result }) => result),
    agentId,
    siblings,
  )
  const daysInside = counted - outside.size
  const window = {
    adherence_pct: counted === 0 ? null : Math.floor((daysInside / counted) * 10_000) / 100,
    worth_change_bps: bpsOf(performance?.change),
    worth_change_low_bps: bpsOf(interval?.low),
    worth_change_high_bps: bpsOf(interval?.high),
    max_drawdown_bps: bpsOf(performance?.drawdown),
    trades,
    refusals: refusalsOf(mandates, first),
    violations,
    foreign_days: foreign.size,
  }
  return { window, daysInside }
}
