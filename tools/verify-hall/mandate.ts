import type { HallMandateView } from '@svc/contracts/gallery/hall'
import { getAddress } from 'viem'
import { HallProblem, differs } from './problem.ts'
import { figuresOf, rateDays, type Point, type RatedDay } from './rate.ts'
import type { Reads } from './reads.ts'
import { sameSeries, within } from './same.ts'
import { flowsOf, type VaultOnChain } from './vault-on-chain.ts'

/** When a page was computed. Unix seconds, days since 1970-01-01. */
export interface Moment {
  readonly asOf: number
  /** What happened before is in the page. */
  readonly late: number
  readonly today: number
  /** Last block by then. */
  readonly head: bigint
}

/** What the chain confirms of a mandate, and what it cannot say. */
export interface Checked {
  readonly confirmed: readonly string[]
  readonly unverifiable: readonly string[]
  readonly rated: readonly RatedDay[]
  /** Closed UTC days on which it was live. */
  readonly days: ReadonlySet<number>
}

interface Source {
  readonly reads: Reads
  /** Whether to read every block for calls that the vault refused. */
  readonly refusals: boolean
}
type Proof = NonNullable<HallMandateView['proof']>

const DAY_SEC = 86_400
const USDC = 1_000_000
const OVER: ReadonlySet<string> = new Set(['stopped', 'ended', 'closed'])
/** A mark may be measured on a block of the minutes before midnight. */
const MARK_AGE_SEC = 600
/** A page shows the points of a year; of an older mandate the beginning is missing. */
const SHOWN_DAYS = 366

/** Recomputes a mandate from its vault. Throws `HallProblem` for the first figure that differs. */
export async function verifyMandate(
  view: HallMandateView,
  proof: Proof,
  source: Source,
  moment: Moment,
): Promise<Checked> {
  const { reads, refusals } = source
  const at = (figure: string) => `${view.mandate}.${figure}`
  if (proof.chain_id !== reads.chain.id) differs(at('proof.chain_id'), proof.chain_id, reads.chain.id)
  const named = { vault: getAddress(proof.vault), publicId: proof.public_id }
  const vault = await reads.vault(named, moment.head)
  verifyTrades(view, vault, moment, at)
  verifyLimits(view, vault, at)
  const { days, note } = verifyDays(view, vault, moment, at)
  const confirmed = ['proof.vault', 'trades', 'clauses', 'days_live']
  const unverifiable = ['record: see tools/verify-record', ...note]
  if (refusals) {
    await verifyRefusals(view, { reads, vault, moment }, at)
    confirmed.push('refusals of the chain')
  } else unverifiable.push('refusals: run with --refusals')
  if (view.hl_leg || vault.version === 2)
    return { confirmed, unverifiable: [...unverifiable, 'worth, drawdown, series: venue'], rated: [], days }
  if (proof.points.length >= SHOWN_DAYS)
    return { confirmed, unverifiable: [...unverifiable, 'worth, drawdown, series: older than a year'], rated: [], days }
  const rated = rateDays(await pointsOf(proof, { reads, vault, moment }, at))
  const figures = figuresOf(rated)
  if (view.foreign_days !== 0) differs(at('foreign_days'), view.foreign_days, 0)
  if (view.counts_for_worth !== rated.length > 0)
    differs(at('counts_for_worth'), view.counts_for_worth, rated.length > 0)
  sameSeries(at('series'), view.series, figures.index)
  within(at('worth_change_bps'), view.worth_change_bps, figures.change)
  within(at('max_drawdown_bps'), view.max_drawdown_bps, figures.drawdown)
  return { confirmed: [...confirmed, 'worth_change_bps', 'max_drawdown_bps', 'series'], unverifiable, rated, days }
}

type Path = (figure: string) => string

/** A mandate with what the chain has of it. */
interface Scene {
  readonly reads: Reads
  readonly vault: VaultOnChain
  readonly moment: Moment
}

function verifyTrades({ trades, hl_leg }: HallMandateView, { logs }: VaultOnChain, { late }: Moment, at: Path): void {
  const executed = logs.filter(({ name }) => name === 'Executed')
  const least = executed.filter(({ time }) => time <= late).length
  // Orders of a leg are executed at the venue, so there may be more of them.
  if (trades < least || (!hl_leg && trades > executed.length)) differs(at('trades'), trades, executed.length)
}

