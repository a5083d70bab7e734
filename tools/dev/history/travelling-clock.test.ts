import { expect, test } from 'vitest'
import { travellingClock, travelTogether } from './travelling-clock.ts'

const HOUR_MS = 3_600_000
const ago = (ms: number) => new Date(Date.now() - ms)

/** A chain that needs a moment to travel, and says where it was sent. */
function slowChain() {
  const visited: Date[] = []
  const travelTo = async (time: Date) => {
    visited.push(time)
    const until = Date.now() + 20
    while (Date.now() < until) await Promise.resolve()
  }
  return { visited, travelTo }
}

test('chain and clock travel together to a time ahead', async () => {
  const [chain, clock] = [slowChain(), travellingClock(ago(2 * HOUR_MS))]
  const time = ago(HOUR_MS)
  await travelTogether(chain, clock, time)
  expect(chain.visited).toEqual([time])
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(time.getTime())
})

test('neither chain nor clock moves for a time that has passed', async () => {
  const [chain, clock] = [slowChain(), travellingClock(ago(HOUR_MS))]
  await travelTogether(chain, clock, ago(2 * HOUR_MS))
  expect(chain.visited).toEqual([])
  expect(clock.now().getTime()).toBeLessThan(ago(HOUR_MS).getTime() + 60_000)
})

test('a time that the clock passes while the chain travels is no error', async () => {
  const [chain, clock] = [slowChain(), travellingClock(ago(HOUR_MS))]
  const time = new Date(clock.now().getTime() + 5)
  await travelTogether(chain, clock, time)
  expect(chain.visited).toEqual([time])
  expect(clock.now().getTime()).toBeGreaterThan(time.getTime())
})
