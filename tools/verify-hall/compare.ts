import type { BodyOf } from '@svc/contract'
import type { gallery } from '@svc/contracts/gallery'
import type { HallMandateView } from '@svc/contracts/gallery/hall'
import { findHeader, headNumber, type Chain } from '@svc/chain'
import { intervalOf } from '@svc/gallery/hall/rules/interval'
import { differs } from './problem.ts'
import type { Reads } from './reads.ts'
import { agentResults, figuresOf, type RatedDay } from './rate.ts'
import { verifyMandate, type Checked, type Moment } from './mandate.ts'
import { sameSeries, within } from './same.ts'

/** The answer of GET /hub/hall/{agent_id} with the window all. */
export type HallPage = BodyOf<typeof gallery.operations.readHallAgent>

/** What the chain confirms of a page, and what it cannot say. */
export interface Report {
  readonly confirmed: readonly string[]
  readonly unverifiable: readonly string[]
}

const DAY_SEC = 86_400
/** Facts of the last minutes before a pass may be missing in it. */
const LAG_SEC = 600

/**
 * Recomputes what a page of the Hall says of mandates that anybody may verify, from the chain alone. Throws `HallProblem`, which
 * names the first figure that differs, or an outage of the RPC.
 */
export async function verifyPage(page: HallPage, reads: Reads, refusals: boolean): Promise<Report> {
  if (page.computed_at === null) throw new Error('the Hall has no snapshot yet')
  if (page.record_error) throw new Error('the Hall cannot build the record of this agent now')
  const asOf = Math.floor(Date.parse(page.row_computed_at) / 1000)
  const head = await lastBlockAt(reads.chain, asOf)
  const moment: Moment = { asOf, late: asOf - LAG_SEC, today: Math.floor(asOf / DAY_SEC), head }
  const checked: { readonly view: HallMandateView; readonly found: Checked }[] = []
  for (const view of page.mandates)
    if (view.proof !== null)
      checked.push({ view, found: await verifyMandate(view, view.proof, { reads, refusals }, moment) })
  const confirmed = checked.map(({ view, found }) => `${view.mandate}: ${found.confirmed.join(', ')}`)
  const unverifiable = checked.flatMap(({ view, found }) => found.unverifiable.map((one) => `${view.mandate} ${one}`))
  const hidden = page.mandates.length - checked.length + page.mandates_left
  if (hidden > 0) unverifiable.push(`the row: ${hidden} of its mandates have no public proof`)
  else if (checked.some(({ view }) => view.hl_leg)) unverifiable.push('the row: venue')
  else {
    verifyRow(page, checked, moment.today)
    unverifiable.push('row rank, independent_owners, sibling_agents: they depend on other agents and accounts')
    confirmed.push('row: days_live, trades, ranked, worth_change_bps with its interval, max_drawdown_bps, series')
  }
  return { confirmed, unverifiable }
}

/** Returns the number of the last block at a time or before. */
async function lastBlockAt(chain: Chain, time: number): Promise<bigint> {
  let [low, high] = [0n, await headNumber(chain)]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const header = await findHeader(chain, middle)
    if (header !== null && Number(header.timestamp) <= time) low = middle
    else high = middle - 1n
  }
  return low
}

function verifyRow(
  page: HallPage,
  checked: readonly { readonly view: HallMandateView; readonly found: Checked }[],
  today: number,
): void {
  const live = new Set(checked.flatMap(({ found }) => [...found.days]))
  if (page.days_live !== live.size) differs('days_live', page.days_live, live.size)
  const sum = (of: (view: HallMandateView) => number) => checked.reduce((total, { view }) => total + of(view), 0)
  const trades = sum((view) => view.trades)
  if (page.trades !== trades) differs('trades', page.trades, trades)
  const violations = sum(({ clauses }) => clauses.violations)
  if (page.violations !== violations) differs('violations', page.violations, violations)
  const refused = sum((view) => view.refusals.total)
  if (page.refusals.total !== refused) differs('refusals.total', page.refusals.total, refused)
  verifyRanking(page, live.size, trades)
  if (violations === 0 && page.adherence_pct !== null && page.adherence_pct !== 100)
    differs('adherence_pct', page.adherence_pct, 100)
  const rated = checked.map(({ found }) => found.rated)
  // While an open mandate has no mark for days, its result is unknown and so is the sum.
  if (page.worth_change_bps === null && rated.some((days) => isOld(days, today))) return
  const results = agentResults(rated)
  const figures = figuresOf(results)
  within('worth_change_bps', page.worth_change_bps, figures.change)
  verifyInterval(page, results)
  within('max_drawdown_bps', page.max_drawdown_bps, figures.drawdown)
  sameSeries('series', page.series, figures.index)
}

/** Recomputes the interval by the rule of the Hall, for as many siblings as the page names. */
function verifyInterval(page: HallPage, results: ReturnType<typeof agentResults>): void {
  const days = results.map(({ result }) => result)
  const found = intervalOf(days, page.agent_id, page.sibling_agents)
  const bps = (end: number | undefined) => (end === undefined ? null : Math.round(end * 10_000))
  within('worth_change_low_bps', page.worth_change_low_bps, bps(found?.low))
  within('worth_change_high_bps', page.worth_change_high_bps, bps(found?.high))
}

function verifyRanking(page: HallPage, days: number, trades: number): void {
  const needed = { days_needed: Math.max(0, 14 - days), trades_needed: Math.max(0, 10 - trades) }
  for (const [name, found] of Object.entries(needed)) {
    const said = page[name as keyof typeof needed]
    if (said !== found) differs(name, said, found)
  }
  if (page.ranked && (days < 14 || trades < 10)) differs('ranked', page.ranked, false)
}

const isOld = (days: readonly RatedDay[], today: number): boolean => {
  const last = days.at(-1)
  return last === undefined || Date.parse(last.day) / 1000 / DAY_SEC < today - 3
}