/** The contract enforces what this looks at; a vault whose events break its terms would be no vault of the factory. */
function verifyLimits({ clauses }: HallMandateView, vault: VaultOnChain, at: Path): void {
  const stopped = vault.logs.find(({ name }) => name === 'Stopped')
  const broken = vault.logs.filter(({ name, args, time, block }) => {
    if (name !== 'Executed') return false
    const isOver =
      BigInt(String(args['approved'])) > vault.perTxCap || BigInt(String(args['usedToday'])) > vault.dailyCap
    return isOver || time >= vault.endsAt || (stopped !== undefined && block > stopped.block)
  })
  if (broken.length > 0 && clauses.kept) differs(at('clauses.kept'), true, false)
  if (clauses.kept !== (clauses.violations === 0)) differs(at('clauses.kept'), clauses.kept, clauses.violations === 0)
}

function verifyDays(view: HallMandateView, vault: VaultOnChain, { asOf, late, today }: Moment, at: Path) {
  const stopped = vault.logs.find(({ name }) => name === 'Stopped')?.time ?? Infinity
  const end = Math.min(stopped, vault.endsAt <= asOf ? vault.endsAt : Infinity)
  const isOver = OVER.has(view.state)
  if (!isOver && end <= late) differs(at('state'), view.state, stopped <= end ? 'stopped' : 'ended')
  if (view.state === 'ended' && end === Infinity) differs(at('state'), view.state, 'open')
  if (view.state === 'closed' && !vault.logs.some(({ name }) => name === 'Settled'))
    differs(at('state'), view.state, 'not settled')
  const isFunded = vault.logs.some(({ name }) => name === 'Deposited' || name === 'DirectDeposit')
  const first = Math.floor(vault.createdAt / DAY_SEC)
  const last = isFunded ? Math.min(end === Infinity ? today - 1 : Math.floor(end / DAY_SEC), today - 1) : first - 1
  const length = Math.max(0, last - first + 1)
  // A stop in the record is on no chain, and may have ended the mandate before the chain did.
  const mayBeEarlier = view.state === 'stopped' || view.state === 'closed'
  const isSame = view.days_live === length || (mayBeEarlier && view.days_live < length)
  if (!isSame) differs(at('days_live'), view.days_live, length)
  const note = mayBeEarlier && stopped === Infinity ? ['state: a stop in the record is on no chain'] : []
  return { days: new Set(Array.from({ length: view.days_live }, (_, n) => first + n)), note }
}

async function verifyRefusals({ refusals }: HallMandateView, { reads, vault, moment }: Scene, at: Path): Promise<void> {
  // What a server or a venue refused is on no chain, so there may be more.
  for (const [kind, found] of await reads.refused(vault, moment.head)) {
    const said = refusals.by_kind[kind] ?? 0
    if (said < found) differs(at(`refusals.by_kind.${kind}`), said, found)
  }
  const total = Object.values(refusals.by_kind).reduce((sum, n) => sum + n, 0)
  if (refusals.total !== total) differs(at('refusals.total'), refusals.total, total)
}

/** Reads the points from the chain: their blocks, which the page names, and the state of the vault after each. */
async function pointsOf(proof: Proof, { reads, vault, moment }: Scene, at: Path): Promise<readonly Point[]> {
  const points: Point[] = []
  let before = 0n
  for (const { day, blocks } of proof.points)
    for (const number of blocks) {
      const block = BigInt(number)
      const figure = at(`proof.points ${day}`)
      if (block < before || block < vault.createdBlock || block > moment.head)
        throw new HallProblem(`${figure} differs: block ${number} is not in its order`)
      before = block
      const state = await reads.state(vault, block)
      const from = Date.parse(day) / 1000
      if (state.time < from - MARK_AGE_SEC || state.time >= from + DAY_SEC)
        differs(figure, day, new Date(state.time * 1000).toISOString())
      const flows = flowsOf(vault.logs, block)
      if (flows.paidIn !== state.paidIn || flows.paidOut !== state.paidOut)
        throw new Error(`the events of ${vault.address} and its books contradict each other in block ${number}`)
      const usdc = (amount: bigint) => Number(amount) / USDC
      points.push({ day, worth: usdc(state.worth), paidIn: usdc(state.paidIn), paidOut: usdc(state.paidOut) })
    }
  return points
}
