import { expect, test } from 'vitest'
import { HALL_WINDOWS } from '@svc/contracts/gallery/hall'
import { recordOf } from '#hall/rules/record.ts'
import { agentInput, FIRST_DAY, History, luckOf, mandateInput, randomOf, type Act } from './histories.ts'
import { naiveFigures, type NaiveMandate } from './naive-hall.ts'

/** Returns a mandate with random results, flows, lost marks and days with trades of others. */
function randomHistory(random: () => number, days: number): History {
  const history = new History(Math.round(random() * 2_000_000) / 10_000)
  for (let day = 1; day < days; day += 1) {
    const acts: Act[] = []
    const amount = Math.round(random() * 1_000_000) / 10_000
    if (random() < 0.08) acts.push({ deposit: amount, marked: random() < 0.7 })
    if (random() < 0.05) acts.push({ withdraw: random() < 0.2 ? history.worth : amount, marked: random() < 0.7 })
    if (random() < 0.03) acts.push({ result: luckOf(random, 0.5) })
    history.day(random() < 0.01 ? -1 : luckOf(random, 0.1), acts)
    const last = history.days.at(-1)
    if (last !== undefined && random() < 0.05) last.points = []
    if (last !== undefined && random() < 0.05) last.foreignFills = 1
  }
  return history
}

const plainly = ({ days }: History): NaiveMandate => ({
  days: days.map(({ points, foreignFills }) => ({
    points: points.map(({ worth, paidIn, paidOut }) => ({
      worth: Number(worth) / 1e6,
      paidIn: Number(paidIn) / 1e6,
      paidOut: Number(paidOut) / 1e6,
    })),
    foreign: foreignFills > 0,
  })),
})

test('on 1,000 random histories a second, naive implementation finds the same figures in every window', () => {
  const widths = [7, 30, 90, null]
  let intervals = 0
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const random = randomOf(seed)
    const days = 2 + Math.floor(random() * 58)
    const histories = Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomHistory(random, days))
    const siblings = Math.floor(random() * 4)
    const agent = agentInput(
      histories.map((one) => mandateInput(one)),
      { agentId: seed, siblings },
    )
    const { windows } = recordOf(agent, FIRST_DAY + days)
    for (const [at, window] of windows.entries()) {
      const naive = naiveFigures(histories.map(plainly), { agentId: seed, siblings, last: widths[at] ?? null })
      const told = `seed ${seed}, window ${HALL_WINDOWS[at]}`
      expectBps(window.worth_change_bps, naive.change, told)
      expectBps(window.max_drawdown_bps, naive.drawdown, told)
      expectBps(window.worth_change_low_bps, naive.low, told)
      expectBps(window.worth_change_high_bps, naive.high, told)
      if (naive.low !== null) intervals += 1
    }
  }
  expect(intervals).toBeGreaterThan(1_500)
})

/** Requires the same figure, to a basis point and a millionth of it: base units are whole, and large figures multiply. */
function expectBps(bps: number | null, fraction: number | null, told: string): void {
  if (fraction === null || bps === null) return expect(bps, told).toBe(fraction)
  const wanted = Math.min(2_000_000_000, fraction * 10_000)
  expect(Math.abs(bps - wanted), `${told}: ${bps} for ${wanted}`).toBeLessThanOrEqual(1.01 + Math.abs(wanted) * 1e-5)
}
