import { expect, test } from 'vitest'
import { intervalOf } from '#hall/rules/interval.ts'
import { recordOf } from '#hall/rules/record.ts'
import { agentInput, FIRST_DAY, History, luckOf, mandateInput, randomOf, type Act } from './histories.ts'

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed + 1)
const DAYS = 30
const TODAY = FIRST_DAY + DAYS + 1

/** Figures of an agent over all days, in basis points. */
function figuresOf(histories: readonly History[], more: Parameters<typeof agentInput>[1] = {}) {
  const record = recordOf(
    agentInput(
      histories.map((one) => mandateInput(one)),
      more,
    ),
    TODAY,
  )
  const [, , , all] = record.windows
  if (all === undefined) throw new Error('a record has four windows')
  return {
    change: all.worth_change_bps ?? Number.NaN,
    low: all.worth_change_low_bps ?? Number.NaN,
    drawdown: all.max_drawdown_bps ?? Number.NaN,
    independent: record.body.independent_owners,
  }
}
const resultsOf = (seed: number, drift = 0) => {
  const random = randomOf(seed)
  return Array.from({ length: DAYS }, () => drift + luckOf(random))
}
/** A history of daily results in which something happens within chosen days. */
const historyOf = (results: readonly number[], acts: (day: number, history: History) => readonly Act[] = () => []) =>
  results.reduce((history, result, day) => history.day(result, acts(day, history)), new History(100))
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const closeTo = (figure: number, other: number) => expect(Math.abs(figure - other)).toBeLessThanOrEqual(1)

test('deposits: they lift the worth of a losing agent, and neither its worth change nor its drawdown', () => {
  for (const seed of SEEDS) {
    const results = resultsOf(seed, -0.01)
    const plain = historyOf(results)
    const deposits = historyOf(results, (day) => (day % 5 === 3 ? [{ deposit: 200 }] : []))
    const naive = ({ seen }: History) => seen / 100 - 1
    expect(naive(deposits)).toBeGreaterThan(naive(plain) + 1)
    const [ours, before] = [figuresOf([deposits]), figuresOf([plain])]
    closeTo(ours.change, before.change)
    closeTo(ours.low, before.low)
    closeTo(ours.drawdown, before.drawdown)
    // Nor does a deposit after the loss, and before the next mark, dilute it.
    const hidden = new History(100)
    for (const [day, result] of results.entries())
      if (day % 5 === 3)
        hidden.day(0, [
          { result, marked: false },
          { deposit: 10_000, marked: false },
        ])
      else hidden.day(result)
    expect(figuresOf([hidden]).change).toBeLessThanOrEqual(before.change + 1)
    // Nor does one into another mandate, late on the day of the loss.
    const other = new History(100)
    for (const [day] of results.entries())
      other.day(0, day % 5 === 3 ? [{ deposit: 100_000 }, { withdraw: 100_000 }] : [])
    const idle = historyOf(results.map(() => 0))
    expect(figuresOf([plain, other]).change).toBeLessThanOrEqual(figuresOf([plain, idle]).change + 1)
  }
})

test('withdrawals: they multiply the profit on what is left, and not the worth change', () => {
  for (const seed of SEEDS) {
    const results = resultsOf(seed, 0.01)
    const plain = historyOf(results)
    const withdrawals = historyOf(results, (day, { worth }) => (day === 20 ? [{ withdraw: worth * 0.6 }] : []))
    const naive = ({ worth, paidIn, paidOut }: History) => (worth + paidOut - paidIn) / Math.max(1, paidIn - paidOut)
    expect(naive(withdrawals)).toBeGreaterThan(naive(plain) * 1.2)
    const [ours, before] = [figuresOf([withdrawals]), figuresOf([plain])]
    closeTo(ours.change, before.change)
    closeTo(ours.low, before.low)
    // With less than 25 USDC left nothing is rated any more, gains or losses, whatever they are.
    const emptied = historyOf(results, (day, { worth }) => (day === 20 ? [{ withdraw: worth - 1 }] : []))
    closeTo(
      figuresOf([emptied]).change,
      figuresOf([historyOf(results.map((result, day) => (day < 20 ? result : 0)))]).change,
    )
  }
})

test('donations to the vault: they lift what the vault holds, and are in no point of the facts', () => {
  for (const seed of SEEDS) {
    const results = resultsOf(seed)
    const plain = historyOf(results)
    const donated = historyOf(results, (day) => (day % 10 === 5 ? [{ donate: 50 }] : []))
    expect(donated.seen / 100).toBeGreaterThan(plain.seen / 100 + 1)
    expect(figuresOf([donated])).toEqual(figuresOf([plain]))
  }
})

