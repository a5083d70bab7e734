import { expect, test } from 'vitest'
import { changeWithin } from './change-within.ts'

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

// The process has timers of its own, which come and go meanwhile.
const WAITS = 20

test('a wait for a change leaves no timer behind, whichever way it ends', async () => {
  const before = timers()
  for (let wait = 0; wait < WAITS; wait += 1) {
    await changeWithin(60_000, Promise.resolve())
    await expect(changeWithin(60_000, Promise.reject(new Error('ended')))).rejects.toThrow('ended')
    await changeWithin(1, new Promise(() => {}))
  }
  expect(timers()).toBeLessThan(before + WAITS / 2)
})
