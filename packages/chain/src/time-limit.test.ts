import { setTimeout as delay } from 'node:timers/promises'
import { collectGarbage } from '@svc/service'
import { expect, test } from 'vitest'
import { timeLimit } from './time-limit.ts'

test('a time limit aborts when it has passed, or with its parent, for the reason of that', async () => {
  using limit = timeLimit(1)
  await delay(20)
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' })
  const parent = new AbortController()
  using child = timeLimit(60_000, parent.signal)
  parent.abort('the process ends')
  expect(child.signal.reason).toBe('the process ends')
  using late = timeLimit(60_000, parent.signal)
  expect(late.signal.reason).toBe('the process ends')
})

test('a time limit that was disposed of aborts no more, and leaves no signal behind where it was one of several', async () => {
  const parent = new AbortController()
  const limited = async () => {
    using budget = timeLimit(5, parent.signal)
    const either = AbortSignal.any([budget.signal, new AbortController().signal])
    using call = timeLimit(5, either)
    return [budget.signal, either, call.signal].map((signal) => new WeakRef(signal))
  }
  const signals = (await Promise.all(Array.from({ length: 100 }, limited))).flat()
  await delay(50)
  expect(signals.filter((one) => one.deref()?.aborted === true)).toEqual([])
  const left = () => {
    collectGarbage()
    return signals.filter((one) => one.deref() !== undefined).length
  }
  await expect.poll(left).toBe(0)
})