test('splitting into many mandates: the best or the mean of them rises, and the agent has the result of all their money', () => {
  for (const seed of SEEDS) {
    const random = randomOf(seed)
    const parts = Array.from({ length: 10 }, () => new History(100))
    // Opposite bets, half of them each way: together they win nothing.
    for (let day = 0; day < DAYS; day += 1) {
      const bet = 0.015 + random() * 0.01
      for (const [at, part] of parts.entries()) part.day((at % 2 === 0 ? bet : -bet) * (100 / part.worth))
    }
    const naive = Math.max(...parts.map(({ worth }) => worth / 100 - 1))
    expect(naive).toBeGreaterThan(0.4)
    const whole = historyOf(Array.from({ length: DAYS }, () => 0))
    closeTo(figuresOf(parts).change, figuresOf([whole]).change)
    // One account that trades the same has the same figures as its ten tenths.
    const results = resultsOf(seed, 0.002)
    const tenths = Array.from({ length: 10 }, () => historyOf(results))
    expect(figuresOf(tenths)).toEqual({ ...figuresOf([historyOf(results)]), independent: '1' })
    // Parts below 25 USDC are rated neither way, however they end.
    const small = Array.from({ length: 5 }, () => results.reduce((part, one) => part.day(one), new History(20)))
    expect(figuresOf(small).change).toBeNaN()
  }
})

test('wash trades at the test venue: they dilute the loss per trade, and cost worth change', () => {
  for (const seed of SEEDS) {
    const results = resultsOf(seed, -0.005)
    const plain = historyOf(results, () => [{ trades: 1, costs: 0.004 }])
    // Round trips at the prices of the venue: fee and spread are all they move.
    const washed = historyOf(results, () => [{ trades: 40, costs: 40 * 0.004 }])
    const naive = ({ worth, trades }: History) => (worth - 100) / trades
    expect(naive(washed)).toBeGreaterThan(naive(plain) / 3)
    const [ours, before] = [figuresOf([washed]), figuresOf([plain])]
    expect(ours.change).toBeLessThan(before.change)
    expect(ours.low).toBeLessThan(before.low)
    expect(ours.drawdown).toBeGreaterThanOrEqual(before.drawdown)
  }
})

test('closing losers: the open mandates look better, and the closed ones stay in the figures', () => {
  let lifted = 0
  for (const seed of SEEDS) {
    const make = (close: boolean) =>
      Array.from({ length: 8 }, (_, at) => {
        const history = new History(100)
        for (const [day, result] of resultsOf(seed * 100 + at).entries()) {
          const losing = close && day === DAYS - 1 && history.worth < 100
          history.day(losing ? 0 : day === DAYS - 1 ? 0 : result, losing ? [{ withdraw: history.worth }] : [])
          if (losing) history.closed = true
        }
        return history
      })
    const [kept, closed] = [make(false), make(true)]
    const naive = (all: readonly History[]) =>
      mean(all.filter((one) => !one.closed).map(({ worth }) => worth / 100 - 1))
    if (closed.some((one) => one.closed) && closed.some((one) => !one.closed)) {
      expect(naive(closed)).toBeGreaterThan(naive(kept))
      lifted += 1
    }
    expect(figuresOf(closed)).toEqual(figuresOf(kept))
  }
  expect(lifted).toBeGreaterThan(90)
})

test('an own owner for an own agent: it counts as an owner, and not as an independent one', () => {
  for (const seed of SEEDS) {
    const history = historyOf(resultsOf(seed, 0.02))
    const naive = new Set([mandateInput(history).ownerId]).size
    expect(naive).toBe(1)
    // Neither the paired owner nor one with the wallet of the agent, however many mandates they have.
    const own = figuresOf([history, history], { ownOwners: new Set([900]) })
    expect(own.independent).toBe('0')
    expect(figuresOf([history]).independent).toBe('1')
    // Nor somebody with less than 25 USDC.
    expect(figuresOf([resultsOf(seed).reduce((one, result) => one.day(result), new History(24))]).independent).toBe('0')
  }
})

test('many agents of whom the winner is kept: the winner rises, and the low end of its interval is above zero as rarely as that of one agent', () => {
  const AGENTS = 20
  const DAYS_LONG = 60
  let naiveSum = 0
  let naiveWins = 0
  let wins = 0
  for (const seed of SEEDS) {
    const agents = Array.from({ length: AGENTS }, (_, at) => {
      const random = randomOf(seed * 1_000 + at)
      return Array.from({ length: DAYS_LONG }, () => luckOf(random))
    })
    const changeOf = (results: readonly number[]) => results.reduce((index, result) => index * (1 + result), 1) - 1
    const best = agents.toSorted((a, b) => changeOf(b) - changeOf(a))[0] ?? []
    naiveSum += changeOf(best)
    if ((intervalOf(best, seed, 0)?.low ?? -1) > 0) naiveWins += 1
    const lows = agents.map((results, at) => intervalOf(results, seed * 1_000 + at, AGENTS - 1)?.low ?? -1)
    if (Math.max(...lows) > 0) wins += 1
  }
  // Nobody has any skill; the winner seems to have gained, and an interval that knows of no siblings believes it.
  expect(naiveSum / SEEDS.length).toBeGreaterThan(0.05)
  expect(naiveWins).toBeGreaterThan(25)
  expect(wins).toBeLessThanOrEqual(5)
})
