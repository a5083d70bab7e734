import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { crisisDay } from '../demo/crisis-day.ts'
import { createWalk } from '../demo/walk.ts'

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

test('an alert of a replayed crash reaches a reader of the stream, the falling token first', async () => {
  const walk = createWalk('http://127.0.0.1')
  await crisisDay(walk)
  expect(walk.steps()).toBe(2)
}, 180_000)
