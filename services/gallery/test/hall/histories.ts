import { rateDays, type FactDay, type Point } from '#facts/rules/rate-days.ts'
import type { AgentInput, MandateInput } from '#hall/rules/inputs.ts'

/** Returns random numbers from 0 to 1 that depend on a seed alone. */
export function randomOf(seed: number): () => number {
  let state = BigInt(seed) * 2_654_435_761n + 1n
  return () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number(state >> 33n) / 2 ** 31
  }
}

/** Returns a random daily result about zero, without skill. */
export const luckOf = (random: () => number, size = 0.02): number => (random() + random() + random() - 1.5) * size

const units = (usdc: number): bigint => BigInt(Math.round(usdc * 1e6))

/** First day of every history, as days since 1970-01-01. */
export const FIRST_DAY = 20_000

/** A mandate as it lives day by day, with the points that mandates would tell of it. All amounts are USDC. */
export class History {
  readonly days: { points: Point[]; trades: number; foreignFills: number }[] = []
  /** What everybody sees in the vault, with donations. */
  seen = 0
  worth = 0
  paidIn = 0
  paidOut = 0
  trades = 0
  closed = false

  constructor(paidIn: number) {
    this.#nextDay()
    this.paidIn = paidIn
    this.#move(paidIn)
    this.#mark()
  }

  /** Lets a day pass with a result, after acts that happen within it. */
  day(result: number, within: readonly Act[] = []): this {
    this.#nextDay()
    for (const act of within) this.#act(act)
    this.#move(this.worth * result)
    this.#mark()
    return this
  }

  #nextDay(): void {
    this.days.push({ points: [], trades: 0, foreignFills: 0 })
  }

  #act(act: Act): void {
    const { marked = true } = act
    if (marked) this.#mark()
    if ('deposit' in act) {
      this.paidIn += act.deposit
      this.#move(act.deposit)
    } else if ('withdraw' in act) {
      const amount = Math.min(act.withdraw, this.worth)
      this.paidOut += amount
      this.#move(-amount)
    } else if ('donate' in act) this.seen += act.donate
    else if ('result' in act) this.#move(this.worth * act.result)
    else this.#trade(act.trades, act.costs)
    if (marked) this.#mark()
  }

  #trade(trades: number, costs: number): void {
    this.trades += trades
    const day = this.days.at(-1)
    if (day !== undefined) day.trades += trades
    this.#move(-Math.min(this.worth, costs))
  }

  #move(amount: number): void {
    this.worth += amount
    this.seen += amount
  }

  #mark(): void {
    this.days
      .at(-1)
      ?.points.push({ worth: units(this.worth), paidIn: units(this.paidIn), paidOut: units(this.paidOut) })
  }
}

/** What happens within a day. `marked: false` leaves out the marks around it, as between two marks. */
export type Act = (
  | { readonly deposit: number }
  | { readonly withdraw: number }
  | { readonly donate: number }
  | { readonly result: number }
  | { readonly trades: number; readonly costs: number }
) & { readonly marked?: boolean }

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Returns the days of a history as mandates tells them. */
export const factDays = (history: History, first = FIRST_DAY): readonly FactDay[] =>
  history.days.map(({ points, foreignFills }, at) => ({ day: dayText(first + at), points, foreignFills }))

/** Returns a mandate of the Hall from its history. */
export function mandateInput(history: History, more: Partial<MandateInput> & { first?: number } = {}): MandateInput {
  const { first = FIRST_DAY, ...rest } = more
  const rated = rateDays(null, factDays(history, first))
  return {
    publicId: 'mdt_00000000000000000000000000000001',
    ownerId: 900,
    state: history.closed ? 'closed' : 'working',
    proof: null,
    hlLeg: false,
    principal: history.paidIn * 1e6,
    stopLine: 0,
    closing: null,
    opened: first,
    ended: history.closed ? first + history.days.length - 1 : null,
    record: { seq: 1, hash: 'a' },
    tradesTotal: history.trades,
    marked: first + history.days.length - 1,
    days: rated.flatMap(({ start, peak, gain }, at) =>
      peak > 0n ? [{ day: first + at, start: Number(start), peak: Number(peak), gain: Number(gain) }] : [],
    ),
    trades: [0, 0, 0, history.trades],
    acts: history.days.flatMap(({ foreignFills }, at) =>
      foreignFills > 0 ? [{ day: first + at, violations: 0, foreign: foreignFills }] : [],
    ),
    refusals: [],
    blocks: [],
    ...rest,
  }
}

/** Returns an agent of the Hall with mandates. */
export const agentInput = (mandates: readonly MandateInput[], more: Partial<AgentInput> = {}): AgentInput => ({
  agentId: 7,
  name: 'Seven',
  accepting: true,
  siblings: 0,
  ownOwners: new Set(),
  policyChanges: [],
  mandates,
  ...more,
})
