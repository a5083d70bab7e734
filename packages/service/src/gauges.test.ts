import { expect, test } from 'vitest'
import { countsByState, readTogether } from './gauges.ts'

test('gauges that ask while a shared reader reads get the same answer, and the next turn reads again', async () => {
  let reads = 0
  const read = readTogether(async () => (reads += 1))
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  expect(await read()).toBe(2)
})

test('a shared reader that failed reads again', async () => {
  let fails = true
  const read = readTogether(async () => {
    if (fails) throw new Error('away')
    return 7
  })
  await expect(read()).rejects.toThrow('away')
  fails = false
  expect(await read()).toBe(7)
})

test('states without a row count 0', () => {
  expect(countsByState(['draft', 'active'], [{ state: 'active', count: 2 }])).toEqual({ draft: 0, active: 2 })
})
