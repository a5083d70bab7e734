import { expect, test } from 'vitest'
import { capOf } from './onboarding.ts'
import { historyPlan, MONTH } from './plan.ts'
import { travellingClock } from './travelling-clock.ts'

const plan = historyPlan(MONTH)

test('a month has forty agents, every mandate within its rules, and most agents can be ranked', () => {
  expect(plan.agents).toHaveLength(40)
  expect(new Set(plan.agents.map(({ name }) => name)).size).toBe(40)
  expect(historyPlan(MONTH)).toEqual(plan)
  for (const mandate of plan.mandates) {
    expect(mandate.stopLine).toBeLessThan(mandate.deposit)
    expect(mandate.deposit).toBeLessThanOrEqual(mandate.budget)
    expect(capOf(mandate)).toBeLessThanOrEqual(mandate.budget / 2n)
    expect(mandate.from).toBeGreaterThanOrEqual(plan.agents[mandate.agent]?.from ?? Infinity)
    expect(mandate.acts.slice(0, mandate.from).flat()).toEqual([])
  }
  const trades = plan.agents.map((_, agent) =>
    plan.mandates.filter((mandate) => mandate.agent === agent).flatMap(({ acts }) => acts.flat()),
  )
  expect(trades.filter((acts) => acts.length >= 14).length).toBeGreaterThanOrEqual(30)
  expect(trades.flat().filter(({ kind }) => kind === 'overreach').length).toBeGreaterThan(20)
})

test('a month has siblings, an agent with five owners, agents that only their owner hired, and mandates that end', () => {
  const ownersOf = (agent: number) =>
    new Set(plan.mandates.filter((mandate) => mandate.agent === agent).map(({ owner }) => owner))
  const strangersOf = plan.agents.map(({ owner }, agent) => [...ownersOf(agent)].filter((one) => one !== owner).length)
  expect(strangersOf).toContain(0)
  expect(Math.max(...strangersOf)).toBe(5)
  const byOwner = Map.groupBy(plan.agents, ({ owner }) => owner)
  expect(Math.max(...[...byOwner.values()].map((agents) => agents.length))).toBe(5)
  for (const day of ['endsDay', 'stopDay', 'topUpDay'] as const)
    expect(plan.mandates.some((mandate) => mandate[day] !== null)).toBe(true)
})

test('a short history has whole mandates too', () => {
  const short = historyPlan({ agents: 4, days: 3 })
  expect(short.mandates.length).toBeGreaterThanOrEqual(4)
  for (const { from, acts } of short.mandates) expect([from < 3, acts.length]).toEqual([true, 3])
})

test('a travelling clock goes forward only, fires what has become due, and ends at the time of the machine', async () => {
  const past = new Date(Date.now() - 86_400_000)
  const { clock, now, travelTo, arrive } = travellingClock(past)
  expect(now().getTime() - past.getTime()).toBeLessThan(1_000)
  const fired = new Promise<void>((due) => void clock.after(3_600_000, due))
  travelTo(new Date(past.getTime() + 7_200_000))
  await fired
  expect(() => travelTo(past)).toThrow('the clock stands at')
  expect(() => travelTo(new Date(Date.now() + 60_000))).toThrow('the clock stands at')
  arrive()
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000)
})
